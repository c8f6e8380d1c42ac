import type { Activity } from '../activity.js';
import { timestamp } from '../clock.js';
import { clone, isObject, type JsonObject, type KubeObject } from '../json.js';
import { deleteObject } from '../pipeline/delete.js';
import type { ServerContext } from '../pipeline/server-context.js';
import { writeDeadline, type WriteRequest } from '../pipeline/write-request.js';
import type { ResourceType } from '../resources/resource-type.js';
import { run, type Steps } from '../pipeline/steps.js';
import { changeObject } from '../pipeline/update.js';
import { ApiError } from '../status.js';
import type { StoreEvent } from '../store/store.js';
import { ControllerQueue } from './controller-queue.js';
import { controllerSender } from './controller-sender.js';

const storage = '/namespaces';
const sender = controllerSender('namespace-controller');

/** Empties namespaces that are deleted, and lets them go once nothing is left in them. */
export class NamespaceController {
  readonly #queue: ControllerQueue;
  readonly #unsubscribe: (() => void)[];
  readonly #terminating = new Set<string>();

  constructor(
    private readonly context: ServerContext,
    activity: Activity,
    onError: (error: unknown) => void,
  ) {
    this.#queue = new ControllerQueue(activity, context.clock, (name) => run(this.#process(name)), onError);
    this.#unsubscribe = [
      context.store.subscribe((event) => this.#event(event)),
      context.store.onRestore(() => this.#reload()),
    ];
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#queue.stop();
  }

  #reload(): void {
    this.#terminating.clear();
    for (const { key, object } of this.context.store.list(storage)) {
      if (object.metadata.deletionTimestamp !== undefined) this.#begin(key);
    }
  }

  #begin(name: string): void {
    this.#terminating.add(name);
    this.#queue.add(name);
  }

  #event(event: StoreEvent): void {
    if (event.resource === storage) {
      if (event.type === 'DELETED') this.#terminating.delete(event.key);
      else if (event.object.metadata.deletionTimestamp !== undefined && !this.#terminating.has(event.key)) {
        this.#begin(event.key);
      }
      return;
    }
    const { namespace } = event.object.metadata;
    if (event.type === 'DELETED' && namespace !== undefined && this.#terminating.has(namespace))
      this.#queue.add(namespace);
  }

  *#process(name: string): Steps<void> {
    const { store } = this.context;
    const namespace = store.get(storage, name);
    if (namespace?.metadata.deletionTimestamp === undefined) return;
    const { remaining, refusal } = yield* this.#empty(name);
    yield* this.#report(name, namespace, remaining, refusal);
    if (remaining.size > 0) {
      // The queue tries again later.
      if (refusal !== undefined) throw refusal;
      return;
    }
    yield* this.#update(namespace, 'finalize', (draft) => {
      const spec = draft['spec'] as JsonObject;
      spec['finalizers'] = ((spec['finalizers'] ?? []) as string[]).filter((finalizer) => finalizer !== 'kubernetes');
    });
  }

  /** Deletes what is in the namespace; answers what is still there afterwards, and the first refusal. */
  *#empty(name: string): Steps<{ remaining: Map<ResourceType, KubeObject[]>; refusal: ApiError | undefined }> {
    const { store, registry } = this.context;
    const remaining = new Map<ResourceType, KubeObject[]>();
    let refusal: ApiError | undefined;
    for (const type of registry.storages()) {
      if (!type.namespaced) continue;
      for (const { key, object } of store.list(type.storage)) {
        if (!key.startsWith(`${name}/`)) continue;
        if (object.metadata.deletionTimestamp === undefined) {
          try {
            yield* this.#delete(type, name, object.metadata.name ?? '');
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            if (error.code !== 404) refusal ??= error;
          }
        }
        const left = store.get(type.storage, key);
        if (left !== undefined) remaining.set(type, [...(remaining.get(type) ?? []), left]);
      }
    }
    return { remaining, refusal };
  }

  *#delete(type: ResourceType, namespace: string, name: string): Steps<void> {
    yield* deleteObject(this.context, {
      ...sender,
      deadline: writeDeadline(this.context.clock),
      type,
      namespace,
      name,
      subresource: undefined,
      warnings: [],
      options: { kind: 'DeleteOptions', dryRun: false, propagationPolicy: 'Background' },
    });
  }

  /** Tells in the status what is left, and what is done. */
  *#report(
    name: string,
    namespace: KubeObject,
    remaining: ReadonlyMap<ResourceType, readonly KubeObject[]>,
    refusal: ApiError | undefined,
  ): Steps<void> {
    const current = this.context.store.get(storage, name) ?? namespace;
    yield* this.#update(current, 'status', (draft) => {
      const status = isObject(draft['status']) ? draft['status'] : {};
      const before = (Array.isArray(status['conditions']) ? status['conditions'] : []) as JsonObject[];
      const conditions = progress(remaining, refusal).map((condition) => {
        const known = before.find(({ type }) => type === condition.type);
        const isKnown = known?.['status'] === condition.status && known['message'] === condition.message;
        return isKnown ? known : { ...condition, lastTransitionTime: timestamp(this.context.clock) };
      });
      draft['status'] = { ...status, conditions };
    });
  }

  *#update({ metadata }: KubeObject, subresource: string, change: (draft: KubeObject) => void): Steps<void> {
    const request: WriteRequest = {
      ...sender,
      deadline: writeDeadline(this.context.clock),
      type: this.context.registry.storageType(storage)!,
      namespace: undefined,
      name: metadata.name ?? '',
      subresource,
      warnings: [],
      options: { kind: 'UpdateOptions', dryRun: false, fieldValidation: 'Ignore' },
    };
    yield* changeObject(this.context, request, {
      next(current) {
        const draft = clone(current);
        change(draft);
        return draft;
      },
    });
  }
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** How far the deletion of a namespace is, in the real server's words. */
function progress(
  remaining: ReadonlyMap<ResourceType, readonly KubeObject[]>,
  refusal: ApiError | undefined,
): Condition[] {
  const resources = [...remaining].map(
    ([{ plural, group }, objects]) => `${plural}.${group} has ${objects.length} resource instances`,
  );
  const counts = new Map<string, number>();
  for (const { metadata } of [...remaining.values()].flat()) {
    for (const finalizer of metadata.finalizers ?? []) counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
  }
  const finalizers = [...counts].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
  const condition = (type: string, reason: string, message: string, isTrue = false): Condition => ({
    type,
    status: isTrue ? 'True' : 'False',
    reason,
    message,
  });
  return [
    condition('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    condition(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    refusal === undefined
      ? condition(
          'NamespaceDeletionContentFailure',
          'ContentDeleted',
          'All content successfully deleted, may be waiting on finalization',
        )
      : condition(
          'NamespaceDeletionContentFailure',
          'ContentDeletionFailed',
          `Failed to delete all resource types, 1 remaining: ${refusal.message}`,
          true,
        ),
    resources.length === 0
      ? condition('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed')
      : condition(
          'NamespaceContentRemaining',
          'SomeResourcesRemain',
          `Some resources are remaining: ${resources.toSorted().join(', ')}`,
          true,
        ),
    finalizers.length === 0
      ? condition(
          'NamespaceFinalizersRemaining',
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        )
      : condition(
          'NamespaceFinalizersRemaining',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${finalizers.toSorted().join(', ')}`,
          true,
        ),
  ];
}
