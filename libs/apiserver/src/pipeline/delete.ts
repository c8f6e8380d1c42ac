import { timestamp } from '../clock.js';
import { clone, isObject, type JsonObject, type KubeObject } from '../json.js';
import { keyOf, type ResourceType } from '../resources/resource-type.js';
import { errors, failure } from '../status.js';
import { markTerminating } from '../custom/definition-conditions.js';
import type { AdmissionAttributes } from './admission-control.js';
import type { ObjectResult } from './api-request.js';
import { represented } from './representations.js';
import type { ServerContext } from './server-context.js';
import { wait, type Steps } from './steps.js';
import type { DeleteOptions } from './write-options.js';
import { Tries, type DeleteRequest } from './write-request.js';

const protectedNamespaces = new Set(['default', 'kube-system', 'kube-public']);

/** Finalizer that keeps a CustomResourceDefinition until its objects are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** Whether an object marked for deletion has nothing left that holds it. */
export function isFinished(type: ResourceType, object: KubeObject): boolean {
  if (object.metadata.deletionTimestamp === undefined || (object.metadata.finalizers ?? []).length > 0) return false;
  return type.storage !== '/namespaces' || namespaceFinalizers(object).length === 0;
}

function namespaceFinalizers(object: KubeObject): unknown[] {
  const spec = object['spec'];
  return isObject(spec) && Array.isArray(spec['finalizers']) ? spec['finalizers'] : [];
}

/** DELETE of one object. */
export function* deleteObject(context: ServerContext, request: DeleteRequest): Steps<ObjectResult> {
  const { type, namespace, name, options, warnings } = request;
  const key = keyOf(namespace, name);
  const tries = new Tries(context.clock, request.deadline);
  for (;;) {
    const stored = context.store.get(type.storage, key);
    if (stored === undefined) throw errors.notFound(type, name);
    if (type.storage === '/namespaces' && protectedNamespaces.has(name)) {
      throw errors.forbidden(type, name, 'this namespace may not be deleted');
    }
    checkPreconditions(type, stored, options);
    yield* represented(context, type, [stored]);
    yield* askAdmission(context, request, context.representations.object(type, stored));
    if (context.store.get(type.storage, key) === stored) {
      const result = removeObject(context, type, stored, options);
      if (result.stored !== undefined) yield* represented(context, type, [result.stored]);
      return { ...result, warnings };
    }
    tries.again();
  }
}

function* askAdmission({ admission }: ServerContext, request: DeleteRequest, oldObject: KubeObject): Steps<void> {
  if (!admission.active) return;
  const { type, subresource, namespace, identity, warnings, deadline } = request;
  const attributes: AdmissionAttributes = {
    operation: 'DELETE',
    type,
    subresource,
    namespace,
    name: request.ofCollection === true ? '' : request.name,
    object: undefined,
    oldObject,
    identity,
    options: sentOptions(request, oldObject),
    warnings,
    deadline,
  };
  const mutation = admission.mutate(attributes);
  if (mutation !== undefined) yield* wait(mutation);
  const validation = admission.validate(attributes);
  if (validation !== undefined) yield* wait(validation);
}

/** A Namespace is deleted under the condition that it is still the same. */
function sentOptions({ type, options }: DeleteRequest, { metadata }: KubeObject): DeleteOptions {
  if (type.storage !== '/namespaces') return options;
  return { ...options, preconditions: { uid: metadata.uid ?? '', ...options.preconditions } };
}

/** Deletes a stored object, or marks it for deletion, without asking anybody. */
export function removeObject(
  context: ServerContext,
  type: ResourceType,
  stored: KubeObject,
  options: DeleteOptions,
): ObjectResult {
  const { store } = context;
  const key = keyOf(stored.metadata.namespace, stored.metadata.name ?? '');
  const draft = clone(stored);
  const finalizers = finalizersAfter(
    stored.metadata.finalizers ?? [],
    options.propagationPolicy ?? type.defaultPropagation,
  );
  if (finalizers.length > 0) draft.metadata.finalizers = finalizers;
  else delete draft.metadata.finalizers;
  const marked = stored.metadata.deletionTimestamp !== undefined;
  if (!marked) mark(context, type, draft);
  if (isFinished(type, draft)) {
    // A pod is one that ends before it is gone.
    const ends = !marked && type.storage === '/pods';
    if (ends && !options.dryRun) store.put(type.storage, key, draft);
    const removed = options.dryRun ? (ends ? draft : stored) : store.remove(type.storage, key);
    return type.deleteReturnsObject
      ? { code: 200, stored: removed, warnings: [] }
      : { code: 200, document: deletedStatus(type, stored), warnings: [] };
  }
  const changed = !marked || finalizers.join() !== (stored.metadata.finalizers ?? []).join();
  const code = options.orphanDependents === false ? 202 : 200;
  if (!changed || options.dryRun) return { code, stored: changed ? draft : stored, warnings: [] };
  return { code, stored: store.put(type.storage, key, draft), warnings: [] };
}

function mark(context: ServerContext, type: ResourceType, draft: KubeObject): void {
  const now = timestamp(context.clock);
  draft.metadata.deletionTimestamp = now;
  if (type.storage === '/namespaces') {
    draft['status'] = { ...(isObject(draft['status']) ? draft['status'] : {}), phase: 'Terminating' };
    return;
  }
  if (type.plural === 'customresourcedefinitions') {
    draft.metadata.finalizers = [
      ...(draft.metadata.finalizers ?? []).filter((item) => item !== cleanupFinalizer),
      cleanupFinalizer,
    ];
    markTerminating(draft, now);
    return;
  }
  draft.metadata.deletionGracePeriodSeconds = 0;
  if ((draft.metadata.generation ?? 0) > 0) draft.metadata.generation = draft.metadata.generation! + 1;
}

function finalizersAfter(current: readonly string[], policy: DeleteOptions['propagationPolicy']): string[] {
  if (policy === undefined) return [...current];
  const others = current.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  if (policy === 'Orphan') return [...others, 'orphan'];
  if (policy === 'Foreground') return [...others, 'foregroundDeletion'];
  return others;
}

function checkPreconditions(type: ResourceType, stored: KubeObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const { metadata } = stored;
  const conflict = (why: string): Error => {
    const qualified = type.group === '' ? type.kind : `${type.kind}.${type.group}`;
    return failure(
      'Conflict',
      `Operation cannot be fulfilled on ${qualified} ${JSON.stringify(metadata.name)}: ${why}`,
      {
        name: metadata.name ?? '',
        ...(type.group === '' ? {} : { group: type.group }),
        kind: type.kind,
      },
    );
  };
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

function deletedStatus(type: ResourceType, stored: KubeObject): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: stored.metadata.name,
      ...(type.group === '' ? {} : { group: type.group }),
      kind: type.plural,
      uid: stored.metadata.uid,
    },
  };
}
