import { clone, deepEqual, isObject, type JsonObject, type KubeObject } from '../json.js';
import { keyOf, type ResourceType } from '../resources/resource-type.js';
import { errors, type StatusCause } from '../status.js';
import { normalize, validate } from './admission.js';
import type { ObjectResult } from './api-request.js';
import { createObject, dropDuplicateOwners } from './create.js';
import { checkMetadataShape, invalidValue } from './metadata-validation.js';
import { isFinished } from './delete.js';
import type { ServerContext } from './server-context.js';
import type { WriteOptions } from './write-options.js';

export interface UpdateTarget {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: string | undefined;
}

/** Replaces an object by a decoded body (PUT), which it takes over. */
export function updateObject(
  context: ServerContext,
  target: UpdateTarget,
  object: KubeObject,
  options: WriteOptions,
): ObjectResult {
  const { type, namespace, name, subresource } = target;
  checkMetadataShape(object, type);
  const { metadata } = object;
  checkTarget(target, object);
  const stored = context.store.get(type.storage, keyOf(namespace, name));
  if (stored === undefined) {
    if (type.createOnUpdate && subresource === undefined) {
      if (metadata.uid !== undefined && metadata.uid !== '') throw uidPrecondition(target, metadata.uid, '');
      return createObject(context, type, namespace, object, options);
    }
    throw errors.notFound(type, name);
  }
  if (metadata.uid !== undefined && metadata.uid !== '' && metadata.uid !== stored.metadata.uid) {
    throw uidPrecondition(target, metadata.uid, stored.metadata.uid ?? '');
  }
  const version = metadata.resourceVersion ?? '';
  if (version === '' || version === '0') {
    if (!type.unconditionalUpdate) {
      // The real server names the resource here and not the kind.
      throw errors.invalid({ group: type.group, kind: type.plural }, name, [
        invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
      ]);
    }
  }
  return applyUpdate(context, target, stored, object, options);
}

const uidPrecondition = ({ type, namespace, name }: UpdateTarget, wanted: string, found: string): Error =>
  errors.conflict(
    type,
    name,
    `StorageError: invalid object, Code: 4, Key: /registry/${type.group === '' ? '' : `${type.group}/`}${type.plural}/${keyOf(namespace, name)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`,
  );

/** Carries out an update whose new state is known. `next` is taken over. */
export function applyUpdate(
  context: ServerContext,
  target: UpdateTarget,
  stored: KubeObject,
  next: KubeObject,
  options: WriteOptions,
): ObjectResult {
  const { type, namespace, name, subresource } = target;
  const current = context.representations.object(type, stored);
  const version = next.metadata.resourceVersion ?? '';
  if (version !== '' && !/^\d+$/.test(version)) {
    throw errors.plain(`strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`);
  }
  if (version !== '' && version !== '0' && version !== stored.metadata.resourceVersion) {
    throw errors.modified(type, name);
  }

  const warnings = normalize(next, type, options.fieldValidation);
  let draft = next;
  if (subresource === 'status') {
    draft = clone(current);
    // Built-in resources take changes of labels, annotations and finalizers along with a status; custom ones do not.
    if (type.custom === undefined) draft.metadata = next.metadata;
    if (next['status'] === undefined) delete draft['status'];
    else draft['status'] = next['status'];
  } else if (subresource === 'finalize') {
    draft = { ...clone(current) };
    draft['spec'] = isObject(next['spec']) ? next['spec'] : {};
  } else {
    if (type.status) {
      if (current['status'] === undefined) delete draft['status'];
      else draft['status'] = clone(current['status']);
    }
    type.prepare?.(draft, current);
  }
  const changed = keepServerFields(draft, current);
  dropDuplicateOwners(draft, warnings);
  const raised = bumpGeneration(draft, current, target);
  warnings.push(...validate(context, draft, type, { previous: current, changed, subresource }));
  if (type.custom?.deprecation !== undefined) warnings.push(type.custom.deprecation);

  draft.metadata.resourceVersion = stored.metadata.resourceVersion!;
  const written = context.representations.toStorage(type, draft);
  const key = keyOf(namespace, name);
  if (isFinished(type, draft)) {
    // The answer shows the object as it would have been written, with the version from before.
    if (!options.dryRun) context.store.remove(type.storage, key);
    return { code: 200, stored: written, warnings };
  }
  if (!raised && deepEqual(written, stored)) return { code: 200, stored, warnings };
  if (options.dryRun) return { code: 200, stored: written, warnings };
  const saved = context.store.put(type.storage, key, written);
  context.representations.wrote(type, saved);
  return { code: 200, stored: saved, warnings };
}

/** Refuses an object that is not the one of the URL. */
export function checkTarget({ name, namespace }: UpdateTarget, { metadata }: KubeObject): void {
  if (metadata.name === undefined || metadata.name === '') {
    throw errors.badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata.name !== name) {
    throw errors.badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  if (metadata.namespace !== undefined && metadata.namespace !== '' && metadata.namespace !== (namespace ?? '')) {
    throw errors.badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

const serverFields = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/** Puts back what only the server sets. Answers what is wrong about the fields that were changed. */
function keepServerFields(draft: KubeObject, current: KubeObject): StatusCause[] {
  const causes: StatusCause[] = [];
  const { metadata } = draft;
  metadata.name = current.metadata.name!;
  if (current.metadata.namespace === undefined) delete metadata.namespace;
  else metadata.namespace = current.metadata.namespace;
  if (metadata.generateName === undefined && current.metadata.generateName !== undefined) {
    metadata.generateName = current.metadata.generateName;
  }
  for (const field of serverFields) {
    const given = metadata[field];
    const value = current.metadata[field];
    if (given !== undefined && given !== '' && given !== value) {
      causes.push(invalidValue(`metadata.${field}`, given, 'field is immutable'));
    }
    if (value === undefined) delete metadata[field];
    else (metadata as JsonObject)[field] = value;
  }
  if (current.metadata.generation === undefined) delete metadata.generation;
  else metadata.generation = current.metadata.generation;
  return causes;
}

function bumpGeneration(draft: KubeObject, current: KubeObject, target: UpdateTarget): boolean {
  const { type, subresource } = target;
  if (!type.generation || subresource === 'status') return false;
  const ignored = new Set(['metadata', 'apiVersion', 'kind', ...(type.status ? ['status'] : [])]);
  const rest = (object: KubeObject): JsonObject =>
    type.custom === undefined
      ? { spec: object['spec'] }
      : Object.fromEntries(Object.entries(object).filter(([key]) => !ignored.has(key)));
  if (deepEqual(rest(draft), rest(current))) return false;
  draft.metadata.generation = (current.metadata.generation ?? 0) + 1;
  return true;
}
