import { OperatorStoppingError } from '../errors/operator-stopping.error.js';
import { OperatorAccess } from './access/operator-access.js';
import type { ApiClient } from './client/api-client.js';
import { Discovery } from './client/discovery/discovery.js';
import type { Engine, EngineOptions, OperatorStatus, WatchStatus } from './engine-types.js';
import { ActivityRunner } from './handling/activity-runner.js';
import { HandlerRunner } from './handling/handler-runner.js';
import { describeOperator, type OperatorDescription } from './description/operator-description.js';
import { HealthDesk } from './health/health-desk.js';
import type { OperatorHealth } from './health/operator-health.js';
import type { Logger } from './ports/index.js';
import { SlotPool } from './queueing/slot-pool.js';
import { EventRecorder } from './recorder/event-recorder.js';
import { ResourceController } from './resource-controller.js';
import { IndexBarrier } from './indexing/index-barrier.js';
import type { Assignment } from './selection/assign-resources.js';
import { ControllerSet } from './selection/controller-set.js';
import { DefinitionWatch } from './selection/definition-watch.js';
import { operatorDemands, type OperatorDemand } from './selection/operator-demands.js';
import { ResourceFinder } from './selection/resource-finder.js';
import { endsWithin } from './supervision/bounded-wait.js';
import type { StopParticipant } from './supervision/supervised.js';
import { Supervisor, type SupervisorStopOptions } from './supervision/supervisor.js';
import { ServedNamespaces } from './namespaces/served-namespaces.js';
import { WatchGuard } from './watching/watch-guard.js';
import type { Reflector, WatchListSupport } from './watching/reflector.js';

/** Builds the engine. Nothing runs before `start()`. */
export function createEngine(options: EngineOptions): Engine {
  return new OperatorEngine(options);
}

/** The operator without its host: everything from start-up handlers to clean-up, under one supervisor. */
class OperatorEngine implements Engine, StopParticipant {
  readonly #options: EngineOptions;
  readonly #logger: Logger;
  readonly #client: ApiClient;
  readonly #supervisor: Supervisor;
  readonly #discovery: Discovery;
  readonly #runner: HandlerRunner;
  readonly #activities: ActivityRunner;
  readonly #health: HealthDesk;
  readonly #access: OperatorAccess;
  readonly #recorder: EventRecorder;
  readonly #guard: WatchGuard;
  readonly #slots: SlotPool;
  readonly #served: ControllerSet<OperatorDemand, ResourceController>;
  readonly #definitions: DefinitionWatch;

  readonly #namespaces: ServedNamespaces;
  readonly #barrier: IndexBarrier;
  readonly #watchListSupport: WatchListSupport;
  /** Ends requests of cycles, and discovery. */
  readonly #requests = new AbortController();
  #found = false;
  readonly #lookups = Promise.withResolvers<void>();
  /** Aborted with step 2 of a stop: nothing new comes in. */
  readonly #intake = new AbortController();
  #start: Promise<void> | undefined;
  /** The start-up handlers, until the last one that was called has ended. */
  #startup: Promise<void> = Promise.resolve();
  #whenSynced: Promise<void> | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    const { config, clock, random, exit, logger, client } = options;
    this.#logger = logger.child('Operator');
    this.#client = client;
    this.#supervisor = new Supervisor({
      clock,
      logger,
      exit,
      config,
      participant: this,
      ...(options.terminationLog === undefined ? {} : { terminationLog: options.terminationLog }),
      ...(options.watchdog === undefined ? {} : { watchdog: options.watchdog }),
    });
    // Whoever asks here asks again, at a pace of its own.
    this.#discovery = new Discovery(client, { retry: 'none', signal: this.#requests.signal });
    this.#runner = new HandlerRunner({ clock, logger: logger.child('Handler'), stuckAfter: config.queue.stuckAfter });
    const { activities, invoker } = options;
    this.#activities = new ActivityRunner({
      activities,
      invoker,
      runner: this.#runner,
      retry: config.retry,
      clock,
      random,
      logger: this.#logger,
    });
    this.#health = new HealthDesk({
      config,
      activities,
      invoker,
      runner: this.#runner,
      routes: options.routes,
      status: () => this.getStatus(),
      clock,
      logger,
    });
    this.#recorder = new EventRecorder({
      client,
      operator: config.name,
      enabled: config.events.enabled,
      clock,
      random,
      logger: logger.child('EventRecorder'),
    });
    this.#guard = new WatchGuard({ config: config.watching, clock });
    this.#slots = new SlotPool(config.queue.concurrency.total);
    this.#watchListSupport = { offered: config.watching.watchList };
    this.#namespaces = new ServedNamespaces({
      config,
      client,
      watchListSupport: this.#watchListSupport,
      clock,
      random,
      logger: this.#logger,
      intake: this.#intake.signal,
    });
    this.#definitions = new DefinitionWatch({
      config,
      client,
      discovery: this.#discovery,
      supervisor: this.#supervisor,
      watchListSupport: this.#watchListSupport,
      clock,
      random,
      logger: this.#logger,
      intake: this.#intake.signal,
    });
    this.#served = new ControllerSet({
      open: (assignment) => this.#startController(assignment),
      fatal: (error) => this.#supervisor.fail(error, 'change of a resource'),
    });
    this.#barrier = new IndexBarrier({
      needed: options.handlers.some(({ triggers }) => triggers.some(({ on }) => on === 'index')),
      config: config.watching,
      clock,
      logger: this.#logger,
      signal: this.#intake.signal,
    });
    const stopLooking = (): void => this.#health.close();
    this.done.then(stopLooking, stopLooking);
    this.#access = new OperatorAccess({
      config,
      client,
      namespaces: this.#namespaces,
      resources: () => this.#controllers,
      supervisor: this.#supervisor,
      logger,
    });
    // Observed by whenSynced() only; a start that never comes so far is told elsewhere.
    this.#lookups.promise.catch(() => undefined);
  }

  get done(): Promise<void> {
    return this.#supervisor.done;
  }

  start(): Promise<void> {
    this.#start ??= this.#begin();
    return this.#start;
  }

  async stop(options: SupervisorStopOptions = {}): Promise<void> {
    await this.#supervisor.stop(options);
  }

  fatal(error: unknown, origin = 'application'): void {
    this.#supervisor.fail(error, origin);
  }

  getStatus(): OperatorStatus {
    const controllers = this.#controllers;
    const perResource = (count: (controller: ResourceController) => number): Record<string, number> =>
      Object.fromEntries(controllers.map((controller) => [controller.name, count(controller)]));
    const sum = (count: (controller: ResourceController) => number): number =>
      controllers.reduce((total, controller) => total + count(controller), 0);
    const now = this.#options.clock.monotonic();
    const watch = (resource: string, reflector: Reflector): WatchStatus => watchStatus(resource, reflector, now);
    return {
      state: this.#supervisor.state,
      tasks: this.#supervisor.tasks,
      watches: [
        ...(this.#namespaces.reflector === undefined ? [] : [watch('namespaces.v1', this.#namespaces.reflector)]),
        ...controllers.flatMap(({ name, reflectors }) => reflectors.map((reflector) => watch(name, reflector))),
      ],
      objects: perResource(({ store }) => store.size),
      queued: perResource(({ queue }) => queue.size),
      due: sum(({ queue, indexer }) => queue.ready + queue.running + indexer.size) + (this.#recorder.busy ? 1 : 0),
      running: this.#runner.running,
      stuck: this.#runner.stuck,
      capacity: this.#slots.size,
      throttled: sum(({ processor }) => processor.throttled),
      found: this.#found,
    };
  }

  describe(): OperatorDescription {
    const { config, handlers, activities } = this.#options;
    const access = this.#access.describe();
    return describeOperator({ config, handlers, activities, served: this.#controllers, access });
  }

  get healthPort(): number | undefined {
    return this.#health.port;
  }

  getHealth(): Promise<OperatorHealth> {
    return this.#health.getHealth();
  }

  whenSynced(): Promise<void> {
    // One for all who ask: each wait of its own would hang on `done` for as long as the operator lives.
    this.#whenSynced ??= this.#untilDone(this.#sync());
    return this.#whenSynced;
  }

  async #sync(): Promise<void> {
    await Promise.all([this.#lookups.promise, this.#namespaces.synced]);
    await Promise.all(this.#controllers.map((controller) => controller.whenSynced()));
  }

  /** Whoever waits for the operator must not wait for ever once it has ended. */
  async #untilDone(work: Promise<void>): Promise<void> {
    const ended = this.done.then(() => {
      throw new OperatorStoppingError('stop');
    });
    // The race below may be over before.
    ended.catch(() => undefined);
    await Promise.race([work, ended]);
  }

  async #begin(): Promise<void> {
    if (!this.#supervisor.begin()) throw new OperatorStoppingError('stop');
    try {
      await this.#health.serve(this.#supervisor, this.#intake.signal);
      this.#startup = this.#activities.startup(this.#intake.signal);
      // A start-up handler may be deaf to its abort: the start ends with the operator at the latest.
      await Promise.race([this.#startup, this.#ended()]);
      this.#intake.signal.throwIfAborted();
      this.#startTasks();
      this.#supervisor.markRunning();
    } catch (error) {
      await this.#supervisor.failStart(error);
    }
  }

  /** Resolves at the end of the operator, failed or not. */
  async #ended(): Promise<void> {
    await Promise.allSettled([this.done]);
  }

  #startTasks(): void {
    const supervisor = this.#supervisor;
    supervisor.run('event recorder', (signal) => this.#recorder.run(signal));
    supervisor.run('watch guard', (signal) => this.#guard.run(signal));
    this.#namespaces.start(supervisor, this.#guard);
    const { config, clock, handlers } = this.#options;
    const finder = new ResourceFinder(
      {
        discovery: this.#discovery,
        definitions: this.#definitions,
        config: config.watching,
        clock,
        logger: this.#logger,
        onFindings: (assignments) => {
          this.#served.want(assignments);
          this.#access.look();
          this.#barrier.onRound();
        },
        onComplete: () => {
          this.#found = true;
          this.#lookups.resolve();
          this.#barrier.onAllFound();
        },
      },
      operatorDemands(handlers),
    );
    supervisor.run('lookup of resources', (signal) => finder.run(signal));
    this.#logger.log('info', 'Operator started', { name: config.name, handlers: handlers.length });
  }

  get #controllers(): readonly ResourceController[] {
    return this.#served.controllers;
  }

  #startController({ resource, demands }: Assignment<OperatorDemand>): ResourceController | undefined {
    if (this.#intake.signal.aborted) return undefined;
    const handlers = demands.flatMap(({ handler }) => handler ?? []);
    const mappings = demands.flatMap(({ mapping }) => mapping ?? []);
    const { config, invoker, clock, random, logger } = this.#options;
    const controller = new ResourceController({
      resource,
      handlers,
      mappings,
      targetsOf: (handler) => this.#controllers.filter(({ handlers: own }) => own.includes(handler)),
      indexes: this.#options.indexes,
      indexesComplete: () => this.#barrier.pending(),
      config,
      namespaces: this.#namespaces,
      guard: this.#guard,
      supervisor: this.#supervisor,
      client: this.#client,
      discovery: this.#discovery,
      definitions: this.#definitions,
      invoker,
      runner: this.#runner,
      events: this.#recorder,
      slots: this.#slots,
      watchListSupport: this.#watchListSupport,
      observer: this.#options.observer,
      clock,
      random,
      logger,
      signal: this.#requests.signal,
      intake: this.#intake.signal,
      fatal: (error, origin) => this.#supervisor.fail(error, origin),
    });
    controller.start();
    if (controller.indexer.isNeeded) this.#barrier.add(controller.whenIndexed());
    return controller;
  }

  stopIntake(): void {
    this.#intake.abort(new OperatorStoppingError('stop'));
    for (const { queue } of this.#controllers) queue.close();
  }

  stopBackground(reason: Error): void {
    const stopping = reason instanceof OperatorStoppingError ? reason : new OperatorStoppingError(reason.message);
    for (const { processor } of this.#controllers) processor.daemons.stopAll(stopping);
  }

  async drained(): Promise<void> {
    const { clock, config } = this.#options;
    // Aborted with the intake already: it only needs the time to end. Its failure is told by start().
    const startup = this.#startup.catch(() => undefined);
    await Promise.all([
      endsWithin(clock, startup, config.shutdown.grace),
      ...this.#controllers.map(({ queue }) => queue.drained()),
      ...this.#controllers.map(({ processor }) => processor.daemons.ended()),
    ]);
  }

  abortHandlers(reason: Error): void {
    this.#runner.abortAll(reason);
  }

  stragglers(): readonly string[] {
    const handlers = this.#runner.names();
    const cycles = this.#controllers.flatMap(({ name, queue }) => queue.runningKeys.map((key) => `${name} ${key}`));
    // A cycle may hang between its handlers, in a write.
    const others = cycles.filter((cycle) => !handlers.some((handler) => handler.endsWith(` of ${cycle}`)));
    return [...handlers, ...others.map((cycle) => `cycle of ${cycle}`)];
  }

  async cleanup(signal: AbortSignal): Promise<void> {
    const failures = await this.#activities.cleanup(signal);
    if (failures.length > 0) throw failures[0];
  }

  releaseLease(): Promise<void> {
    this.#requests.abort(new OperatorStoppingError('stop'));
    return Promise.resolve();
  }

  closeApp(): Promise<void> {
    return this.#options.closeApp();
  }
}

function watchStatus(resource: string, { namespace, health }: Reflector, now: number): WatchStatus {
  const { degradedSince } = health;
  return {
    resource,
    namespace,
    state: health.state,
    since: health.since,
    synced: health.synced,
    cause: health.cause?.message,
    lastEventAt: health.lastFrameAt,
    degradedFor: degradedSince === undefined ? undefined : now - degradedSince,
  };
}
