import {
  Inject,
  Injectable,
  type INestApplicationContext,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { HandlerExplorer } from '../discovery/handler.explorer.js';
import { buildRegistry, type HandlerRegistry } from '../discovery/handler.registry.js';
import type { Engine, EngineOptions, OperatorStatus } from '../engine/engine-types.js';
import type { OperatorDescription } from '../engine/description/operator-description.js';
import { HealthRoutes } from '../engine/health/health-routes.js';
import type { ElectionConfig } from '../engine/leaderelection/election-config.js';
import { noElection } from '../engine/leaderelection/leadership-status.js';
import { judgeHealth, type OperatorHealth } from '../engine/health/operator-health.js';
import { ObserverHub } from '../engine/observing/observer-hub.js';
import type { ClosableApiClient } from '../engine/client/create-api-client.js';
import {
  ProcessExit,
  type Clock,
  type ExitPort,
  type Logger,
  type ProcessEvents,
  type Random,
  type Timer,
} from '../engine/ports/index.js';
import type { ReleasedResource } from '../engine/release/release-objects.js';
import { releaseResources } from '../engine/release/release-resources.js';
import { deferred } from '../engine/supervision/deferred.js';
import { TerminationLogFile } from '../engine/supervision/termination-log.js';
import { WatchdogThread } from '../engine/supervision/watchdog.js';
import { DuplicateOperatorModuleError } from '../errors/duplicate-operator-module.error.js';
import { indexRegistryOf } from '../indexes/index-providers.js';
import { NestHandlerInvoker } from '../invocation/nest-handler-invoker.js';
import {
  API_CLIENT,
  ENGINE_FACTORY,
  OPERATOR_CLOCK,
  OPERATOR_EXIT,
  OPERATOR_LOGGER,
  OPERATOR_OPTIONS,
  OPERATOR_PROCESS_EVENTS,
  OPERATOR_RANDOM,
} from '../operator.constants.js';
import type { ResolvedOptions } from '../options/resolve-options.js';
import { ContainerCloser, containerOf } from './container-closer.js';
import { electionOf } from './election-of.js';
import type { EngineFactory } from './engine-factory.js';
import { startLastStopFirst } from './hook-order.js';
import { isStartLeftToCaller } from './left-start.js';
import { ProcessGuards, type GuardedEvents } from './process-guards.js';

/** Milliseconds after the start in which the application can be attached. */
const signalCheckAfter = 1_000;

/** One operator per application: two in one process (tests) must not see each other. */
const lifecycles = new WeakMap<ModulesContainer, OperatorLifecycle>();

/** The operator of an application. */
export function lifecycleOf(modules: ModulesContainer): OperatorLifecycle | undefined {
  return lifecycles.get(modules);
}

const idle: OperatorStatus = {
  state: 'idle',
  paused: false,
  tasks: [],
  watches: [],
  objects: {},
  queued: {},
  due: 0,
  running: 0,
  stuck: 0,
  capacity: 0,
  throttled: 0,
  found: false,
  leadership: noElection,
};

/**
 * Ties the engine to the application's life: checks handlers at module init, starts at bootstrap, stops before anything
 * else stops. Every call is safe in any order and any number of times, since Nest runs hooks twice in some set-ups.
 */
@Injectable()
export class OperatorLifecycle implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  /** As {@link Engine.done}, and rejected as well when the engine cannot be built. */
  readonly done: Promise<void>;

  readonly #done = deferred();
  readonly #logger: Logger;
  #engine: Engine | undefined;
  #refusal: Error | undefined;
  #start: Promise<void> | undefined;
  #bootstrapped = false;
  #application: INestApplicationContext | undefined;
  #guards: ProcessGuards | undefined;
  #signalCheck: Timer | undefined;

  constructor(
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(ModuleRef) readonly moduleRef: ModuleRef,
    @Inject(HandlerExplorer) private readonly explorer: HandlerExplorer,
    @Inject(OPERATOR_OPTIONS) readonly options: ResolvedOptions,
    @Inject(API_CLIENT) private readonly client: ClosableApiClient,
    @Inject(OPERATOR_CLOCK) private readonly clock: Clock,
    @Inject(OPERATOR_RANDOM) private readonly random: Random,
    @Inject(OPERATOR_EXIT) private readonly exit: ExitPort,
    @Inject(OPERATOR_LOGGER) private readonly logger: Logger,
    @Inject(OPERATOR_PROCESS_EVENTS) private readonly events: ProcessEvents,
    @Inject(HealthRoutes) private readonly routes: HealthRoutes,
    @Inject(ObserverHub) private readonly observers: ObserverHub,
    @Inject(ENGINE_FACTORY) private readonly createEngine: EngineFactory,
  ) {
    if (lifecycles.has(modules)) throw new DuplicateOperatorModuleError();
    lifecycles.set(modules, this);
    this.#logger = logger.child('OperatorModule');
    this.done = this.#done.promise;
    // Who wants to see the failure may; unobserved it must not become an unhandled rejection.
    this.done.catch(() => undefined);
    if (!startLastStopFirst(modules, OperatorLifecycle)) {
      this.#logger.log('warn', 'Hook order could not be set: other modules may stop before the operator');
    }
  }

  onModuleInit(): void {
    this.#ensureEngine();
  }

  onApplicationBootstrap(): void {
    if (this.#bootstrapped) return;
    this.#bootstrapped = true;
    if (!this.options.autoStart || isStartLeftToCaller()) return;
    // Not awaited: the application must come up without the cluster, and closing it from here would wait for this hook.
    this.start().catch((error: unknown) => {
      // The engine has told and counted the failure, and stops the application.
      this.#logger.log('debug', 'The start at bootstrap failed', {}, error);
    });
  }

  /** Nothing else of the application has stopped yet. */
  async onModuleDestroy(): Promise<void> {
    await this.#engine?.stop({ reason: 'application closes', app: false });
  }

  /** Servers are closed, and the application's own providers had their chance to use the client. */
  async onApplicationShutdown(): Promise<void> {
    this.#signalCheck?.cancel();
    this.#guards?.release();
    await this.client.close();
  }

  /** From now on the engine closes this application, and the process's events lead here. Later calls change nothing. */
  attach(application: INestApplicationContext, guarded: GuardedEvents): void {
    if (this.#application !== undefined) return;
    this.#application = application;
    this.#guards = new ProcessGuards(
      {
        events: this.events,
        clock: this.clock,
        logger: this.logger,
        exit: this.exit,
        state: () => this.getStatus().state,
        stop: (options) => this.#ensureEngine().stop(options),
        fatal: (error, origin) => this.#ensureEngine().fatal(error, origin),
      },
      guarded,
    );
  }

  start(): Promise<void> {
    this.#start ??= this.#startEngine();
    return this.#start;
  }

  async stop(): Promise<void> {
    await this.#ensureEngine().stop();
  }

  async pause(): Promise<void> {
    await this.#ensureEngine().pause();
  }

  resume(): void {
    this.#ensureEngine().resume();
  }

  async whenSynced(): Promise<void> {
    await this.#ensureEngine().whenSynced();
  }

  /** Without an operator at work. */
  release(signal: AbortSignal): Promise<readonly ReleasedResource[]> {
    const { client, options, logger } = this;
    return releaseResources(this.#register().handlers, {
      ...options,
      timeout: options.client.timeout,
      client,
      logger,
      clock: this.clock,
      signal,
    });
  }

  getStatus(): OperatorStatus {
    const capacity = this.options.queue.concurrency.total;
    return this.#engine?.getStatus() ?? { ...idle, capacity };
  }

  describe(): OperatorDescription {
    return this.#ensureEngine().describe();
  }

  get healthPort(): number | undefined {
    return this.#engine?.healthPort;
  }

  async getHealth(): Promise<OperatorHealth> {
    if (this.#engine !== undefined) return this.#engine.getHealth();
    const eventLoop = { lag: 0, worst: 0, late: 0 };
    return judgeHealth({
      status: this.getStatus(),
      eventLoop,
      probes: [],
      limits: this.options.health,
      now: this.clock.now(),
    });
  }

  async #startEngine(): Promise<void> {
    await this.#ensureEngine().start();
    // With autoStart the start is over before whoever created the application can attach it.
    this.#signalCheck ??= this.clock.setTimer(signalCheckAfter, () => this.#reportSignals(), { background: true });
  }

  #ensureEngine(): Engine {
    if (this.#refusal !== undefined) throw this.#refusal;
    this.#engine ??= this.#build();
    return this.#engine;
  }

  #build(): Engine {
    const registry = this.#register();
    if (registry.handlers.length === 0) {
      this.#logger.log(
        'warn',
        'No provider or controller has a handler: nothing is watched. List the handler classes in the providers of a module',
      );
    }
    const container = containerOf(this.moduleRef);
    const election = this.#election();
    const engine = this.createEngine({
      config: this.options,
      handlers: registry.handlers,
      activities: registry.activities,
      invoker: new NestHandlerInvoker(registry, container, this.moduleRef, this.options),
      indexes: indexRegistryOf(this.modules),
      routes: this.routes,
      observer: this.observers.observer,
      client: this.client,
      clock: this.clock,
      random: this.random,
      exit: this.exit,
      logger: this.logger,
      ...this.#lastResorts(),
      ...(election === undefined ? {} : { election }),
      closeApp: () => (this.#application ?? new ContainerCloser(container)).close(),
    });
    engine.done.then(
      () => this.#done.resolve(),
      (error: Error) => this.#done.reject(error),
    );
    return engine;
  }

  /** They act on the process past the exit port, so they belong to the real one only. */
  #lastResorts(): Pick<EngineOptions, 'terminationLog' | 'watchdog'> {
    if (!(this.exit instanceof ProcessExit)) return {};
    return { terminationLog: new TerminationLogFile(this.logger), watchdog: new WatchdogThread(this.logger) };
  }

  #register(): HandlerRegistry {
    const { methods, lostOverrides } = this.explorer.explore();
    for (const method of lostOverrides) {
      this.#logger.log('warn', 'Method overrides a handler but has no handler decorator: it is never called', {
        method,
      });
    }
    return this.#orRefuse(() => buildRegistry(methods, Object.keys(this.options.persistence.stores)));
  }

  #election(): ElectionConfig | undefined {
    return this.#orRefuse(() => electionOf(this.options, this.client, this.random));
  }

  /** What cannot be started now never can. */
  #orRefuse<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      this.#refusal = error as Error;
      if (this.options.crash === 'exit') this.exit.setCode(1);
      this.#done.reject(this.#refusal);
      throw error;
    }
  }

  #reportSignals(): void {
    if (this.events.listenerCount('SIGTERM') > 0) return;
    this.#logger.log(
      'warn',
      'Nobody handles SIGTERM: it ends this process at once, without a clean stop. Use runOperator, OperatorModule.attach or enableShutdownHooks',
    );
  }
}
