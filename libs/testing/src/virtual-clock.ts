import type { Clock, Duration, ClockTimer } from 'nestjs-operator';
import { parseDuration } from 'nestjs-operator/internal';
import { EventLoopRest } from './event-loop-rest.js';

interface PendingTimer {
  readonly due: number;
  readonly order: number;
  readonly fire: () => void;
}

/**
 * Time that moves only when a test says so. Between two moments it lets everything come to rest that does not wait for
 * time: requests over real sockets included, as long as a probe tells of them.
 */
export class VirtualClock implements Clock {
  readonly #timers = new Set<PendingTimer>();
  readonly #rest: EventLoopRest;
  #monotonic = 0;
  #wallOffset: number;
  #order = 0;
  #moving: Promise<unknown> = Promise.resolve();

  /** @param start - the wall clock's first value, milliseconds since 1970 */
  constructor(rest = new EventLoopRest(), start = Date.UTC(2026, 0, 1)) {
    this.#rest = rest;
    this.#wallOffset = start;
  }

  now(): number {
    return this.#wallOffset + this.#monotonic;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  setTimer(delay: number, fire: () => void): ClockTimer {
    const timer: PendingTimer = { due: this.#monotonic + Math.max(0, delay), order: (this.#order += 1), fire };
    this.#timers.add(timer);
    return { cancel: () => this.#timers.delete(timer) };
  }

  /** Timers that wait. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Milliseconds until the next timer; `undefined` when none waits. */
  get untilNext(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : next.due - this.#monotonic;
  }

  /** Moves the wall clock alone, as an administrator would. */
  jump(milliseconds: number): void {
    this.#wallOffset += milliseconds;
  }

  /** Lets everything come to rest that does not wait for time. Time stands still. */
  settle(): Promise<void> {
    return this.advance(0);
  }

  /** Moves time on (milliseconds, or `'1h30m'`), timer by timer, with everything at rest in between. */
  async advance(time: Duration): Promise<void> {
    const milliseconds = parseDuration(time);
    return this.#exclusively(async () => {
      const target = this.#monotonic + milliseconds;
      await this.#rest.reached();
      for (;;) {
        const next = this.#next();
        if (next === undefined || next.due > target) break;
        await this.#fire(next.due);
      }
      this.#monotonic = target;
      await this.#rest.reached();
    });
  }

  /**
   * Moves time on until `condition` holds, checked whenever everything is at rest.
   *
   * @throws when it does not hold after `limit` milliseconds (default ten minutes) of virtual time
   */
  advanceUntil(condition: () => boolean | Promise<boolean>, limit = 600_000): Promise<void> {
    return this.#exclusively(async () => {
      const end = this.#monotonic + limit;
      await this.#rest.reached();
      while (!(await condition())) {
        const next = this.#next();
        if (next === undefined || next.due > end) {
          throw new Error(`The condition did not come true within ${limit} ms of virtual time: ${String(condition)}`);
        }
        await this.#fire(next.due);
      }
    });
  }

  /** Moves time on for as long as `work` needs, and settles like it. */
  async during<T>(work: Promise<T>): Promise<T> {
    const state = { ended: false };
    const end = (): void => {
      state.ended = true;
    };
    work.then(end, end);
    await this.advanceUntil(() => state.ended);
    return work;
  }

  async #fire(due: number): Promise<void> {
    this.#monotonic = Math.max(this.#monotonic, due);
    for (let next = this.#next(); next !== undefined && next.due <= this.#monotonic; next = this.#next()) {
      this.#timers.delete(next);
      next.fire();
    }
    await this.#rest.reached();
  }

  #next(): PendingTimer | undefined {
    let first: PendingTimer | undefined;
    for (const timer of this.#timers) {
      if (first === undefined || timer.due < first.due || (timer.due === first.due && timer.order < first.order))
        first = timer;
    }
    return first;
  }

  /** One movement at a time: a second caller waits for the first. */
  #exclusively<T>(movement: () => Promise<T>): Promise<T> {
    const result = this.#moving.then(movement);
    // The caller gets the failure; the next movement only waits for the end of this one.
    this.#moving = result.catch(() => undefined);
    return result;
  }
}
