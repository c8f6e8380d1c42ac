import { timestamp } from '../clock.js';
import { clone, deepEqual, type JsonObject } from '../json.js';
import { cleanupFinalizer, removeObject } from '../pipeline/delete.js';
import type { ServerContext } from '../pipeline/server-context.js';
import { run } from '../pipeline/steps.js';
import { storageOf } from '../resources/resource-type.js';
import type { StoreEvent } from '../store/store.js';
import type { Definition } from './crd-type.js';
import { hasCondition, setCondition } from './definition-conditions.js';
import { decideNames } from './definition-names.js';

const storage = storageOf('apiextensions.k8s.io', 'customresourcedefinitions');

/**
 * Accepts the names of CustomResourceDefinitions, establishes and serves them, and removes their objects when they are
 * deleted.
 */
export class DefinitionController {
  readonly #unsubscribe: (() => void)[];
  /** Storage of a definition that is being deleted, to its name. */
  readonly #terminating = new Map<string, string>();

  constructor(private readonly context: ServerContext) {
    this.#unsubscribe = [
      context.store.subscribe((event) => this.#event(event)),
      context.store.onRestore(() => this.#reload()),
    ];
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #reload(): void {
    this.context.registry.clear();
    this.#terminating.clear();
    for (const { object } of this.context.store.list(storage)) this.#reconcile(object as Definition);
  }

  #event(event: StoreEvent): void {
    if (event.resource === storage) {
      if (event.type === 'DELETED') {
        this.context.registry.withdraw(event.key);
        // Names that it held may be free for others now.
        for (const { object } of this.context.store.list(storage)) this.#reconcile(object as Definition);
        return;
      }
      const latest = this.context.store.get(storage, event.key);
      if (latest !== undefined) this.#reconcile(latest as Definition);
      return;
    }
    const definition = event.type === 'DELETED' ? this.#terminating.get(event.resource) : undefined;
    if (definition !== undefined) {
      const latest = this.context.store.get(storage, definition);
      if (latest !== undefined) this.#finish(latest as Definition);
    }
  }

  #reconcile(definition: Definition): void {
    const { store, registry } = this.context;
    const name = definition.metadata.name ?? '';
    if (definition.metadata.deletionTimestamp !== undefined) {
      if (hasCondition(definition, 'Established')) registry.serve(definition);
      this.#terminate(definition);
      return;
    }
    const next = clone(definition);
    this.#acceptNames(next);
    if (!deepEqual(next, definition)) {
      this.#own(definition, next);
      store.put(storage, name, next);
      return; // The event of this write comes back here.
    }
    if (hasCondition(definition, 'Established')) registry.serve(definition);
  }

  /** The status is written by the server itself. */
  #own(live: Definition, next: Definition): void {
    const type = this.context.registry.storageType(storage)!;
    const write = { type, subresource: 'status', live, next, manager: 'kube-apiserver' };
    const pending = run(this.context.fieldManagement.update(write));
    if (pending instanceof Promise) throw new Error('api server: definitions have one version, nothing is waited for');
  }

  #acceptNames(definition: Definition): void {
    const now = timestamp(this.context.clock);
    const all = this.context.store.list(storage).map(({ object }) => object);
    const { acceptedNames, conflict } = decideNames(definition, all);
    if (conflict !== undefined) {
      setCondition(definition, now, { type: 'NamesAccepted', status: 'False', ...conflict });
      if (!hasCondition(definition, 'Established')) {
        setCondition(definition, now, {
          type: 'Established',
          status: 'False',
          reason: 'NotAccepted',
          message: 'not all names are accepted',
        });
      }
      (definition['status'] as JsonObject)['acceptedNames'] = acceptedNames;
      return;
    }
    setCondition(definition, now, {
      type: 'NamesAccepted',
      status: 'True',
      reason: 'NoConflicts',
      message: 'no conflicts found',
    });
    if (!hasCondition(definition, 'Established')) {
      setCondition(definition, now, {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      });
    }
    (definition['status'] as JsonObject)['acceptedNames'] = acceptedNames;
  }

  #terminate(definition: Definition): void {
    const { store, registry } = this.context;
    const name = definition.metadata.name ?? '';
    const instances = storageOf(definition.spec.group, definition.spec.names.plural);
    if (!this.#terminating.has(instances) && (definition.metadata.finalizers ?? []).includes(cleanupFinalizer)) {
      this.#terminating.set(instances, name);
      this.#tell(definition, 'True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
      const type = registry.customTypes(name)[0];
      if (type !== undefined) {
        for (const { object } of store.list(instances)) {
          removeObject(this.context, type, object, { kind: 'DeleteOptions', dryRun: false });
        }
      }
    }
    const latest = store.get(storage, name);
    if (latest !== undefined) this.#finish(latest as Definition);
  }

  /** Says how far the deletion of the objects has come. */
  #tell(definition: Definition, status: string, reason: string, message: string): Definition {
    const next = clone(definition);
    setCondition(next, timestamp(this.context.clock), { type: 'Terminating', status, reason, message });
    this.#own(definition, next);
    return this.context.store.put(storage, definition.metadata.name ?? '', next) as Definition;
  }

  #finish(definition: Definition): void {
    const { store } = this.context;
    const name = definition.metadata.name ?? '';
    const instances = storageOf(definition.spec.group, definition.spec.names.plural);
    const finalizers = definition.metadata.finalizers ?? [];
    if (store.count(instances) > 0 || !finalizers.includes(cleanupFinalizer)) return;
    this.#terminating.delete(instances);
    const rest = finalizers.filter((finalizer) => finalizer !== cleanupFinalizer);
    const last = this.#tell(definition, 'False', 'InstanceDeletionCompleted', 'removed all instances');
    if (rest.length === 0) {
      store.remove(storage, name);
      return;
    }
    const next = clone(last);
    next.metadata.finalizers = rest;
    store.put(storage, name, next);
  }
}
