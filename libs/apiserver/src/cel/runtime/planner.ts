import type { CheckedExpression, ResolvedCall } from '../checker/checked-expression.js';
import { callCost } from '../cost/call-cost.js';
import { mismatch } from '../library/mismatch.js';
import {
  operators,
  type Call,
  type Expression,
  type ListLiteral,
  type MapLiteral,
  type Select,
} from '../syntax/ast.js';
import { optionalItemAt, valueAt } from '../values/access.js';
import { Failure, noSuchOverload } from '../values/failure.js';
import {
  ListValue,
  MapValue,
  OptionalValue,
  PlainList,
  PlainMap,
  TypeValue,
  UintValue,
  type Result,
  type Value,
} from '../values/value.js';
import { planComprehension } from './comprehension.js';
import type { Frame, PartPlanner, Step } from './step.js';

/** An expression whose constant parts cannot be evaluated. */
export class PlanError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PlanError';
  }
}

/** Conversions are carried out at once where their argument is known. */
const folded = new Set(['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'uint']);

const listCost = 10;
const mapCost = 30;

const constant = (value: Value): Step => ({ run: () => value, constant: value });

/** Turns a checked expression into steps. */
export class Planner implements PartPlanner {
  /** Slots of the variables that are in scope, the innermost last. */
  readonly #scopes: ReadonlyMap<string, number>[] = [];
  #slots = 0;

  constructor(private readonly checked: CheckedExpression) {}

  /** How many slots a frame needs. */
  get slots(): number {
    return this.#slots;
  }

  plan(part: Expression): Step {
    switch (part.kind) {
      case 'literal':
        return constant(literalValue(part));
      case 'identifier':
        return this.#reference(part) ?? constant(null);
      case 'select':
        return this.#reference(part) ?? this.#select(part);
      case 'call':
        return this.#call(part);
      case 'list':
        return this.#list(part);
      case 'map':
        return this.#map(part);
      case 'comprehension':
        return planComprehension(part, this);
      case 'message':
        throw new PlanError(`messages such as '${part.name}' are not supported`);
    }
  }

  within<T>(names: readonly string[], plan: (slots: readonly number[]) => T): T {
    const slots = names.map(() => this.#slots++);
    this.#scopes.push(new Map(names.map((name, index) => [name, slots[index]!])));
    const planned = plan(slots);
    this.#scopes.pop();
    return planned;
  }

  #reference(part: Expression): Step | undefined {
    const reference = this.checked.references.get(part.id);
    if (reference === undefined) return undefined;
    if ('typeName' in reference) return constant(new TypeValue(reference.typeName));
    const name = reference.variable;
    const slot = this.#scopes.findLast((scope) => scope.has(name))?.get(name);
    if (slot !== undefined) {
      return {
        run: ({ slots, meter }) => {
          meter.add(1);
          return slots[slot]!;
        },
      };
    }
    const plain = name.replace(/^\./, '');
    return {
      run: ({ variable, meter }) => {
        meter.add(1);
        return variable(plain);
      },
    };
  }

  #select(part: Select): Step {
    const operand = this.plan(part.operand);
    const { field } = part;
    if (part.test) return { run: (frame) => has(operand.run(frame), field) };
    return {
      run: (frame) => {
        const value = operand.run(frame);
        if (value instanceof Failure) return value;
        frame.meter.add(1);
        return valueAt(value, field);
      },
    };
  }

  #call(call: Call): Step {
    const parts = this.checked.calls.get(call.id)?.args ?? call.args;
    const args = parts.map((arg) => this.plan(arg));
    const [first, second, third] = args as [Step, Step, Step];
    switch (call.function) {
      case operators.and:
        return logical(first, second, false);
      case operators.or:
        return logical(first, second, true);
      case operators.conditional:
        return conditional(first, second, third);
      case operators.notStrictlyFalse:
        return notStrictlyFalse(first);
      case operators.index:
        return access(first, second, valueAt);
      case operators.optionalIndex:
      case operators.optionalSelect:
        return access(first, second, optionalItemAt);
      case 'or':
      case 'orValue':
        return orElse(first, second, call.function);
      default:
        return invocation(this.checked.calls.get(call.id)!, args);
    }
  }

  #list({ elements, optional }: ListLiteral): Step {
    const steps = elements.map((element) => this.plan(element));
    if (optional.length === 0 && steps.every((step) => step.constant !== undefined)) {
      return constant(new PlainList(steps.map((step) => step.constant!)));
    }
    const optionals = new Set(optional);
    return {
      run: (frame) => {
        const items: Value[] = [];
        for (let index = 0; index < steps.length; index++) {
          const value = steps[index]!.run(frame);
          if (value instanceof Failure) return value;
          if (!optionals.has(index)) items.push(value);
          else if (!(value instanceof OptionalValue)) return noSuchOverload();
          else if (value.value !== undefined) items.push(value.value);
        }
        frame.meter.add(listCost);
        return new PlainList(items);
      },
    };
  }

  #map({ entries }: MapLiteral): Step {
    const steps = entries.map(({ key, value, optional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      optional,
    }));
    const run = (frame: Frame): Result => {
      const found: (readonly [Value, Value])[] = [];
      for (const { key, value, optional } of steps) {
        const name = key.run(frame);
        if (name instanceof Failure) return name;
        if (!isKey(name)) return new Failure('unsupported key type');
        const member = value.run(frame);
        if (member instanceof Failure) return member;
        if (!optional) found.push([name, member]);
        else if (!(member instanceof OptionalValue)) return noSuchOverload();
        else if (member.value !== undefined) found.push([name, member.value]);
      }
      frame.meter.add(mapCost);
      return new PlainMap(found);
    };
    return { run };
  }
}

const isKey = (value: Value): boolean =>
  ['string', 'bigint', 'boolean'].includes(typeof value) || value instanceof UintValue;

function literalValue({ literal }: Expression & { kind: 'literal' }): Value {
  if (literal.type === 'null') return null;
  return literal.type === 'uint' ? new UintValue(literal.value) : literal.value;
}

function has(value: Result, field: string): Result {
  if (value instanceof Failure) return value;
  const inside = value instanceof OptionalValue ? value.value : value;
  if (inside instanceof MapValue) return inside.has(field);
  return inside instanceof ListValue ? new Failure(`unsupported index type 'string' in list`) : false;
}

/** `&&` and `||`: a side that decides outvotes a failure of the other one. */
function logical(left: Step, right: Step, decisive: boolean): Step {
  const failed = (value: Result): Failure | undefined => {
    if (value instanceof Failure) return value;
    return typeof value === 'boolean' ? undefined : noSuchOverload();
  };
  return {
    run: (frame) => {
      const a = left.run(frame);
      if (a === decisive) return decisive;
      const b = right.run(frame);
      if (b === decisive) return decisive;
      return failed(a) ?? failed(b) ?? !decisive;
    },
  };
}

function conditional(condition: Step, yes: Step, no: Step): Step {
  return {
    run: (frame) => {
      const chosen = condition.run(frame);
      if (chosen === true) return yes.run(frame);
      if (chosen === false) return no.run(frame);
      return chosen instanceof Failure ? chosen : noSuchOverload();
    },
  };
}

function notStrictlyFalse(operand: Step): Step {
  return {
    run: (frame) => {
      const value = operand.run(frame);
      frame.meter.add(1);
      return value !== false;
    },
  };
}

function access(operand: Step, key: Step, look: (value: Value, key: Value) => Result): Step {
  return {
    run: (frame) => {
      const value = operand.run(frame);
      if (value instanceof Failure) return value;
      const at = key.run(frame);
      if (at instanceof Failure) return at;
      frame.meter.add(1);
      return look(value, at);
    },
  };
}

/** The alternative is evaluated only where it is needed. */
function orElse(operand: Step, alternative: Step, name: 'or' | 'orValue'): Step {
  return {
    run: (frame) => {
      const value = operand.run(frame);
      if (value instanceof Failure || !(value instanceof OptionalValue)) return value;
      if (value.value === undefined) return alternative.run(frame);
      return name === 'or' ? value : value.value;
    },
  };
}

function invocation({ function: { name, overloads: all }, overloads }: ResolvedCall, args: readonly Step[]): Step {
  const only = overloads.length === 1 ? overloads[0] : undefined;
  const apply = (values: readonly Value[]): Result => {
    // A value of an unknown type can fit an overload that its place in the expression does not tell.
    const fitting = only?.takes(values) === true ? only : all.find((overload) => overload.takes(values));
    return fitting === undefined ? mismatch(name, values) : fitting.apply(...values);
  };
  const constants = args.map((arg) => arg.constant);
  if (constants.every((value) => value !== undefined)) {
    if (folded.has(name)) {
      const result = apply(constants);
      if (result instanceof Failure) throw new PlanError(result.message);
      return constant(result);
    }
    if (name === 'matches') checkPattern(apply, constants);
  }
  return {
    run: (frame) => {
      const values: Value[] = [];
      for (const arg of args) {
        const value = arg.run(frame);
        if (value instanceof Failure) return value;
        values.push(value);
      }
      const result = apply(values);
      frame.meter.add(callCost(name, values, result));
      return result;
    },
  };
}

function checkPattern(apply: (values: readonly Value[]) => Result, [, pattern]: readonly Value[]): void {
  if (typeof pattern !== 'string') return;
  const result = apply(['', pattern]);
  if (result instanceof Failure) throw new PlanError(result.message);
}
