import type { JsonObject } from '../../../src/index.js';
import { group } from '../session.js';
import { memberCases } from '../member-cases.js';
import { ruledObject, ruledsOf } from '../ruled.js';
import { addRuleDefinitionCases } from './cel-definitions.cases.js';

const { cases, add } = group('cel');
export const celCases = cases;

const { values: addValues, changes: addChanges } = memberCases(add, ruledsOf, ruledObject);

addValues('a message of its own', 'limits', [{ min: 1, max: 2 }, { min: 2, max: 1 }, { min: 1 }, {}]);
addValues('no message', 'bare', [1, 0, 10, -1]);
addValues('several rules', 'several', [
  { a: 2, b: 1 },
  { a: 3, b: 3 },
  { a: 4, b: 3 },
]);
addValues('messages that are made', 'told', [
  { size: 5, name: 'x' },
  { size: 11, name: 'x' },
  { size: 1, name: 'empty' },
  { size: 1, name: 'lines' },
  { size: 1, name: 'error' },
  { size: 1, name: 'blank' },
]);
addValues('reasons and paths', 'reasons', [
  { name: 'fine' },
  { name: 'forbidden' },
  { name: 'required' },
  { name: 'duplicate' },
  { name: 'invalid', inner: { 'a-b': 'x' } },
  { name: 'key', byKey: { some: 'x' } },
  { name: 'plain' },
]);
addChanges('transition: what is immutable', 'immutable', 'x', ['x', 'y']);
addChanges('transition: what only grows', 'grows', 5, [6, 5, 7]);
add('transition: members come and go', async (s) => {
  const path = `${await ruledsOf(s)}/a`;
  await s.post(await ruledsOf(s), ruledObject({}));
  await s.patch('merge', path, { spec: { immutable: 'x' } });
  await s.patch('merge', path, { spec: { immutable: null } });
  await s.patch('merge', path, { spec: { immutable: 'y' } });
  await s.patch('merge', path, { spec: { immutable: 'z' } });
  const { json } = await s.get(path);
  await s.put(path, { ...json, spec: { grows: 1 } });
  await s.put(path, { ...json, spec: { immutable: 'z' } });
});
addChanges('transition: members of an object', 'stable', { a: 'x' }, [{ a: 'y' }, { b: 'x' }, { a: 'y', b: 'z' }]);
addChanges('transition: optionalOldSelf', 'first', 'first', ['first', 'other', 'never', 'first']);
addChanges('transition: optMap of the old value', 'climbs', 1, [2, 1, 2]);
addValues('transition: optMap without an old value', 'climbs', [1, 2]);
addValues('transition: optionalOldSelf on create', 'first', ['first', 'second']);
addChanges(
  'transition: items of a list that is a map',
  'byName',
  [
    { name: 'a', value: 2 },
    { name: 'b', value: 2 },
  ],
  [
    [
      { name: 'b', value: 3 },
      { name: 'a', value: 2 },
    ],
    [
      { name: 'b', value: 1 },
      { name: 'c', value: 0 },
    ],
    [{ name: 'c', value: 0 }],
  ],
);
addChanges('transition: values of a map', 'oldMap', { a: 1 }, [{ a: 2, b: 1 }, { a: 1, b: 5 }, { c: 0 }]);
addChanges('transition: a set', 'tags', ['a', 'keep'], [['keep', 'b'], ['b'], ['b', 'c', 'keep']]);
addValues('quantities', 'quantity', ['1', '500m', '1Mi', '2Gi', '1k', '100m', 'x', '', '-1', '1.5Gi', '1e3']);
addValues('IP addresses', 'address', [
  '10.1.2.3',
  '11.0.0.1',
  '127.0.0.1',
  '::1',
  'x',
  '10.0.0.256',
  '10.0.0.01',
  '::ffff:10.0.0.1',
]);
addValues('CIDRs', 'network', [
  '10.1.0.0/16',
  '10.1.2.0/24',
  '10.1.2.3/24',
  '10.1.2.3/32',
  '11.0.0.0/8',
  'fd00::/8',
  'x',
  '10.0.0.0/33',
]);
addValues('URLs', 'link', [
  'https://example.com',
  'https://example.com:8443/a',
  'https://example.com:80/',
  'http://example.com',
  'https://example.org',
  'https://example.com/no',
  'https://example.com/?x=1',
  '/path',
  'x y',
  'https://[::1]/',
]);
addValues('regular expressions', 'pattern', ['a-42', 'a-43', 'A-42', '42', 'a42b7c9']);
addValues('lists of numbers', 'numbers', [[], [1, 2, 3], [3, 1], [50, 60], [-1, 2], [7, 8], [0, 1, 2, 9], [1, 7]]);
addValues('more about lists', 'sorted', [
  [],
  [0],
  [0, 2, 1],
  [0, 0],
  [1, 2, 2],
  [1, 1, 2],
  [0, 11],
  [0, 6, 7],
  [3],
  ['x'],
]);
addValues('formats by name', 'label', ['abc', 'ABC', 'a.b', '', 'x'.repeat(64)]);
add('every format', async (s) => {
  const path = await ruledsOf(s);
  const names = [
    'dns1123Label',
    'dns1123Subdomain',
    'dns1035Label',
    'qualifiedName',
    'dns1123LabelPrefix',
    'dns1123SubdomainPrefix',
    'dns1035LabelPrefix',
    'labelValue',
    'uri',
    'uuid',
    'byte',
    'date',
    'datetime',
    'none',
  ];
  for (const format of names)
    await s.post(`${path}?dryRun=All`, ruledObject({ formats: { format, value: '!Bad value' } }));
  for (const [format, value] of Object.entries({
    dns1123Label: 'a-b',
    dns1123Subdomain: 'a.b',
    dns1035Label: 'a1',
    qualifiedName: 'a.b/C_d',
    dns1123LabelPrefix: 'a-',
    labelValue: 'A.b_c',
    uri: 'https://example.com/',
    uuid: '123e4567-e89b-12d3-a456-426614174000',
    byte: 'YWJj',
    date: '2026-01-31',
    datetime: '2026-01-31T00:00:00Z',
  })) {
    await s.post(`${path}?dryRun=All`, ruledObject({ formats: { format, value } }));
  }
});
addValues('sets', 'group', [[], ['a'], ['a', 'b'], ['c'], ['d', 'a'], ['c', 'a'], ['a', 'a', 'c']]);
addValues('strings', 'words', [
  'abc',
  'ok',
  'A',
  'aaa',
  'nope',
  '!abc',
  'xyx',
  'the end',
  'send it',
  'a,  b ,c',
  'p,q',
  'foo',
  'uu',
  ' a',
  'x'.repeat(30),
  'öä',
  'a"b',
]);
addValues('has and optional members', 'pair', [{}, { a: 'x', b: 'y' }, { a: 'x' }, { a: 'y', b: 'z' }, { b: 'z' }]);
addValues('int or string', 'port', [80, 10000, 'http', 'HTTP', 'none', -1]);
addValues('maps', 'counts', [
  {},
  { main: 1 },
  { main: 0 },
  { other: 1 },
  { main: 1, bad: 1 },
  { main: 1, a: 1, b: 1, c: 1 },
  { main: 1000 },
  { 'ma.in': 1, main: 1 },
]);
addValues('lists of objects', 'parts', [
  [],
  [
    { name: 'a', main: true, weight: 60 },
    { name: 'b', weight: 40 },
  ],
  [{ name: 'a' }],
  [
    { name: 'a', main: true },
    { name: 'b', main: true },
  ],
  [
    { name: 'a', main: true, weight: 90 },
    { name: 'b', weight: 20 },
  ],
  [{ name: 'evil', main: true }],
  [{ name: 'a', main: true, weight: -1 }],
  [{ name: 'a', main: true }, { name: 'b' }, { name: 'c' }, { name: 'late' }],
]);
addValues('nullable members', 'maybe', [{}, { a: null, n: null }, { a: 'x' }, { n: 1 }, { a: 'y', n: 2 }]);
addValues('numbers', 'number', [1, 1.5, 2.5, 10, 0.5, -3, 1e3]);
addValues('a rule that fails to run', 'divide', [5, 0, 20]);
addValues('times', 'when', ['2026-01-01T00:00:00Z', '2031-01-01T00:00:00+02:00', '1999-12-31T23:59:59.5Z', 'x']);
addValues('dates', 'day', ['2026-01-01', '2019-01-01', 'x']);
addValues('durations', 'lasts', ['30m', '2h', '90s', '61s', 'x']);
addValues('bytes', 'bytes', ['YWJj', 'YWJjZA==', 'YWJjZGVm', 'x']);
addValues('names that are escaped', 'names', [
  { 'a-b': 'y', 'c.d': 'y', 'e/f': 'y', namespace: 'y', in: 'y', self: 'y', __g__: 'y', 'a b': 'x' },
  { 'a-b': 'x' },
  { 'c.d': 'x' },
  { 'e/f': 'x' },
  { namespace: 'x' },
  { in: 'x' },
  { self: 'x' },
  { __g__: 'x' },
]);
addValues('embedded objects', 'embedded', [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'e' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'e' } },
  { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'x' } },
  { apiVersion: 'v1', kind: 'ConfigMap' },
]);
addValues('semantic versions', 'release', ['1.2.3', '0.9.0', '3.0.0', 'v1.2.3', '1.2', '1.0.0-rc.1']);
addValues('rules are left out after errors of the schema', 'late', [
  { a: 1, b: 1, d: 'x' },
  { a: 4, b: 1, d: 'x' },
  { a: 9, b: 9, d: 'x' },
  { a: 9, b: 1 },
  { a: 'x', b: 1, d: 'x' },
  { a: 9, b: 1, c: 'z', d: 'x' },
  { a: 9, b: 1, d: 'x'.repeat(101) },
  { a: 9, b: 1, d: 'x', e: Array.from({ length: 11 }, (_, n) => n) },
]);
add('rules of the whole object', async (s) => {
  const path = await ruledsOf(s);
  await s.post(path, ruledObject({}, 'refused'));
  await s.post(path, ruledObject({}));
  await s.patch('merge', `${path}/a`, { metadata: { labels: { a: '1' } } });
});
add('rules of the status', async (s) => {
  const path = `${await ruledsOf(s)}/a`;
  await s.post(await ruledsOf(s), { ...ruledObject({}), status: { phase: 'Bad' } });
  const set = (status: JsonObject) => s.patch('merge', `${path}/status`, { status });
  await set({ phase: 'Bad' });
  await set({ phase: 'Good', count: 2 });
  await set({ count: 1 });
  await set({ phase: 'a' });
  await s.patch('merge', path, { status: { phase: 'Bad' }, spec: { bare: 1 } });
});
add('all modes of writing', async (s) => {
  const path = `${await ruledsOf(s)}/a`;
  const { json } = await s.post(await ruledsOf(s), ruledObject({ immutable: 'x' }));
  await s.put(path, { ...json, spec: { immutable: 'y' } });
  await s.patch('merge', path, { spec: { immutable: 'y' } });
  await s.patch('json', path, [{ op: 'replace', path: '/spec/immutable', value: 'y' }]);
  await s.put(`${path}?dryRun=All`, { ...json, spec: { immutable: 'y', bare: 0 } });
  await s.patch('merge', path, { metadata: { resourceVersion: '1' }, spec: { immutable: 'y' } });
});

addRuleDefinitionCases(add);
