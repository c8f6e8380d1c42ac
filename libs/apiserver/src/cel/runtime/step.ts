import type { Expression } from '../syntax/ast.js';
import type { Result, Value } from '../values/value.js';
import type { CostMeter } from './cost-meter.js';

/** What an evaluation works on. */
export interface Frame {
  readonly variable: (name: string) => Result;
  /** Values of the variables of comprehensions. */
  readonly slots: Result[];
  readonly meter: CostMeter;
}

/** Evaluates a part of an expression. */
export interface Step {
  readonly run: (frame: Frame) => Result;
  /** Set where the value is always the same. */
  readonly constant?: Value;
}

/** Turns parts of an expression into steps. */
export interface PartPlanner {
  plan(part: Expression): Step;
  /** Reserves a slot for each name while something is planned that can see them. */
  within<T>(names: readonly string[], plan: (slots: readonly number[]) => T): T;
}
