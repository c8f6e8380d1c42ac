import { describe, expect, it } from 'vitest';
import { findField } from '../../src/cel/rules/field-path.js';
import { evaluateDefault, evaluateRules } from '../../src/cel/rules/rule-evaluation.js';
import { ruleTree } from '../../src/cel/rules/rule-tree.js';
import type { Rule } from '../../src/cel/rules/rule.js';
import type { Schema } from '../../src/custom/schema.js';

const withRules = (schema: Schema, ...rules: Rule[]): Schema => ({ ...schema, 'x-kubernetes-validations': rules });
const integer: Schema = { type: 'integer' };

/** What is said of an object whose `v` has a schema. */
function said(schema: Schema, value: unknown, old?: unknown): string[] {
  const tree = ruleTree({ type: 'object', properties: { v: schema } }, false)!;
  const before = old === undefined ? undefined : { v: old };
  const { causes, warnings } = evaluateRules(tree, { v: value }, before);
  return [
    ...causes.map(({ reason, field, message }) => `${reason} ${field} ${message}`),
    ...warnings.map((text) => `warning ${text}`),
  ];
}

describe('rules', () => {
  it.each<[string, Rule, string]>([
    ['without a message', { rule: ' self > 5 ' }, 'FieldValueInvalid v Invalid value: 1: failed rule: self > 5'],
    ['with a message', { rule: 'self > 5', message: ' too small ' }, 'FieldValueInvalid v Invalid value: 1: too small'],
    [
      'with a message that is computed',
      { rule: 'self > 5', message: 'm', messageExpression: "string(self) + ' is small'" },
      'FieldValueInvalid v Invalid value: 1: 1 is small',
    ],
    [
      'with a message that cannot be computed',
      { rule: 'self > 5', message: 'm', messageExpression: 'string(1 / (self - 1))' },
      'FieldValueInvalid v Invalid value: 1: m',
    ],
    [
      'with a message of two lines',
      { rule: 'self > 5', message: 'm', messageExpression: String.raw`"a\nb"` },
      'FieldValueInvalid v Invalid value: 1: m',
    ],
    [
      'that are empty in what they say',
      { rule: 'self > 5', messageExpression: "' '" },
      'FieldValueInvalid v Invalid value: 1: failed rule: self > 5',
    ],
    [
      'that forbid',
      { rule: 'self > 5', message: 'm', reason: 'FieldValueForbidden' },
      'FieldValueForbidden v Forbidden: m',
    ],
    [
      'that require',
      { rule: 'self > 5', message: 'm', reason: 'FieldValueRequired' },
      'FieldValueRequired v Required value: m',
    ],
    [
      'about what is twice',
      { rule: 'self > 5', message: 'm', reason: 'FieldValueDuplicate' },
      'FieldValueDuplicate v Duplicate value: 1',
    ],
    [
      'that fail',
      { rule: '1 / (self - 1) > 0', message: 'm' },
      'FieldValueInvalid v Invalid value: "integer": division by zero evaluating rule: m',
    ],
  ])('%s', (_what, rule, message) => {
    expect(said(withRules(integer, rule), 1)).toEqual([message]);
  });

  it('say nothing of null, of what is not there, and of what they allow', () => {
    const schema = withRules({ ...integer, nullable: true }, { rule: 'self > 5' });
    expect(said(schema, null)).toEqual([]);
    expect(said(schema, undefined)).toEqual([]);
    expect(said(schema, 6)).toEqual([]);
  });

  it('about changes hold where there was a value before', () => {
    const schema = withRules(integer, { rule: 'self >= oldSelf', message: 'm' });
    expect(said(schema, 1)).toEqual([]);
    expect(said(schema, 1, 2)).toEqual(['FieldValueInvalid v Invalid value: 1: m']);
    expect(said(schema, 2, 1)).toEqual([]);
    const optional = withRules(integer, {
      rule: 'oldSelf.hasValue() == (self == 1)',
      message: 'm',
      optionalOldSelf: true,
    });
    expect(said(optional, 1)).toHaveLength(1);
    expect(said(optional, 1, 2)).toEqual([]);
  });

  it('warn of what is wrong as long as it was before', () => {
    const schema = withRules(integer, { rule: 'self > 5', message: 'm' });
    expect(said(schema, 1, 1)).toEqual(['warning v: Invalid value: 1: m']);
    expect(said(schema, 2, 1)).toEqual(['FieldValueInvalid v Invalid value: 2: m']);
  });

  it('name items, members and properties, and find items of a list with keys again', () => {
    const item: Schema = {
      type: 'object',
      properties: { k: { type: 'string' }, n: withRules(integer, { rule: 'self >= oldSelf', message: 'less' }) },
    };
    const keyed: Schema = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: item,
    };
    expect(
      said(
        keyed,
        [
          { k: 'b', n: 1 },
          { k: 'a', n: 1 },
        ],
        [{ k: 'a', n: 5 }],
      ),
    ).toEqual(['FieldValueInvalid v[1].n Invalid value: 1: less']);
    const map: Schema = {
      type: 'object',
      additionalProperties: withRules(integer, { rule: 'self > 5', message: 'm' }),
    };
    expect(said(map, { 'a b': 1 })).toEqual(['FieldValueInvalid v[a b] Invalid value: 1: m']);
    const object = withRules(
      { type: 'object', properties: { m: map } },
      { rule: 'false', message: 'm', fieldPath: ".m['x.y']" },
    );
    expect(said(object, { m: {} })).toEqual(['FieldValueInvalid v.m[x.y] Invalid value: m']);
  });

  it('of defaults are about one that was there, and then about one that is new', () => {
    const check = (rule: Rule): readonly string[] =>
      evaluateDefault(ruleTree(withRules(integer, rule), false)!, 1, 'x.default').map(({ message }) => message!);
    expect(check({ rule: 'self == oldSelf' })).toEqual([]);
    expect(check({ rule: 'self > oldSelf', message: 'm' })).toEqual(['Invalid value: 1: m']);
    expect(check({ rule: 'oldSelf.hasValue()', message: 'm', optionalOldSelf: true })).toEqual(['Invalid value: 1: m']);
    expect(check({ rule: '!oldSelf.hasValue()', message: 'm', optionalOldSelf: true })).toEqual([
      'Invalid value: 1: m',
    ]);
  });
});

describe('paths of rules', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      a: { type: 'object', properties: { 'b.c': integer } },
      m: { type: 'object', additionalProperties: integer },
    },
  };

  it.each([
    ['.a', 'a'],
    [".a['b.c']", 'a.b.c'],
    ['.m.k', 'm[k]'],
    [String.raw`.m['it\'s']`, "m[it's]"],
  ])('%s leads to %s', (path, shown) => {
    expect(findField(path, schema)).toMatchObject({ path: shown });
  });

  it.each([
    ['', 'unexpected end of JSON path'],
    ['.', 'unexpected end of JSON path'],
    ['a', 'expected [ or . but got: a'],
    ['.nope', 'does not refer to a valid field'],
    ['.a.b', 'does not refer to a valid field'],
    ['.a.', 'unexpected end of JSON path'],
    ['.a[0]', 'expected single quoted string but got 0'],
  ])('%j leads nowhere', (path, problem) => {
    expect(findField(path, schema)).toEqual({ problem });
  });

  it('leads nowhere without an end', () => {
    expect(findField(".a['b.c'", schema)).toHaveProperty('problem');
  });

  it('may be without brackets', () => {
    expect(findField(".a['b.c']", schema, false)).toEqual({ problem: 'array notation is not allowed' });
  });
});
