import { timestamp, type Clock } from '../clock.js';
import { deepEqual, isObject, type JsonObject, type KubeObject } from '../json.js';
import type { AppliedWrite, FieldManagement, ManagedFields, ManagedWrite } from '../pipeline/field-management.js';
import type { Steps } from '../pipeline/steps.js';
import { groupVersion, type ResourceType } from '../resources/resource-type.js';
import { errors } from '../status.js';
import { FieldConflicts } from './field-conflicts.js';
import { difference, emptySet, isEmptySet, union } from './field-set.js';
import { ignoredFields, neverOwned } from './ignored-fields.js';
import { kubectlManager, lastAppliedFields, renewLastApplied } from './last-applied.js';
import {
  decodeManagedFields,
  encodeManagers,
  identityOf,
  ManagedFieldsError,
  noManagers,
  sameButTimes,
  type Manager,
  type Managers,
  type Operation,
} from './managed-fields.js';
import { limitUpdaters } from './manager-limit.js';
import {
  FieldConversionError,
  ownAfterApply,
  ownAfterUpdate,
  type AppliedObject,
  type OwnershipContext,
  type TypedObject,
} from './ownership.js';
import { entriesAfterScale, scaleEntries, type ReplicasPath } from './scale-fields.js';
import { checkTyped } from './typed-validation.js';
import { TypedValueError } from './typed-values.js';
import { objectType, type ValueType } from './value-type.js';
import type { VersionConversion } from './version-conversion.js';
import { withZeros } from './zero-values.js';

/** Whoever wrote an object before anybody applied it, where nobody kept its managed fields. */
const beforeFirstApply = 'before-first-apply';

type Write = Pick<ManagedWrite, 'type' | 'subresource' | 'live'>;

/** Keeps track of who owns which fields of objects, and merges what is applied into them. */
export class FieldManager implements FieldManagement {
  readonly #typed = new WeakMap<KubeObject, TypedObject | TypedValueError>();

  constructor(
    private readonly conversion: VersionConversion,
    private readonly clock: Clock,
  ) {}

  *update(write: ManagedWrite): Steps<void> {
    const { live, next, manager } = write;
    const managers = given(write);
    // What nobody managed so far is left alone until somebody applies.
    const untracked = managers.size === 0 && live !== undefined;
    const after = untracked ? managers : yield* this.#updated(write, live, next, managers, manager);
    setManagedFields(next, live, after);
  }

  *apply(write: AppliedWrite): Steps<KubeObject> {
    const { type, live, applied } = write;
    if (applied.apiVersion !== groupVersion(type) || applied.kind !== type.kind) throw invalidObjectType(applied);
    const { live: object, managers } = yield* this.#managedBefore(write);
    const result = yield* this.#appliedByKubectl(write, object, managers);
    let merged = result.merged ?? withoutManagedFields(object);
    if (write.manager === kubectlManager) merged = renewLastApplied(merged, applied);
    const out: KubeObject = { ...merged, metadata: { ...merged.metadata } };
    setManagedFields(out, live, result.managers);
    return out;
  }

  problemOf(entries: ManagedFields): string | undefined {
    try {
      decodeManagedFields(entries);
      return undefined;
    } catch (error) {
      if (error instanceof ManagedFieldsError) return error.message;
      throw error;
    }
  }

  keepTimes(next: KubeObject, live: KubeObject): void {
    const [mine, before] = [next.metadata.managedFields, live.metadata.managedFields];
    if (mine === before) return;
    if (!sameButTimes(decodeManagedFields(mine), decodeManagedFields(before))) return;
    if (!deepEqual(withoutManagedFields(next), withoutManagedFields(live))) return;
    if (before === undefined) delete next.metadata.managedFields;
    else next.metadata.managedFields = before;
  }

  scaleEntries(type: ResourceType, object: KubeObject): ManagedFields {
    return scaleEntries(object.metadata.managedFields, this.#replicas(type));
  }

  entriesAfterScale(type: ResourceType, object: KubeObject, entries: ManagedFields): ManagedFields {
    return entriesAfterScale(object.metadata.managedFields, entries, groupVersion(type), this.#replicas(type));
  }

  #replicas(type: ResourceType): ReplicasPath {
    if (type.custom === undefined) {
      return (apiVersion) => (apiVersion === groupVersion(type) ? ['spec', 'replicas'] : undefined);
    }
    const versions = this.conversion.versionsOf(type);
    return (apiVersion) => versions.get(apiVersion);
  }

  /** The managers after a write that is no apply; none where ownership cannot be told. */
  *#updated(
    write: Write,
    live: KubeObject | undefined,
    next: KubeObject,
    managers: Managers,
    name: string,
  ): Steps<Managers> {
    const self = this.#self(write, 'Update', name);
    let before: TypedObject;
    let after: TypedObject;
    try {
      before = this.#live(write, live);
      after = this.#fresh(write, withoutManagedFields(next));
    } catch (error) {
      // A value that does not have its type is for validation to judge; if it stays, nobody is known to own anything.
      if (error instanceof TypedValueError) return noManagers;
      throw error;
    }
    const identity = identityOf(self);
    try {
      // Who acts is told from itself before, whose fields are taken away like everybody's.
      const { others, changed } = yield* ownAfterUpdate(this.#context(write, ''), before, after, managers);
      const fields = difference(changed, neverOwned);
      if (isEmptySet(fields)) return limitUpdaters(others);
      const own = { ...self, fields: union(others.get(identity)?.fields ?? {}, fields) };
      return limitUpdaters(new Map(others).set(identity, own));
    } catch (error) {
      if (error instanceof FieldConversionError || error instanceof TypedValueError) return noManagers;
      throw error;
    }
  }

  /** The live object with its managers; whoever wrote it becomes one where there are none. */
  *#managedBefore(write: AppliedWrite): Steps<{ live: KubeObject; managers: Managers }> {
    const { type, live = emptyObject(groupVersion(type), type.kind) } = write;
    let managers = managersOf(live);
    if (managers.size === 0 && write.live !== undefined) {
      if (write.unconvertible !== undefined) {
        const what = `failed to convert live object (${shownObject(emptyObject(groupVersion(type), type.kind))})`;
        throw errors.plain(
          `failed to create manager for existing fields: ${what} to proper version: ${write.unconvertible}`,
        );
      }
      managers = yield* this.#updated(write, undefined, live, noManagers, beforeFirstApply);
    }
    return { live, managers };
  }

  /** kubectl may take over what it applied by itself before, as the object's annotation tells. */
  *#appliedByKubectl(write: AppliedWrite, live: KubeObject, managers: Managers): Steps<AppliedObject> {
    try {
      return yield* this.#applied(write, live, managers, write.force);
    } catch (error) {
      if (!(error instanceof FieldConflicts)) throw error;
      const allowed = write.manager === kubectlManager ? lastAppliedFields(live, typeOf(write)) : undefined;
      if (allowed === undefined) throw error.toApiError();
      const left = error.except(allowed);
      if (left !== undefined) throw left.toApiError();
      return yield* this.#applied(write, live, managers, true);
    }
  }

  *#applied(write: AppliedWrite, live: KubeObject, managers: Managers, force: boolean): Steps<AppliedObject> {
    const { applied } = write;
    const self = this.#self(write, 'Apply', write.manager);
    if (isObject(applied.metadata) && applied.metadata.managedFields != null) {
      throw errors.badRequest('metadata.managedFields must be nil');
    }
    const patch = this.#patch(write, applied);
    const identity = identityOf(self);
    try {
      const before = this.#typedLive(write, live);
      const context = this.#context(write, identity);
      const result = yield* ownAfterApply(context, before, patch, managers, self, force);
      if (result.merged !== undefined && write.unconvertible !== undefined) {
        const what = `failed to convert new object (${shownObject(applied)}) to proper version`;
        throw errors.plain(`${what}: ${write.unconvertible}`);
      }
      const after = new Map(result.managers);
      const own = after.get(identity);
      if (own !== undefined) {
        const fields = difference(own.fields, neverOwned);
        // Where the object has it all already, the time stays what it was.
        const time = result.merged === undefined ? managers.get(identity)?.time : self.time;
        if (isEmptySet(fields)) after.delete(identity);
        else after.set(identity, { ...own, fields, time });
      }
      return { merged: result.merged, managers: after };
    } catch (error) {
      if (!(error instanceof FieldConversionError) && !(error instanceof TypedValueError)) throw error;
      throw errors.plain(error.message);
    }
  }

  #self({ type, subresource }: Write, operation: Operation, name: string): Manager {
    const apiVersion = groupVersion(type);
    const time = timestamp(this.clock);
    return { name, operation, apiVersion, subresource: subresource ?? '', time, fields: {} };
  }

  #context({ type, subresource }: Write, self: string): OwnershipContext {
    const ignored = ignoredFields(type, subresource);
    return {
      self,
      ignored,
      // As on the real server: a status that is sent along takes it from managers that know it in another version.
      ignoredElsewhere: subresource === 'status' ? ignored : emptySet,
      convert: (object, apiVersion) => this.conversion.convert(type, object, apiVersion),
    };
  }

  /** The object as it is, with its type; what of that is known already is taken from there. */
  #live(write: Write, live: KubeObject | undefined): TypedObject {
    const { type } = write;
    if (live === undefined) return this.#fresh(write, emptyObject(groupVersion(type), type.kind));
    let typed = this.#typed.get(live);
    if (typed === undefined) {
      try {
        typed = this.#fresh(write, withoutManagedFields(live));
      } catch (error) {
        if (!(error instanceof TypedValueError)) throw error;
        typed = error;
      }
      this.#typed.set(live, typed);
    }
    if (typed instanceof TypedValueError) throw typed;
    return typed;
  }

  #typedLive(write: AppliedWrite, live: KubeObject): TypedObject {
    try {
      return this.#live(write, write.live === undefined ? undefined : live);
    } catch (error) {
      if (!(error instanceof TypedValueError)) throw error;
      throw errors.plain(`failed to create typed live object (${shownObject(live)}): ${error.message}`);
    }
  }

  #fresh(write: Write, object: KubeObject): TypedObject {
    const type = typeOf(write);
    checkTyped(object, type, true);
    const value = (write.type.custom === undefined ? withZeros(object, type) : object) as KubeObject;
    return { value, type, apiVersion: groupVersion(write.type) };
  }

  #patch(write: AppliedWrite, applied: KubeObject): TypedObject {
    const type = typeOf(write);
    const value = isObject(applied.metadata) ? withoutManagedFields(applied) : applied;
    try {
      checkTyped(value, type, false);
    } catch (error) {
      if (!(error instanceof TypedValueError)) throw error;
      throw errors.plain(`failed to create typed patch object (${shownObject(applied)}): ${error.message}`);
    }
    return { value, type, apiVersion: applied.apiVersion };
  }
}

const typeOf = ({ type }: Write): ValueType => objectType(type.schema);

const emptyObject = (apiVersion: string, kind: string): KubeObject => ({ apiVersion, kind, metadata: {} });

function withoutManagedFields(object: KubeObject): KubeObject {
  if (!isObject(object.metadata) || !('managedFields' in object.metadata)) return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The managers that a write starts from: those of the object, unless the client wrote others. */
function given({ live, next, subresource }: ManagedWrite): Managers {
  const before = live?.metadata.managedFields;
  const sent = next.metadata.managedFields;
  if (subresource === undefined && sent !== before && Array.isArray(sent) && !deepEqual(sent, before)) {
    if (sent.length === 1 && isBlank(sent[0])) return noManagers;
    try {
      const managers = decodeManagedFields(sent);
      if (managers.size > 0) return managers;
    } catch (error) {
      // What cannot be read counts as not sent.
      if (!(error instanceof ManagedFieldsError)) throw error;
    }
  }
  return live === undefined ? noManagers : managersOf(live);
}

/** The managers of a stored object. What was stored by other means and cannot be read counts as nothing. */
function managersOf({ metadata }: KubeObject): Managers {
  try {
    return decodeManagedFields(metadata.managedFields);
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    return noManagers;
  }
}

/** A single entry without content asks for all managed fields to be dropped. */
const isBlank = (entry: unknown): boolean =>
  entry === null || (isObject(entry) && Object.values(entry).every((value) => value === null || value === ''));

/** Writes managers into an object; the array of the live object where they are the same. */
function setManagedFields(object: KubeObject, live: KubeObject | undefined, managers: Managers): void {
  const before = live?.metadata.managedFields;
  const same = live !== undefined && managersOf(live) === managers;
  const entries = same ? before : encodeManagers(managers.values());
  if (entries === undefined || managers.size === 0) delete object.metadata.managedFields;
  else object.metadata.managedFields = entries;
}

function invalidObjectType({ apiVersion, kind }: KubeObject): Error {
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  const shown = version === '' ? '/' : version.includes('/') ? version : `/${version}`;
  return errors.badRequest(`invalid object type: ${shown}, Kind=${typeof kind === 'string' ? kind : ''}`);
}

/** An object as the real server names it in errors. */
function shownObject(object: KubeObject): string {
  const metadata: JsonObject = isObject(object.metadata) ? object.metadata : {};
  const text = (key: string): string => (typeof metadata[key] === 'string' ? metadata[key] : '');
  const version = object.apiVersion.includes('/') ? object.apiVersion : `/${object.apiVersion}`;
  return `${text('namespace')}/${text('name')}; ${version}, Kind=${object.kind}`;
}
