import { OperatorStoppingError } from '../errors/operator-stopping.error.js';
import type { OperatorDescription } from './description/operator-description.js';
import { noObserver } from './engine-observer.js';
import type { Engine, EngineOptions, OperatorStatus } from './engine-types.js';
import { ActivityRunner } from './handling/activity-runner.js';
import { HandlerRunner } from './handling/handler-runner.js';
import { HealthDesk } from './health/health-desk.js';
import type { OperatorHealth } from './health/operator-health.js';
import type { ElectionConfig } from './leaderelection/election-config.js';
import { Elector } from './leaderelection/elector.js';
import { Lead } from './leaderelection/lead.js';
import { noElection } from './leaderelection/leadership-status.js';
import { OperatorTerm } from './operator-term.js';
import type { Logger } from './ports/index.js';
import { endsWithin } from './supervision/bounded-wait.js';
import type { StopParticipant } from './supervision/supervised.js';
import { Supervisor, type SupervisorStopOptions } from './supervision/supervisor.js';

/** Builds the engine. Nothing runs before `start()`. */
export function createEngine(options: EngineOptions): Engine {
  return new OperatorEngine(options);
}

/** The operator without its host: everything from start-up handlers to clean-up, under one supervisor. */
class OperatorEngine implements Engine, StopParticipant {
  readonly #options: EngineOptions;
  readonly #logger: Logger;
  readonly #supervisor: Supervisor;
  /** For what every replica calls, whoever leads. */
  readonly #runner: HandlerRunner;
  readonly #activities: ActivityRunner;
  readonly #health: HealthDesk;
  readonly #elector: Elector | undefined;
  #term: OperatorTerm;
  /** Aborted with step 2 of a stop: nothing new comes in. */
  readonly #intake = new AbortController();
  #start: Promise<void> | undefined;
  /** The start-up handlers, until the last one that was called has ended. */
  #startup: Promise<void> = Promise.resolve();
  #whenSynced: Promise<void> | undefined;
  /** Set while the operator is paused. */
  #pause: PromiseWithResolvers<void> | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    const { config, clock, random, exit, logger, election, observer = noObserver } = options;
    this.#logger = logger.child('Operator');
    this.#supervisor = new Supervisor({
      clock,
      logger,
      exit,
      config,
      participant: this,
      observer,
      ...(options.terminationLog === undefined ? {} : { terminationLog: options.terminationLog }),
      ...(options.watchdog === undefined ? {} : { watchdog: options.watchdog }),
    });
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
      observer,
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
    this.#elector = election && this.#newElector(election);
    this.#term = this.#newTerm();
    const stopLooking = (): void => this.#health.close();
    this.done.then(stopLooking, stopLooking);
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

  async pause(): Promise<void> {
    const { clock, config } = this.#options;
    if (this.#pause === undefined) {
      this.#pause = Promise.withResolvers();
      this.#logger.log('info', 'Operator paused');
      this.#term.pauseChanged();
    }
    const { drain } = config.shutdown;
    const over = Promise.race([this.#term.drained(), this.#pause.promise, this.#ended()]);
    if (await endsWithin(clock, over, drain)) return;
    this.#logger.log('warn', 'Operator paused while handlers go on', { handlers: this.#term.stragglers() });
  }

  resume(): void {
    if (this.#pause === undefined) return;
    this.#pause.resolve();
    this.#pause = undefined;
    this.#logger.log('info', 'Operator resumed');
    this.#term.pauseChanged();
  }

  fatal(error: unknown, origin = 'application'): void {
    this.#supervisor.fail(error, origin);
  }

  getStatus(): OperatorStatus {
    const status = this.#term.status();
    return {
      ...status,
      state: this.#supervisor.state,
      paused: this.#pause !== undefined,
      tasks: this.#supervisor.tasks,
      running: status.running + this.#runner.running,
      stuck: status.stuck + this.#runner.stuck,
      leadership: this.#elector?.status ?? noElection,
    };
  }

  describe(): OperatorDescription {
    return this.#term.describe();
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
    await this.#elector?.decided;
    const term = this.#term;
    await Promise.race([term.synced(), term.over]);
    if (term === this.#term && !term.isOver) return;
    // The end of the operator is no sync: how it ended is what whoever waits is told.
    if (this.#intake.signal.aborted) await this.done;
    // The lead was lost meanwhile.
    else await this.#sync();
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
    const { config, handlers } = this.#options;
    const elector = this.#elector;
    if (elector === undefined) this.#term.start();
    else {
      // Who may not have the lease would never come to anything else.
      this.#term.review();
      this.#supervisor.run('leader election', (signal) => elector.run(signal), { phase: 'lease' });
    }
    this.#logger.log('info', 'Operator started', { name: config.name, handlers: handlers.length });
    this.#untilDone(this.#sync()).then(
      () => this.#options.observer?.onSynced?.(),
      // It ended before: what is told of that is the last word.
      () => undefined,
    );
  }

  #newTerm(): OperatorTerm {
    const { election, clock } = this.#options;
    const lead = election && new Lead(election, clock);
    return new OperatorTerm({
      ...this.#options,
      supervisor: this.#supervisor,
      lead,
      isPaused: () => this.#pause !== undefined,
    });
  }

  #newElector(config: ElectionConfig): Elector {
    const { client, clock, random, logger, observer } = this.#options;
    return new Elector({
      client,
      config,
      clock,
      random,
      logger,
      withdrawn: this.#intake.signal,
      onStanding: () => this.#stand(config),
      onGained: () => this.#term.gainLead(),
      onLost: (error) => this.#term.loseLead(error),
      stepDown: (error) => this.#term.end(error),
      onState: () => {
        if (this.#elector !== undefined) observer?.onLeadership?.(this.#elector.status);
      },
    });
  }

  /** A term that another one has ended is followed by one that knows nothing. */
  #stand({ warmStandby }: ElectionConfig): Lead {
    if (this.#term.isOver) this.#term = this.#newTerm();
    if (warmStandby) this.#term.start();
    const { lead } = this.#term;
    if (lead === undefined) throw new Error('A term of an operator that stands for election has a lead.');
    return lead;
  }

  stopIntake(): void {
    const reason = new OperatorStoppingError('stop');
    this.#intake.abort(reason);
    this.#term.stopIntake(reason);
  }

  stopBackground(reason: Error): void {
    this.#term.stopBackground(
      reason instanceof OperatorStoppingError ? reason : new OperatorStoppingError(reason.message),
    );
  }

  async drained(): Promise<void> {
    const { clock, config } = this.#options;
    // Aborted with the intake already: it only needs the time to end. Its failure is told by start().
    const startup = this.#startup.catch(() => undefined);
    await Promise.all([endsWithin(clock, startup, config.shutdown.grace), this.#term.drained()]);
  }

  abortHandlers(reason: Error): void {
    this.#runner.abortAll(reason);
    this.#term.abortHandlers(reason);
  }

  stragglers(): readonly string[] {
    return [...this.#runner.names(), ...this.#term.stragglers()];
  }

  async cleanup(signal: AbortSignal): Promise<void> {
    const failures = await this.#activities.cleanup(signal);
    if (failures.length > 0) throw failures[0];
  }

  async releaseLease(clean: boolean): Promise<void> {
    this.#term.endRequests(new OperatorStoppingError('stop'));
    await this.#elector?.leave(clean, new AbortController().signal);
  }

  closeApp(): Promise<void> {
    return this.#options.closeApp();
  }
}
