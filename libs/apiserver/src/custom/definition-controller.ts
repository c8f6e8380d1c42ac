import { timestamp } from '../clock.js';
import { clone, deepEqual, isObject, type JsonObject } from '../json.js';
import { cleanupFinalizer, removeObject } from '../pipeline/delete.js';
import type { ServerContext } from '../pipeline/server-context.js';
import { run } from '../pipeline/steps.js';
import { storageOf } from '../resources/resource-type.js';
import type { StoreEvent } from '../store/store.js';
import type { Definition } from './crd-type.js';
import { hasCondition, setCondition } from './definition-conditions.js';

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
    const { names } = definition.spec;
    const conflict = this.#conflict(definition);
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
    (definition['status'] as JsonObject)['acceptedNames'] = { ...names };
  }

  #conflict(definition: Definition): { reason: string; message: string } | undefined {
    const { group, names } = definition.spec;
    for (const { object } of this.context.store.list(storage)) {
      const other = object as Definition;
      if (other.metadata.uid === definition.metadata.uid || other.spec.group !== group) continue;
      const status = other['status'];
      const accepted = isObject(status) ? (status['acceptedNames'] as JsonObject | undefined) : undefined;
      if (accepted === undefined) continue;
      const words = (value: JsonObject): unknown[] => [
        value['plural'],
        value['singular'],
        ...((value['shortNames'] as string[] | undefined) ?? []),
      ];
      const taken = new Set(words(accepted).filter((word) => typeof word === 'string' && word !== ''));
      const clash = words(names as unknown as JsonObject).find((word) => taken.has(word));
      if (clash !== undefined) {
        const reason =
          clash === names.singular
            ? 'SingularConflict'
            : clash === names.plural
              ? 'PluralConflict'
              : 'ShortNamesConflict';
        return { reason, message: `${JSON.stringify(clash)} is already in use` };
      }
      if (accepted['kind'] === names.kind) {
        return { reason: 'KindConflict', message: `${JSON.stringify(names.kind)} is already in use` };
      }
      if (accepted['listKind'] === names.listKind) {
        return { reason: 'ListKindConflict', message: `${JSON.stringify(names.listKind)} is already in use` };
      }
    }
    return undefined;
  }

  #terminate(definition: Definition): void {
    const { store, registry } = this.context;
    const name = definition.metadata.name ?? '';
    const instances = storageOf(definition.spec.group, definition.spec.names.plural);
    if (!this.#terminating.has(instances) && (definition.metadata.finalizers ?? []).includes(cleanupFinalizer)) {
      this.#terminating.set(instances, name);
      const type = registry.customTypes(name)[0];
      if (type !== undefined) {
        for (const { object } of store.list(instances)) {
          removeObject(this.context, type, object, { kind: 'DeleteOptions', dryRun: false });
        }
      }
    }
    this.#finish(definition);
  }

  #finish(definition: Definition): void {
    const { store } = this.context;
    const name = definition.metadata.name ?? '';
    const instances = storageOf(definition.spec.group, definition.spec.names.plural);
    const finalizers = definition.metadata.finalizers ?? [];
    if (store.count(instances) > 0 || !finalizers.includes(cleanupFinalizer)) return;
    this.#terminating.delete(instances);
    const rest = finalizers.filter((finalizer) => finalizer !== cleanupFinalizer);
    if (rest.length === 0) {
      store.remove(storage, name);
      return;
    }
    const next = clone(definition);
    next.metadata.finalizers = rest;
    store.put(storage, name, next);
  }
}
