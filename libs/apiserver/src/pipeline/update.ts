import { confirmMayCreate } from '../access/create-permission.js';
import { confirmNoEscalation } from '../access/escalation.js';
import { clone, deepEqual, isObject, type JsonObject, type KubeObject, type ObjectMeta } from '../json.js';
import { keyOf, type ResourceType } from '../resources/resource-type.js';
import { storedForm } from '../schemas/stored-form.js';
import { errors, type StatusCause } from '../status.js';
import { normalize, validate } from './admission.js';
import type { AdmissionAttributes } from './admission-control.js';
import type { ObjectResult } from './api-request.js';
import { createObject, dropDuplicateOwners } from './create.js';
import { isFinished } from './delete.js';
import { unsignedProblem } from './list.js';
import type { ManagedType } from './field-management.js';
import { invalidValue } from './metadata-validation.js';
import { completeApplied } from './object-decoding.js';
import { inStorage, represented } from './representations.js';
import type { ServerContext } from './server-context.js';
import { wait, type Steps } from './steps.js';
import { restoreManagedFields, trackFields } from './track-fields.js';
import { Tries, type WriteRequest } from './write-request.js';

/** An object into which something was applied. Its managed fields are those from then on. */
export interface Applied {
  readonly object: KubeObject;
  /** It is written though nothing in it changed. */
  readonly always: boolean;
}

/** What becomes of an object. Its functions are called anew whenever the object changed while the update waited. */
export type Change = ChangeOptions &
  (
    | {
        /** The new state that the client wants, in the kind of the request. `current` is shared. */
        next(current: KubeObject): KubeObject;
        apply?: undefined;
      }
    | {
        /** Merges what is applied into the object, in the kind of the request. `current` is shared. */
        apply(current: KubeObject): Steps<Applied>;
        next?: undefined;
      }
  );

interface ChangeOptions {
  /** For a subresource with a kind of its own: that kind. */
  readonly kind?: ManagedType;
  /** For a subresource with a kind of its own: puts what `next` answered into the object. */
  into?(next: KubeObject, current: KubeObject): KubeObject;
  /** For a subresource with a kind of its own: shows the object in that kind. */
  show?(object: KubeObject): KubeObject;
  /** What to do where there is no such object, other than to answer 404. */
  absent?(): Steps<ObjectResult>;
}

/** Replaces an object by a body (PUT). `decode` reads the body anew each time. */
export function* updateObject(
  context: ServerContext,
  request: WriteRequest,
  decode: () => KubeObject,
): Steps<ObjectResult> {
  const { type, subresource } = request;
  const read = (): KubeObject => {
    const object = decode();
    checkTarget(request, object);
    return object;
  };
  let first: KubeObject | undefined = read();
  const body = (): KubeObject => {
    const object = first ?? read();
    first = undefined;
    return object;
  };
  return yield* changeObject(context, request, {
    next(current) {
      const object = body();
      const { uid = '' } = object.metadata;
      if (uid !== '' && uid !== current.metadata.uid) {
        throw uidPrecondition(request, uid, current.metadata.uid ?? '');
      }
      return object;
    },
    ...(type.createOnUpdate && subresource === undefined
      ? {
          *absent() {
            const object = body();
            const { uid = '' } = object.metadata;
            if (uid !== '') throw uidPrecondition(request, uid, '');
            confirmMayCreate(context, request);
            return yield* createObject(context, request, object);
          },
        }
      : {}),
  });
}

/** Refuses an object that is there under another uid than the request says. */
export const uidPrecondition = ({ type, namespace, name }: WriteRequest, wanted: string, found: string): Error =>
  errors.conflict(
    type,
    name,
    `StorageError: invalid object, Code: 4, Key: /registry/${storageFolder(type)}/${keyOf(namespace, name)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`,
  );

/**
 * Changes an object. Where the change has to wait, others may write the object meanwhile: then it begins anew from the
 * object as it is now, so that no write of another is undone.
 */
export function* changeObject(context: ServerContext, request: WriteRequest, change: Change): Steps<ObjectResult> {
  const { type, namespace, name } = request;
  const tries = new Tries(context.clock, request.deadline);
  for (;;) {
    const stored = context.store.get(type.storage, keyOf(namespace, name));
    if (stored === undefined) {
      if (change.absent === undefined) throw errors.notFound(type, name);
      return yield* change.absent();
    }
    yield* represented(context, type, [stored]);
    const result = yield* tryChange(context, request, change, stored);
    if (result !== undefined) return result;
    tries.again();
  }
}

/** Changes an object as it was found; undefined when it is not that any more. */
function* tryChange(
  context: ServerContext,
  request: WriteRequest,
  change: Change,
  stored: KubeObject,
): Steps<ObjectResult | undefined> {
  const { type, namespace, name, options, warnings } = request;
  const key = keyOf(namespace, name);
  const current = context.representations.object(type, stored);
  const shown = change.show?.(current) ?? current;
  let always = false;
  let wanted: KubeObject;
  if (change.apply === undefined) {
    wanted = change.next(change.kind === undefined ? current : shown);
    if (change.into === undefined) normalize(wanted, type);
    yield* trackFields(context, request, change.kind ?? type, shown, wanted);
  } else {
    ({ object: wanted, always } = yield* change.apply(shown));
    if (change.into === undefined) completeApplied(wanted, type);
  }
  const { admission } = context;
  const mutation = admission.active ? admission.mutate(admissionOf(request, wanted, shown)) : undefined;
  const mutated = mutation === undefined ? undefined : yield* wait(mutation);
  if (mutated !== undefined) {
    if (change.into === undefined) checkNamespace(namespace, mutated.metadata.namespace);
    restoreManagedFields(context, mutated, wanted.metadata.managedFields, warnings);
    wanted = mutated;
  }
  if (change.into === undefined) wanted = storedForm(wanted, type);
  if (!always) context.fieldManagement.keepTimes(wanted, shown);
  const next = change.into?.(wanted, current) ?? wanted;
  confirmNoEscalation(context, request.identity, type, next, current);

  const version = next.metadata.resourceVersion ?? '';
  const problem = version === '' ? undefined : unsignedProblem(version);
  if (problem !== undefined) throw errors.plain(problem);
  if (version === '' || version === '0') {
    if (!type.unconditionalUpdate) throw versionRequired(type, name);
  } else if (version !== stored.metadata.resourceVersion) throw errors.modified(type, name);
  const { draft, raised } = yield* completed(context, request, next, current);
  draft.metadata.resourceVersion = stored.metadata.resourceVersion!;
  const validation = admission.active
    ? admission.validate(
        change.show === undefined
          ? admissionOf(request, draft, shown)
          : admissionOf(request, unmanaged(change.show(draft)), unmanaged(shown)),
      )
    : undefined;
  if (validation !== undefined) yield* wait(validation);

  const written = yield* inStorage(context, type, draft);
  if (context.store.get(type.storage, key) !== stored) return undefined;
  let result = written;
  if (isFinished(type, draft)) {
    // The answer shows the object as it would have been written, with the version from before.
    if (!options.dryRun) context.store.remove(type.storage, key);
  } else if (!raised && !always && deepEqual(written, stored)) {
    result = stored;
  } else if (!options.dryRun) {
    result = context.store.put(type.storage, key, written);
    context.representations.wrote(type, result);
  }
  yield* represented(context, type, [result]);
  return { code: 200, stored: result, warnings };
}

/** Other than mutating webhooks, those that validate are not told who owns the replicas of a scale. */
function unmanaged(scale: KubeObject): KubeObject {
  const { managedFields: _managedFields, ...metadata } = scale.metadata;
  return { ...scale, metadata };
}

function admissionOf(
  { type, subresource, namespace, name, identity, options, warnings, deadline }: WriteRequest,
  object: KubeObject,
  oldObject: KubeObject,
): AdmissionAttributes {
  return {
    operation: 'UPDATE',
    type,
    subresource,
    namespace,
    name,
    object,
    oldObject,
    identity,
    options,
    warnings,
    deadline,
  };
}

/** The new state with everything that the server itself decides on, validated. */
function* completed(
  context: ServerContext,
  { type, subresource, warnings }: WriteRequest,
  next: KubeObject,
  current: KubeObject,
): Steps<{ draft: KubeObject; raised: boolean }> {
  // A scale is a change of the object itself.
  const part = subresource === 'scale' ? undefined : subresource;
  let draft = next;
  if (part === 'status') {
    draft = clone(current);
    // Built-in resources take changes of labels, annotations and finalizers along with a status; custom ones do not.
    if (type.custom === undefined) draft.metadata = metadataWithStatus(type, next, current);
    else takeManagedFields(draft, next);
    if (next['status'] === undefined) delete draft['status'];
    else draft['status'] = next['status'];
    type.prepareStatus?.(draft);
  } else if (part === 'finalize') {
    const { spec } = next as { spec?: unknown };
    type.prepare?.(draft, current);
    draft['spec'] = isObject(spec) ? spec : {};
    draft['status'] = clone(current['status']);
  } else {
    if (type.status) {
      if (current['status'] === undefined) delete draft['status'];
      else draft['status'] = clone(current['status']);
    }
    type.defaults?.(draft);
    type.prepare?.(draft, current);
  }
  const changed = keepServerFields(draft, current);
  dropDuplicateOwners(draft, warnings);
  const raised = bumpGeneration(draft, current, type, part);
  yield* validate(context, draft, type, { previous: current, changed, subresource: part }, warnings);
  return { draft, raised };
}

/** Metadata that even a status of a built-in type leaves alone, by storage. */
const keptByStatus: Readonly<Record<string, 'labels' | 'ownerReferences'>> = {
  '/pods': 'ownerReferences',
  'apps/deployments': 'labels',
};

function metadataWithStatus({ storage }: ResourceType, next: KubeObject, current: KubeObject): ObjectMeta {
  const kept = keptByStatus[storage];
  if (kept === undefined) return next.metadata;
  const { [kept]: _sent, ...metadata } = next.metadata;
  const value = current.metadata[kept];
  return value === undefined ? metadata : { ...metadata, [kept]: value };
}

function takeManagedFields(draft: KubeObject, next: KubeObject): void {
  if (next.metadata.managedFields === undefined) delete draft.metadata.managedFields;
  else draft.metadata.managedFields = next.metadata.managedFields;
}

// The real server names the resource here and not the kind.
const versionRequired = (type: ResourceType, name: string): Error =>
  errors.invalid({ group: type.group, kind: type.plural }, name, [
    invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
  ]);

function checkNamespace(wanted: string | undefined, given: string | undefined): void {
  if (given !== undefined && given !== '' && given !== (wanted ?? '')) {
    throw errors.badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** Refuses an object that is not the one of the URL. */
export function checkTarget({ name, namespace }: WriteRequest, { metadata }: KubeObject): void {
  if (metadata.name === undefined || metadata.name === '') {
    throw errors.badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata.name !== name) {
    throw errors.badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  checkNamespace(namespace, metadata.namespace);
}

/** Where the real server keeps the objects of a resource. */
const storageFolder = ({ group, plural, custom }: ResourceType): string =>
  custom === undefined && group !== 'apiextensions.k8s.io' ? plural : `${group}/${plural}`;

const serverFields = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;
/** What is put back without a word. */
const silentFields = new Set<string>(['creationTimestamp']);

/** Puts back what only the server sets. Answers what is wrong about the fields that were changed. */
function keepServerFields(draft: KubeObject, current: KubeObject): StatusCause[] {
  const causes: StatusCause[] = [];
  const { metadata } = draft;
  // Only a webhook can get this far with another name.
  if (metadata.name !== current.metadata.name) {
    causes.push(invalidValue('metadata.name', metadata.name ?? '', 'field is immutable'));
  }
  if (current.metadata.namespace === undefined) delete metadata.namespace;
  else metadata.namespace = current.metadata.namespace;
  if (metadata.generateName === undefined && current.metadata.generateName !== undefined) {
    metadata.generateName = current.metadata.generateName;
  }
  for (const field of serverFields) {
    const given = metadata[field];
    const value = current.metadata[field];
    // An object that is being deleted keeps its mark, whatever is said of it.
    const isSilent = silentFields.has(field) || (field === 'deletionTimestamp' && value !== undefined);
    if (given !== undefined && given !== '' && given !== value && !isSilent) {
      causes.push(invalidValue(`metadata.${field}`, given, 'field is immutable'));
    }
    if (value === undefined) delete metadata[field];
    else (metadata as JsonObject)[field] = value;
  }
  if (current.metadata.generation === undefined) delete metadata.generation;
  else metadata.generation = current.metadata.generation;
  return causes;
}

function bumpGeneration(
  draft: KubeObject,
  current: KubeObject,
  type: ResourceType,
  subresource: string | undefined,
): boolean {
  if (!type.generation || subresource === 'status') return false;
  const ignored = new Set(['metadata', 'apiVersion', 'kind', ...(type.status ? ['status'] : [])]);
  const rest =
    type.generationOf ??
    ((object: KubeObject): JsonObject =>
      type.custom === undefined
        ? { spec: object['spec'], webhooks: object['webhooks'] }
        : Object.fromEntries(Object.entries(object).filter(([key]) => !ignored.has(key))));
  if (deepEqual(rest(draft), rest(current))) return false;
  draft.metadata.generation = (current.metadata.generation ?? 0) + 1;
  return true;
}
