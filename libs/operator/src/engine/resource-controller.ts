import { ObjectSupersededError } from '../errors/object-superseded.error.js';
import type { Discovery } from './client/discovery/discovery.js';
import { unlessAborted } from './client/wait.js';
import type { HandlerDefinition } from './handling/handler-definition.js';
import { IndexKeeper } from './indexing/index-keeper.js';
import type { ObjectKey } from './kube-object.js';
import { Takeover } from './leaderelection/takeover.js';
import { MappingRouter, type Mapping, type MappingTarget } from './mapping/mapping-router.js';
import type { ServedNamespaces } from './namespaces/served-namespaces.js';
import type { RecordOwner } from './persistence/record-store.js';
import { OwnFinalizer } from './processing/finalizer.js';
import { ownersInStore } from './processing/record-sweep.js';
import { ResourceProcessor } from './processing/resource-processor.js';
import type { SlotPool } from './queueing/slot-pool.js';
import { WorkQueue, type NextRun } from './queueing/work-queue.js';
import { resourceName, type Resource } from './resource.js';
import type { DefinitionNews } from './selection/definition-watch.js';
import type { Served } from './selection/controller-set.js';
import { resourceEnvironment, type ResourceEnvironmentOptions } from './resource-environment.js';
import { writes } from './selection/operator-demands.js';
import { pushedSelector } from './selection/pushed-selector.js';
import { endsWithin } from './supervision/bounded-wait.js';
import type { StoppableTask, TaskSupervisor } from './supervision/supervised.js';
import { LeftObjects } from './watching/left-objects.js';
import { ObjectStore } from './watching/object-store.js';
import { Reflector, type KindPresence, type WatchListSupport } from './watching/reflector.js';
import { ScopeWatches } from './watching/scope-watches.js';
import type { WatchGuard } from './watching/watch-guard.js';

export interface ResourceControllerOptions extends ResourceEnvironmentOptions {
  /** Handlers of other resources that are called for changes of this one. */
  readonly mappings: readonly Mapping[];
  readonly targetsOf: (handler: HandlerDefinition) => Iterable<MappingTarget>;
  /** Resolves when this replica leads; `undefined`: there is no election. Nothing is handled before. */
  readonly leads: Promise<void> | undefined;
  readonly namespaces: ServedNamespaces;
  readonly guard: WatchGuard;
  readonly supervisor: TaskSupervisor;
  readonly discovery: Discovery;
  readonly definitions: DefinitionNews;
  readonly slots: SlotPool;
  readonly watchListSupport: WatchListSupport;
  /** Aborted when nothing new is to begin. */
  readonly intake: AbortSignal;
  /** No cycle begins, and no daemon lives. */
  readonly isPaused: () => boolean;
}

/** Everything for one resource: its reflectors, their store, the queue and the processor behind it. */
export class ResourceController implements Served {
  readonly name: string;
  readonly store: ObjectStore;
  readonly queue: WorkQueue;
  readonly processor: ResourceProcessor;
  readonly indexer: IndexKeeper;
  readonly #watches: ScopeWatches;
  readonly #options: ResourceControllerOptions;
  readonly #ownersInStore: ((signal: AbortSignal) => Promise<readonly RecordOwner[]>) | undefined;
  readonly #tasks: StoppableTask[] = [];
  readonly #closed = new AbortController();
  readonly #left: LeftObjects | undefined;
  readonly #takeover: Takeover;
  /** No cycle begins any more. */
  #closing = false;
  #resource: Resource;

  constructor(options: ResourceControllerOptions) {
    this.#options = options;
    this.#resource = options.resource;
    this.name = resourceName(options.resource);
    const { config, clock, random, logger } = options;
    // What handlers of other resources are led by must not be left out.
    const pushes = config.watching.pushSelectors && options.mappings.length === 0;
    const selector = pushes ? pushedSelector(options.handlers) : undefined;
    this.store = new ObjectStore({
      resource: options.resource,
      config: config.watching,
      logger,
      ...(selector === undefined ? {} : { doubts: ({ metadata }) => selector.selects(metadata) }),
      onChange: (change) => {
        if (change.type === 'removed' || ('foreign' in change && change.foreign)) {
          options.observer.onObjectChange?.(this.name, change.key, change.origin);
        }
        if (change.type === 'doubted' && this.#takeover.isBegun) this.#left?.look(change.object, this.#whileServed());
        this.indexer.onChange(change);
        this.processor.onChange(change);
        router.onChange(change);
      },
    });
    const router = new MappingRouter({
      resource: this.name,
      mappings: options.mappings,
      targetsOf: options.targetsOf,
      logger: logger.child('Worker'),
    });
    const environment = resourceEnvironment(options, {
      name: this.name,
      store: this.store,
      resource: () => this.#resource,
      refreshResource: (signal) => this.#presence(signal),
      indexed: (key) => this.indexer.settled(key),
      isStopping: () => options.intake.aborted || this.#closing,
      isPaused: options.isPaused,
      enqueue: (key, delay) => this.queue.add(key, { after: delay }),
    });
    const finalizer = new OwnFinalizer(config, config.persistence.kopf?.finalizer);
    this.#left =
      selector &&
      new LeftObjects({
        ...options,
        selector,
        store: this.store,
        logger: logger.child('Worker'),
        resource: () => this.#resource,
        carriesTraces: (object) =>
          finalizer.isIn(object.metadata.finalizers) || environment.records.read(object) !== undefined,
      });
    this.#ownersInStore =
      environment.external === undefined ? undefined : (signal) => ownersInStore(environment, signal);
    this.indexer = new IndexKeeper(environment, options.indexes, options.signal);
    this.processor = new ResourceProcessor(environment, (key, when) => this.queue.add(key, when));
    this.queue = new WorkQueue({
      resource: this.name,
      clock,
      slots: options.slots,
      concurrency: config.queue.concurrency.perResource,
      logger: logger.child('Worker'),
      process: (run) => this.processor.process(run),
      describe: (key) => this.processor.describe(key),
      onLateFailure: (error) => options.fatal(error, `queue of ${this.name}`),
      isHeld: options.isPaused,
      observer: options.observer,
    });
    this.#takeover = new Takeover({
      resource: this.name,
      leads: options.leads,
      catchUp: (signal) => Promise.all(this.reflectors.map((reflector) => reflector.catchUp(signal))),
      begin: () => this.processor.begin(this.store.values()),
      clock,
      logger: logger.child('Worker'),
    });
    if (options.leads !== undefined) this.processor.hold();
    this.#watches = new ScopeWatches({
      ...options,
      name: this.name,
      store: this.store,
      create: (namespace) =>
        new Reflector({
          client: options.client,
          resource: options.resource,
          namespace,
          labelSelector: selector?.labelSelector,
          fieldSelector: selector?.fieldSelector,
          store: this.store,
          config: config.watching,
          clock,
          random,
          logger,
          resolveKind: (signal) => this.#presence(signal),
          kindNews: () => this.#kindNews(),
          watchListSupport: options.watchListSupport,
          observer: options.observer,
        }),
    });
  }

  get handlers(): readonly HandlerDefinition[] {
    return this.#options.handlers;
  }

  get resource(): Resource {
    return this.#resource;
  }

  /** Wakes the cycle of an object, as for a change of its own. */
  wake(key: ObjectKey, priority: NextRun['priority']): void {
    this.processor.wake(key, priority);
  }

  /** One for each namespace, or one for all. */
  get reflectors(): readonly Reflector[] {
    return this.#watches.reflectors;
  }

  /** Resolves when every watch is synced and its objects are indexed. */
  async whenIndexed(): Promise<void> {
    await this.#watchesSynced();
    await this.indexer.allSettled();
  }

  /** Puts the tasks of this resource under the supervisor. */
  start(): void {
    const { supervisor, namespaces, observer } = this.#options;
    observer.onResourceServed?.(this.name);
    const run = (what: string, task: (signal: AbortSignal) => Promise<void>): void =>
      void this.#tasks.push(supervisor.run(`${what} of ${this.name}`, task));
    this.#takeover.start();
    run('queue', (signal) => this.#runQueue(signal));
    if (this.indexer.isNeeded) run('indexer', (signal) => this.indexer.run(signal));
    if (this.processor.hasDaemons) run('daemons', (signal) => this.processor.daemons.run(signal));
    const follow = (): void => this.#watches.want(namespaces.scopesOf(this.#resource));
    this.#closed.signal.addEventListener('abort', namespaces.onChange(follow), { once: true });
    follow();
    this.#findLeft();
    const owners = this.#ownersInStore;
    if (owners !== undefined) {
      const task = `records of ${this.name}`;
      supervisor
        .runFinite(task, async (signal) => {
          await unlessAborted(this.#takeover.begun, signal);
          await unlessAborted(this.whenSynced(), signal);
          if (!this.#closed.signal.aborted) this.processor.sweep(await owners(signal));
        })
        .catch((error: unknown) => this.#options.fatal(error, task));
    }
  }

  /** Keys that are due or run, and objects that are being indexed. */
  get due(): number {
    const begins = this.#takeover.isBegun && !this.#options.isPaused();
    return (begins ? this.queue.ready : 0) + this.queue.running + this.indexer.size;
  }

  /** Resolves when objects are handled: at once, or when this replica leads and its stores show what the server has. */
  get begun(): Promise<void> {
    return this.#takeover.begun;
  }

  /**
   * Resolves when every watch is synced and, once objects are handled, each object of the first lists has begun its first
   * cycle.
   */
  async whenSynced(): Promise<void> {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const end = (): void => resolve();
    this.#closed.signal.addEventListener('abort', end, { once: true });
    if (this.#closed.signal.aborted) end();
    const synced = this.#watchesSynced().then(() => this.processor.firstCyclesBegun());
    await Promise.race([synced, closed]);
    this.#closed.signal.removeEventListener('abort', end);
  }

  /** `isPaused` has another answer. */
  pauseChanged(): void {
    this.queue.heldChanged();
    if (this.#options.isPaused()) this.processor.daemons.stopAll(new ObjectSupersededError('paused'));
  }

  update(resource: Resource): void {
    this.#resource = resource;
  }

  async close(how: 'gone' | 'replaced'): Promise<void> {
    const { clock, config, logger } = this.#options;
    logger.log('info', 'Resource is served no longer, or in another way', { resource: this.name, how });
    this.#options.observer.onResourceLeft?.(this.name, how);
    this.#closed.abort();
    if (how === 'gone') {
      // Their removal is told to handlers.
      this.#watches.want(new Set());
      await this.#watches.ended();
      await this.queue.idle();
    }
    this.#closing = true;
    this.queue.close();
    this.processor.daemons.stopAll(new ObjectSupersededError(how));
    const drained = this.queue.drained();
    await endsWithin(clock, drained, config.shutdown.drain);
    this.processor.interruptAll(new ObjectSupersededError(how));
    await Promise.all([drained, this.processor.daemons.ended()]);
    this.#watches.want(new Set());
    await this.#watches.ended();
    const reason = new Error('The resource is served no longer, or in another way.');
    await Promise.all(this.#tasks.map((task) => task.stop(reason)));
  }

  /** The queue opens when objects are to be handled. */
  async #runQueue(signal: AbortSignal): Promise<void> {
    if (this.#takeover.isBegun || (await this.#takeover.wait(AbortSignal.any([signal, this.#whileServed()]))))
      return this.queue.run(signal);
    // The task ends with its own signal, as one whose queue is open.
    return aborted(signal);
  }

  /** Aborted when nothing new is to begin, or this controller is closed. */
  #whileServed(): AbortSignal {
    return AbortSignal.any([this.#options.intake, this.#closed.signal]);
  }

  /** What left the selection while no operator watched is in no list of the watch. */
  #findLeft(): void {
    const { supervisor, fatal, namespaces } = this.#options;
    const left = this.#left;
    if (left === undefined || !this.#options.handlers.some((handler) => handler.triggers.some(writes))) return;
    const task = `look at what left ${this.name}`;
    supervisor
      .runFinite(task, async (signal) => {
        const until = AbortSignal.any([signal, this.#whileServed()]);
        await Promise.race([this.#takeover.begun.then(() => this.whenSynced()), aborted(until)]);
        await left.findAll(namespaces.scopesOf(this.#resource), until);
      })
      .catch((error: unknown) => fatal(error, task));
  }

  /** Asked while the kind is gone. */
  #kindNews(): Promise<void> | undefined {
    const { definitions } = this.#options;
    definitions.need();
    return definitions.following ? definitions.next() : undefined;
  }

  async #watchesSynced(): Promise<void> {
    if (this.#resource.namespaced) await this.#options.namespaces.synced;
    await this.#watches.synced();
  }

  async #presence(signal: AbortSignal): Promise<KindPresence> {
    await this.#options.discovery.refresh(this.#resource.group, signal);
    const { group, version, plural } = this.#resource;
    const resolution = await this.#options.discovery.resolve({ group, version, plural }, signal);
    if ('found' in resolution) {
      this.#resource = resolution.found;
      return 'served';
    }
    return 'missing' in resolution ? 'gone' : 'unknown';
  }
}

/** Resolves then. */
function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
