import type { KubeObject } from '../json.js';
import { deepEqual } from '../json.js';
import type { Steps } from '../pipeline/steps.js';
import { difference, emptySet, intersection, isEmptySet, union, withoutBelow, type FieldSet } from './field-set.js';
import { FieldConflicts, type Conflict } from './field-conflicts.js';
import { withoutIdle, type Manager, type Managers } from './managed-fields.js';
import { withNamedFields } from './named-fields.js';
import { asSchemaHasIt } from './schema-changes.js';
import { compareTyped, type Comparison } from './typed-comparison.js';
import { fieldsOf } from './typed-fields.js';
import { mergeTyped } from './typed-merge.js';
import { removeFields } from './typed-removal.js';
import { TypedValueError } from './typed-values.js';
import type { ValueType } from './value-type.js';

/** An object in one version, with the type that it has there. */
export interface TypedObject {
  readonly value: KubeObject;
  readonly type: ValueType;
  readonly apiVersion: string;
}

/** Ownership cannot be told in a version; the message is what the real server says. */
export class FieldConversionError extends Error {
  override name = 'FieldConversionError';
}

/** What changes of ownership need to know beside the objects. */
export interface OwnershipContext {
  /** Who acts. */
  readonly self: string;
  /** What the request cannot change, and its manager thus not own. */
  readonly ignored: FieldSet;
  /** The same for managers in other versions than that of the request. */
  readonly ignoredElsewhere: FieldSet;
  /**
   * The object in another version; undefined where there is no such version (any more). Throws
   * {@link FieldConversionError} and TypedValueError.
   */
  convert(object: TypedObject, apiVersion: string): Steps<TypedObject | undefined>;
}

type Changes = Map<string, Manager>;

const owning = (manager: Manager, fields: FieldSet): Manager =>
  fields === manager.fields ? manager : { ...manager, fields };

/**
 * What becomes of ownership when an object is written otherwise than by an apply: who acts owns what changed, and
 * everybody else loses it. The sets of who acts hold only what this write changed.
 */
export function* ownAfterUpdate(
  context: OwnershipContext,
  before: TypedObject,
  after: TypedObject,
  given: Managers,
): Steps<{ others: Managers; changed: FieldSet }> {
  const managers = yield* followSchemas(context, before, given);
  const comparison = withoutIgnored(compareObjects(before, after), context.ignored);
  const others = yield* takeFromOthers(context, before, after, comparison, managers, true);
  return { others, changed: union(comparison.modified, comparison.added) };
}

/** An object that was applied: undefined where the live one has it all already. */
export interface AppliedObject {
  readonly merged: KubeObject | undefined;
  readonly managers: Managers;
}

/**
 * What becomes of an object and its ownership when `applied` is applied by `self`, whose entry is made anew. Throws
 * FieldConflicts unless it is forced.
 */
export function* ownAfterApply(
  context: OwnershipContext,
  live: TypedObject,
  applied: TypedObject,
  given: Managers,
  self: Manager,
  force: boolean,
): Steps<AppliedObject> {
  const managers = new Map(yield* followSchemas(context, live, given));
  const merged = mergeTyped(live.value, applied.value, live.type) as KubeObject;
  const last = managers.get(context.self);
  managers.set(context.self, {
    ...self,
    fields: withoutBelow(fieldsOf(applied.value, applied.type), context.ignored),
  });
  const pruned = yield* prune(context, { ...live, value: merged }, managers, last);
  const comparison = withoutIgnored(compareObjects(live, pruned), context.ignored);
  const after = yield* takeFromOthers(context, live, pruned, comparison, managers, force);
  return { merged: deepEqual(live.value, pruned.value) ? undefined : pruned.value, managers: after };
}

const compareObjects = (a: TypedObject, b: TypedObject): Comparison => compareTyped(a.value, b.value, a.type);

function withoutIgnored({ added, modified, removed }: Comparison, ignored: FieldSet): Comparison {
  return {
    added: withoutBelow(added, ignored),
    modified: withoutBelow(modified, ignored),
    removed: withoutBelow(removed, ignored),
  };
}

const followed = new WeakMap<FieldSet, ValueType>();

/** Ownership as the schemas of today have it. Managers in versions that are gone are forgotten. */
function* followSchemas(context: OwnershipContext, live: TypedObject, managers: Managers): Steps<Managers> {
  const out: Changes = new Map();
  let changed = false;
  for (const [identity, manager] of managers) {
    const there = yield* context.convert(live, manager.apiVersion);
    if (there === undefined) {
      changed = true;
      continue;
    }
    let { fields } = manager;
    if (followed.get(fields) !== there.type) {
      fields = asSchemaHasIt(fields, there.type);
      followed.set(fields, there.type);
    }
    if (fields !== manager.fields) changed = true;
    out.set(identity, owning(manager, fields));
  }
  return changed ? out : managers;
}

/** Takes what changed away from everybody else, in the version of each. Throws FieldConflicts unless it is forced. */
function* takeFromOthers(
  context: OwnershipContext,
  before: TypedObject,
  after: TypedObject,
  comparison: Comparison,
  managers: Managers,
  force: boolean,
): Steps<Managers> {
  const comparisons = new Map([[before.apiVersion, comparison]]);
  const out: Changes = new Map(managers);
  const conflicts: Conflict[] = [];
  for (const [identity, manager] of managers) {
    if (identity === context.self) continue;
    const { apiVersion, fields } = manager;
    let there = comparisons.get(apiVersion);
    if (there === undefined) {
      there = yield* compareIn(context, before, after, apiVersion);
      if (there === undefined) {
        out.delete(identity);
        continue;
      }
      comparisons.set(apiVersion, there);
    }
    const changed = union(there.modified, there.added);
    const conflicting = isEmptySet(changed) ? emptySet : intersection(fields, changed);
    if (!isEmptySet(conflicting)) conflicts.push({ manager, fields: conflicting });
    out.set(identity, owning(manager, difference(difference(fields, conflicting), there.removed)));
  }
  if (!force && conflicts.length > 0) throw new FieldConflicts(conflicts);
  return withoutIdle(out);
}

function* compareIn(
  context: OwnershipContext,
  before: TypedObject,
  after: TypedObject,
  apiVersion: string,
): Steps<Comparison | undefined> {
  const old = yield* converted(context, before, apiVersion, 'failed to convert old object');
  const next = yield* converted(context, after, apiVersion, 'failed to convert new object');
  return old === undefined || next === undefined
    ? undefined
    : withoutIgnored(compareObjects(old, next), context.ignoredElsewhere);
}

function* converted(
  context: OwnershipContext,
  object: TypedObject,
  apiVersion: string,
  failed: string,
): Steps<TypedObject | undefined> {
  try {
    return yield* context.convert(object, apiVersion);
  } catch (error) {
    if (!(error instanceof FieldConversionError) && !(error instanceof TypedValueError)) throw error;
    throw new FieldConversionError(`${failed}: ${error.message}`, { cause: error });
  }
}

/** Removes what the manager applied the last time and does not any more, where nobody else owns it. */
function* prune(
  context: OwnershipContext,
  merged: TypedObject,
  managers: Managers,
  last: Manager | undefined,
): Steps<TypedObject> {
  if (last === undefined || isEmptySet(last.fields)) return merged;
  const failed = 'failed to prune fields: failed';
  const there = yield* converted(
    context,
    merged,
    last.apiVersion,
    `${failed} to convert merged object to last applied version`,
  );
  if (there === undefined) return merged;
  const lastFields = withNamedFields(last.fields, there.type);
  let pruned = without(there, lastFields);
  pruned = yield* addBackOwned(context, there, pruned, managers);
  pruned = yield* addBackDangling(context, there, pruned, last.apiVersion, lastFields);
  const back = yield* converted(context, pruned, merged.apiVersion, `${failed} to convert to applied version`);
  return back ?? merged;
}

const without = (object: TypedObject, fields: FieldSet): TypedObject => ({
  ...object,
  value: removeFields(object.value, fields, object.type) as KubeObject,
});

/** The structs of an object included. */
const allFields = ({ value, type }: TypedObject): FieldSet => withNamedFields(fieldsOf(value, type), type);

/** Puts back what somebody owns, the one who applies included. */
function* addBackOwned(
  context: OwnershipContext,
  merged: TypedObject,
  pruned: TypedObject,
  managers: Managers,
): Steps<TypedObject> {
  const owned = new Map<string, FieldSet>([[merged.apiVersion, emptySet]]);
  for (const { apiVersion, fields } of managers.values()) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? emptySet, fields));
  }
  let [all, left] = [merged, pruned];
  for (const [apiVersion, fields] of owned) {
    const why = (what: string): string =>
      `failed to prune fields: failed add back owned items: failed to convert ${what} object at version ${apiVersion}`;
    const there = yield* converted(context, all, apiVersion, why('merged'));
    const leftThere = yield* converted(context, left, apiVersion, why('pruned'));
    if (there === undefined || leftThere === undefined) continue;
    const keep = union(allFields(leftThere), withNamedFields(fields, there.type));
    all = there;
    left = without(there, difference(allFields(there), keep));
  }
  return left;
}

/** Puts back what went along with what was removed though the manager never applied it. */
function* addBackDangling(
  context: OwnershipContext,
  merged: TypedObject,
  pruned: TypedObject,
  apiVersion: string,
  lastFields: FieldSet,
): Steps<TypedObject> {
  const left = yield* converted(
    context,
    pruned,
    apiVersion,
    `failed to prune fields: failed add back dangling items: failed to convert pruned object to last applied version`,
  );
  if (left === undefined) return pruned;
  return without(merged, intersection(difference(allFields(merged), allFields(left)), lastFields));
}
