import type { Authorizer } from '../../access/authorizer.js';
import type { Identity } from '../../access/identity.js';
import { CompileError } from '../checker/checker.js';
import { environmentWith } from '../checker/environment.js';
import { compileExpression, type CompiledExpression } from '../compile.js';
import { AuthorizerValue, ResourceCheckValue } from '../library/authorizers.js';
import { CostLimitError } from '../runtime/cost-meter.js';
import { PlanError } from '../runtime/planner.js';
import { plainValue } from '../schema/schema-value.js';
import * as types from '../types/type.js';
import { Failure } from '../values/failure.js';
import type { Result } from '../values/value.js';
import { requestType } from './request-type.js';

/** What all conditions of one write may cost together, and one evaluation. */
const budget = 2_500_000;
const callLimit = 1_000_000;

/** A write that conditions are asked about. */
export interface ConditionInput {
  /** As JSON; null where there is none. */
  readonly object: unknown;
  readonly oldObject: unknown;
  /** The request of an AdmissionReview as JSON. */
  readonly request: unknown;
  /** Who sent the request, and what decides what they may do. */
  readonly authorizer?: { readonly authorizer: Authorizer; readonly identity: Identity } | undefined;
}

/** Whether all conditions are met, or why that cannot be told. */
export type MatchResult = { readonly matches: boolean } | { readonly error: string };

const environment = environmentWith({
  object: types.dyn,
  oldObject: types.dyn,
  request: requestType,
  authorizer: types.opaque('kubernetes.authorization.Authorizer'),
  'authorizer.requestResource': types.opaque('kubernetes.authorization.ResourceCheck'),
});

const compiled = new Map<string, CompiledExpression | string>();
/** More expressions than this are not remembered. */
const mostCompiled = 1000;

function compile(expression: string): CompiledExpression | string {
  let found = compiled.get(expression);
  if (found === undefined) {
    if (compiled.size >= mostCompiled) compiled.clear();
    found = compileNow(expression);
    compiled.set(expression, found);
  }
  return found;
}

function compileNow(expression: string): CompiledExpression | string {
  try {
    const result = compileExpression(expression, environment);
    const { type } = result.checked;
    return type.kind === 'bool' ? result : `must evaluate to bool but got ${types.formatType(type)}`;
  } catch (error) {
    if (error instanceof CompileError) return `compilation failed: ${error.message}`;
    if (error instanceof PlanError) return `program instantiation failed: ${error.message}`;
    throw error;
  }
}

/** What keeps an expression from being a match condition. */
export function matchConditionProblem(expression: string): string | undefined {
  const result = compile(expression);
  return typeof result === 'string' ? result : undefined;
}

/**
 * Evaluates match conditions in their order. One that is not met counts, even where others cannot be evaluated; no
 * evaluation goes on for ever.
 */
export function evaluateMatchConditions(expressions: readonly string[], input: ConditionInput): MatchResult {
  const variable = variablesOf(input);
  const problems: string[] = [];
  let left = budget;
  for (const expression of expressions) {
    const program = compile(expression);
    if (typeof program === 'string') {
      problems.push(program);
      continue;
    }
    let result: Result;
    try {
      const outcome = program.program.evaluate(variable, callLimit);
      left -= outcome.cost;
      result = outcome.result;
    } catch (error) {
      if (!(error instanceof CostLimitError)) throw error;
      left -= callLimit;
      result = new Failure(error.message);
    }
    if (left < 0) {
      return {
        error: 'validation failed due to running out of cost budget, no further validation rules will be run',
      };
    }
    if (result === false) return { matches: false };
    if (result instanceof Failure) problems.push(`expression '${expression}' resulted in error: ${result.message}`);
  }
  const different = [...new Set(problems)];
  if (different.length === 0) return { matches: true };
  return { error: different.length === 1 ? different[0]! : `[${different.join(', ')}]` };
}

function variablesOf({ object, oldObject, request, authorizer }: ConditionInput): (name: string) => Result {
  const missing = new Failure('no such attribute(s): authorizer');
  const known = new Map<string, Result>([
    ['object', plainValue(object)],
    ['oldObject', plainValue(oldObject)],
    ['request', plainValue(request)],
  ]);
  if (authorizer !== undefined) {
    const who = new AuthorizerValue(authorizer.authorizer, authorizer.identity);
    known.set('authorizer', who);
    known.set('authorizer.requestResource', requestResource(who, request));
  }
  return (name) => {
    const value = known.get(name.replace(/^\./, ''));
    return value === undefined ? missing : value;
  };
}

/** The resource that the request is about, as its sender named it. */
function requestResource(who: AuthorizerValue, request: unknown): ResourceCheckValue {
  const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  const { requestResource: resource = {}, requestSubResource, namespace, name } = request as RequestParts;
  return new ResourceCheckValue(who, {
    group: resource.group ?? '',
    plural: resource.resource ?? '',
    subresource: text(requestSubResource),
    namespace: text(namespace),
    name: text(name),
  });
}

interface RequestParts {
  readonly requestResource?: { readonly group?: string; readonly resource?: string };
  readonly requestSubResource?: string;
  readonly namespace?: string;
  readonly name?: string;
}
