import type { JsonObject } from '../../../src/index.js';
import { configMap } from '../bodies.js';
import { gadget, gadgetsOf } from '../gadgets.js';
import { apply, applyGroup } from '../apply-group.js';
import { addBuiltInApplyCases } from './apply-built-in.cases.js';

const { cases, add, addGadget } = applyGroup();
export const applyCases = cases;

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
  // One at a time: the real server names several in an order that changes.
  await as('m1', { zzz: 1 });
  await as('m1', { nested: { yy: 1 } });
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
