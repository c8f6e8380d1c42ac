import type { Clock, Timer } from '../../../src/engine/ports/index.js';

interface Pending {
  readonly due: number;
  readonly fire: () => void;
}

/** Lets everything that is ready run: promise reactions, and one turn of the loop. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** A clock that stands still until it is told to move. */
export class FakeClock implements Clock {
  private elapsed = 0;
  private readonly timers = new Set<Pending>();

  now(): number {
    return Date.UTC(2030, 0, 1) + this.elapsed;
  }

  monotonic(): number {
    return this.elapsed;
  }

  setTimer(delay: number, fire: () => void): Timer {
    const timer = { due: this.elapsed + Math.max(0, delay), fire };
    this.timers.add(timer);
    return { cancel: () => this.timers.delete(timer) };
  }

  get pending(): number {
    return this.timers.size;
  }

  /** Moves on from timer to timer, letting what each one woke run before the next. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.elapsed + milliseconds;
    await settle();
    for (;;) {
      const next = [...this.timers].filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.timers.delete(next);
      this.elapsed = next.due;
      next.fire();
      await settle();
    }
    this.elapsed = end;
    await settle();
  }

  /** Time passes while nothing runs, as when the loop is blocked: what fell due meanwhile fires at the end, all at once. */
  block(milliseconds: number): void {
    this.elapsed += milliseconds;
    for (const timer of [...this.timers].filter(({ due }) => due <= this.elapsed)) {
      this.timers.delete(timer);
      timer.fire();
    }
  }
}
