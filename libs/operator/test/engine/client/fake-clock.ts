import type { Clock, Timer } from '../../../src/engine/ports/index.js';

interface Pending {
  readonly due: number;
  readonly fire: () => void;
}

/** A clock that stands still until it is told to move. */
export class FakeClock implements Clock {
  #elapsed = 0;
  readonly #start: number;
  readonly #pending = new Set<Pending>();

  constructor(start = Date.UTC(2030, 0, 1)) {
    this.#start = start;
  }

  now(): number {
    return this.#start + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  setTimer(delay: number, fire: () => void): Timer {
    const entry = { due: this.#elapsed + Math.max(0, delay), fire };
    this.#pending.add(entry);
    return { cancel: () => this.#pending.delete(entry) };
  }

  /** Number of timers that were neither fired nor cancelled. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Milliseconds until the next timer. */
  get next(): number | undefined {
    const due = [...this.#pending].map((entry) => entry.due);
    return due.length === 0 ? undefined : Math.min(...due) - this.#elapsed;
  }

  /** Moves on, firing what falls due on the way in its order. */
  advance(by: number): void {
    const end = this.#elapsed + by;
    for (;;) {
      const [next] = [...this.#pending].filter((entry) => entry.due <= end).toSorted((a, b) => a.due - b.due);
      if (next === undefined) break;
      this.#pending.delete(next);
      this.#elapsed = next.due;
      next.fire();
    }
    this.#elapsed = end;
  }
}
