import type { Clock, Timer } from '../ports/index.js';

/** How punctual the event loop is. All in milliseconds. */
export interface EventLoopHealth {
  /** How late the last timer was, or is by now. */
  readonly lag: number;
  /** The most that a timer was late within the last minute of being watched. */
  readonly worst: number;
  /** How many timers in a row were late by more than the limit. */
  readonly late: number;
}

const interval = 1_000;
/** Ticks that `worst` looks back on. */
const remembered = 60;
/** Nobody looks: nobody measures. */
const forgottenAfter = 120_000;

/** Measures, for as long as somebody looks, how late timers are. Costs nothing otherwise. */
export class EventLoopMonitor {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #lags: number[] = [];
  #timer: Timer | undefined;
  #due = 0;
  #lookedAt = 0;
  #late = 0;
  #closed = false;

  /** `limit`: a timer that is later than this counts as late, in milliseconds. */
  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  read(): EventLoopHealth {
    const now = this.#clock.monotonic();
    this.#lookedAt = now;
    if (this.#timer === undefined && !this.#closed) this.#arm(now);
    const overdue = this.#timer === undefined ? 0 : Math.max(0, now - this.#due);
    const lag = Math.max(overdue, this.#lags.at(-1) ?? 0);
    return {
      lag: Math.round(lag),
      worst: Math.round(Math.max(overdue, 0, ...this.#lags)),
      late: this.#late,
    };
  }

  /** For good. */
  close(): void {
    this.#closed = true;
    this.#pause();
  }

  #pause(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#lags.length = 0;
    this.#late = 0;
  }

  #arm(now: number): void {
    this.#due = now + interval;
    this.#timer = this.#clock.setTimer(interval, () => this.#tick(), { background: true });
  }

  #tick(): void {
    const now = this.#clock.monotonic();
    const lag = Math.max(0, now - this.#due);
    if (now - this.#lookedAt > forgottenAfter + lag) {
      this.#pause();
      return;
    }
    this.#lags.push(lag);
    if (this.#lags.length > remembered) this.#lags.shift();
    this.#late = lag > this.#limit ? this.#late + 1 : 0;
    this.#arm(now);
  }
}
