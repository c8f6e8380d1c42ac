import type { JsonObject } from '../../../src/index.js';
import { configMap } from '../bodies.js';
import { gadget, gadgetsOf } from '../gadgets.js';
import { apply, applyGroup } from '../apply-group.js';
import { until } from '../definitions.js';
import type { Read } from '../session.js';

const { cases, addGadget } = applyGroup();
export const applyManagerCases = cases;

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
  // Of the machine's clock, and of one that goes eight times as fast.
  const nextSecond = async (): Promise<void> => {
    const began = Date.now();
    const isNext = (): boolean => Math.floor(Date.now() / 1000) > Math.floor(began / 1000);
    await until('a second has passed', async () => isNext() && Date.now() > began + 125);
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
