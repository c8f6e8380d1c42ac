import type { JsonObject } from '../../../src/index.js';
import { widget } from '../bodies.js';
import { group } from '../session.js';

const { cases, add } = group('validation');
export const widgetValidationCases = cases;

const invalid: Record<string, JsonObject> = {
  'a wrong type': { size: 'x' },
  'too small and too big': { size: 0, number: 2 },
  'an enum': { mode: 'c' },
  'a string that is too short': { text: 'a' },
  'a string that is too long': { text: 'abcdef' },
  'a pattern': { text: 'bbb' },
  'an array that is too short': { list: [] },
  'an array that is too long': { list: ['a', 'b', 'c'] },
  'an item': { list: [1, null] },
  'a date': { when: 'x' },
  'int or string': { port: 1.5 },
  'an object that is too small': { map: {} },
  'an object that is too big': { map: { a: 1, b: 2, c: 3 } },
  'a member of a map': { map: { a: 'x' } },
  'a set': { set: ['a', 'a', 'b', 'b'] },
  'a keyed list': { keyed: [{ k: 'a' }, { k: 'a', v: 1 }] },
  'a missing key': { keyed: [{ v: 1 }] },
  'oneOf, both': { one: { p: 1, q: 1 } },
  'oneOf, none': { one: {} },
  'a boolean': { flag: 'true' },
  'a multiple': { number: 5 },
  'an object that is none': { any: 1, nested: 'x' },
  'several at once': { size: 99, mode: 'c', flag: 1, set: ['a', 'a'] },
};
for (const [name, spec] of Object.entries(invalid)) {
  add(`a widget: ${name}`, (s) => s.post(s.widgets, widget('a', spec)).then(() => undefined));
}
add('a widget: requires', async (s) => {
  await s.post(s.widgets, { ...widget('a'), spec: {} });
  await s.post(s.widgets, { ...widget('b'), spec: undefined });
});
add('a widget: prunes and defaults', async (s) => {
  await s.post(s.widgets, {
    ...widget('a', { zzz: 1, any: { kept: { a: [1, { b: null }] } }, nested: { y: 1, n: null }, replicas: null }),
    top: 1,
  });
  await s.post(s.widgets, widget('b', { nested: null, mode: null, list: null, map: null }));
  await s.get(s.widgets);
});
add('a widget: lets through what was invalid before', async (s) => {
  await s.post(s.widgets, widget('a', { any: { a: 1 } }));
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: null } });
  await s.patch('merge', `${s.widgets}/a`, { spec: { any: null } });
});
add('a widget: integers beyond 2^53', (s) =>
  s
    .post(s.widgets, JSON.stringify(widget('a', { any: { big: 0 } })).replace('"big":0', '"big":9007199254740993'))
    .then(() => undefined),
);
