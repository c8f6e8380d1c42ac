import type { Activity } from '../activity.js';
import { systemClock, type Clock, type Timer } from '../clock.js';

/** Why a call was given up. */
export type CallEnd = 'deadline' | 'closed';

/**
 * How long the server counts as busy with a call, in real milliseconds. Time that is virtual must not run while the
 * other side is at work, but has to run when it is stuck; there is no telling but by waiting.
 */
const longestWork = 1000;

/** Turns of the event loop for answers that are there when time is up, but not read yet because this process is slow. */
const lateTurns = 8;

/** The time that a call may take: on the server's clock, and not beyond the server's end. */
export class CallDeadline {
  readonly #controller = new AbortController();
  readonly #timer: Timer;
  readonly #onClose = (): void => this.#end('closed');
  #release: (() => void) | undefined;
  #work: Timer | undefined;
  #ended: CallEnd | undefined;
  #over = false;

  constructor(
    clock: Clock,
    private readonly activity: Activity,
    private readonly closing: AbortSignal,
    timeout: number,
  ) {
    this.#timer = clock.setTimer(timeout, () => this.#expire(lateTurns, activity.begin()), { background: true });
    closing.addEventListener('abort', this.#onClose, { once: true });
    this.atWork();
    if (closing.aborted) this.#end('closed');
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get ended(): CallEnd | undefined {
    return this.#ended;
  }

  /** The other side has something to do now: the server is busy, for a while. */
  atWork(): void {
    if (this.#ended !== undefined || this.#release !== undefined) return;
    this.#release = this.activity.begin();
    this.#work = systemClock.setTimer(longestWork, () => this.waits(), { background: true });
  }

  /** The other side waits for time to pass. */
  waits(): void {
    this.#work?.cancel();
    this.#release?.();
    this.#release = undefined;
  }

  /** The call is over, in whatever way. */
  done(): void {
    this.#over = true;
    this.waits();
    this.#timer.cancel();
    this.closing.removeEventListener('abort', this.#onClose);
  }

  #expire(turns: number, done: () => void): void {
    if (turns > 0 && !this.#over) {
      setImmediate(() => this.#expire(turns - 1, done));
      return;
    }
    this.#end('deadline');
    done();
  }

  #end(how: CallEnd): void {
    if (this.#over) return;
    this.#ended ??= how;
    this.#controller.abort();
  }
}
