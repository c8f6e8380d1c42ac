import { describe, expect, it } from 'vitest';
import { environmentWith } from '../../src/cel/checker/environment.js';
import { checkExpression } from '../../src/cel/compile.js';
import { estimateCost } from '../../src/cel/cost/cost-estimator.js';
import { ruleTree } from '../../src/cel/rules/rule-tree.js';
import { evaluateRules } from '../../src/cel/rules/rule-evaluation.js';
import { declaredType } from '../../src/cel/schema/declared-type.js';
import type { Schema } from '../../src/custom/schema.js';
import { recordedCosts } from './recorded.js';

/** Costs were read from factors of seven digits. */
const precision = 2e-6;
const unbounded = 1e9;

describe('costs', () => {
  it.each(recordedCosts().map((set, index) => [index, set] as const))(
    'are estimated as the real server does: set %i',
    (_index, { properties, costs }) => {
      const root = declaredType({ type: 'object', properties }, false, 'self')!;
      const environment = environmentWith({ self: root.type });
      const different = Object.entries(costs)
        .map(([rule, wanted]) => ({ rule, wanted, found: estimateCost(checkExpression(rule, environment), root) }))
        .filter(({ wanted, found }) =>
          wanted === 'unbounded' ? found < unbounded : Math.abs(found - wanted) > precision * wanted,
        );
      expect(different).toEqual([]);
    },
  );

  const pairs: Schema = {
    type: 'object',
    properties: {
      l: { type: 'array', items: { type: 'integer' } },
      m: {
        type: 'object',
        additionalProperties: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
      },
    },
    'x-kubernetes-validations': [{ rule: 'self.l.all(x, self.l.all(y, x + y > -1))' }],
  };
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

  it('of one evaluation end at the same item as in the real server', () => {
    const tree = ruleTree(pairs, false)!;
    expect(evaluateRules(tree, { l: numbers(377) }, undefined).causes).toEqual([]);
    expect(evaluateRules(tree, { l: numbers(378) }, undefined).causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        message: `Invalid value: "object": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.l.all(x, self.l.all(y, x + y > -1))`,
        field: '<nil>',
      },
    ]);
  });

  it('of all rules of an object end somewhere too', () => {
    const tree = ruleTree(
      {
        type: 'array',
        items: {
          type: 'array',
          items: { type: 'integer' },
          'x-kubernetes-validations': [{ rule: 'self.all(x, self.all(y, x + y > -1))' }],
        },
      },
      false,
    )!;
    const { causes } = evaluateRules(
      tree,
      Array.from({ length: 20 }, () => numbers(370)),
      undefined,
    );
    expect(causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        message:
          'Invalid value: validation failed due to running out of cost budget, no further validation rules will be run',
        field: '[10]',
      },
    ]);
  });
});
