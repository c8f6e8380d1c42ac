import type { Activity } from '../activity.js';
import { clone, type KubeObject, type OwnerReference } from '../json.js';
import { deleteObject } from '../pipeline/delete.js';
import type { ServerContext } from '../pipeline/server-context.js';
import { run, type Steps } from '../pipeline/steps.js';
import { changeObject } from '../pipeline/update.js';
import { writeDeadline, type WriteRequest } from '../pipeline/write-request.js';
import type { ResourceType } from '../resources/resource-type.js';
import { errors } from '../status.js';
import type { StoreEvent } from '../store/store.js';
import { ControllerQueue } from './controller-queue.js';
import { controllerSender } from './controller-sender.js';

const sender = controllerSender('generic-garbage-collector');

interface Place {
  readonly storage: string;
  readonly key: string;
}

interface Node extends Place {
  readonly owners: readonly string[];
}

/**
 * Deletes objects whose owners are gone, and carries out the foreground and orphan ways of deletion. Works from the
 * store's events alone.
 */
export class GarbageCollector {
  /** Every object that owns or is owned, by uid. */
  readonly #nodes = new Map<string, Node>();
  /** Owner uid to the uids that name it as their owner. */
  readonly #dependents = new Map<string, Set<string>>();
  readonly #queue: ControllerQueue;
  readonly #unsubscribe: (() => void)[];

  constructor(
    private readonly context: ServerContext,
    activity: Activity,
    onError: (error: unknown) => void,
  ) {
    this.#queue = new ControllerQueue(activity, context.clock, (uid) => run(this.#process(uid)), onError);
    this.#unsubscribe = [
      context.store.subscribe((event) => this.#event(event)),
      context.store.onRestore(() => this.#reload()),
      context.registry.onChange(() => this.#recheck()),
    ];
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#queue.stop();
  }

  #reload(): void {
    this.#nodes.clear();
    this.#dependents.clear();
    const { store } = this.context;
    for (const storage of store.resources()) {
      for (const { key, object } of store.list(storage)) this.#track(storage, key, object);
    }
    this.#recheck();
  }

  /** A kind that was unknown may be served now, so that its absent objects can be told. */
  #recheck(): void {
    for (const [uid, { owners }] of this.#nodes) if (owners.length > 0) this.#queue.add(uid);
  }

  #event(event: StoreEvent): void {
    const uid = event.object.metadata.uid ?? '';
    if (event.type === 'DELETED') {
      const owners = this.#nodes.get(uid)?.owners ?? [];
      this.#forget(uid);
      for (const dependent of this.#dependents.get(uid) ?? []) this.#queue.add(dependent);
      // An owner that waits in the foreground may be done now.
      for (const owner of owners) this.#queue.add(owner);
      return;
    }
    this.#track(event.resource, event.key, event.object);
  }

  #track(storage: string, key: string, object: KubeObject): void {
    const uid = object.metadata.uid ?? '';
    const owners = (object.metadata.ownerReferences ?? []).map((reference) => reference.uid);
    const before = this.#nodes.get(uid);
    for (const owner of before?.owners ?? []) if (!owners.includes(owner)) this.#dependents.get(owner)?.delete(uid);
    this.#nodes.set(uid, { storage, key, owners });
    for (const owner of owners) {
      let dependents = this.#dependents.get(owner);
      if (dependents === undefined) {
        dependents = new Set();
        this.#dependents.set(owner, dependents);
      }
      dependents.add(uid);
    }
    if (owners.length > 0 || isHeld(object)) this.#queue.add(uid);
  }

  #forget(uid: string): void {
    for (const owner of this.#nodes.get(uid)?.owners ?? []) {
      const dependents = this.#dependents.get(owner);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner);
    }
    this.#nodes.delete(uid);
  }

  *#process(uid: string): Steps<void> {
    const found = this.#find(uid);
    if (found === undefined) return;
    const { type, object } = found;
    if (isHeld(object)) yield* this.#release(type, object);
    else if (object.metadata.deletionTimestamp === undefined) yield* this.#judge(type, object);
  }

  /** Decides over an object that has owners. */
  *#judge(type: ResourceType, object: KubeObject): Steps<void> {
    const references = object.metadata.ownerReferences ?? [];
    if (references.length === 0) return;
    const states = references.map((reference) => ({ reference, state: this.#ownerState(reference, object) }));
    const solid = states.filter(({ state }) => state === 'solid');
    if (solid.length === references.length) return;
    if (solid.length > 0) {
      yield* this.#update(type, object, (draft) => {
        draft.metadata.ownerReferences = solid.map(({ reference }) => reference);
      });
      return;
    }
    const waited = states.some(({ state }) => state === 'waiting');
    const hasDependents = (this.#dependents.get(object.metadata.uid ?? '')?.size ?? 0) > 0;
    const { name = '', namespace, uid = '' } = object.metadata;
    yield* deleteObject(this.context, {
      ...sender,
      deadline: writeDeadline(this.context.clock),
      type,
      namespace,
      name,
      subresource: undefined,
      warnings: [],
      options: {
        kind: 'DeleteOptions',
        dryRun: false,
        propagationPolicy: waited && hasDependents ? 'Foreground' : policyOf(object),
        preconditions: { uid },
      },
    });
  }

  #ownerState(reference: OwnerReference, dependent: KubeObject): 'solid' | 'waiting' | 'absent' {
    const { registry, store } = this.context;
    const type = registry.findKind(reference.apiVersion, reference.kind);
    // An unknown kind, or a namespaced owner of a cluster-scoped object, cannot be judged.
    if (type === undefined || (type.namespaced && dependent.metadata.namespace === undefined)) return 'solid';
    const key = type.namespaced ? `${dependent.metadata.namespace}/${reference.name}` : reference.name;
    const owner = store.get(type.storage, key);
    if (owner?.metadata.uid !== reference.uid) return 'absent';
    const foreground = owner?.metadata.finalizers?.includes('foregroundDeletion') ?? false;
    return foreground && owner?.metadata.deletionTimestamp !== undefined ? 'waiting' : 'solid';
  }

  /** Carries on with an object that is deleted in the foreground or leaves its dependents behind. */
  *#release(type: ResourceType, object: KubeObject): Steps<void> {
    const uid = object.metadata.uid ?? '';
    const dependents = [...(this.#dependents.get(uid) ?? [])].map((dependent) => ({
      dependent,
      found: this.#find(dependent),
    }));
    const orphan = object.metadata.finalizers?.includes('orphan') === true;
    if (orphan) {
      for (const { found } of dependents) {
        if (found === undefined) continue;
        yield* this.#update(found.type, found.object, (draft) => {
          const rest = draft.metadata.ownerReferences?.filter((reference) => reference.uid !== uid) ?? [];
          if (rest.length > 0) draft.metadata.ownerReferences = rest;
          else delete draft.metadata.ownerReferences;
        });
      }
    } else {
      let blocked = false;
      for (const { dependent, found } of dependents) {
        if (found === undefined) continue;
        if (found.object.metadata.deletionTimestamp === undefined) this.#queue.add(dependent);
        blocked ||= (found.object.metadata.ownerReferences ?? []).some(
          (reference) => reference.uid === uid && reference.blockOwnerDeletion === true,
        );
      }
      if (blocked) return;
    }
    const done = orphan ? 'orphan' : 'foregroundDeletion';
    yield* this.#update(type, object, (draft) => {
      draft.metadata.finalizers = draft.metadata.finalizers?.filter((finalizer) => finalizer !== done) ?? [];
      if (draft.metadata.finalizers.length === 0) delete draft.metadata.finalizers;
    });
  }

  *#update(type: ResourceType, object: KubeObject, change: (draft: KubeObject) => void): Steps<void> {
    const { name = '', namespace, uid } = object.metadata;
    const request: WriteRequest = {
      ...sender,
      deadline: writeDeadline(this.context.clock),
      type,
      namespace,
      name,
      subresource: undefined,
      warnings: [],
      options: { kind: 'PatchOptions', dryRun: false, fieldValidation: 'Ignore' },
    };
    yield* changeObject(this.context, request, {
      next(current) {
        if (current.metadata.uid !== uid) throw errors.notFound(type, name);
        const draft = clone(current);
        change(draft);
        return draft;
      },
    });
  }

  #find(uid: string): { type: ResourceType; object: KubeObject } | undefined {
    const node = this.#nodes.get(uid);
    if (node === undefined) return undefined;
    const type = this.context.registry.storageType(node.storage);
    const object = this.context.store.get(node.storage, node.key);
    return type === undefined || object?.metadata.uid !== uid ? undefined : { type, object };
  }
}

/** Whether an object is marked for deletion and waits for the collector. */
function isHeld({ metadata }: KubeObject): boolean {
  const finalizers = metadata.finalizers ?? [];
  return (
    metadata.deletionTimestamp !== undefined &&
    (finalizers.includes('foregroundDeletion') || finalizers.includes('orphan'))
  );
}

function policyOf({ metadata }: KubeObject): 'Background' | 'Foreground' | 'Orphan' {
  if (metadata.finalizers?.includes('orphan') === true) return 'Orphan';
  return metadata.finalizers?.includes('foregroundDeletion') === true ? 'Foreground' : 'Background';
}
