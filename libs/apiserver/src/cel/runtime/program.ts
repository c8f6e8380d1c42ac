import type { CheckedExpression } from '../checker/checked-expression.js';
import type { Result } from '../values/value.js';
import { CostMeter } from './cost-meter.js';
import { Planner } from './planner.js';
import type { Step } from './step.js';

/** An expression that can be evaluated. */
export class Program {
  readonly #step: Step;
  readonly #slots: number;

  /** Throws PlanError where a constant part cannot be evaluated. */
  constructor(checked: CheckedExpression) {
    const planner = new Planner(checked);
    this.#step = planner.plan(checked.expression);
    this.#slots = planner.slots;
  }

  /**
   * Evaluates the expression. Answers a value or a failure; throws only CostLimitError.
   *
   * @param limit - the cost at which the evaluation is cancelled
   */
  evaluate(variable: (name: string) => Result, limit: number): { result: Result; cost: number } {
    const meter = new CostMeter(limit);
    const slots = Array.from<Result>({ length: this.#slots }).fill(null);
    const result = this.#step.run({ variable, slots, meter });
    return { result, cost: meter.used };
  }
}
