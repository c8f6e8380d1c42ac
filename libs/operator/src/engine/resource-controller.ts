import { ObjectSupersededError } from '../errors/object-superseded.error.js';
import type { ApiClient } from './client/api-client.js';
import type { EngineObserver } from './engine-observer.js';
import type { Discovery } from './client/discovery/discovery.js';
import { unlessAborted } from './client/wait.js';
import type { HandlerDefinition, HandlerInvoker } from './handling/handler-definition.js';
import type { HandlerRunner } from './handling/handler-runner.js';
import { ResourceHandler } from './handling/resource-handler.js';
import { pathText, type FieldPath } from './json/field-path.js';
import { IndexKeeper } from './indexing/index-keeper.js';
import type { IndexRegistry } from './indexing/index-registry.js';
import type { ObjectKey, StoredObject } from './kube-object.js';
import { MappingRouter, type Mapping, type MappingTarget } from './mapping/mapping-router.js';
import type { ServedNamespaces } from './namespaces/served-namespaces.js';
import type { OperatorConfig } from './operator-config.js';
import { ExternalRecords } from './persistence/external-records.js';
import { KopfState, type KopfHandler } from './persistence/kopf-state.js';
import { RecordKeeper } from './persistence/record-keeper.js';
import type { RecordOwner, RecordPlace } from './persistence/record-store.js';
import type { Clock, Logger, Random } from './ports/index.js';
import { essenceOf, isEssential, type Essence } from './processing/essence.js';
import { OwnFinalizer } from './processing/finalizer.js';
import { ObjectSwitches } from './processing/object-switches.js';
import { ObjectWriter } from './processing/object-writer.js';
import type { EventSink, ProcessingEnvironment } from './processing/processing-environment.js';
import { ownersInStore } from './processing/record-sweep.js';
import { ResourceProcessor } from './processing/resource-processor.js';
import type { SlotPool } from './queueing/slot-pool.js';
import { WorkQueue, type NextRun } from './queueing/work-queue.js';
import { apiVersionOf, resourceName, type Resource } from './resource.js';
import type { DefinitionNews } from './selection/definition-watch.js';
import type { Served } from './selection/controller-set.js';
import { writes } from './selection/operator-demands.js';
import { pushedSelector } from './selection/pushed-selector.js';
import { endsWithin } from './supervision/bounded-wait.js';
import type { StoppableTask, TaskSupervisor } from './supervision/supervised.js';
import { LeftObjects } from './watching/left-objects.js';
import { ObjectStore } from './watching/object-store.js';
import { Reflector, type KindPresence, type WatchListSupport } from './watching/reflector.js';
import { ScopeWatches } from './watching/scope-watches.js';
import type { WatchGuard } from './watching/watch-guard.js';

export interface ResourceControllerOptions {
  readonly resource: Resource;
  /** In declaration order. */
  readonly handlers: readonly HandlerDefinition[];
  /** Handlers of other resources that are called for changes of this one. */
  readonly mappings: readonly Mapping[];
  readonly targetsOf: (handler: HandlerDefinition) => Iterable<MappingTarget>;
  readonly indexes: IndexRegistry;
  /** What no cycle of the operator begins before; `undefined` when it is over. */
  readonly indexesComplete: () => Promise<void> | undefined;
  readonly config: OperatorConfig;
  readonly namespaces: ServedNamespaces;
  readonly guard: WatchGuard;
  readonly supervisor: TaskSupervisor;
  readonly client: ApiClient;
  readonly discovery: Discovery;
  readonly definitions: DefinitionNews;
  readonly invoker: HandlerInvoker;
  readonly runner: HandlerRunner;
  readonly events: EventSink;
  readonly slots: SlotPool;
  readonly watchListSupport: WatchListSupport;
  readonly observer: EngineObserver | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Ends the requests of cycles when the operator's time is up. */
  readonly signal: AbortSignal;
  /** Aborted when nothing new is to begin. */
  readonly intake: AbortSignal;
  readonly fatal: (error: unknown, origin: string) => void;
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
        if (change.type === 'doubted') this.#left?.look(change.object, this.#whileServed());
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
    const environment = this.#environment();
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
      onState: (key, state) => options.observer?.onQueueState(this.name, key, state),
    });
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
    const { supervisor, namespaces } = this.#options;
    const run = (what: string, task: (signal: AbortSignal) => Promise<void>): void =>
      void this.#tasks.push(supervisor.run(`${what} of ${this.name}`, task));
    run('queue', (signal) => this.queue.run(signal));
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
          await unlessAborted(this.whenSynced(), signal);
          if (!this.#closed.signal.aborted) this.processor.sweep(await owners(signal));
        })
        .catch((error: unknown) => this.#options.fatal(error, task));
    }
  }

  /** Resolves when every watch is synced and each object of the first lists has begun its first cycle. */
  async whenSynced(): Promise<void> {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const end = (): void => resolve();
    this.#closed.signal.addEventListener('abort', end, { once: true });
    if (this.#closed.signal.aborted) end();
    const synced = this.#watchesSynced().then(() => this.processor.firstCyclesBegun());
    await Promise.race([synced, closed]);
    this.#closed.signal.removeEventListener('abort', end);
  }

  update(resource: Resource): void {
    this.#resource = resource;
  }

  async close(how: 'gone' | 'replaced'): Promise<void> {
    const { clock, config, logger } = this.#options;
    logger.log('info', 'Resource is served no longer, or in another way', { resource: this.name, how });
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
        await Promise.race([this.whenSynced(), aborted(until)]);
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

  #environment(): ProcessingEnvironment {
    const { config, resource, client, runner, invoker, events, clock, random, logger, signal, intake, fatal } =
      this.#options;
    const handlers = this.#options.handlers.map((definition) => new ResourceHandler(definition));
    const tracking = handlers.filter((handler) => handler.tracksState || handler.deleting.length > 0);
    const watched = distinct(handlers.flatMap((handler) => handler.watched).filter((path) => path.length > 0));
    const watchedPaths = watched.filter((path) => !isEssential(path));
    const switches = new ObjectSwitches(config);
    const [store, ...others] = new Set(handlers.flatMap(({ definition }) => definition.store ?? []));
    // Most are refused before the start; names that lead to one resource only on this server are not.
    if (others.length > 0) {
      const fields = { resource: this.name, store, others };
      logger.log('warn', 'Handler classes of one resource name different record stores; the first counts', fields);
    }
    const home = store ?? config.persistence.store;
    const own = config.persistence.stores[home];
    const external =
      own === undefined
        ? undefined
        : new ExternalRecords({ store: own, operator: config.name, resource, clock, timeout: config.client.timeout });
    const essence = (object: StoredObject): Essence => essenceOf(object, watchedPaths, switches.annotations);
    const { kopf: names } = config.persistence;
    const apiVersion = apiVersionOf(resource);
    const kopf = names && new KopfState({ names, apiVersion, essence, handlers: tracking.map(kopfHandler) });
    return {
      name: this.name,
      resource: () => this.#resource,
      handlers,
      essence,
      switches,
      config,
      store: this.store,
      writer: new ObjectWriter({
        client,
        store: this.store,
        fieldManager: config.name,
        logger: logger.child('Writer', { resource: this.name }),
        resource: () => this.#resource,
        refreshResource: async () => {
          await this.#presence(signal);
        },
      }),
      external,
      records: new RecordKeeper({
        kopf,
        home: external ?? (home as RecordPlace),
        operator: config.name,
        formerNames: config.formerNames,
        resource,
        handlers: tracking.map(({ id }) => id),
        watched,
        formerIds: new Map(
          tracking.flatMap(({ id, definition }) => (definition.formerIds ?? []).map((former) => [former, id] as const)),
        ),
      }),
      indexes: this.#options.indexes,
      indexed: (key) => this.#options.indexesComplete() ?? this.indexer.settled(key),
      runner,
      invoker,
      events,
      clock,
      random,
      logger: logger.child('Worker'),
      signal,
      isStopping: () => intake.aborted || this.#closing,
      onCycleState: (key, state) => this.#options.observer?.onCycleState(this.name, key, state),
      enqueue: (key, delay) => this.queue.add(key, { after: delay }),
      fatal,
    };
  }
}

function distinct(paths: readonly FieldPath[]): FieldPath[] {
  return [...new Map(paths.map((path) => [pathText(path), path])).values()];
}

/** Kopf's ids are the names of functions, with the field after them where there is one. */
function kopfHandler({ id, definition, updating }: ResourceHandler): KopfHandler {
  const fields = updating.flatMap(({ filter }) => (filter.field === undefined ? [] : [filter.field.join('.')]));
  const ids = [id, ...(definition.formerIds ?? [])];
  return { id, kopfIds: ids.flatMap((each) => [each, ...fields.map((field) => `${each}/${field}`)]) };
}

/** Resolves then. */
function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
