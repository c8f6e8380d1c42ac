import { describe, expect, it } from 'vitest';
import { CompileError } from '../../src/cel/checker/checker.js';
import { environmentWith } from '../../src/cel/checker/environment.js';
import { compileExpression } from '../../src/cel/compile.js';
import { estimateCost } from '../../src/cel/cost/cost-estimator.js';
import { evaluateMatchConditions, matchConditionProblem } from '../../src/cel/match-conditions/match-conditions.js';
import { evaluateRules } from '../../src/cel/rules/rule-evaluation.js';
import { ruleTree } from '../../src/cel/rules/rule-tree.js';
import { PlanError } from '../../src/cel/runtime/planner.js';
import { declaredType } from '../../src/cel/schema/declared-type.js';
import type { Schema } from '../../src/custom/schema.js';
import { Dice } from '../fuzz/dice.js';
import { recordedExpressions, recordedRefusals } from './recorded.js';

const properties: Record<string, Schema> = {
  n: { type: 'integer' },
  d: { type: 'number' },
  b: { type: 'boolean' },
  s: { type: 'string', maxLength: 10 },
  t: { type: 'string', format: 'date-time' },
  by: { type: 'string', format: 'byte' },
  io: { 'x-kubernetes-int-or-string': true },
  l: { type: 'array', items: { type: 'integer' } },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
  m: { type: 'object', additionalProperties: { type: 'string' } },
  o: { type: 'object', properties: { x: { type: 'integer' }, 'a-b': { type: 'string' } } },
  p: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};
const self: Schema = { type: 'object', properties };
const object = {
  n: 3,
  d: 1.5,
  b: true,
  s: 'abc',
  t: '2024-01-02T03:04:05Z',
  by: 'YWJj',
  io: '50%',
  l: [3, 1, 2],
  set: ['a', 'b'],
  m: { k: 'v', w: 'x' },
  o: { x: 1, 'a-b': 'c' },
  p: { y: [1, { z: null }] },
};

const declared = declaredType(self, false, 'self')!;
const environment = environmentWith({ self: declared.type, oldSelf: declared.type });
const functions = [...environment.functions.keys()].filter((name) => /^[a-z][\w.]*$/i.test(name));
const leaves = [
  Object.keys(properties).map((name) => `self.${name}`),
  ['self', 'oldSelf', '1', '-1', '2u', '1.5', '"a"', "'(a+)+'", 'b"x"', 'true', 'null', '[]', '{}', 'x', 'y', 'int'],
  ['self.o.x', 'self.?o.?x', 'self.m["k"]', 'self.l[0]', '9223372036854775807', 'duration("1h")', 'timestamp(0)'],
].flat();
const operators = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', '&&', '||', 'in'];
const macros = ['all', 'exists', 'exists_one', 'map', 'filter', 'existsOne', 'transformList', 'transformMap', 'sortBy'];

function expression(dice: Dice, depth: number): string {
  if (depth <= 0 || dice.chance(0.15)) return dice.pick(leaves);
  const inner = (): string => expression(dice, depth - 1);
  switch (dice.below(10)) {
    case 0:
    case 1:
      return `(${inner()} ${dice.pick(operators)} ${inner()})`;
    case 2:
      return `${inner()}.${dice.pick(functions)}(${dice.many(2, inner).join(', ')})`;
    case 3:
      return `${dice.pick(functions)}(${dice.many(2, inner).join(', ')})`;
    case 4:
      return `${inner()}.${dice.pick(macros)}(x, ${inner()})`;
    case 5:
      return `${inner()}.${dice.pick(macros)}(x, y, ${inner()})`;
    case 6:
      return `(${inner()} ? ${inner()} : ${inner()})`;
    case 7:
      return `[${dice.many(3, inner).join(', ')}]`;
    case 8:
      return `{${dice.many(2, () => `${inner()}: ${inner()}`).join(', ')}}`;
    default:
      return `dyn(${inner()})`;
  }
}

const known = [
  ...recordedExpressions().map((one) => one.expression.replaceAll('variables.', 'self.')),
  ...recordedRefusals().rules.map(({ rule }) => rule),
];

/** An expression that is known, with a part of another in its place, or changed by a few characters. */
function altered(dice: Dice): string {
  const text = dice.pick(known);
  if (dice.chance(0.5)) return dice.damaged(text);
  const other = dice.pick(known);
  const at = dice.below(text.length + 1);
  const from = dice.below(other.length + 1);
  return text.slice(0, at) + other.slice(from, from + dice.below(20)) + text.slice(at + dice.below(5));
}

const cases = Number(process.env['CEL_FUZZ_CASES'] ?? 1_500);
const firstSeed = Number(process.env['CEL_FUZZ_SEED'] ?? 1);
const longest = 5_000;

/** Compiles, estimates and evaluates; throws what should not be thrown. Answers how it went. */
function tried(text: string): 'refused' | 'evaluated' {
  const start = performance.now();
  const inTime = (): void => expect(performance.now() - start).toBeLessThan(longest);
  try {
    const { checked } = compileExpression(text, environment);
    expect(estimateCost(checked, declared)).toBeGreaterThanOrEqual(0);
  } catch (error) {
    if (!(error instanceof CompileError) && !(error instanceof PlanError)) throw error;
    inTime();
    return 'refused';
  }
  const rule = { rule: `dyn(${text}) == null`, messageExpression: `string(${text})` };
  const { causes } = evaluateRules(ruleTree({ ...self, 'x-kubernetes-validations': [rule] }, false)!, object, object);
  for (const { reason, message, field } of causes) {
    expect(reason).toBe('FieldValueInvalid');
    expect(message).toMatch(/^Invalid value: /);
    expect(field).toBe('<nil>');
  }
  inTime();
  return 'evaluated';
}

describe('expressions at random', () => {
  it.each<[string, (dice: Dice) => string]>([
    ['of the grammar', (dice) => expression(dice, 1 + dice.below(4))],
    ['altered', altered],
  ])('%s are refused or evaluated, and nothing else', (_kind, make) => {
    const dice = new Dice(firstSeed);
    const counts = { refused: 0, evaluated: 0 };
    for (let count = 0; count < cases; count++) {
      const text = make(dice);
      try {
        counts[tried(text)]++;
      } catch (error) {
        throw new Error(`seed ${firstSeed}, case ${count}: ${JSON.stringify(text)}`, { cause: error });
      }
    }
    expect(counts.refused).toBeGreaterThan(cases / 100);
    expect(counts.evaluated).toBeGreaterThan(cases / 100);
  });

  it('are no match conditions that throw', () => {
    const dice = new Dice(firstSeed);
    for (let count = 0; count < cases / 3; count++) {
      const text = altered(dice).replaceAll('self', 'object');
      const problem = matchConditionProblem(text);
      const result = evaluateMatchConditions([text], { object, oldObject: null, request: { operation: 'CREATE' } });
      expect(problem === undefined || 'error' in result, text).toBe(true);
    }
  });
});
