import { describe, expect, it } from 'vitest';
import { RuleCompiler } from '../../src/cel/rules/compiled-rule.js';
import { evaluateRules } from '../../src/cel/rules/rule-evaluation.js';
import { ruleTree } from '../../src/cel/rules/rule-tree.js';
import { declaredType } from '../../src/cel/schema/declared-type.js';
import type { Schema } from '../../src/custom/schema.js';

const schema = (rule: string): Schema => ({
  type: 'object',
  properties: { s: { type: 'string' }, n: { type: 'integer' }, l: { type: 'array', items: { type: 'integer' } } },
  'x-kubernetes-validations': [{ rule, message: 'm' }],
});
const object = { s: 'a'.repeat(10_000), n: 1, l: Array.from({ length: 1_000 }, (_, index) => index) };
// Seconds at most; much more than that on a machine that does ten other things.
const longest = 45_000;

/** Why a rule is refused, or else what it says about an object; in bounded time. */
function verdict(rule: string): string {
  const start = performance.now();
  const declared = declaredType(schema(rule), false, 'self')!;
  const { error } = new RuleCompiler(declared).compile({ rule, message: 'm' });
  const causes = error === undefined ? evaluateRules(ruleTree(schema(rule), false)!, object, undefined).causes : [];
  expect(performance.now() - start).toBeLessThan(longest);
  return error ?? causes[0]?.message ?? 'fine';
}

const times = (count: number, text: string): string => text.repeat(count);
const nested = (count: number, open: string, inner: string, close: string): string =>
  times(count, open) + inner + times(count, close);

describe('hostile rules are refused', () => {
  it.each<[string, string, string]>([
    ['parentheses', nested(5_000, '(', 'true', ')'), 'expression recursion limit exceeded: 250'],
    ['parentheses without an end', times(50_000, '('), 'expression recursion limit exceeded: 250'],
    ['lists in lists', `${nested(5_000, '[', '1', ']')}.size() == 1`, 'expression recursion limit exceeded: 250'],
    ['maps in maps', `${nested(2_000, '{1:', '1', '}')}.size() == 1`, 'expression recursion limit exceeded: 250'],
    ['conditions', `${times(5_000, 'true ? true : ')}true`, 'expression recursion limit exceeded: 250'],
    ['calls in calls', `${nested(2_000, 'size([', '1', '])')} == 1`, 'expression recursion limit exceeded: 250'],
    ['more than a rule may hold', `self.s == '${'x'.repeat(200_000)}'`, 'expression code point size exceeds limit'],
    ['members of members', `self${times(40_000, '.s')} == 1`, 'recursion'],
    [
      'macros that double',
      `${nested(30, 'optional.of(', '1', ').optMap(x, x + x).optMap(y, [y, y])')}.hasValue()`,
      'expression is too large',
    ],
    ['signs that are none', times(50_000, '#'), '1 more errors were truncated'],
    ['names that are none', `${times(5_000, 'nope == 1 || ')}true`, '4900 more errors were truncated'],
    ['texts without an end', `${times(20_000, '"')}a`, 'Syntax error'],
  ])('%s', (_what, rule, why) => {
    expect(verdict(rule)).toContain(why);
  });

  it.each<[string, string]>([
    ['negations', `${times(5_000, '!')}true`],
    ['macros in macros', nested(30, '[1].all(x, ', 'true', ')')],
    ['alternatives in a row', `${times(3_000, 'false || ')}true`],
    ['a pattern of many groups', `self.s.matches('${nested(200, '(', 'a', ')')}')`],
  ])('but not %s', (_what, rule) => {
    expect(verdict(rule)).toBe('fine');
  });
});

describe('hostile evaluations end', () => {
  const limit = 'actual cost limit exceeded';

  it.each<[string, string, string]>([
    ['loops in loops', 'self.l.all(a, self.l.all(b, self.l.all(c, a + b + c > -1)))', limit],
    ['a range of all numbers', 'lists.range(9223372036854775807).all(x, x >= 0)', 'is not supported'],
    ['a long range in a loop', 'self.l.all(x, lists.range(100000).size() > 0)', limit],
    ['texts that double', `[self.s + self.s].all(a, (${times(25, 'a + ')}a).size() > 0)`, 'fine'],
    ['texts that grow in a loop', `self.l.all(x, (${times(40, 'self.s + ')}self.s).size() > 0)`, limit],
    ['patterns that backtrack', "self.s.matches('^(a+)+$') && !self.s.matches('^(a|a)*b$')", 'fine'],
    ['a split of all', "self.l.all(x, self.s.split('').size() > 0)", limit],
    ['a sort of all', 'self.l.all(x, self.l.sortBy(y, -y).size() > 0)', limit],
    ['all pairs', 'self.l.all(x, sets.contains(self.l, self.l))', limit],
  ])('%s', (_what, rule, why) => {
    expect(verdict(rule)).toContain(why);
  });
});
