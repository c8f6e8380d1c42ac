import { isObject } from '../../json.js';
import { invalidCause, shownValue } from '../../custom/field-causes.js';
import type { StatusCause } from '../../status.js';
import { CostLimitError } from '../runtime/cost-meter.js';
import { schemaValue } from '../schema/schema-value.js';
import { Failure } from '../values/failure.js';
import { OptionalValue, type Result, type Value } from '../values/value.js';
import type { CompiledPart } from './compiled-rule.js';
import { Correlation } from './correlation.js';
import type { RuleReason } from './rule.js';
import type { RuleTree, TreeRule } from './rule-tree.js';

/** What all rules of an object may cost together, and one evaluation. */
const budget = 10_000_000;
const callLimit = 1_000_000;
const longestMessage = 5120;

/** What rules say about an object. */
export interface RuleFindings {
  readonly causes: readonly StatusCause[];
  /** What is wrong with values that were so before, which is let through. */
  readonly warnings: readonly string[];
}

/** Evaluates the rules of an object. `old` is undefined where it is created. */
export function evaluateRules(tree: RuleTree, object: unknown, old: unknown): RuleFindings {
  const evaluation = new RuleEvaluation(true);
  evaluation.begin(tree, Correlation.of(object, old, tree.schema), '');
  return evaluation;
}

/**
 * Evaluates the rules of a default, as one that was there before and then as one that is new. Answers what is wrong.
 *
 * @param path - where causes say that it is
 */
export function evaluateDefault(tree: RuleTree, value: unknown, path: string): readonly StatusCause[] {
  for (const old of [value, undefined]) {
    const evaluation = new RuleEvaluation(false);
    evaluation.begin(tree, Correlation.of(value, old, tree.schema), path);
    if (evaluation.causes.length > 0) return evaluation.causes;
  }
  return [];
}

/** No further rules are evaluated. */
class EndOfEvaluation extends Error {}

type Variable = (name: string) => Result;
type Outcome = { readonly result: Result; readonly cost: number };

/** Where a rule is evaluated. */
interface Place {
  readonly path: string;
  /** As the schema names it. */
  readonly type: string;
  readonly value: unknown;
}

class RuleEvaluation implements RuleFindings {
  readonly causes: StatusCause[] = [];
  readonly warnings: string[] = [];
  #left = budget;

  /** @param ratchets - whether what is wrong with values that have not changed is let through */
  constructor(private readonly ratchets: boolean) {}

  begin(tree: RuleTree, correlation: Correlation, path: string): void {
    try {
      this.visit(tree, correlation, path);
    } catch (error) {
      if (!(error instanceof EndOfEvaluation)) throw error;
    }
  }

  visit(tree: RuleTree, correlation: Correlation, path: string): void {
    const { value } = correlation;
    if (value === null || value === undefined) return;
    if (tree.rules.length > 0) this.#evaluate(tree, correlation, path);
    if (Array.isArray(value)) {
      const { elements } = tree;
      if (elements === undefined) return;
      value.forEach((item: unknown, index) =>
        this.visit(elements, correlation.item(item, elements.schema), `${path}[${index}]`),
      );
    } else if (isObject(value)) this.#visitMembers(tree, value, correlation, path);
  }

  #visitMembers(tree: RuleTree, value: Record<string, unknown>, correlation: Correlation, path: string): void {
    for (const key of Object.keys(value)) {
      const property = tree.properties.get(key);
      const child = property ?? tree.elements;
      if (child === undefined) continue;
      const at = property === undefined ? `${path}[${key}]` : joined(path, key);
      this.visit(child, correlation.member(key, value[key], child.schema), at);
    }
  }

  #evaluate(tree: RuleTree, correlation: Correlation, path: string): void {
    const { schema, resource } = tree;
    const self = schemaValue(correlation.value, schema, resource);
    const { old } = correlation;
    const oldSelf = old === undefined || old === null ? undefined : schemaValue(old, schema, resource);
    const place: Place = { path, type: schema.type ?? '', value: correlation.value };
    for (const rule of tree.rules) {
      const optional = rule.rule.optionalOldSelf === true;
      if (rule.error !== undefined) this.causes.push(typeCause(place, `rule compile error: ${rule.error}`));
      if (rule.condition === undefined || (rule.usesOldSelf && oldSelf === undefined && !optional)) continue;
      const variable = variablesOf(self, oldSelf, optional);
      const cause = this.#evaluateOne(rule, rule.condition, variable, place);
      if (cause === undefined) continue;
      if (rule.usesOldSelf || !this.ratchets || !correlation.unchanged) this.causes.push(cause);
      else this.warnings.push(`${cause.field}: ${cause.message}`);
    }
  }

  #evaluateOne(rule: TreeRule, condition: CompiledPart, variable: Variable, place: Place): StatusCause | undefined {
    let outcome: Outcome;
    try {
      outcome = condition.program.evaluate(variable, callLimit);
    } catch (error) {
      if (!(error instanceof CostLimitError)) throw error;
      const why = 'no further validation rules will be run due to call cost exceeds limit for rule';
      return this.#end(typeCause(place, `'${error.message}': ${why}: ${ruleText(rule)}`));
    }
    if (outcome.cost > this.#left) {
      const text = 'validation failed due to running out of cost budget, no further validation rules will be run';
      return this.#end({ reason: 'FieldValueInvalid', message: `Invalid value: ${text}`, field: fieldOf(place.path) });
    }
    this.#left -= outcome.cost;
    const { result } = outcome;
    if (!(result instanceof Failure)) return result === true ? undefined : this.#failed(rule, variable, place);
    if (!result.message.startsWith('no such overload')) {
      return typeCause(place, `${result.message} evaluating rule: ${ruleText(rule)}`);
    }
    const why = 'call arguments did not match a supported operator, function or macro signature for rule';
    return typeCause(place, `'${result.message}': ${why}: ${ruleText(rule)}`);
  }

  #end(cause: StatusCause): never {
    this.causes.push(cause);
    throw new EndOfEvaluation();
  }

  #failed(rule: TreeRule, variable: Variable, place: Place): StatusCause {
    const text = this.#message(rule, variable, place);
    const path = rule.fieldPath === '' ? place.path : joined(place.path, rule.fieldPath);
    return failedCause(rule.rule.reason as RuleReason | undefined, fieldOf(path), place.value, text);
  }

  #message({ rule, message }: TreeRule, variable: Variable, place: Place): string {
    const given = (rule.message ?? '').trim();
    const otherwise = given === '' ? `failed rule: ${(rule.rule ?? '').trim()}` : given;
    if (message === undefined) return otherwise;
    let outcome: Outcome;
    try {
      outcome = message.program.evaluate(variable, callLimit);
    } catch (error) {
      if (error instanceof CostLimitError) return otherwise;
      throw error;
    }
    if (outcome.cost > this.#left) {
      this.#end(typeCause(place, 'messageExpression evaluation failed due to running out of cost budget'));
    }
    this.#left -= outcome.cost;
    const made = typeof outcome.result === 'string' ? outcome.result.trim() : '';
    const isUsable = made !== '' && !made.includes('\n') && Buffer.byteLength(made) <= longestMessage;
    return isUsable ? made : otherwise;
  }
}

const fieldOf = (path: string): string => (path === '' ? '<nil>' : path);

/** A cause that names the type of a value and not the value. */
const typeCause = ({ path, type }: Place, text: string): StatusCause => invalidCause(fieldOf(path), type, text);

function variablesOf(self: Value, oldSelf: Value | undefined, optional: boolean): Variable {
  const old = optional ? (oldSelf === undefined ? OptionalValue.none : new OptionalValue(oldSelf)) : oldSelf;
  return (name) => (name === 'self' ? self : (old ?? null));
}

function ruleText({ rule }: TreeRule): string {
  const message = (rule.message ?? '').trim();
  return message === '' ? (rule.rule ?? '').trim() : message;
}

const joined = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** Lists and objects are not shown. */
function failedCause(reason: RuleReason | undefined, field: string, value: unknown, text: string): StatusCause {
  const shown = Array.isArray(value) || isObject(value) ? '' : `: ${shownValue(value)}`;
  switch (reason) {
    case 'FieldValueForbidden':
      return { reason, message: `Forbidden: ${text}`, field };
    case 'FieldValueRequired':
      return { reason, message: `Required value: ${text}`, field };
    case 'FieldValueDuplicate':
      return { reason, message: `Duplicate value${shown}`, field };
    default:
      return { reason: 'FieldValueInvalid', message: `Invalid value${shown}: ${text}`, field };
  }
}
