import type { JsonObject } from '../../../src/index.js';
import { configMap } from '../bodies.js';
import { until } from '../definitions.js';
import { gadget, gadgetsOf } from '../gadgets.js';
import { group, type Read, type Session } from '../session.js';
import { addBuiltInApplyCases } from './apply-built-in.cases.js';

const { cases, add } = group('apply');
export const applyCases = cases;

const apply = (s: Session, path: string, manager: string, body: unknown, query = ''): Promise<Read> =>
  s.patch('apply', `${path}?fieldManager=${manager}${query}`, body);

/** A case about one gadget; `path` leads to it. */
function addGadget(
  name: string,
  run: (
    s: Session,
    path: string,
    as: (manager: string, spec: JsonObject, query?: string) => Promise<Read>,
  ) => Promise<unknown>,
): void {
  add(name, async (s) => {
    const path = `${await gadgetsOf(s)}/a`;
    await run(s, path, (manager, spec, query) => apply(s, path, manager, gadget(spec), query));
  });
}

addGadget('creates', async (s, path, as) => {
  await as('m1', { name: 'x', size: 1 });
  await s.get(path);
  await apply(s, `${s.configMaps}/c`, 'm1', configMap('c'));
});
addGadget('creates with labels, annotations and everything that the server sets', async (s, path) => {
  const metadata = {
    labels: { l: '1' },
    annotations: { n: '1' },
    uid: '11111111-2222-3333-4444-555555555555',
    creationTimestamp: '2020-01-01T00:00:00Z',
    generation: 7,
    selfLink: '/x',
  };
  await apply(s, path, 'm1', gadget({ name: 'x' }, metadata));
  await apply(s, path, 'm1', { ...gadget({ name: 'x' }, { labels: { l: '1' } }), status: { phase: 'x' } });
});
addGadget('a manager is required, and looked at', async (s, path) => {
  await s.patch('apply', path, gadget({}));
  await s.patch('apply', `${path}?force=true`, gadget({}));
  await apply(s, path, '', gadget({}));
  await apply(s, path, 'x'.repeat(129), gadget({}));
  await apply(s, path, 'a%0Ab', gadget({}));
  await s.patch('apply', `${s.configMaps}/c`, configMap('c'));
  await s.patch('merge', `${path}?fieldManager=${'x'.repeat(129)}`, {});
  await s.post(`${s.configMaps}?fieldManager=a%0Ab`, configMap('c'));
});
addGadget('a conflict about one field', async (s, path, as) => {
  await as('m1', { name: 'x', size: 1 });
  await as('m2', { size: 2 });
  await s.get(path);
});
addGadget('a conflict about several fields', async (_, path_, as) => {
  await as('m1', { name: 'x', size: 1, labels: { a: '1', 'b.c/d': '1' }, plain: ['a'] });
  await as('m2', { name: 'y', size: 2, labels: { a: '2', 'b.c/d': '2' }, plain: ['b'] });
});
addGadget('a conflict with several managers', async (s, path, as) => {
  await as('m1', { name: 'x', size: 1 });
  await as('m2', { size: 1 });
  await s.patch('merge', `${path}?fieldManager=m3`, { spec: { nested: { b: 'x' } } });
  await as('m4', { name: 'y', size: 2, nested: { b: 'y' } });
});
addGadget('force takes the fields over', async (s, path, as) => {
  await as('m1', { name: 'x', size: 1 });
  await as('m2', { size: 2 }, '&force=true');
  await as('m1', { name: 'x', size: 1 });
  await as('m1', { name: 'x' });
  await as('m3', { name: 'z' }, '&force=false');
});
addGadget('two managers share what they agree about', async (_, path_, as) => {
  await as('m1', { name: 'x', size: 1 });
  await as('m2', { name: 'x' });
  await as('m2', { name: 'y' });
  await as('m1', { size: 1 });
  await as('m2', {});
});
addGadget('what is no longer applied is removed', async (_, path_, as) => {
  await as('m1', { name: 'x', size: 1, nested: { b: 'x', deep: { d: 1 } }, labels: { a: '1', b: '2' } });
  await as('m1', { name: 'x', nested: { deep: {} }, labels: { b: '2' } });
  await as('m1', { name: 'x' });
  await as('m1', {});
});
addGadget('a struct of which others own parts stays', async (s, path, as) => {
  await as('m1', { nested: { b: 'x' }, labels: { a: '1' } });
  await as('m2', { nested: { deep: { d: 1 } }, labels: { b: '2' } });
  await as('m1', {});
  await as('m2', {});
});
addGadget('a list that is a set', async (_, path_, as) => {
  await as('m1', { tags: ['b', 'a'] });
  await as('m2', { tags: ['c', 'a'] });
  await as('m1', { tags: ['b'] });
  await as('m2', { tags: ['c'] });
  await as('m2', { tags: [] });
});
addGadget('a list that is a map', async (s, path, as) => {
  await as('m1', {
    ports: [
      { port: 80, protocol: 'TCP', name: 'http' },
      { port: 53, protocol: 'UDP', name: 'dns' },
    ],
  });
  await as('m2', { ports: [{ port: 443, protocol: 'TCP', name: 'https' }] });
  await as('m2', { ports: [{ port: 80, protocol: 'TCP', name: 'web' }] });
  await as('m1', { ports: [{ port: 53, protocol: 'UDP', name: 'name' }] });
  await as('m1', { ports: [] });
});
addGadget('parts of an item of a list that is a map', async (_, path_, as) => {
  await as('m1', { ports: [{ port: 80, protocol: 'TCP', name: 'http', options: { a: '1' } }] });
  await as('m2', { ports: [{ port: 80, protocol: 'TCP', options: { b: '1' }, hosts: ['x'] }] });
  await as('m1', { ports: [{ port: 80, protocol: 'TCP', options: { a: '2' } }] });
  await as('m1', {});
  await as('m2', { ports: [{ port: 80, protocol: 'TCP' }] });
});
addGadget('a key that is a default', async (s, path, as) => {
  await as('m1', { ports: [{ port: 80 }] });
  await as('m2', { ports: [{ port: 80, protocol: 'TCP', name: 'http' }] });
  await as('m2', { ports: [{ port: 80, protocol: 'UDP' }] });
  await as('m1', {});
});
addGadget('the order of items', async (s, path, as) => {
  const ports = (...numbers: number[]) => numbers.map((port) => ({ port, protocol: 'TCP' }));
  await as('m1', { ports: ports(1, 2, 3), tags: ['a', 'b', 'c'] });
  await as('m2', { ports: ports(5, 3, 4), tags: ['e', 'c', 'd'] });
  await as('m1', { ports: ports(3, 1), tags: ['c', 'a'] });
});
addGadget('a list that is atomic', async (s, path, as) => {
  await as('m1', { plain: ['a', 'b'], steps: [{ name: 's', run: 'x' }] });
  await as('m2', { plain: ['a'] });
  await as('m2', { plain: ['a', 'b'], steps: [{ name: 's', run: 'y' }] });
  await as('m2', { plain: ['c'] }, '&force=true');
  await as('m2', { plain: [] });
});
addGadget('a map, and one that is atomic', async (s, path, as) => {
  await as('m1', { labels: { a: '1' }, selector: { a: '1' }, reference: { name: 'n' } });
  await as('m2', { labels: { b: '1' } });
  await as('m2', { selector: { b: '1' } });
  await as('m2', { reference: { kind: 'K' } });
  await as('m2', { selector: { b: '1' }, reference: { kind: 'K' } }, '&force=true');
});
addGadget('defaults belong to nobody', async (s, path, as) => {
  await as('m1', { nested: { deep: {} } });
  await as('m2', { nested: { a: 'da', deep: { c: 4 } } });
  await as('m2', { nested: { a: 'x' } });
  await as('m1', { nested: {} });
});
addGadget('open fields', async (s, path, as) => {
  await as('m1', { open: { a: { b: [1, { c: null }] }, n: null, list: [] } });
  await as('m2', { open: { a: { b: [2] } } });
  await as('m2', { open: { a: { z: 1.5 }, big: true } });
  await as('m1', { open: {} });
});
addGadget('nulls', async (s, path, as) => {
  await as('m1', { name: null, maybe: null, labels: { a: null }, nested: null, tags: null });
  await as('m1', { maybe: 'x' });
  await as('m1', { maybe: null });
});
addGadget('unknown fields', async (s, path, as) => {
  await as('m1', { zzz: 1, nested: { yy: 1 } });
  await as('m2', { zzz: 1 }, '&fieldValidation=Warn');
  await as('m2', { zzz: 1 }, '&fieldValidation=Strict');
  await as('m3', { zzz: 1 }, '&fieldValidation=Ignore');
});
addGadget('types that the schema does not have', async (s, path, as) => {
  await as('m1', { name: 1 });
  await as('m1', { size: 'x' });
  await as('m1', { ports: {} });
  await as('m1', { tags: [1] });
  await as('m1', { nested: [] });
  await apply(s, path, 'm1', { ...gadget({}), spec: 'x' });
  await apply(s, path, 'm1', gadget({}, { labels: { a: 1 } }));
  await as('m1', { size: 1.5 });
});
addGadget('the same item twice, an item without its key', async (s, path, as) => {
  await as('m1', { tags: ['a', 'a'] });
  await as('m1', { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] });
  await as('m1', { ports: [{ name: 'x' }] });
  await as('m1', { ports: ['x'] });
});
addGadget('what was stored with the same item twice', async (s, path, as) => {
  await as('m1', { tags: ['a'] });
  await s.patch('json', `${path}?fieldManager=m2`, [{ op: 'add', path: '/spec/tags/-', value: 'a' }]);
  await s.patch('json', `${path}?fieldManager=m2`, [{ op: 'add', path: '/spec/tags/-', value: 'b' }]);
  await as('m1', { tags: ['a', 'c'] });
});
addGadget('status', async (s, path, as) => {
  await as('m1', { name: 'x' });
  const status = (phase: string, more: JsonObject = {}): JsonObject => ({ ...gadget({}), status: { phase, ...more } });
  await apply(s, `${path}/status`, 'm2', status('p', { conditions: [{ type: 'Ready', status: 'True' }] }));
  await apply(s, path, 'm3', { ...gadget({ size: 1 }), status: { phase: 'q' } });
  await apply(s, `${path}/status`, 'm4', status('r', { conditions: [{ type: 'Synced', status: 'True' }] }));
  await apply(s, `${path}/status`, 'm4', {
    ...gadget({ name: 'y' }, { labels: { l: '1' } }),
    status: { conditions: [{ type: 'Synced', status: 'True' }] },
  });
  await apply(s, `${path}/status`, 'm2', gadget({}));
});
addGadget('status of an object that is not there', async (s, path) => {
  await apply(s, `${path}/status`, 'm1', { ...gadget({}), status: { phase: 'p' } });
});
addGadget('scale', async (s, path, as) => {
  const scale = (replicas: number): JsonObject => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'a' },
    spec: { replicas },
  });
  await as('m1', { name: 'x', replicas: 1 });
  await s.patch('merge', `${path}/scale?fieldManager=m2`, { spec: { replicas: 2 } });
  await s.get(path);
  await as('m1', { name: 'x', replicas: 1 });
  await apply(s, `${path}/scale`, 'm3', scale(3));
  await s.get(`${path}/scale`);
  await apply(s, `${path}/scale`, 'm3', scale(3), '&force=true');
  await s.get(path);
  await as('m1', { name: 'x' });
});
addGadget('a body of another version, kind or name', async (s, path) => {
  await apply(s, path, 'm1', gadget({}, {}, 'v2'));
  await apply(s, path, 'm1', { ...gadget({}), kind: 'Widget' });
  await apply(s, path, 'm1', gadget({}, { name: 'b' }));
  await apply(s, path, 'm1', gadget({}, { namespace: 'other' }));
  await apply(s, path, 'm1', { ...gadget({}), metadata: {} });
  await apply(s, path, 'm1', { ...gadget({}), metadata: undefined });
  await apply(s, path, 'm1', { kind: 'Gadget', metadata: { name: 'a' } });
  await apply(s, path, 'm1', { metadata: { name: 'a' } });
  await apply(s, path, 'm1', gadget({}, { generateName: 'a-' }));
  await apply(s, `${s.configMaps}/c`, 'm1', { ...configMap('c'), apiVersion: 'v2' });
  await apply(s, `${s.configMaps}/c`, 'm1', { ...configMap('c'), kind: 'Secret' });
  await apply(s, `${s.configMaps}/c`, 'm1', configMap('d'));
  await apply(s, `${s.configMaps}/c`, 'm1', { metadata: { name: 'c' } });
});
addGadget('a version or uid in the body', async (s, path, as) => {
  await apply(s, path, 'm1', gadget({}, { resourceVersion: '1' }));
  const { json } = await as('m1', { name: 'x' });
  await apply(s, path, 'm1', gadget({ name: 'y' }, { resourceVersion: '1' }));
  await apply(s, path, 'm1', gadget({ name: 'y' }, { resourceVersion: json.metadata.resourceVersion as string }));
  await apply(s, path, 'm1', gadget({ name: 'z' }, { uid: '11111111-2222-3333-4444-555555555555' }));
  await apply(s, path, 'm1', gadget({ name: 'z' }, { uid: json.metadata.uid as string }));
});
addGadget('managed fields in the body', async (s, path) => {
  await apply(s, path, 'm1', gadget({}, { managedFields: [] }));
  const { json } = await apply(s, path, 'm1', gadget({}, { managedFields: null }));
  await apply(s, path, 'm1', gadget({}, { managedFields: json.metadata.managedFields as JsonObject[] }));
  await apply(s, path, 'm1', gadget({}, { managedFields: [{}] }));
  await apply(s, `${s.configMaps}/c`, 'm1', configMap('c', {}, { managedFields: json.metadata.managedFields }));
});
addGadget('managed fields are taken away', async (s, path, as) => {
  await as('m1', { name: 'x' });
  await s.patch('merge', `${path}?fieldManager=m2`, { metadata: { managedFields: [{}] } });
  await as('m3', { name: 'y', size: 1 });
  await s.patch('merge', `${path}?fieldManager=m4`, { metadata: { managedFields: null } });
  await s.patch('merge', `${path}?fieldManager=m4`, { metadata: { managedFields: [] } });
  await s.patch('json', `${path}?fieldManager=m5`, [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }]);
  const { json } = await s.patch('merge', `${path}?fieldManager=m6`, { spec: { size: 2 } });
  await s.put(`${path}?fieldManager=m7`, { ...json, metadata: { ...json.metadata, managedFields: undefined } });
  await s.put(`${path}?fieldManager=m8`, { ...json, metadata: { ...json.metadata, managedFields: [{}] } });
});
addGadget('managed fields are changed by hand', async (s, path, as) => {
  const { json } = await as('m1', { name: 'x', size: 1 });
  const [entry] = json.metadata.managedFields as JsonObject[];
  const edit = (managedFields: unknown) => s.patch('merge', `${path}?fieldManager=m2`, { metadata: { managedFields } });
  await edit([{ ...entry, manager: 'm3' }]);
  await as('m1', { name: 'y' });
  await edit([{ ...entry, operation: 'Bogus' }]);
  await edit([{ ...entry, fieldsType: 'Bogus' }]);
  await edit([{ ...entry, fieldsV1: { 'x:spec': {} } }]);
  await edit([{ ...entry, manager: 'x'.repeat(129) }]);
  await edit([{ ...entry, apiVersion: 'example.com/v7' }]);
  await edit([{ ...entry, manager: '', fieldsV1: {} }]);
});
addGadget('an apply that changes nothing', async (s, path, as) => {
  await as('m1', { name: 'x', labels: { a: '1' } });
  await as('m1', { name: 'x', labels: { a: '1' } });
  await as('m1', { labels: { a: '1' }, name: 'x' }, '&force=true');
  await as('m2', { name: 'x' });
  await as('m2', { name: 'x' });
});
addGadget('dry run', async (s, path, as) => {
  await as('m1', { name: 'x' }, '&dryRun=All');
  await s.get(path);
  await as('m1', { name: 'x' });
  await as('m1', { size: 2 }, '&dryRun=All');
  await as('m2', { name: 'y' }, '&dryRun=All');
  await as('m2', { name: 'y' }, '&dryRun=x');
  await s.get(path);
});
addGadget('after a create, a merge patch and a PUT by others', async (s, path, as) => {
  await s.post(`${await gadgetsOf(s)}?fieldManager=m1`, gadget({ name: 'x', size: 1, tags: ['a'] }));
  await s.patch('merge', `${path}?fieldManager=m2`, { spec: { size: 2, labels: { a: '1' } } });
  await as('m3', { name: 'y' });
  await as('m3', { size: 3, labels: { a: '2' } });
  await as('m3', { size: 2, tags: ['b'] });
  const { json } = await s.get(path);
  await s.put(`${path}?fieldManager=m4`, { ...json, spec: { ...json.spec, size: 4, tags: ['b'] } });
  await as('m3', { size: 2 });
  await as('m3', { size: 2 }, '&force=true');
});
addGadget('one manager that applies and updates', async (s, path, as) => {
  await as('m1', { name: 'x', size: 1 });
  await s.patch('merge', `${path}?fieldManager=m1`, { spec: { size: 2 } });
  await as('m1', { name: 'x', size: 1 });
  await as('m1', { name: 'x' });
});
addGadget('an object that nobody manages', async (s, path, as) => {
  await s.post(
    `${await gadgetsOf(s)}?fieldManager=m1`,
    gadget({ name: 'x', size: 1, nested: {} }, { labels: { a: '1' } }),
  );
  await s.patch('merge', path, { metadata: { managedFields: [{}] } });
  await as('m2', { name: 'x', replicas: 1 });
  await as('m2', { size: 2 });
  await as('m2', { size: 2 }, '&force=true');
});
addGadget('an object that nobody manages, changed otherwise', async (s, path) => {
  await s.post(`${await gadgetsOf(s)}?fieldManager=m1`, gadget({ name: 'x', size: 1 }));
  await s.patch('merge', path, { metadata: { managedFields: [{}] } });
  await s.patch('merge', `${path}?fieldManager=m2`, { spec: { size: 2 } });
});
addGadget('managers of every way to write', async (s, path) => {
  await s.post(`${await gadgetsOf(s)}?fieldManager=m1`, {
    ...gadget({ name: 'x', size: 1 }, { finalizers: ['x.example/a'], annotations: { a: '1' } }),
    status: { phase: 'dropped' },
  });
  await s.patch('merge', `${path}?fieldManager=m2`, { spec: { size: 2 }, metadata: { annotations: { a: null } } });
  await s.patch('json', `${path}?fieldManager=m3`, [{ op: 'add', path: '/spec/replicas', value: 1 }]);
  await s.patch('merge', `${path}/status?fieldManager=m4`, { status: { phase: 'p' }, spec: { size: 9 } });
  const { json } = await s.get(path);
  await s.put(`${path}/status?fieldManager=m5`, { ...json, status: { replicas: 3 } });
  await s.patch('merge', `${path}?fieldManager=m6`, { spec: { size: 2 } });
  await s.patch('merge', `${path}?fieldManager=m7`, { spec: { size: null } });
  await s.delete(path);
  await s.patch('merge', `${path}?fieldManager=m8`, { metadata: { finalizers: null } });
});
addGadget('the manager of a request that names none', async (s, path) => {
  const list = await gadgetsOf(s);
  const headers = (agent: string | undefined) => ({ headers: { 'user-agent': agent } });
  await s.request('POST', list, { body: gadget({ name: 'x' }), ...headers('agent-a/v1.2 (linux) x/y') });
  const patch = (body: unknown, agent: string | undefined) =>
    s.request('PATCH', path, { body, contentType: 'application/merge-patch+json', ...headers(agent) });
  await patch({ spec: { size: 1 } }, 'agent-b');
  await patch({ spec: { size: 2 } }, `agent-c${'c'.repeat(200)}`);
  await patch({ spec: { size: 3 } }, 'agent-d e/f');
  await patch({ spec: { size: 4 } }, undefined);
  await patch({ spec: { size: 5 } }, 'zz\té/1');
});
addGadget('managers are told in the order of time', async (s, path, as) => {
  const order = ({ json }: Read): string[] =>
    (json.metadata.managedFields as { manager: string; operation: string }[]).map(
      ({ manager, operation }) => `${manager} ${operation}`,
    );
  const nextSecond = async (): Promise<void> => {
    const second = Math.floor(Date.now() / 1000);
    await until('a second has passed', async () => Math.floor(Date.now() / 1000) > second);
  };
  // Times are of whole seconds: within one of them the order would be that of the names.
  await as('m9', { name: 'x' });
  await nextSecond();
  await as('m8', { size: 1 });
  await nextSecond();
  await s.patch('merge', `${path}?fieldManager=m7`, { spec: { replicas: 1 } });
  await nextSecond();
  s.note('order', order(await as('m5', { labels: { a: '1' } })));
  await nextSecond();
  s.note('order', order(await s.patch('merge', `${path}?fieldManager=m6`, { spec: { plain: ['a'] } })));
  await nextSecond();
  s.note('order', order(await as('m9', { name: 'y' })));
  await nextSecond();
  s.note('order', order(await s.patch('merge', `${path}?fieldManager=m7`, { spec: { replicas: 2 } })));
  await nextSecond();
  s.note('order', order(await as('m4', { name: 'y' })));
});
addGadget('eleven managers', async (s, path) => {
  await s.post(`${await gadgetsOf(s)}?fieldManager=m01`, gadget({ labels: { l01: '1' } }));
  for (let n = 2; n <= 12; n++) {
    const manager = `m${String(n).padStart(2, '0')}`;
    await s.quietly(
      'PATCH',
      `${path}?fieldManager=${manager}`,
      { spec: { labels: { [`l${manager.slice(1)}`]: '1' } } },
      'application/merge-patch+json',
    );
    if (n >= 10) await s.get(path);
  }
  await apply(s, path, 'm13', gadget({ labels: { l01: '2', l12: '2' } }));
});
addGadget('YAML', async (s, path) => {
  const yaml = `# A gadget\napiVersion: apply.example.com/v1\nkind: Gadget\nmetadata:\n  name: a\nspec:\n`;
  await apply(s, path, 'm1', `${yaml}  name: "x"\n  tags: [a, b]\n  nested: {b: yes please}\n`);
  await apply(s, path, 'm1', `${yaml}  name: x\n  name: y\n`);
  await apply(s, path, 'm1', `${yaml}  name: x\n  name: y\n`, '&fieldValidation=Strict');
  await apply(s, path, 'm1', `${yaml}  labels: &l {a: "1"}\n  selector: *l\n`);
  await apply(s, path, 'm1', `${yaml}  name: yes\n`);
});
addGadget('bodies that are none', async (s, path, as) => {
  await apply(s, path, 'm1', '');
  await apply(s, path, 'm1', 'null');
  await apply(s, path, 'm1', '[]');
  await apply(s, path, 'm1', '"x"');
  await as('m1', {});
  await apply(s, path, 'm1', '');
  await apply(s, path, 'm1', '[]');
  await apply(s, path, 'm1', '{}');
});
add('broken YAML', async (s) => {
  const path = `${await gadgetsOf(s)}/a`;
  await apply(s, path, 'm1', 'a: b: c');
  await apply(s, path, 'm1', gadget({}));
  await apply(s, path, 'm1', '{bad');
});
addGadget('an object that is being deleted', async (s, path) => {
  await apply(s, path, 'm1', gadget({ name: 'x' }, { finalizers: ['x.example/a'] }));
  await s.delete(path);
  await apply(s, path, 'm1', gadget({ name: 'y' }, { finalizers: ['x.example/a'] }));
  await apply(s, path, 'm2', gadget({}, { finalizers: ['x.example/b'] }));
  await apply(s, path, 'm1', gadget({ name: 'y' }));
  await s.get(path);
});
addGadget('two versions of a kind', async (s, path, as) => {
  const second = `${await gadgetsOf(s, 'v2')}/a`;
  await as('m1', { name: 'x', size: 1 });
  await apply(s, second, 'm2', gadget({ name: 'y', replicas: 1 }, {}, 'v2'));
  await apply(s, second, 'm2', gadget({ replicas: 1 }, {}, 'v2'));
  await as('m1', { name: 'x', replicas: 2 });
  await apply(s, second, 'm1', gadget({ name: 'z' }, {}, 'v2'));
  await s.get(path);
});
addGadget('where there is nothing to apply to', async (s) => {
  const list = await gadgetsOf(s);
  await s.patch('apply', `${list}?fieldManager=m1`, gadget({}));
  await apply(s, list.replace(s.namespace, 'nope') + '/a', 'm1', gadget({}));
  await s.post(`${list}?fieldManager=m1`, gadget({}), 'application/apply-patch+yaml');
  await s.request('PATCH', `${list}/a?fieldManager=m1`, {
    body: gadget({}),
    contentType: 'application/apply-patch+json',
  });
  await s.patch('merge', `${list}/a?fieldManager=m1&force=true`, {});
  await apply(s, `${list}/a`, 'm1', gadget({}), '&force=x');
  await apply(s, `${list}/B_`, 'm1', gadget({}, { name: 'B_' }));
});

addBuiltInApplyCases(add, apply);
