import type { Clock, Timer } from '../../src/index.js';

/** A clock that stands still until it is told to go on. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<{ at: number; fire: () => void }>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  get timers(): number {
    return this.#timers.size;
  }

  setTimer(delay: number, fire: () => void): Timer {
    const timer = { at: this.#now + Math.max(0, delay), fire };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** Moves on by `milliseconds`, firing what is due in order. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.fire();
    }
    this.#now = end;
  }
}
