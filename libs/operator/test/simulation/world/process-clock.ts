import type { Clock, Timer } from '../../../src/engine/ports/index.js';
import type { SimulatedTime } from './simulated-time.js';

/** The clock of one simulated process: when the process is gone, so are its timers. */
export class ProcessClock implements Clock {
  readonly #pending = new Set<Timer>();
  #gone = false;

  constructor(private readonly time: SimulatedTime) {}

  now(): number {
    return this.time.wall;
  }

  monotonic(): number {
    return this.time.now;
  }

  setTimer(delay: number, fire: () => void): Timer {
    if (this.#gone) return { cancel: () => undefined };
    const inner = this.time.after(delay, () => {
      this.#pending.delete(timer);
      fire();
    });
    const timer: Timer = {
      cancel: () => {
        this.#pending.delete(timer);
        inner.cancel();
      },
    };
    this.#pending.add(timer);
    return timer;
  }

  /** Timers that wait. */
  get pending(): number {
    return this.#pending.size;
  }

  /** The process is gone. */
  end(): void {
    this.#gone = true;
    for (const timer of this.#pending) timer.cancel();
  }
}
