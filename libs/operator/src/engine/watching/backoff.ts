import type { GrowingDelay } from '../operator-config.js';
import type { Random } from '../ports/index.js';

/** Growing waits: each one is 1 to 2 times the current delay. */
export class Backoff {
  private failures = 0;

  constructor(
    private readonly delay: GrowingDelay,
    private readonly random: Random,
  ) {}

  /** Milliseconds to wait after one more failure. */
  next(): number {
    const { initial, factor, cap } = this.delay;
    const base = Math.min(cap, initial * factor ** this.failures);
    // Counting on beyond the cap would end in an infinite power.
    if (base < cap) this.failures++;
    return base * (1 + this.random.next());
  }

  reset(): void {
    this.failures = 0;
  }
}
