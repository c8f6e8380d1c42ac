import { judgeFailure } from '../handling/attempt-outcome.js';
import { ChangeView } from '../handling/change-view.js';
import { matchesObject, matchesValue } from '../handling/filter-match.js';
import { ObjectFilterContext } from '../handling/object-handler-context.js';
import type { IndexTrigger, ResourceHandler } from '../handling/resource-handler.js';
import type { ObjectKey, StoredObject } from '../kube-object.js';
import { callContext, scopeFacts, callSubject } from '../processing/call-context.js';
import { ObjectMemory } from '../processing/object-memory.js';
import type { ProcessingEnvironment } from '../processing/processing-environment.js';
import type { StoreChange } from '../watching/store-change.js';
import { indexEntries } from './index-entries.js';
import type { IndexRegistry } from './index-registry.js';

/** So many objects are indexed at a time; the methods are expected to be quick. */
const concurrency = 64;

/** An object whose index entries are being brought up to date. */
interface Pass {
  /** Settles when the entries are those of the newest state, or the methods have failed for good. */
  readonly done: Promise<void>;
  /** The state changed since the methods were called for it. */
  again: boolean;
  /** Ends a wait of the pass. */
  hasten: () => void;
}

type IndexHandler = ResourceHandler & { readonly indexing: IndexTrigger };

/**
 * Keeps the indexes of one resource equal to its store: each change of the store starts a pass for its object, outside of
 * the queue and its slots, so that cycles can wait for it.
 */
export class IndexKeeper {
  readonly #handlers: readonly IndexHandler[];
  readonly #passes = new Map<ObjectKey, Pass>();
  readonly #waiting: Array<() => void> = [];
  readonly #failure = Promise.withResolvers<never>();
  #running = 0;

  constructor(
    private readonly environment: ProcessingEnvironment,
    private readonly registry: IndexRegistry,
    private readonly signal: AbortSignal,
  ) {
    this.#handlers = environment.handlers.filter((handler): handler is IndexHandler => handler.indexing !== undefined);
    // Observed by run() only.
    this.#failure.promise.catch(() => undefined);
  }

  get isNeeded(): boolean {
    return this.#handlers.length > 0;
  }

  /** Objects that are being indexed. */
  get size(): number {
    return this.#passes.size;
  }

  /** The root task: until it is cancelled, or something fails that is none of the handlers'. */
  async run(signal: AbortSignal): Promise<void> {
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    const cancel = (): void => resolve();
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      await Promise.race([cancelled, this.#failure.promise]);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  onChange(change: StoreChange): void {
    if (this.#handlers.length === 0 || change.type === 'recognized' || change.type === 'doubted') return;
    if (change.type === 'removed') {
      for (const { indexing } of this.#handlers) this.registry.get(indexing.index).remove(this.#idOf(change.key));
    }
    const pass = this.#passes.get(change.key);
    if (pass === undefined) {
      if (change.type !== 'removed') this.#begin(change.key);
      return;
    }
    pass.again = true;
    pass.hasten();
  }

  /** Resolves when the entries of the object are up to date; `undefined` when they are. */
  settled(key: ObjectKey): Promise<void> | undefined {
    return this.#passes.get(key)?.done;
  }

  /** Resolves when the entries of all objects are up to date. */
  async allSettled(): Promise<void> {
    while (this.#passes.size > 0) await Promise.all([...this.#passes.values()].map(({ done }) => done));
  }

  #begin(key: ObjectKey): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const pass: Pass = { done: promise, again: false, hasten: () => undefined };
    this.#passes.set(key, pass);
    this.#bringUpToDate(key, pass)
      .catch((error: unknown) => {
        if (!this.signal.aborted) this.#failure.reject(error as Error);
      })
      .finally(() => {
        this.#passes.delete(key);
        resolve();
      });
  }

  async #bringUpToDate(key: ObjectKey, pass: Pass): Promise<void> {
    if (this.#running >= concurrency) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      do {
        pass.again = false;
        const object = this.environment.store.get(key);
        if (object === undefined) return;
        for (const handler of this.#handlers) await this.#index(key, object, handler, pass);
      } while (pass.again);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** One method for one object, repeated after errors until it succeeds, fails for good, or the object changes. */
  async #index(key: ObjectKey, object: StoredObject, handler: IndexHandler, pass: Pass): Promise<void> {
    const { environment } = this;
    const { clock, config, random, logger, name } = environment;
    const index = this.registry.get(handler.indexing.index);
    const startedAt = clock.now();
    for (let failures = 0; !pass.again && !this.signal.aborted;) {
      try {
        const entries = this.#matches(handler.indexing, object) ? await this.#call(object, handler, failures) : [];
        // Entries of a state that is gone would stay for ever.
        if (!pass.again) index.replace(this.#idOf(key), entries);
        return;
      } catch (error) {
        if (this.signal.aborted) return;
        failures += 1;
        const fields = { handler: handler.definition.origin, resource: name, key, uid: object.metadata.uid };
        const { policy } = handler.definition;
        const runtime = clock.now() - startedAt;
        const verdict = judgeFailure({ error, policy, failures, runtime, retry: config.retry, random });
        if (verdict.kind === 'fatal') {
          environment.fatal(verdict.error, `handler ${handler.definition.origin} of ${name} ${key}`);
          return;
        }
        if (verdict.kind !== 'retry') {
          logger.log('error', 'Object is not indexed: the index method failed for good', fields, verdict.error);
          index.remove(this.#idOf(key));
          return;
        }
        logger.log(
          'error',
          'Index method failed and will be called again',
          { ...fields, attempt: failures },
          verdict.error,
        );
        await this.#pause(verdict.delay, pass);
      }
    }
  }

  async #call(
    object: StoredObject,
    handler: ResourceHandler,
    retry: number,
  ): Promise<Array<readonly [never, unknown]>> {
    const { environment } = this;
    const controller = new AbortController();
    const abort = (): void => controller.abort(this.signal.reason);
    if (this.signal.aborted) abort();
    this.signal.addEventListener('abort', abort, { once: true });
    const context = callContext(
      environment,
      {
        handler,
        object,
        essence: environment.essence(object),
        memory: new ObjectMemory(object.metadata.uid),
        cause: 'index',
        retry,
        startedAt: environment.clock.now(),
      },
      { signal: controller.signal },
    );
    try {
      const outcome = await environment.runner.run({
        origin: handler.definition.origin,
        subject: callSubject(environment, object),
        facts: scopeFacts(environment, object, retry),
        timeout: handler.definition.policy.timeout,
        controller,
        invoke: async () => environment.invoker.invoke(handler.definition, context),
      });
      if (outcome.kind === 'failure') throw outcome.error;
      if (outcome.kind === 'interrupted') throw outcome.reason;
      return indexEntries(outcome.value) as Array<readonly [never, unknown]>;
    } finally {
      this.signal.removeEventListener('abort', abort);
    }
  }

  #matches({ filter }: IndexTrigger, object: StoredObject): boolean {
    const { resource, essence } = this.environment;
    const context = new ObjectFilterContext(object, resource(), 'index', new ChangeView(undefined, essence(object)));
    return matchesValue(filter, context) && matchesObject(filter, context);
  }

  /** Until the time is over, the object changes, or the operator's time is up. */
  async #pause(delay: number, pass: Pass): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.environment.clock.setTimer(delay, resolve);
    const end = (): void => resolve();
    pass.hasten = end;
    this.signal.addEventListener('abort', end, { once: true });
    try {
      await promise;
    } finally {
      timer.cancel();
      this.signal.removeEventListener('abort', end);
    }
  }

  /** Several resources may fill one index. */
  #idOf(key: ObjectKey): string {
    return `${this.environment.name} ${key}`;
  }
}
