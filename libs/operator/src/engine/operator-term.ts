import type { LeadershipLostError } from '../errors/leadership-lost.error.js';
import { OperatorStoppingError } from '../errors/operator-stopping.error.js';
import { OperatorAccess } from './access/operator-access.js';
import type { ApiClient } from './client/api-client.js';
import { Discovery } from './client/discovery/discovery.js';
import { describeOperator, type OperatorDescription } from './description/operator-description.js';
import { noObserver } from './engine-observer.js';
import type { EngineOptions } from './engine-types.js';
import { HandlerRunner } from './handling/handler-runner.js';
import { IndexBarrier } from './indexing/index-barrier.js';
import { fencedClient } from './leaderelection/fenced-client.js';
import type { Lead } from './leaderelection/lead.js';
import { ServedNamespaces } from './namespaces/served-namespaces.js';
import type { OperatorStatus, WatchStatus } from './operator-status.js';
import type { Logger } from './ports/index.js';
import { SlotPool } from './queueing/slot-pool.js';
import { EventRecorder } from './recorder/event-recorder.js';
import { ResourceController } from './resource-controller.js';
import type { Assignment } from './selection/assign-resources.js';
import { ControllerSet } from './selection/controller-set.js';
import { DefinitionWatch } from './selection/definition-watch.js';
import { operatorDemands, type OperatorDemand } from './selection/operator-demands.js';
import { ResourceFinder } from './selection/resource-finder.js';
import { endsWithin } from './supervision/bounded-wait.js';
import type { TaskSupervisor } from './supervision/supervised.js';
import { TermTasks } from './term-tasks.js';
import type { Reflector, WatchListSupport } from './watching/reflector.js';
import { WatchGuard } from './watching/watch-guard.js';

export interface OperatorTermOptions extends EngineOptions {
  readonly supervisor: TaskSupervisor;
  /** What it stands for; `undefined`: there is no election, and it works from its start on. */
  readonly lead: Lead | undefined;
  readonly isPaused: () => boolean;
}

/**
 * All that runs for objects: look-up of resources, watches, queues, handlers. It lives as long as the operator, or, with an
 * election after whose loss the operator goes on, from one loss to the next: nothing that it knows outlives it.
 */
export class OperatorTerm {
  readonly #options: OperatorTermOptions;
  readonly #logger: Logger;
  readonly #client: ApiClient;
  readonly #tasks: TermTasks;
  readonly #discovery: Discovery;
  readonly #runner: HandlerRunner;
  readonly #recorder: EventRecorder;
  readonly #access: OperatorAccess;
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
  /** Aborted when nothing new is to come in. */
  readonly #intake = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  readonly #leads = Promise.withResolvers<void>();
  #isLeading: boolean;
  #isStarted = false;

  constructor(options: OperatorTermOptions) {
    this.#options = options;
    const { config, clock, random, logger, supervisor, lead, observer = noObserver } = options;
    this.#isLeading = lead === undefined;
    this.#logger = logger.child('Operator');
    const client = lead === undefined ? options.client : fencedClient(options.client, lead);
    this.#client = client;
    this.#tasks = new TermTasks(supervisor);
    // Whoever asks here asks again, at a pace of its own.
    this.#discovery = new Discovery(client, { retry: 'none', signal: this.#requests.signal });
    this.#runner = new HandlerRunner({
      clock,
      logger: logger.child('Handler'),
      stuckAfter: config.queue.stuckAfter,
      permit: lead,
    });
    this.#recorder = new EventRecorder({
      client,
      operator: config.name,
      enabled: config.events.enabled,
      clock,
      random,
      logger: logger.child('EventRecorder'),
      observer,
    });
    this.#guard = new WatchGuard({ config: config.watching, clock });
    this.#slots = new SlotPool(config.queue.concurrency.total);
    this.#watchListSupport = { offered: config.watching.watchList };
    const shared = {
      config,
      client,
      watchListSupport: this.#watchListSupport,
      clock,
      random,
      logger: this.#logger,
      intake: this.#intake.signal,
      observer,
    };
    this.#namespaces = new ServedNamespaces(shared);
    this.#definitions = new DefinitionWatch({ ...shared, discovery: this.#discovery, supervisor: this.#tasks });
    this.#served = new ControllerSet({
      open: (assignment) => this.#startController(assignment),
      fatal: (error) => this.#tasks.fail(error, 'change of a resource'),
    });
    this.#barrier = new IndexBarrier({
      needed: options.handlers.some(({ triggers }) => triggers.some(({ on }) => on === 'index')),
      config: config.watching,
      clock,
      logger: this.#logger,
      signal: this.#intake.signal,
    });
    this.#access = new OperatorAccess({
      config,
      // A replica that stands by asks as well.
      client: options.client,
      namespaces: this.#namespaces,
      resources: () => this.#controllers,
      supervisor: this.#tasks,
      lease: options.election,
      logger,
    });
    // Observed by whenSynced() only; a start that never comes so far is told elsewhere.
    this.#lookups.promise.catch(() => undefined);
  }

  get lead(): Lead | undefined {
    return this.#options.lead;
  }

  /** Resolves when it is over, or ends. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** It is over, or ends. */
  get isOver(): boolean {
    return this.#intake.signal.aborted;
  }

  /** Starts the tasks, once. */
  start(): void {
    if (this.#isStarted || this.isOver) return;
    this.#isStarted = true;
    const tasks = this.#tasks;
    tasks.run('event recorder', (signal) => this.#recorder.run(signal));
    tasks.run('watch guard', (signal) => this.#guard.run(signal));
    this.#namespaces.start(tasks, this.#guard);
    this.#access.start();
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
    tasks.run('lookup of resources', (signal) => finder.run(signal));
  }

  /** Has the server asked for what it needs by what is known now. */
  review(): void {
    this.#access.look();
  }

  /** This replica leads: handlers begin as soon as the stores show what the server has. */
  gainLead(): void {
    this.#isLeading = true;
    this.start();
    this.#leads.resolve();
  }

  status(): Omit<OperatorStatus, 'state' | 'tasks' | 'leadership' | 'paused'> {
    const controllers = this.#controllers;
    const perResource = (count: (controller: ResourceController) => number): Record<string, number> =>
      Object.fromEntries(controllers.map((controller) => [controller.name, count(controller)]));
    const sum = (count: (controller: ResourceController) => number): number =>
      controllers.reduce((total, controller) => total + count(controller), 0);
    const now = this.#options.clock.monotonic();
    const watch = (resource: string, reflector: Reflector): WatchStatus => watchStatus(resource, reflector, now);
    return {
      watches: [
        ...(this.#namespaces.reflector === undefined ? [] : [watch('namespaces.v1', this.#namespaces.reflector)]),
        ...controllers.flatMap(({ name, reflectors }) => reflectors.map((reflector) => watch(name, reflector))),
      ],
      objects: perResource(({ store }) => store.size),
      queued: perResource(({ queue }) => queue.size),
      due: sum(({ due }) => due) + (this.#recorder.busy ? 1 : 0),
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

  /** Resolves when every watch is synced and, once this replica leads, each object of the first lists has had its first cycle begun. */
  async synced(): Promise<void> {
    if (!this.#isStarted && !this.#isLeading) return;
    await Promise.all([this.#lookups.promise, this.#namespaces.synced]);
    if (this.#isLeading) await Promise.all(this.#controllers.map(({ begun }) => begun));
    await Promise.all(this.#controllers.map((controller) => controller.whenSynced()));
  }

  stopIntake(reason: Error): void {
    this.#intake.abort(reason);
    this.#over.resolve();
    for (const { queue } of this.#controllers) queue.close();
  }

  stopBackground(reason: OperatorStoppingError | LeadershipLostError): void {
    for (const { processor } of this.#controllers) processor.daemons.stopAll(reason);
  }

  /** `isPaused` has another answer. */
  pauseChanged(): void {
    for (const controller of this.#controllers) controller.pauseChanged();
  }

  /** Resolves when no handler runs any more. */
  async drained(): Promise<void> {
    await Promise.all([
      ...this.#controllers.map(({ queue }) => queue.drained()),
      ...this.#controllers.map(({ processor }) => processor.daemons.ended()),
    ]);
  }

  abortHandlers(reason: Error): void {
    this.#runner.abortAll(reason);
  }

  /** What still runs, by name. */
  stragglers(): readonly string[] {
    const handlers = this.#runner.names();
    const cycles = this.#controllers.flatMap(({ name, queue }) => queue.runningKeys.map((key) => `${name} ${key}`));
    // A cycle may hang between its handlers, in a write.
    const others = cycles.filter((cycle) => !handlers.some((handler) => handler.endsWith(` of ${cycle}`)));
    return [...handlers, ...others.map((cycle) => `cycle of ${cycle}`)];
  }

  endRequests(reason: Error): void {
    this.#requests.abort(reason);
  }

  /** At once: nothing new begins, and all that works for objects has its signal. */
  loseLead(reason: LeadershipLostError): void {
    this.#tasks.close(reason);
    this.stopIntake(reason);
    this.stopBackground(reason);
    this.abortHandlers(reason);
    this.endRequests(reason);
  }

  /**
   * After the loss of the lead: resolves when nothing of it runs any more.
   *
   * @throws the reason, when handlers do not end
   */
  async end(reason: LeadershipLostError): Promise<void> {
    const { clock, config, indexes } = this.#options;
    if (!(await endsWithin(clock, this.drained(), config.shutdown.grace))) {
      const handlers = this.stragglers();
      this.#logger.log('error', 'Handlers do not end after the loss of the lead', { handlers });
      throw reason;
    }
    await this.#tasks.end(reason);
    indexes.clear();
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
      leads: this.#isLeading ? undefined : this.#leads.promise,
      permit: this.#options.lead,
      isPaused: this.#options.isPaused,
      config,
      namespaces: this.#namespaces,
      guard: this.#guard,
      supervisor: this.#tasks,
      client: this.#client,
      discovery: this.#discovery,
      definitions: this.#definitions,
      invoker,
      runner: this.#runner,
      events: this.#recorder,
      slots: this.#slots,
      watchListSupport: this.#watchListSupport,
      observer: this.#options.observer ?? noObserver,
      clock,
      random,
      logger,
      signal: this.#requests.signal,
      intake: this.#intake.signal,
      fatal: (error, origin) => this.#tasks.fail(error, origin),
    });
    controller.start();
    if (controller.indexer.isNeeded) this.#barrier.add(controller.whenIndexed());
    return controller;
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
