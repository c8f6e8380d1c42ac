import { widget } from '../bodies.js';
import { group } from '../session.js';

const { cases, add } = group('patch');
export const jsonPatchCases = cases;

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
add('JSON: a failed test changes nothing', async (s) => {
  await s.post(s.widgets, widget('a'));
  const path = `${s.widgets}/a`;
  await s.patch('json', path, [
    { op: 'replace', path: '/spec/size', value: 2 },
    { op: 'test', path: '/spec/size', value: 3 },
  ]);
  await s.patch('json', path, [
    { op: 'replace', path: '/spec/size', value: 2 },
    { op: 'test', path: '/spec/size', value: 2 },
    { op: 'remove', path: '/spec/none' },
  ]);
  await s.get(path);
  await s.patch('json', path, [
    { op: 'test', path: '/spec', value: { replicas: 1, size: 1 } },
    { op: 'test', path: '/spec/none', value: null },
    { op: 'test', path: '/metadata/labels', value: null },
    { op: 'replace', path: '/spec/size', value: 2 },
  ]);
  for (const test of [
    { op: 'test', path: '/spec/none' },
    { op: 'test', path: '/spec/size' },
    { op: 'test', path: '/spec/none/deep', value: null },
    { op: 'test', path: '/spec/none', value: 1 },
    { op: 'test', path: '/spec/size', value: '2' },
    { op: 'test', path: '/spec/size', value: 2.0 },
    { op: 'test', path: '', value: {} },
  ]) {
    await s.patch('json', path, [test]);
  }
});
add('JSON: pointers', async (s) => {
  await s.post(s.widgets, widget('a', { any: { 'a/b': 1, 'c~d': 2, '': 3, list: [1, 2, 3] } }));
  const path = `${s.widgets}/a`;
  for (const operation of [
    { op: 'replace', path: '/spec/any/a~1b', value: 9 },
    { op: 'replace', path: '/spec/any/c~0d', value: 9 },
    { op: 'replace', path: '/spec/any/', value: 9 },
    { op: 'replace', path: '/spec/any/c~2d', value: 9 },
    { op: 'replace', path: 'spec/any/new', value: 9 },
    { op: 'add', path: '/spec/any/list/3', value: 4 },
    { op: 'add', path: '/spec/any/list/9', value: 4 },
    { op: 'add', path: '/spec/any/list/01', value: 'x' },
    { op: 'add', path: '/spec/any/list/x', value: 4 },
    { op: 'remove', path: '/spec/any/list/-1' },
    { op: 'remove', path: '/spec/any/list/-' },
    { op: 'replace', path: '/spec/any/list/-', value: 5 },
    { op: 'replace', path: '/spec/any/list/9', value: 5 },
    { op: 'remove', path: '/spec/any/list/9' },
    { op: 'copy', from: '/spec/any/list/0', path: '/spec/any/list/-' },
    { op: 'move', from: '/spec/any/list/0', path: '/spec/any/list/1' },
    { op: 'move', from: '/spec/any/none', path: '/spec/any/other' },
    { op: 'copy', from: '/spec/any/none', path: '/spec/any/other' },
    { op: 'move', from: '/spec/any', path: '/spec/any/inner' },
  ]) {
    const { status, json } = await s.quietly('PATCH', path, [operation], 'application/json-patch+json');
    s.note(JSON.stringify(operation), status === 200 ? json.spec.any : { status, message: json.message });
  }
});
add('JSON: null and the root', async (s) => {
  await s.post(s.widgets, widget('a', { any: { x: 1 } }));
  const path = `${s.widgets}/a`;
  await s.patch('json', path, [{ op: 'add', path: '/spec/any/x', value: null }]);
  await s.patch('json', path, [{ op: 'add', path: '/spec/any/y' }]);
  await s.patch('json', path, [{ op: 'replace', path: '/metadata/labels', value: null }]);
  await s.patch('json', path, [{ op: 'add', path: '/metadata/labels/a', value: 'b' }]);
  await s.patch('json', path, [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]);
  await s.patch('json', path, [{ op: 'replace', path: '', value: widget('a', { size: 3 }) }]);
  await s.patch('json', path, [{ op: 'remove', path: '' }]);
  await s.patch('json', path, [{ op: 'remove', path: '/metadata' }]);
  await s.patch('json', path, [{ op: 'add', path: '/spec/size', value: null }]);
});
add('JSON: too many operations', async (s) => {
  await s.post(s.widgets, widget('a'));
  const operations = (count: number): unknown =>
    Array.from({ length: count }, () => ({ op: 'test', path: '/spec/size', value: 1 }));
  await s.patch('json', `${s.widgets}/a`, operations(10_000));
  await s.patch('json', `${s.widgets}/a`, operations(10_001));
});
add('JSON: broken, or no list', async (s) => {
  await s.post(s.widgets, widget('a'));
  for (const body of ['{bad', '{}', 'null', '1', '"x"', '[1]', '[null]', '[[]]', '["x"]', '']) {
    await s.patch('json', `${s.widgets}/a`, body);
  }
  for (const operation of [
    {},
    { op: 'add' },
    { path: '/spec/size', value: 1 },
    { op: 5, path: '/spec/size' },
    { op: 'add', path: 5, value: 1 },
    { op: 'move', path: '/spec/size' },
    { op: 'copy', path: '/spec/size', from: 5 },
    { op: 'ADD', path: '/spec/size', value: 1 },
  ]) {
    await s.patch('json', `${s.widgets}/a`, [operation]);
  }
});
