import type { Activity } from '../activity.js';
import { timestamp } from '../clock.js';
import { clone, isObject, type JsonObject, type KubeObject } from '../json.js';
import { deleteObject } from '../pipeline/delete.js';
import type { ServerContext } from '../pipeline/server-context.js';
import { applyUpdate } from '../pipeline/update.js';
import type { StoreEvent } from '../store/store.js';
import { ControllerQueue } from './controller-queue.js';

const storage = '/namespaces';

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
    this.#queue = new ControllerQueue(activity, (name) => this.#process(name), onError);
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

  #process(name: string): void {
    const { store } = this.context;
    const namespace = store.get(storage, name);
    if (namespace?.metadata.deletionTimestamp === undefined) return;
    const remaining = this.#empty(name);
    if (remaining.length > 0) {
      this.#report(name, namespace, remaining);
      return;
    }
    this.#update(namespace, 'finalize', (draft) => {
      const spec = draft['spec'] as JsonObject;
      spec['finalizers'] = ((spec['finalizers'] ?? []) as string[]).filter((finalizer) => finalizer !== 'kubernetes');
    });
  }

  /** Deletes what is in the namespace; answers what is still there afterwards. */
  #empty(name: string): KubeObject[] {
    const { store, registry } = this.context;
    const remaining: KubeObject[] = [];
    for (const type of registry.storages()) {
      if (!type.namespaced) continue;
      for (const { key, object } of store.list(type.storage)) {
        if (!key.startsWith(`${name}/`)) continue;
        if (object.metadata.deletionTimestamp === undefined) {
          deleteObject(this.context, type, name, object.metadata.name ?? '', {
            dryRun: false,
            propagationPolicy: 'Background',
          });
        }
        const left = store.get(type.storage, key);
        if (left !== undefined) remaining.push(left);
      }
    }
    return remaining;
  }

  #report(name: string, namespace: KubeObject, remaining: readonly KubeObject[]): void {
    const finalizers = [...new Set(remaining.flatMap(({ metadata }) => metadata.finalizers ?? []))];
    const kinds = [...new Set(remaining.map(({ kind }) => kind))];
    const texts: [type: string, reason: string, message: string][] = [
      ['NamespaceContentRemaining', 'SomeResourcesRemain', `Some resources are remaining: ${kinds.join(', ')}`],
      [
        'NamespaceFinalizersRemaining',
        'SomeFinalizersRemain',
        `Some content in the namespace has finalizers remaining: ${finalizers.join(', ')}`,
      ],
    ];
    const current = this.context.store.get(storage, name) ?? namespace;
    this.#update(current, 'status', (draft) => {
      const status = isObject(draft['status']) ? draft['status'] : {};
      const before = (Array.isArray(status['conditions']) ? status['conditions'] : []) as JsonObject[];
      const conditions = texts.map(([type, reason, message]) => {
        const known = before.find((condition) => condition['type'] === type);
        return known?.['message'] === message
          ? known
          : { type, status: 'True', lastTransitionTime: timestamp(this.context.clock), reason, message };
      });
      draft['status'] = { ...status, conditions };
    });
  }

  #update(namespace: KubeObject, subresource: string, change: (draft: KubeObject) => void): void {
    const type = this.context.registry.storageType(storage)!;
    const draft = clone(namespace);
    change(draft);
    applyUpdate(
      this.context,
      { type, namespace: undefined, name: namespace.metadata.name ?? '', subresource },
      namespace,
      draft,
      { dryRun: false, fieldValidation: 'Ignore' },
    );
  }
}
