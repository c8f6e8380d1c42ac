import type { JsonObject } from '../../../src/index.js';
import { checked, checkedsOf, formats } from '../checked.js';
import { memberCases } from '../member-cases.js';
import { group } from '../session.js';
import { addLaterSchemaCases } from './validation-ratcheting.cases.js';

const { cases, add } = group('validation');
export const validationCases = cases;

const { values, changes } = memberCases(add, checkedsOf, checked);

values('minimum', 'least', [2, 1, -5, 1.5, '3', null, 9_007_199_254_740_991]);
values('maximum', 'most', [5, 6, 100_000_000_000, 5.5]);
values('exclusive bounds', 'between', [0.5, 0, 1, -0.25, 1e21, 0.000_000_1]);
values('multipleOf', 'third', [1, 1.5, 0.3, -2.5]);
values('multipleOf of integers', 'seven', [7, 8, 0, -14]);
values('int32', 'int32', [1, 2_147_483_647, 2_147_483_648, -2_147_483_649, 1.5]);
values('float', 'float', [1, 1.5, 1e39]);
values('double', 'double', [1.5, 1e300]);
add('int64 and integers that are bigger', async (s) => {
  const path = await checkedsOf(s);
  const text = JSON.stringify(checked({ int64: 0 }));
  for (const value of [
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
    '1e3',
    '1.0',
    '1.5',
    '-0',
    '0.0',
  ]) {
    await s.post(`${path}?dryRun=All`, text.replace('"int64":0', `"int64":${value}`));
  }
});
values('lengths of texts', 'short', ['ab', 'a', '', 'abcde', 'äöü', 'äöüßé', '😀😀', '😀']);
values('pattern', 'like', ['abc', 'abc-12', 'abc-1', '', 'ABC', 'a\nb', 'abc"d', 'é']);
values('enum', 'choice', ['a', 'b c', '', 'b', 1]);
values('enum of integers', 'level', [1, 2, '1']);
values('enum of numbers', 'half', [0.5, 1, 1.0, 0.25]);
values('enum of anything', 'mixed', ['x', 1, null, { a: 1 }, { a: 2 }, 'y', 2, [1]]);
values('booleans', 'flag', [true, false, 'true', 0, null]);
values('lists of booleans', 'flags', [[], [true, 'x', 1, null]]);
values('number of items', 'few', [['a'], [], ['a', 'b', 'c', 'd'], 'a', {}]);
values('no items', 'none', [[], ['a']]);
values('lists of lists', 'matrix', [[], [[]], [[1], [2, -1]], [[1], 'x'], [1]]);
values('required members', 'needs', [
  { a: 'x', b: { c: 'x', d: 'x' } },
  {},
  { a: 'x' },
  { a: 'x', b: {} },
  { a: null, b: null },
  { a: 'x', b: 'y' },
]);
values('number of members', 'counted', [{ a: 1 }, {}, { a: 1, b: 2, c: 3 }, { a: 'x' }]);
values('values of a map', 'labels', [
  { a: 'x' },
  { a: 'long' },
  { 'a.b/c': 'long' },
  { 'a b': 'long' },
  { '': 'long' },
  { a: null },
  { a: 1 },
]);
values('paths of what is nested', 'nested', [
  { k: [{ n: 1 }, { n: 10 }] },
  { 'k.l': [{ n: 10 }, { n: 'x' }] },
  { k: [1] },
  { k: 'x' },
]);
values('a map of anything', 'anything', [{ a: 1, b: 'x', c: [1], d: { e: null }, f: null }]);
values('allOf', 'all', ['abc', 'ab', 'bcd', 'b']);
values('anyOf', 'any', [1, 9, 5]);
values('oneOf', 'one', [1, 4, 9]);
values('not', 'not', ['good', 'bad']);
values('unions', 'union', [{ a: 1 }, { b: 1, c: 3 }, { b: 1, c: 2 }, { a: 1, b: 1 }, {}, { c: 1 }]);
values('one of two members at least', 'either', [{ a: 1 }, { a: 1, b: 1 }, {}]);
values('not both members', 'deepNot', [{ a: 'x' }, { a: 'x', b: 'x' }]);
values('nullable', 'maybe', ['x', null, 'long', 1]);
values('a nullable object', 'maybeObject', [null, {}, { a: null }]);
values('a nullable member with a default', 'maybeDefault', [null, 'x']);
values('int or string', 'port', [80, 'http', '', 1.5, true, null, {}]);
values('int or string with a pattern', 'strictPort', [80, 'http', 'HTTP', 1.5, true]);
values('open objects', 'open', [{ known: 1, other: { a: [null] } }, { known: 'x' }, {}, null, 'x']);
values('open values', 'openAny', [{ a: 1 }, [1, 'x', null], 'x', 5, null, false]);
values('an open object in a closed one', 'openInner', [{ inner: { a: 1 }, a: 'x', b: 1 }, { inner: 'x' }]);
values('embedded objects', 'object', [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { a: '1' } },
  { kind: 'ConfigMap' },
  { apiVersion: 'v1' },
  { apiVersion: '', kind: '' },
  { apiVersion: 'a/b/c', kind: 'K-', metadata: { name: 'B_d', labels: { 'b a d': 'x' } } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', unknown: 1, labels: { a: 1 } } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: 'x' },
  { apiVersion: 1, kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: {} },
  {},
]);
values('embedded objects with a schema', 'pod', [
  { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', labels: { a: '1' }, uid: 'u' }, spec: {}, extra: 1 },
  { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'long' }, spec: { replicas: 'x', unknown: 1 } },
]);
values('a set', 'set', [['a', 'b'], ['a', 'a'], ['b', 'a', 'a', 'b', 'b'], []]);
values('a set of integers', 'numbers', [
  [1, 2],
  [2, 1, 2],
]);
values('a set of objects', 'objects', [
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { a: 1 }],
  [{}, {}],
]);
values('a list with keys', 'keyed', [
  [{ port: 1 }, { port: 1, protocol: 'UDP' }],
  [{ port: 1 }, { port: 1 }],
  [
    { port: 1, protocol: 'TCP' },
    { port: 1, name: 'x' },
  ],
  [{ name: 'x' }],
  [{ port: 'x' }, { port: 'x' }],
  ['x'],
]);
values('defaults', 'defaults', [
  {},
  { a: null, b: null, e: null, k: null, o: null },
  { b: {}, e: {}, g: [{}, { h: 'x' }], i: { x: {} }, k: [], l: {} },
  { a: '', e: { f: false }, k: [3], l: { m: 'x' }, p: 0 },
  { g: [null], i: { x: null } },
]);
values('defaults of what is required', 'required', [{ b: 'x' }, {}, { a: null, b: 'x' }]);
add('formats', async (s) => {
  const path = await checkedsOf(s);
  const tried = [
    'bad value',
    '',
    '2026-01-31',
    '10.0.0.1',
    '::1',
    'a.b',
    'YWJj',
    '1h',
    '123e4567-e89b-42d3-a456-426614174000',
    'https://example.com/x',
  ];
  for (const format of formats) {
    const answers: unknown[] = [];
    for (const value of tried) {
      const { status, json } = await s.quietly('POST', `${path}?dryRun=All`, checked({ [`format-${format}`]: value }));
      answers.push(
        status === 201 ? { value, accepted: json.spec[`format-${format}`] } : { value, details: json.details },
      );
    }
    s.note(format, answers);
  }
});
add('formats: values that fit', async (s) => {
  const path = await checkedsOf(s);
  for (const [format, value] of Object.entries({
    bsonobjectid: '507f1f77bcf86cd799439011',
    email: 'a@example.com',
    hostname: 'a.example.com',
    cidr: '10.0.0.0/8',
    mac: '01:02:03:04:05:06',
    uuid3: 'a3bb189e-8bf9-3888-9912-ace4e6543002',
    uuid5: 'a6edc906-2f9f-5fb2-a373-efac406f0ef2',
    isbn: '978-3-16-148410-0',
    isbn10: '0-306-40615-2',
    isbn13: '9783161484100',
    creditcard: '4111111111111111',
    ssn: '123-45-6789',
    hexcolor: '#ffaa00',
    rgbcolor: 'rgb(1,2,3)',
    duration: '3d',
    'date-time': '2026-01-31T10:00:00.5+02:00',
    datetime: '2026-01-31T10:00:00Z',
    password: 'secret',
    'k8s-short-name': 'a-b',
    'k8s-long-name': 'a.b-c',
  })) {
    const { status } = await s.quietly('POST', `${path}?dryRun=All`, checked({ [`format-${format}`]: value }));
    s.note(format, status);
  }
});
add('specifications that are none', async (s) => {
  const path = await checkedsOf(s);
  for (const spec of ['x', [], 1, null, undefined]) {
    await s.post(`${path}?dryRun=All`, { ...checked({}), spec });
  }
  await s.post(`${path}?dryRun=All`, { ...checked({}), top: 'x', status: { phase: 'Odd' } });
});
add('names that the schema restricts', async (s) => {
  const path = await checkedsOf(s);
  await s.post(`${path}?dryRun=All`, checked({}, { name: 'x'.repeat(21) }));
  await s.post(`${path}?dryRun=All`, checked({}, { name: 'A' }));
  await s.post(`${path}?dryRun=All`, checked({}, { name: undefined }));
});
add('many errors at once', async (s) => {
  await s.post(await checkedsOf(s), {
    ...checked(
      {
        least: 0,
        most: 9,
        short: 'abcdef',
        choice: 'q',
        flag: 1,
        few: [],
        needs: {},
        labels: { a: 'long' },
        set: ['a', 'a'],
        one: 4,
      },
      { labels: { 'b a d': 'x' } },
    ),
    top: 'x',
  });
});
add('the status', async (s) => {
  const path = `${await checkedsOf(s)}/a`;
  await s.post(await checkedsOf(s), { ...checked({}), status: { phase: 'Odd' } });
  const set = (status: unknown, more: JsonObject = {}) => s.patch('merge', `${path}/status`, { status, ...more });
  await set({ phase: 'Odd' });
  await set({ phase: 'Good', unknown: 1 });
  await set({ count: -1 });
  await set('x');
  await set({ phase: 'Bad' }, { spec: { least: 0 }, top: 9 });
  await set(null);
});
add('the scale', async (s) => {
  const path = `${await checkedsOf(s)}/a`;
  await s.post(await checkedsOf(s), checked({ least: 2 }));
  const set = (replicas: unknown) => s.patch('merge', `${path}/scale`, { spec: { replicas } });
  await set(3);
  await set(1);
  await set(-1);
  await set('x');
  await set(null);
  await s.get(path);
});

const unknown = {
  ...checked({
    least: 2,
    zzz: 1,
    needs: undefined,
    openInner: { b: 1, inner: { c: 1 } },
    keyed: [{ port: 1, q: 1 }],
    nested: { k: [{ m: 1 }] },
  }),
  other: 1,
};
for (const mode of ['Ignore', 'Warn', 'Strict', '']) {
  add(`unknown members: ${mode === '' ? 'nothing said' : mode}`, async (s) => {
    const path = await checkedsOf(s);
    const query = mode === '' ? '' : `?fieldValidation=${mode}`;
    await s.post(`${path}${query}`, unknown);
    await s.quietly('POST', path, checked({ least: 2 }));
    const { json } = await s.quietly('GET', `${path}/a`);
    await s.put(`${path}/a${query}`, { ...json, spec: { least: 3, zzz: 1 } });
    await s.patch('merge', `${path}/a${query}`, { spec: { zzz: 1, least: 4 }, other: null });
    await s.patch('json', `${path}/a${query}`, [{ op: 'add', path: '/spec/zzz', value: 1 }]);
    await s.patch('merge', `${path}/a/status${query}`, { status: { zzz: 1 } });
  });
  add(`members that come twice: ${mode === '' ? 'nothing said' : mode}`, async (s) => {
    const path = await checkedsOf(s);
    const query = mode === '' ? '' : `?fieldValidation=${mode}`;
    const body = JSON.stringify(checked({ least: 2, most: 1 }));
    await s.post(
      `${path}${query}`,
      body.replace('"least":2', '"least":2,"least":3').replace('"name":"a"', '"name":"b","name":"a"'),
    );
    await s.quietly('POST', path, checked({ least: 2 }));
    await s.patch('merge', `${path}/a${query}`, '{"spec":{"least":4,"least":5}}');
    const yaml = 'apiVersion: validation.example.com/v1\nkind: Checked\nmetadata: {name: yaml}\nspec: {least: 2}\n';
    await s.post(`${path}${query}`, yaml.replace('{least: 2}', '{least: 2, least: 3}'), 'application/yaml');
  });
}
add('unknown metadata', async (s) => {
  const path = await checkedsOf(s);
  for (const mode of ['Ignore', 'Warn', 'Strict']) {
    await s.post(`${path}?dryRun=All&fieldValidation=${mode}`, checked({}, { unknown: 1, labels: { a: '1' } }));
  }
});
add('members of another case of letters', async (s) => {
  const path = await checkedsOf(s);
  await s.post(`${path}?dryRun=All`, { ...checked({ Least: 2 }), Spec: { most: 9 }, Metadata: { name: 'b' } });
  await s.post(`${s.configMaps}?dryRun=All`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', Labels: { a: '1' } },
    Data: { a: '1' },
  });
});
changes('what is null on a change', 'defaults', {}, [{ a: null }, null, { k: null, e: { f: null } }]);
add('a member is taken away by null', async (s) => {
  const path = `${await checkedsOf(s)}/a`;
  await s.post(await checkedsOf(s), checked({ maybe: 'x', maybeDefault: 'x', least: 2, openAny: 1 }));
  await s.patch('merge', path, { spec: { maybe: null, maybeDefault: null, openAny: null } });
  await s.patch('json', path, [
    { op: 'add', path: '/spec/maybe', value: null },
    { op: 'add', path: '/spec/least', value: null },
    { op: 'add', path: '/spec/openAny', value: null },
  ]);
  const { json } = await s.get(path);
  await s.put(path, { ...json, spec: { maybe: null, maybeDefault: null, openAny: null } });
});

addLaterSchemaCases(add);
