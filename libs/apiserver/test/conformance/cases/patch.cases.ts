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
add('JSON: operations', async (s) => {
  await s.post(s.widgets, widget('a', { any: { list: [1, 2] } }));
  const path = `${s.widgets}/a`;
  await s.patch('json', path, [
    { op: 'add', path: '/spec/any/list/0', value: 0 },
    { op: 'add', path: '/spec/any/list/-', value: 3 },
  ]);
  await s.patch('json', path, [{ op: 'add', path: '/spec/any/list/-1', value: 9 }]);
  await s.patch('json', path, [
    { op: 'replace', path: '/spec/any/list/0', value: 'x' },
    { op: 'replace', path: '/spec/any/new', value: 1 },
  ]);
  await s.patch('json', path, [
    { op: 'move', from: '/spec/any/new', path: '/spec/any/a~1b' },
    { op: 'copy', from: '/spec/any/list', path: '/spec/any/copy' },
  ]);
  await s.patch('json', path, [
    { op: 'remove', path: '/spec/any/list/0' },
    { op: 'remove', path: '/spec/any/copy' },
  ]);
  await s.patch('json', path, []);
});
add('JSON: tests', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  const path = `${s.widgets}/a`;
  await s.patch('json', path, [
    { op: 'test', path: '/metadata/uid', value: json.metadata.uid },
    { op: 'replace', path: '/spec/size', value: 2 },
  ]);
  await s.patch('json', path, [
    { op: 'test', path: '/metadata/uid', value: 'zzz' },
    { op: 'replace', path: '/spec/size', value: 3 },
  ]);
  await s.patch('json', path, [{ op: 'test', path: '/metadata/finalizers', value: null }]);
  await s.patch('json', path, [{ op: 'test', path: '/metadata/resourceVersion', value: '1' }]);
});
add('JSON: what fails', async (s) => {
  await s.post(s.widgets, widget('a'));
  const path = `${s.widgets}/a`;
  await s.patch('json', path, [{ op: 'remove', path: '/spec/none' }]);
  await s.patch('json', path, [{ op: 'add', path: '/spec/none/x', value: 1 }]);
  await s.patch('json', path, [{ op: 'bogus', path: '/spec' }]);
  await s.patch('json', path, { op: 'add' });
  await s.patch('json', path, [{ op: 'replace', path: '', value: 1 }]);
});
add('strategic: a ConfigMap', async (s) => {
  await s.post(s.configMaps, configMap('c', { a: '1', b: '2' }));
  await s.patch('strategic', `${s.configMaps}/c`, { data: { a: null, c: '3' }, metadata: { labels: { x: 'y' } } });
  await s.patch('strategic', `${s.configMaps}/c`, { data: { $patch: 'replace', z: '1' } });
});
add('strategic: finalizers and owners', async (s) => {
  const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'Node', name: 'n', uid });
  await s.post(s.configMaps, configMap('c', {}, { finalizers: ['x.example/a'] }));
  await s.patch('strategic', `${s.configMaps}/c`, { metadata: { finalizers: ['x.example/b'] } });
  await s.patch('strategic', `${s.configMaps}/c`, {
    metadata: { '$deleteFromPrimitiveList/finalizers': ['x.example/a', 'x.example/b'] },
  });
  await s.patch('strategic', `${s.configMaps}/c?dryRun=All`, {
    metadata: { ownerReferences: [owner('1'), owner('2')] },
  });
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
