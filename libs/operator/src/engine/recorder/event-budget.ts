import type { Clock } from '../ports/index.js';

const burst = 25;
const refillEvery = 300_000;
/** Objects remembered; the one that posted longest ago is forgotten first. */
const mostObjects = 4_096;

interface Bucket {
  left: number;
  filledAt: number;
}

/** Per object 25 events at once, then one every five minutes. */
export class EventBudget {
  readonly #buckets = new Map<string, Bucket>();

  constructor(private readonly clock: Clock) {}

  /** Whether one more request for an event about the object may be sent. */
  take(uid: string): boolean {
    const now = this.clock.monotonic();
    const bucket = this.#buckets.get(uid) ?? { left: burst, filledAt: now };
    this.#buckets.delete(uid);
    this.#buckets.set(uid, bucket);
    const refills = Math.floor((now - bucket.filledAt) / refillEvery);
    bucket.left = Math.min(burst, bucket.left + refills);
    bucket.filledAt += refills * refillEvery;
    if (this.#buckets.size > mostObjects) {
      for (const oldest of this.#buckets.keys()) {
        this.#buckets.delete(oldest);
        break;
      }
    }
    if (bucket.left === 0) return false;
    bucket.left -= 1;
    return true;
  }

  /** Milliseconds until the object has something to spend again; 0 when it has. */
  wait(uid: string): number {
    const bucket = this.#buckets.get(uid);
    if (bucket === undefined || bucket.left > 0) return 0;
    return Math.max(0, bucket.filledAt + refillEvery - this.clock.monotonic());
  }
}
