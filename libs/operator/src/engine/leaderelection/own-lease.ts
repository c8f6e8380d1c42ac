import { ApiError } from '../../errors/api.error.js';
import type { Clock } from '../ports/index.js';
import type { ElectionConfig } from './election-config.js';
import { fingerprintOf, holderOf, type LeaseObject, type LeaseSpec } from './lease-record.js';
import type { LeaseStore } from './lease-store.js';
import { microTime } from './micro-time.js';

/** The lease as this process has written it. */
interface Held {
  readonly lease: LeaseObject;
  readonly spec: LeaseSpec;
  /** Monotonic time at which the request was sent: nobody has seen the record before. */
  readonly from: number;
}

/** A write whose answer did not come: it may have been done. */
interface Attempt {
  readonly fingerprint: string;
  readonly sentAt: number;
}

/** Writes without an answer that are remembered. */
const mostAttempts = 16;

/**
 * What this process has written to the lease itself. A record that it has not written is somebody else's, also under the
 * same identity; one that it has written counts from the moment on at which it was sent.
 */
export class OwnLease {
  readonly #store: LeaseStore;
  readonly #config: ElectionConfig;
  readonly #clock: Clock;
  #held: Held | undefined;
  #attempts: readonly Attempt[] = [];

  constructor(store: LeaseStore, config: ElectionConfig, clock: Clock) {
    this.#store = store;
    this.#config = config;
    this.#clock = clock;
  }

  /** Monotonic time at which the last write that is known to be done was sent. `undefined`: the lease is not ours. */
  get heldFrom(): number | undefined {
    return this.#held?.from;
  }

  get transitions(): number {
    return this.#held?.spec.leaseTransitions ?? 0;
  }

  /** Takes the lease as it was read, or makes it. False: somebody else was faster. */
  async acquire(lease: LeaseObject | undefined, signal: AbortSignal): Promise<boolean> {
    const before = lease === undefined ? undefined : (lease.spec ?? {});
    const now = this.#timeAfter(before?.renewTime);
    this.#held = await this.#write(
      lease,
      {
        ...before,
        holderIdentity: this.#config.identity,
        leaseDurationSeconds: this.#seconds,
        acquireTime: now,
        renewTime: now,
        leaseTransitions: before === undefined ? 0 : (before.leaseTransitions ?? 0) + 1,
      },
      signal,
    );
    return this.#held !== undefined;
  }

  /** False: somebody has written or deleted the lease. */
  async renew(signal: AbortSignal): Promise<boolean> {
    const { lease, spec } = this.#mustBeHeld();
    try {
      return await this.#hold(lease, { ...spec, renewTime: this.#timeAfter(spec.renewTime) }, signal);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false;
      throw error;
    }
  }

  /** Makes the lease again that somebody has deleted. False: somebody else has made it. */
  async recreate(signal: AbortSignal): Promise<boolean> {
    const { spec } = this.#mustBeHeld();
    return this.#hold(undefined, { ...spec, renewTime: this.#timeAfter(spec.renewTime) }, signal);
  }

  /** Goes on from the lease as it was read, if it is ours still. */
  adopt(lease: LeaseObject): boolean {
    const spec = lease.spec ?? {};
    const own = this.#recognize(lease, spec) ?? this.#edited(lease, spec);
    if (own !== undefined) this.#held = own;
    return own !== undefined;
  }

  /** Whether a record is ours, its answer known or not. */
  isOwn(lease: LeaseObject): boolean {
    return this.#recognize(lease, lease.spec ?? {}) !== undefined;
  }

  /** It is somebody else's. */
  drop(): void {
    this.#held = undefined;
  }

  /** Gives it back. False: it is not ours. */
  async release(signal: AbortSignal): Promise<boolean> {
    // Twice: a write whose answer was cut off may have been done.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      if (this.#held === undefined || attempt > 0) this.#held = await this.#find(signal);
      if (this.#held === undefined) return false;
      const { lease, spec } = this.#held;
      const now = this.#timeAfter(spec.renewTime);
      const empty = { ...spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
      if ((await this.#store.replace(lease, empty, signal)) !== undefined) {
        this.#held = undefined;
        return true;
      }
    }
    return false;
  }

  get #seconds(): number {
    return Math.ceil(this.#config.leaseDuration / 1_000);
  }

  #mustBeHeld(): Held {
    if (this.#held === undefined) throw new Error('A lease that is not held cannot be renewed.');
    return this.#held;
  }

  async #find(signal: AbortSignal): Promise<Held | undefined> {
    if (this.#held === undefined && this.#attempts.length === 0) return undefined;
    const lease = await this.#store.read(signal);
    return lease === undefined ? undefined : this.#recognize(lease, lease.spec ?? {});
  }

  async #hold(lease: LeaseObject | undefined, spec: LeaseSpec, signal: AbortSignal): Promise<boolean> {
    const held = await this.#write(lease, spec, signal);
    if (held !== undefined) this.#held = held;
    return held !== undefined;
  }

  /** `undefined`: a conflict. */
  async #write(lease: LeaseObject | undefined, spec: LeaseSpec, signal: AbortSignal): Promise<Held | undefined> {
    const attempt = { fingerprint: fingerprintOf(spec), sentAt: this.#clock.monotonic() };
    this.#attempts = [...this.#attempts.slice(1 - mostAttempts), attempt];
    const refused = (): void => {
      this.#attempts = this.#attempts.filter((other) => other !== attempt);
    };
    try {
      const written = await (lease === undefined
        ? this.#store.create(spec, signal)
        : this.#store.replace(lease, spec, signal));
      if (written === undefined) {
        refused();
        return undefined;
      }
      // What was sent before has been overtaken.
      this.#attempts = [];
      return { lease: written, spec: written.spec ?? spec, from: attempt.sentAt };
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) refused();
      throw error;
    }
  }

  #recognize(lease: LeaseObject, spec: LeaseSpec): Held | undefined {
    if (holderOf(spec) !== this.#config.identity) return undefined;
    const fingerprint = fingerprintOf(spec);
    const attempt = this.#attempts.find((one) => one.fingerprint === fingerprint);
    if (attempt !== undefined) return { lease, spec, from: attempt.sentAt };
    const held = this.#held;
    return held !== undefined && fingerprintOf(held.spec) === fingerprint ? { ...held, lease } : undefined;
  }

  /** Our record, with something changed in it that does not concern who leads. */
  #edited(lease: LeaseObject, spec: LeaseSpec): Held | undefined {
    const held = this.#held;
    if (held === undefined || holderOf(spec) !== this.#config.identity) return undefined;
    const same = (['acquireTime', 'leaseTransitions'] as const).every((field) => spec[field] === held.spec[field]);
    return same ? { ...held, lease, spec: { ...spec, leaseDurationSeconds: this.#seconds } } : undefined;
  }

  /** The wall clock may stand still or go back: two records of one holder must differ all the same. */
  #timeAfter(before: string | null | undefined): string {
    const now = this.#clock.now();
    const text = microTime(now);
    return text === before ? microTime(now + 0.0015) : text;
  }
}
