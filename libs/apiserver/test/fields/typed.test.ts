import { describe, expect, it } from 'vitest';
import type { Schema } from '../../src/custom/schema.js';
import { asSchemaHasIt } from '../../src/fields/schema-changes.js';
import { decodeFieldsV1 } from '../../src/fields/managed-fields.js';
import { compareTyped } from '../../src/fields/typed-comparison.js';
import { fieldsOf } from '../../src/fields/typed-fields.js';
import { mergeTyped } from '../../src/fields/typed-merge.js';
import { checkTyped } from '../../src/fields/typed-validation.js';
import { objectType } from '../../src/fields/value-type.js';
import { withZeros } from '../../src/fields/zero-values.js';
import { builtinSchema } from '../../src/schemas/builtin-schemas.js';

const text: Schema = { type: 'string' };
const type = objectType({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        name: text,
        map: { type: 'object', additionalProperties: text },
        whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text } },
        plain: { type: 'array', items: text },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        keyed: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'port'],
          items: { type: 'object', properties: { name: text, port: { type: 'integer', default: 80 }, x: text } },
        },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
});
const object = (spec: object): object => ({ apiVersion: 'a/v1', kind: 'K', metadata: {}, spec });
const spec = (value: unknown): unknown => (value as { spec: unknown }).spec;

describe('what an object has', () => {
  it('is owned by path, and as a whole where it is atomic', () => {
    const given = { map: { a: '1' }, whole: { a: '1' }, plain: ['a'], set: ['a'], keyed: [{ name: 'n' }], open: {} };
    expect(fieldsOf({ spec: given }, type)).toEqual({
      'f:spec': {
        'f:keyed': { 'k:{"name":"n","port":80}': { '.': {}, 'f:name': {} } },
        'f:map': { 'f:a': {} },
        'f:open': {},
        'f:plain': {},
        'f:set': { 'v:"a"': {} },
        'f:whole': {},
      },
    });
  });

  it('that came, went or changed is told apart', () => {
    const before = object({ name: 'x', map: { a: '1', b: '1' }, set: ['a', 'b'] });
    const after = object({ name: 'y', map: { b: '1', c: '1' }, set: ['b', 'c'] });
    expect(compareTyped(before, after, type)).toEqual({
      added: { 'f:spec': { 'f:map': { 'f:c': {} }, 'f:set': { 'v:"c"': {} } } },
      modified: { 'f:spec': { 'f:name': {} } },
      removed: { 'f:spec': { 'f:map': { 'f:a': {} }, 'f:set': { 'v:"a"': {} } } },
    });
  });

  it('more than once in a list is owned as one', () => {
    const { added, removed } = compareTyped(object({ set: ['a'] }), object({ set: ['a', 'a'] }), type);
    expect([added, removed]).toEqual([
      { 'f:spec': { 'f:set': { 'v:"a"': {} } } },
      { 'f:spec': { 'f:set': { 'v:"a"': {} } } },
    ]);
  });

  it('under names that every object has is no member of it', () => {
    const { added } = compareTyped(object({ map: {} }), object({ map: { constructor: 'x' } }), type);
    expect(added).toEqual({ 'f:spec': { 'f:map': { 'f:constructor': {} } } });
  });
});

describe('an applied list', () => {
  it.each([
    [
      ['a', 'b', 'c'],
      ['e', 'c', 'd'],
      ['a', 'b', 'e', 'c', 'd'],
    ],
    [
      ['a', 'b', 'c'],
      ['c', 'a'],
      ['b', 'c', 'a'],
    ],
    [['a'], [], ['a']],
    [[], ['b', 'a'], ['b', 'a']],
  ])('is laid over %j: %j', (live, applied, merged) => {
    expect(spec(mergeTyped(object({ set: live }), object({ set: applied }), type))).toEqual({ set: merged });
  });

  it('replaces one that is atomic', () => {
    expect(spec(mergeTyped(object({ plain: ['a'] }), object({ plain: ['b'] }), type))).toEqual({ plain: ['b'] });
  });

  it('changes neither of the two', () => {
    const [live, applied] = [object({ keyed: [{ name: 'a', x: '1' }] }), object({ keyed: [{ name: 'a' }] })];
    const copies = structuredClone([live, applied]);
    mergeTyped(live, applied, type);
    expect([live, applied]).toEqual(copies);
  });
});

describe('a value of another type', () => {
  it.each([
    [{ zzz: 1 }, '.spec.zzz: field not declared in schema'],
    [{ name: 3 }, '.spec.name: expected string, got &value.valueUnstructured{Value:3}'],
    [{ plain: 'x' }, '.spec.plain: expected list, got &{x}'],
    [{ set: ['a', 'a'] }, '.spec.set: duplicate entries for key [="a"]'],
    [{ keyed: [{ name: 'a' }, { name: 'a', port: 80 }] }, '.spec.keyed: duplicate entries for key [name="a",port=80]'],
    [{ keyed: [null] }, '.spec.keyed: element 0: associative list with keys may not have a null element'],
  ])('is refused: %j', (given, message) => {
    expect(() => checkTyped(object(given), type, false)).toThrow(message);
  });
});

it('what has become atomic is owned as a whole', () => {
  const fields = decodeFieldsV1({ 'f:spec': { 'f:whole': { '.': {}, 'f:a': {} }, 'f:map': {} } });
  expect(asSchemaHasIt(fields, type)).toEqual({ 'f:spec': { 'f:map': {}, 'f:whole': {} } });
});

it('built-in objects hold what Go prints of fields that were never set', () => {
  const deployment = objectType(builtinSchema('apps', 'v1', 'Deployment'));
  const given = { metadata: {}, spec: { template: { spec: { containers: [{ name: 'c' }] } } } };
  expect(withZeros(given, deployment)).toEqual({
    metadata: {},
    spec: {
      selector: null,
      strategy: {},
      template: { metadata: {}, spec: { containers: [{ name: 'c', resources: {} }] } },
    },
    status: {},
  });
  expect(given.spec.template.spec.containers).toEqual([{ name: 'c' }]);
});
