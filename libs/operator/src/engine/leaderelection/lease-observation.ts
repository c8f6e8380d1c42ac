import { durationOf, fingerprintOf, holderOf, type LeaseSpec } from './lease-record.js';

/** An empty holder with a longer time than this is no release: somebody has edited the lease, and its holder may not know yet. */
const releasedDuration = 1_000;

/**
 * What others have shown of the lease, on the own monotonic clock alone: a record counts for its duration from the moment on
 * at which it was first seen. Times that stand in it are never compared with any clock.
 */
export class LeaseObservation {
  readonly #ownDuration: number;
  #spec: LeaseSpec | undefined;
  #fingerprint: string | undefined;
  #seenAt = 0;

  /** @param ownDuration - counts for records that give none */
  constructor(ownDuration: number) {
    this.#ownDuration = ownDuration;
  }

  /** Who holds the lease, as last seen. */
  get holder(): string | undefined {
    return this.#spec === undefined ? undefined : holderOf(this.#spec);
  }

  /** `undefined`: there is no lease. The end of its holder's time is not: it may live and not know. */
  see(spec: LeaseSpec | undefined, now: number): void {
    if (spec === undefined) return;
    const fingerprint = fingerprintOf(spec);
    if (fingerprint === this.#fingerprint) return;
    this.#spec = spec;
    this.#fingerprint = fingerprint;
    this.#seenAt = now;
  }

  /** Monotonic time from which on nobody is held up by what was seen. */
  get freeFrom(): number {
    const spec = this.#spec;
    if (spec === undefined) return -Infinity;
    const duration = durationOf(spec);
    if (holderOf(spec) !== undefined) return this.#seenAt + (duration ?? this.#ownDuration);
    return duration === undefined || duration <= releasedDuration ? -Infinity : this.#seenAt + duration;
  }
}
