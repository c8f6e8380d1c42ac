import type { Clock, ExitPort, Logger, ProcessEvents } from '../engine/ports/index.js';
import { installProcessErrors } from '../engine/supervision/process-errors.js';
import type { OperatorState } from '../engine/supervision/supervised.js';
import type { SupervisorStopOptions } from '../engine/supervision/supervisor.js';
import { ownStopSignals } from '../engine/supervision/signals.js';

/** Which events of the process lead to the operator. */
export interface GuardedEvents {
  /** SIGTERM and SIGINT. */
  readonly signals: boolean;
  /** Errors that nobody caught: all, those of handlers, or none. */
  readonly errors: 'all' | 'own' | 'none';
}

export interface GuardTarget {
  readonly events: ProcessEvents;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly exit: ExitPort;
  state(): OperatorState;
  stop(options: SupervisorStopOptions): Promise<void>;
  fatal(error: unknown, origin: string): void;
}

/** The process-wide listeners of one operator. */
export class ProcessGuards {
  readonly #removers: (() => void)[] = [];
  #signalled = false;

  constructor(target: GuardTarget, guarded: GuardedEvents) {
    const { events, clock, logger, exit } = target;
    if (guarded.errors !== 'none') {
      const supervisor = { fail: (error: unknown, origin: string) => target.fatal(error, origin) };
      this.#removers.push(installProcessErrors({ events, supervisor, mode: guarded.errors }));
    }
    if (guarded.signals) {
      const stop = (options: SupervisorStopOptions = {}): Promise<void> => {
        this.#signalled = true;
        return target.stop(options);
      };
      const supervisor = {
        stop,
        get state() {
          return target.state();
        },
        get exitCode() {
          return target.state() === 'failed' ? 1 : 0;
        },
      };
      this.#removers.push(ownStopSignals({ events, clock, logger, exit, supervisor }));
    }
  }

  /**
   * Gives the process back once the application is closed. After a signal the listeners stay to the end: Nest raises the
   * signal again, and it must not end the process with another code.
   */
  release(): void {
    if (this.#signalled) return;
    for (const remove of this.#removers.splice(0)) remove();
  }
}
