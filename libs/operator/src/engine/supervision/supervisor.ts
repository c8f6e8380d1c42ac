import { OperatorFailedError } from '../../errors/operator-failed.error.js';
import { OperatorStoppingError } from '../../errors/operator-stopping.error.js';
import { StopDeadlineError } from '../../errors/stop-deadline.error.js';
import { TaskEndedError } from '../../errors/task-ended.error.js';
import type { EngineObserver } from '../engine-observer.js';
import { errorFact } from '../observing/error-fact.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Clock, EmergencyOutput, ExitPort, Logger, Timer } from '../ports/index.js';
import { StderrOutput } from '../ports/index.js';
import { freshMacrotask } from './bounded-wait.js';
import { ensureError } from './cause-chain.js';
import { deferred } from './deferred.js';
import { FinalReport } from './final-report.js';
import { guardLogger } from './guarded-logger.js';
import { Lifecycle } from './lifecycle.js';
import { isStopReason, RootTasks } from './root-tasks.js';
import { StoppingSequence, type StopStep } from './stopping-sequence.js';
import type { OperatorState, RootTaskStatus, StoppableTask, StopParticipant, TaskSupervisor } from './supervised.js';
import type { TerminationLog } from './termination-log.js';

/** Ends the process from outside the event loop, should the loop be blocked. */
export interface StopWatchdog {
  /** `deadline`: milliseconds from now to the end of the stop. */
  arm(deadline: number): void;
  disarm(): void;
}

export interface SupervisorOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly exit: ExitPort;
  readonly config: Pick<OperatorConfig, 'shutdown' | 'crash'>;
  /** May be set later, through the property. */
  readonly participant?: StopParticipant;
  /** Where the level-3 error is also written. Unused with `crash: 'reject'`. */
  readonly terminationLog?: TerminationLog;
  /** Armed while stopping. Unused with `crash: 'reject'`. */
  readonly watchdog?: StopWatchdog;
  /** @defaultValue stderr */
  readonly emergencyOutput?: EmergencyOutput;
  readonly observer?: EngineObserver;
}

export interface SupervisorStopOptions {
  /** For the log: a signal's name, `close`. */
  readonly reason?: string;
  /**
   * `false`: the application is being closed by the caller. Step 7 is left out, and the promise resolves once the
   * application may close.
   *
   * @defaultValue true
   */
  readonly app?: boolean;
  /** End the process with the recorded code once the stop is done. A failure ends it in any case. Unused with `crash: 'reject'`. */
  readonly exitAfterStop?: boolean;
}

const idleParticipant: StopParticipant = {
  stopIntake: () => undefined,
  stopBackground: () => undefined,
  drained: () => Promise.resolve(),
  abortHandlers: () => undefined,
  stragglers: () => [],
  cleanup: () => Promise.resolve(),
  releaseLease: () => Promise.resolve(),
  closeApp: () => Promise.resolve(),
};

/**
 * Owns the life of the operator: its state, its tasks, and its one stopping sequence.
 *
 * An unrecoverable error is logged at three levels: where it happened (level 1, the part's own record), when it ends the
 * operator (level 2, here, once), and as the last record of the operator with the whole chain (level 3).
 */
export class Supervisor implements TaskSupervisor {
  /** Resolves after a clean stop, rejects with an OperatorFailedError after a failure. Unobserved it harms nobody. */
  readonly done: Promise<void>;
  /** What the stop does to the rest of the operator. Set it before `begin()`. */
  participant: StopParticipant;

  readonly #options: SupervisorOptions;
  readonly #logger: Logger;
  readonly #lifecycle: Lifecycle;
  readonly #tasks: RootTasks;
  readonly #report: FinalReport;
  readonly #done = deferred();
  readonly #readyToClose = deferred();
  /** Resolves at the end of the stop, failed or not. */
  readonly #concluded = deferred();
  readonly #abandoned = new AbortController();
  #failure: OperatorFailedError | undefined;
  #failedLate = false;
  #sequence: StoppingSequence | undefined;
  #deadline: Timer | undefined;
  #deadlineAt = Infinity;
  #closedElsewhere = false;
  #closeAsked = false;
  #exitAfterStop = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    const emergencyOutput = options.emergencyOutput ?? new StderrOutput();
    this.#logger = guardLogger(options.logger, emergencyOutput).child('Supervisor');
    this.participant = options.participant ?? idleParticipant;
    this.#lifecycle = new Lifecycle(this.#logger, options.observer);
    const isStopping = (): boolean => this.#lifecycle.stopping;
    this.#tasks = new RootTasks(this.#logger, {
      get stopping() {
        return isStopping();
      },
      onTaskFailed: (task, error) => this.#taskFailed(task, error),
      onTaskEnded: (task) => this.#taskEnded(task),
    });
    this.#report = new FinalReport({
      logger: this.#logger,
      terminationLog: this.#exits ? options.terminationLog : undefined,
      emergencyOutput,
    });
    this.done = this.#done.promise;
    // Level 3 reports the failure; whoever wants to see it here as well may.
    this.done.catch(() => undefined);
  }

  get state(): OperatorState {
    return this.#lifecycle.state;
  }

  get tasks(): readonly RootTaskStatus[] {
    return this.#tasks.status();
  }

  /** The error that the operator failed with. Known at once, before the stop is done. */
  get failure(): OperatorFailedError | undefined {
    return this.#failure;
  }

  /** What the process is to end with: 0, or 1 as soon as something failed. */
  get exitCode(): number {
    return this.#failure === undefined && !this.#failedLate ? 0 : 1;
  }

  /** Resolves when steps 2 to 6 of a stop are through. */
  get readyToClose(): Promise<void> {
    return this.#readyToClose.promise;
  }

  /** From idle to starting; false when the start had begun before, or a stop did. */
  begin(): boolean {
    return this.#lifecycle.move('starting');
  }

  /** From starting to running; false when a stop began meanwhile: then the start must not go on. */
  markRunning(): boolean {
    return this.#lifecycle.move('running');
  }

  run(
    name: string,
    task: (signal: AbortSignal) => Promise<void>,
    options: { readonly phase?: 'root' | 'lease' | 'last' } = {},
  ): StoppableTask {
    if (this.#lifecycle.stopping) {
      this.#logger.log('debug', 'Task not started: the operator stops', { task: name });
      return { stop: () => Promise.resolve() };
    }
    return this.#tasks.start(name, task, { phase: options.phase ?? 'root', finite: false });
  }

  /** Starts nothing from step 4 of a stop on; during the drain, handlers may still need it. */
  async runFinite(name: string, task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#lifecycle.stopping && this.#lifecycle.state !== 'draining') {
      this.#logger.log('debug', 'Task not started: the operator stops', { task: name });
      return;
    }
    await this.#tasks.start(name, task, { phase: 'root', finite: true }).ended;
  }

  fail(error: unknown, origin: string): void {
    this.#fail(error, origin, 'Unrecoverable error; the operator stops', { origin });
  }

  /**
   * The start failed: the same sequence as for any failure. Always rejects, at its end, with the level-3 error; or with
   * the error given, when that only says that a clean stop cut the start short.
   */
  async failStart(error: unknown): Promise<never> {
    this.#fail(error, 'start', 'The start failed; the operator stops', {});
    await this.#concluded.promise;
    throw this.#failure ?? ensureError(error);
  }

  /**
   * The clean stop. Idempotent, in any state, also after a failure, when it joins the stop under way. Never rejects:
   * what failed is told by `done`.
   */
  async stop(options: SupervisorStopOptions = {}): Promise<void> {
    const app = options.app ?? true;
    if (app) this.#closeAsked = true;
    // A call from within our own closing of the application (step 7) is no close from elsewhere.
    if (!app && this.#sequence?.step !== 'application') this.#closedElsewhere = true;
    if (options.exitAfterStop) this.#exitAfterStop = true;
    if (!this.#lifecycle.stopping) {
      this.#logger.log('info', 'Operator stops', { reason: options.reason ?? 'stop' });
      this.#beginStop(options.reason ?? 'stop');
    }
    await (app ? this.#concluded.promise : this.#readyToClose.promise);
  }

  #taskFailed(task: string, error: unknown): void {
    this.#fail(error, task, 'Root task failed unrecoverably; the operator stops', { task });
  }

  #taskEnded(task: string): void {
    this.#logger.log('warn', 'Task finished unexpectedly', { task });
    this.#taskFailed(task, new TaskEndedError(task));
  }

  #fail(thrown: unknown, origin: string, message: string, fields: Readonly<Record<string, string>>): void {
    const error = ensureError(thrown);
    if (this.#lifecycle.stopping && isStopReason(error)) {
      this.#logger.log('debug', 'Cut short by the stop', { origin });
      return;
    }
    if (!this.#recordFailure(error, origin)) {
      this.#logger.log('error', 'Later failure while stopping', { origin }, error);
      return;
    }
    this.#logger.log('error', message, fields, error);
    if (!this.#lifecycle.stopping) this.#beginStop('failure');
  }

  /** Step 1. The first error wins: tells whether this is the first. */
  #recordFailure(error: Error, origin: string): boolean {
    if (this.#exits) this.#options.exit.setCode(1);
    if (this.#failure !== undefined) return false;
    if (this.#lifecycle.final) {
      // `done` has resolved after a clean stop; the code is all that can still tell.
      this.#failedLate = true;
      return false;
    }
    this.#failure = new OperatorFailedError(origin, { cause: error });
    this.#options.observer?.onFailure?.(errorFact(error));
    return true;
  }

  /** Steps 1 and 2, then the rest on a fresh macrotask: a caller may sit in a hook that the closing waits for. */
  #beginStop(reason: string): void {
    const { clock, config, watchdog } = this.#options;
    const { deadline } = config.shutdown;
    const begun = this.#lifecycle.state !== 'idle';
    this.#lifecycle.move('draining');
    this.#deadlineAt = clock.monotonic() + deadline;
    this.#deadline = clock.setTimer(deadline, () => this.#deadlinePassed());
    if (this.#exits) watchdog?.arm(deadline);
    const sequence = new StoppingSequence({
      clock,
      logger: this.#logger,
      shutdown: config.shutdown,
      participant: this.participant,
      tasks: this.#tasks,
      crash: this.#failure !== undefined,
      begun,
      reason: new OperatorStoppingError(reason),
      deadlineAt: this.#deadlineAt,
      abandoned: this.#abandoned.signal,
      onDrained: () => this.#lifecycle.move('stopping'),
      onReadyToClose: () => this.#readyToClose.resolve(),
      // With 'reject', a failure is the operator's alone: the application goes on unless somebody asked for its end.
      closesApp: () => !this.#closedElsewhere && (this.#exits || this.#closeAsked),
      onStepFailed: (step, error) => this.#stepFailed(step, error),
    });
    this.#sequence = sequence;
    sequence.stopIntake();
    freshMacrotask(clock)
      .then(() => sequence.run())
      .catch((error: unknown) => this.#stepFailed(sequence.step, error))
      .finally(() => this.#conclude({ forced: false }));
  }

  /** Counts as a failure, and the stop goes on. */
  #stepFailed(step: StopStep, thrown: unknown): void {
    const error = ensureError(thrown);
    this.#recordFailure(error, `stop (${step})`);
    this.#logger.log('error', 'A step of the stop failed; the stop goes on', { step }, error);
  }

  #deadlinePassed(): void {
    const step = this.#sequence?.step ?? 'intake';
    const error = new StopDeadlineError(this.#options.config.shutdown.deadline, step, this.#stragglers());
    const first = this.#recordFailure(error, `stop (${step})`);
    // As the first failure it is told by level 3.
    if (!first) this.#logger.log('error', 'The stop did not end by its deadline', { step }, error);
    this.#abandoned.abort(error);
    this.#tasks.cancel('last', error);
    this.#conclude({ forced: true });
  }

  /** Step 8, once. */
  #conclude({ forced }: { readonly forced: boolean }): void {
    if (this.#lifecycle.final) return;
    this.#deadline?.cancel();
    this.#report.hungTasks(this.#stragglers());
    const failure = this.#failure;
    this.#lifecycle.move(failure === undefined ? 'stopped' : 'failed');
    if (failure === undefined) this.#logger.log('info', 'Operator stopped');
    else this.#report.failed(failure, { forced: forced && this.#exits });
    this.#readyToClose.resolve();
    this.#concluded.resolve();
    if (failure === undefined) this.#done.resolve();
    else this.#done.reject(failure);
    if (this.#exits && (failure !== undefined || this.#exitAfterStop)) this.#leave(forced);
    else this.#options.watchdog?.disarm();
  }

  #leave(forced: boolean): void {
    const { clock, exit } = this.#options;
    if (forced) exit.exit(this.exitCode);
    else if (this.#closedElsewhere) {
      // Whoever closes the application goes on with it, and the process then ends by itself, or by the repeated signal.
      this.#deadline = clock.setTimer(Math.max(0, this.#deadlineAt - clock.monotonic()), () => this.#closeHung(), {
        background: true,
      });
    } else {
      // One macrotask for those who await `done`.
      clock.setTimer(0, () => exit.exit(this.exitCode));
    }
  }

  #closeHung(): void {
    this.#options.exit.setCode(1);
    this.#logger.log('error', 'The application did not close by the deadline; the process ends');
    this.#options.exit.exit(1);
  }

  #stragglers(): readonly string[] {
    const tasks = this.#tasks.runningNames().map((name) => `task ${name}`);
    try {
      return [...this.participant.stragglers(), ...tasks];
    } catch (error) {
      // Asked on the way out: the exit must not depend on the answer.
      this.#logger.log('error', 'The running handlers could not be named', {}, error);
      return tasks;
    }
  }

  get #exits(): boolean {
    return this.#options.config.crash === 'exit';
  }
}
