import type { OperatorStoppingError } from '../../errors/operator-stopping.error.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Clock, Logger } from '../ports/index.js';
import { endsWithin } from './bounded-wait.js';
import type { RootTasks } from './root-tasks.js';
import type { StopParticipant } from './supervised.js';

export type StopStep = 'intake' | 'drain' | 'tasks' | 'clean-up' | 'lease' | 'application';

export interface StoppingSequenceParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly shutdown: OperatorConfig['shutdown'];
  readonly participant: StopParticipant;
  readonly tasks: RootTasks;
  /** A failure began the stop: the drain is short. */
  readonly crash: boolean;
  /** The start had begun: there is something to drain and to clean up. */
  readonly begun: boolean;
  readonly reason: OperatorStoppingError;
  /** On the monotonic clock. */
  readonly deadlineAt: number;
  /** Aborted when the deadline took over: the remaining steps are dropped. */
  readonly abandoned: AbortSignal;
  onDrained(): void;
  /** Steps 2 to 6 are through. */
  onReadyToClose(): void;
  /** Asked at step 7, since a close from elsewhere may have begun meanwhile. */
  closesApp(): boolean;
  onStepFailed(step: StopStep, error: unknown): void;
}

/**
 * Steps 2 to 7 of a stop, clean or not. Step 1 (the first error wins) and step 8 (report and exit) are the supervisor's.
 *
 * The deadline bounds the whole; besides, each wait leaves a part of the time to the steps after it, so that one that
 * hangs takes nothing from them: a hung handler does not cost the clean-up.
 */
export class StoppingSequence {
  readonly #parts: StoppingSequenceParts;
  #step: StopStep = 'intake';
  #drained = false;

  constructor(parts: StoppingSequenceParts) {
    this.#parts = parts;
  }

  get step(): StopStep {
    return this.#step;
  }

  /** Step 2, synchronous. */
  stopIntake(): void {
    if (!this.#parts.begun) return;
    try {
      this.#parts.participant.stopIntake();
    } catch (error) {
      this.#parts.onStepFailed('intake', error);
    }
  }

  /** Steps 3 to 7. Never rejects. */
  async run(): Promise<void> {
    const { begun, abandoned } = this.#parts;
    const nothing = (): Promise<void> => Promise.resolve();
    const steps: readonly (readonly [StopStep, () => Promise<void>])[] = [
      ['drain', begun ? () => this.#drain() : nothing],
      ['tasks', () => this.#cancelRootTasks()],
      ['clean-up', begun ? () => this.#cleanUp() : nothing],
      ['lease', () => this.#leaveLease()],
      ['application', () => this.#closeApp()],
    ];
    for (const [step, act] of steps) {
      if (abandoned.aborted) return;
      this.#step = step;
      await this.#reported(act);
    }
  }

  /** Step 3. */
  async #drain(): Promise<void> {
    const { participant, shutdown, crash, reason, clock, logger } = this.#parts;
    await this.#reported(() => participant.stopBackground(reason));
    const drained = this.#reported(async () => {
      await participant.drained();
      this.#drained = true;
    });
    if (await endsWithin(clock, drained, crash ? shutdown.crashDrain : shutdown.drain)) return;
    logger.log('warn', 'Handlers still run at the end of the drain; they are aborted', {
      handlers: participant.stragglers(),
    });
    participant.abortHandlers(reason);
    await endsWithin(clock, drained, this.#share());
  }

  /** Step 4. */
  async #cancelRootTasks(): Promise<void> {
    const { tasks, clock, reason, logger } = this.#parts;
    this.#parts.onDrained();
    tasks.cancel('root', reason);
    await endsWithin(clock, tasks.ended('root'), this.#share());
    logger.log('debug', 'Root tasks stopped', { hung: tasks.runningNames('root').length });
  }

  /** Step 5. */
  async #cleanUp(): Promise<void> {
    const { participant, clock, reason, logger } = this.#parts;
    const limit = new AbortController();
    const cleanup = this.#reported(() => participant.cleanup(limit.signal));
    if (await endsWithin(clock, cleanup, this.#left() - this.#share())) return;
    logger.log('warn', 'Clean-up did not end in time; it is aborted');
    limit.abort(reason);
    await endsWithin(clock, cleanup, this.#share());
  }

  /** Step 6. The renewal ends first, else it would race with the release. */
  async #leaveLease(): Promise<void> {
    const { participant, tasks, clock, reason, logger, begun } = this.#parts;
    tasks.cancel('lease', reason);
    await endsWithin(clock, tasks.ended('lease'), this.#share());
    if (begun) {
      // A task that ignores its signal may still write, as a handler may.
      const working = [...tasks.runningNames('root'), ...tasks.runningNames('lease')];
      const clean = this.#drained && working.length === 0;
      const left = this.#reported(() => participant.releaseLease(clean));
      if (!(await endsWithin(clock, left, this.#share()))) {
        logger.log('warn', 'The lease was not released in time; it runs out by itself');
      }
    }
    this.#parts.onReadyToClose();
  }

  /** Step 7. */
  async #closeApp(): Promise<void> {
    const { participant, tasks, clock, reason } = this.#parts;
    try {
      if (this.#parts.closesApp()) await participant.closeApp();
    } finally {
      tasks.cancel('last', reason);
      await endsWithin(clock, tasks.ended('last'), this.#share());
    }
  }

  /** Milliseconds to the deadline. */
  #left(): number {
    return Math.max(0, this.#parts.deadlineAt - this.#parts.clock.monotonic());
  }

  /** What one wait may take after a signal: the grace, and at most half of what is left. */
  #share(): number {
    return Math.min(this.#parts.shutdown.grace, this.#left() / 2);
  }

  /** Resolves at the end of `act`; a failure is reported, and the sequence goes on. */
  async #reported(act: () => unknown): Promise<void> {
    const step = this.#step;
    try {
      await act();
    } catch (error) {
      this.#parts.onStepFailed(step, error);
    }
  }
}
