import type * as Library from '../cel/rules/rule-library.js';
import { wait, type Steps } from '../pipeline/steps.js';
import type { StatusCause } from '../status.js';
import { invalidCause } from './field-causes.js';
import type { Schema } from './schema.js';

/** What is needed to compile and evaluate rules. */
export type RuleLibrary = typeof Library;

let library: RuleLibrary | undefined;

/** Loads what rules need, which a server without rules does without. */
export function* loadRules(): Steps<RuleLibrary> {
  library ??= yield* wait(import('../cel/rules/rule-library.js'));
  return library;
}

const ruled = new WeakMap<Schema, boolean>();

/** Whether a schema has rules anywhere. */
export function hasRules(schema: Schema): boolean {
  let found = ruled.get(schema);
  if (found === undefined) {
    found =
      (schema['x-kubernetes-validations'] ?? []).length > 0 ||
      Object.values(schema.properties ?? {}).some(hasRules) ||
      (schema.items !== undefined && hasRules(schema.items)) ||
      (typeof schema.additionalProperties === 'object' && hasRules(schema.additionalProperties));
    ruled.set(schema, found);
  }
  return found;
}

type Tree = ReturnType<RuleLibrary['ruleTree']>;
const trees = new WeakMap<Schema, { readonly tree: Tree }>();

/** What a custom resource is checked for by rules. */
export interface RuleCheck {
  readonly schema: Schema;
  /** What the object was before; undefined where it is created. */
  readonly old: unknown;
  /** What else is wrong with the object. */
  readonly causes: readonly StatusCause[];
}

/** Evaluates the rules of a schema over an object, unless it is too broken for that. */
export function* checkRules(object: unknown, { schema, old, causes }: RuleCheck): Steps<RuleOutcome> {
  if (!hasRules(schema)) return nothing;
  if (causes.some(({ reason }) => blocking.has(reason ?? ''))) return { causes: [unchecked], warnings: [] };
  const { ruleTree, evaluateRules } = yield* loadRules();
  let known = trees.get(schema);
  if (known === undefined) trees.set(schema, (known = { tree: ruleTree(schema, true) }));
  return known.tree === undefined ? nothing : evaluateRules(known.tree, object, old);
}

export interface RuleOutcome {
  readonly causes: readonly StatusCause[];
  readonly warnings: readonly string[];
}

const nothing: RuleOutcome = { causes: [], warnings: [] };

/** An object with one of these is not what its schema says, so that rules could not be trusted. */
const blocking = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const unchecked = invalidCause(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);
