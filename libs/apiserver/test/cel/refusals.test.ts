import { describe, expect, it } from 'vitest';
import { RuleCompiler } from '../../src/cel/rules/compiled-rule.js';
import { declaredType } from '../../src/cel/schema/declared-type.js';
import { recordedRefusals } from './recorded.js';

/** Refused by both, in other words or in fewer of them: what a generated parser says after its first complaint. */
const otherWords = new Set([
  '&& true',
  '!',
  '-',
  '[1,, 2]',
  '{:1}',
  '{1: 2,, 3: 4}',
  'in',
  'self.in == 1',
  // Messages are not supported.
  'google.protobuf.Timestamp{seconds: 1} == self.t',
  'google.protobuf.Duration{}',
]);

describe('rules that are refused', () => {
  const { properties, rules } = recordedRefusals();
  const declared = declaredType({ type: 'object', properties }, false, 'selfTypeN')!;
  const compiler = new RuleCompiler(declared);
  const refusalOf = (rule: string): string => compiler.compile({ rule, message: 'm' }).error ?? '';

  it('in the words of the real server', () => {
    const same = rules.filter(({ rule }) => !otherWords.has(rule));
    expect(same.length).toBeGreaterThan(250);
    const different = same
      .map(({ rule, refusal }) => ({ rule, wanted: refusal, found: refusalOf(rule) }))
      .filter(({ wanted, found }) => wanted !== found);
    expect(different).toEqual([]);
  });

  it.each([...otherWords])('in words of its own: %s', (rule) => {
    const known = rules.find((one) => one.rule === rule);
    expect(known).toBeDefined();
    expect(refusalOf(rule)).toMatch(/^compilation failed: ERROR: <input>:1:\d+: /);
  });
});
