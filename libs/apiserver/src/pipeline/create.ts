import { confirmNoEscalation } from '../access/escalation.js';
import { timestamp } from '../clock.js';
import type { KubeObject } from '../json.js';
import { randomSuffix, randomUuid } from '../random.js';
import { keyOf, type ResourceType } from '../resources/resource-type.js';
import { storedForm } from '../schemas/stored-form.js';
import { errors } from '../status.js';
import { normalize, validate } from './admission.js';
import type { AdmissionAttributes } from './admission-control.js';
import type { ObjectResult } from './api-request.js';
import { completeApplied, resetStatus } from './object-decoding.js';
import { inStorage, represented } from './representations.js';
import type { ServerContext } from './server-context.js';
import { wait, type Steps } from './steps.js';
import { restoreManagedFields, trackFields } from './track-fields.js';
import type { WriteRequest } from './write-request.js';

/** What the server sets, whatever a client says. */
const serverFields = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;
const nameTries = 8;
const longestBase = 58;

/**
 * Creates an object from a decoded body, which it takes over.
 *
 * @param tracked - whether the object has its managed fields already
 */
export function* createObject(
  context: ServerContext,
  request: WriteRequest,
  body: KubeObject,
  tracked = false,
): Steps<ObjectResult> {
  const { store, admission } = context;
  const { type, namespace, options, warnings } = request;
  let object = body;
  placeInNamespace(context, request, object);
  for (const field of serverFields) delete object.metadata[field];
  if (tracked) completeApplied(object, type);
  else {
    normalize(object, type);
    yield* trackFields(context, request, type, undefined, object);
  }

  const name = object.metadata.name ?? '';
  const mutation = admission.active ? admission.mutate({ ...admissionOf(request, name), object }) : undefined;
  if (mutation !== undefined) {
    const { managedFields } = object.metadata;
    object = (yield* wait(mutation)) ?? object;
    restoreManagedFields(context, object, managedFields, warnings);
    placeInNamespace(context, request, object);
  }
  object = storedForm(object, type);
  confirmNoEscalation(context, request.identity, type, object, undefined);
  const { metadata } = object;
  for (const field of serverFields) delete metadata[field];
  metadata.uid = randomUuid(context.random);
  metadata.creationTimestamp = timestamp(context.clock);
  resetStatus(object, type);
  if (type.generation) metadata.generation = 1;
  const generated =
    (metadata.name ?? '') === '' && typeof metadata.generateName === 'string' && metadata.generateName !== '';
  if (generated) generateName(context, type, namespace, object);
  // Webhooks may have taken something away.
  type.defaults?.(object);
  type.prepare?.(object, undefined);
  dropDuplicateOwners(object, warnings);
  yield* validate(context, object, type, undefined, warnings);
  const validation = admission.active
    ? admission.validate({ ...admissionOf(request, metadata.name ?? ''), object })
    : undefined;
  if (validation !== undefined) yield* wait(validation);
  const { resourceVersion = '' } = metadata;
  // What is no version is not one that is set.
  if (!/^\d+$/.test(resourceVersion) || BigInt(resourceVersion) % 2n ** 64n === 0n) delete metadata.resourceVersion;
  // Found out when the object is stored, and so not in a dry run.
  else if (!options.dryRun) throw errors.plain('resourceVersion should not be set on objects to be created');

  const written = yield* inStorage(context, type, object);
  // Others may have had their turn while the write waited.
  if (mutation !== undefined || validation !== undefined || type.custom !== undefined) {
    placeInNamespace(context, request, object);
  }
  const key = keyOf(namespace, metadata.name ?? '');
  const existing = store.get(type.storage, key);
  if (existing !== undefined) {
    throw generated
      ? errors.generateNameConflict(type, metadata.name ?? '')
      : errors.alreadyExists(type, metadata.name ?? '', existing.metadata.deletionTimestamp !== undefined);
  }
  const saved = options.dryRun ? written : store.put(type.storage, key, written);
  if (!options.dryRun) context.representations.wrote(type, saved);
  yield* represented(context, type, [saved]);
  return { code: 201, stored: saved, warnings };
}

function admissionOf(
  { type, subresource, namespace, identity, options, warnings, deadline }: WriteRequest,
  name: string,
): Omit<AdmissionAttributes, 'object'> {
  return {
    operation: 'CREATE',
    type,
    subresource,
    namespace,
    name,
    oldObject: undefined,
    identity,
    options,
    warnings,
    deadline,
  };
}

/** Puts the object into the namespace of the request, where it must be possible to create something. */
function placeInNamespace(context: ServerContext, { type, namespace }: WriteRequest, { metadata }: KubeObject): void {
  const given = metadata.namespace ?? '';
  // Resources of the cluster lose theirs.
  if (type.namespaced && given !== '' && given !== (namespace ?? '')) {
    throw errors.badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (type.namespaced && namespace !== undefined) metadata.namespace = namespace;
  else delete metadata.namespace;
  if (namespace !== undefined && type.namespaced) requireNamespace(context, type, namespace, metadata.name ?? '');
  // A custom resource that is not served any more would be stored where nobody finds it.
  const custom = type.custom === undefined ? undefined : context.registry.find(type.group, type.version, type.plural);
  if (type.custom !== undefined && custom === undefined) throw errors.notFound(type, metadata.name ?? '');
  if (custom?.custom?.terminating === true) {
    throw errors.forbidden(
      type,
      metadata.name ?? '',
      'create not allowed while custom resource definition is terminating',
    );
  }
}

function generateName(
  context: ServerContext,
  type: ResourceType,
  namespace: string | undefined,
  object: KubeObject,
): void {
  const base = String(object.metadata.generateName).slice(0, longestBase);
  for (let attempt = 0; attempt < nameTries; attempt++) {
    object.metadata.name = base + randomSuffix(context.random);
    if (context.store.get(type.storage, keyOf(namespace, object.metadata.name)) === undefined) return;
  }
}

function requireNamespace(context: ServerContext, type: ResourceType, namespace: string, name: string): void {
  const found = context.store.get('/namespaces', namespace);
  if (found === undefined) throw errors.notFound({ group: '', plural: 'namespaces' }, namespace);
  if (found.metadata.deletionTimestamp !== undefined) {
    throw errors.forbidden(
      type,
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    );
  }
}

/** Drops owner references that are there twice. */
export function dropDuplicateOwners(object: KubeObject, warnings: string[]): void {
  const owners = object.metadata.ownerReferences;
  if (owners === undefined) return;
  const seen = new Set<string>();
  const kept = owners.filter((owner) => {
    const identity = JSON.stringify([
      owner.apiVersion,
      owner.kind,
      owner.name,
      owner.uid,
      owner.controller,
      owner.blockOwnerDeletion,
    ]);
    if (seen.has(identity)) return false;
    seen.add(identity);
    return true;
  });
  if (kept.length < owners.length) {
    const repeated = [...new Set(owners.filter((owner) => !kept.includes(owner)).map(({ uid }) => uid))];
    object.metadata.ownerReferences = kept;
    warnings.push(
      `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
    );
  }
}
