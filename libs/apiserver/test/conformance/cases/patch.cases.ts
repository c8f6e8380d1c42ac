import { configMap, widget } from '../bodies.js';
import { group } from '../session.js';

const { cases, add } = group('patch');
export const patchCases = cases;

add('merge: members, null, no change', async (s) => {
  await s.post(s.widgets, widget('a', { mode: 'a' }));
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: 2, mode: null }, metadata: { labels: { a: 'b' } } });
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: 2 } });
  await s.patch('merge', `${s.widgets}/a`, { metadata: { labels: null } });
  await s.patch('merge', `${s.widgets}/a`, {});
});
add('merge: null in what is new', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.patch('merge', `${s.widgets}/a`, {
    spec: { any: { a: null, b: { c: null, d: 1 }, e: [null, { f: null }] } },
  });
  await s.patch('merge', `${s.widgets}/a`, { spec: { any: { b: null, g: { h: { i: null } } } } });
  await s.post(s.configMaps, configMap('c', {}));
  await s.patch('merge', `${s.configMaps}/c`, { data: { a: null, b: '1' } });
  await s.patch('merge', `${s.configMaps}/c`, { metadata: { labels: { a: null } } });
});
add('merge: empty objects and lists', async (s) => {
  await s.post(s.widgets, widget('a', { any: { list: [1, 2], map: { x: 1 } } }));
  await s.patch('merge', `${s.widgets}/a`, { spec: { any: { list: [], map: {}, more: {} } } });
  await s.patch('merge', `${s.widgets}/a`, { spec: { any: {} }, metadata: { labels: {}, annotations: {} } });
  await s.patch('merge', `${s.widgets}/a`, { spec: { any: { map: 'text', list: { no: 'list' } } } });
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: [], ownerReferences: [] } });
  await s.post(s.configMaps, configMap('c'));
  await s.patch('merge', `${s.configMaps}/c`, { data: {} });
  await s.patch('merge', `${s.configMaps}/c`, { data: null, binaryData: {} });
});
add('merge: version and uid', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  await s.patch('merge', `${s.widgets}/a`, { metadata: { resourceVersion: '1' }, spec: { size: 2 } });
  await s.patch('merge', `${s.widgets}/a`, { metadata: { resourceVersion: 'x' } });
  await s.patch('merge', `${s.widgets}/a`, { metadata: { uid: 'zzz' } });
  const { uid, resourceVersion } = json.metadata;
  await s.patch('merge', `${s.widgets}/a`, { metadata: { uid, resourceVersion }, spec: { size: 2 } });
  await s.post(s.configMaps, configMap('c'));
  await s.patch('merge', `${s.configMaps}/c`, { metadata: { uid: 'zzz' } });
});
add('merge: status', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.patch('merge', `${s.widgets}/a/status`, {
    metadata: { uid: 'zzz', labels: { a: 'b' } },
    spec: { size: 9 },
    status: { phase: 'x' },
  });
  await s.patch('merge', `${s.widgets}/a/status`, { metadata: { resourceVersion: '1' }, status: { phase: 'y' } });
  await s.patch('merge', `${s.widgets}/a/status`, { status: { phase: 5 } });
  await s.patch('merge', `${s.widgets}/a`, { status: { phase: 'z' } });
});
add('merge: what cannot be changed', async (s) => {
  await s.post(s.widgets, widget('a'));
  const path = `${s.widgets}/a`;
  await s.patch('merge', path, { metadata: { name: 'b' } });
  await s.patch('merge', path, { metadata: { namespace: 'b' } });
  await s.patch('merge', path, { metadata: null });
  await s.patch('merge', path, { kind: 'Q' });
  await s.patch('merge', path, { apiVersion: 'conformance.example.com/v3' });
  await s.patch('merge', path, { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } });
  await s.patch('merge', path, { metadata: { creationTimestamp: null, generation: 9 } });
});
add('merge: not an object, absent object', async (s) => {
  await s.patch('merge', `${s.widgets}/a`, {});
  await s.post(s.widgets, widget('a'));
  await s.patch('merge', `${s.widgets}/a`, [1]);
});
add('merge: broken JSON', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.patch('merge', `${s.widgets}/a`, '{bad');
});
add('merge: the result is invalid', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: 99 } });
  await s.patch('merge', `${s.widgets}/a`, { spec: null });
  await s.patch('merge', `${s.widgets}/a`, { spec: 'text' });
  await s.patch('merge', `${s.widgets}/a`, { metadata: { labels: { 'a b': 'c' } } });
  await s.patch('merge', `${s.widgets}/a`, { metadata: { labels: 'x' } });
  await s.patch('merge', `${s.widgets}/a`, { metadata: { labels: { a: 1 } } });
  await s.patch('merge', `${s.widgets}/a`, { metadata: 'x' });
  await s.post(s.configMaps, configMap('c'));
  await s.patch('merge', `${s.configMaps}/c`, { data: 'x' });
  await s.patch('merge', `${s.configMaps}/c`, { data: { a: 1 } });
  await s.patch('merge', `${s.configMaps}/c`, { data: { 'a b': 'x' } });
  await s.patch('merge', `${s.configMaps}/c`, { immutable: 'x' });
});
add('unknown fields', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.post(s.configMaps, configMap('c'));
  for (const mode of ['Ignore', 'Warn', 'Strict', 'Bogus']) {
    await s.patch('merge', `${s.widgets}/a?dryRun=All&fieldValidation=${mode}`, { spec: { zzz: 1 }, top: 1 });
    await s.patch('merge', `${s.configMaps}/c?dryRun=All&fieldValidation=${mode}`, { spec: 1, metadata: { foo: 1 } });
    await s.patch('strategic', `${s.configMaps}/c?dryRun=All&fieldValidation=${mode}`, { spec: 1 });
  }
  await s.patch('merge', `${s.widgets}/a?dryRun=All&fieldValidation=Strict`, '{"spec":{"size":2,"size":3}}');
  const operations = [{ op: 'add', path: '/spec/zzz', value: 1, unknown: 2 }];
  await s.patch('json', `${s.widgets}/a?dryRun=All&fieldValidation=Strict`, operations);
  await s.patch('json', `${s.widgets}/a?dryRun=All&fieldValidation=Warn`, operations);
});
add('generation', async (s) => {
  await s.post(s.widgets, widget('a'));
  for (const change of [
    { metadata: { labels: { a: 'b' } } },
    { spec: { size: 2 } },
    { spec: { size: 2 } },
    { spec: { zzz: 1 } },
    { status: { phase: 'x' } },
    { spec: { any: {} } },
    { metadata: { generation: 7 }, spec: { any: null } },
  ]) {
    await s.patch('merge', `${s.widgets}/a`, change);
  }
});
add('media types', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.post(s.configMaps, configMap('c'));
  await s.patch('strategic', `${s.widgets}/a`, {});
  await s.patch('text/plain', `${s.widgets}/a`, {});
  await s.patch('text/plain', `${s.configMaps}/c`, {});
});
add('options', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.patch('merge', `${s.widgets}/a?force=true`, {});
  await s.patch('merge', `${s.widgets}/a?dryRun=x`, {});
  await s.patch('merge', `${s.widgets}/a?dryRun=All`, { spec: { size: 5 } });
  await s.get(`${s.widgets}/a`);
});
add('scale', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.patch('merge', `${s.widgets}/a/scale`, { spec: { replicas: 3 } });
  await s.patch('merge', `${s.widgets}/a/scale`, { spec: { replicas: -1 } });
});
