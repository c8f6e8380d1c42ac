import { LeadershipLostError } from '../../errors/leadership-lost.error.js';
import type { Clock } from '../ports/index.js';
import { leastTimeForWrite, safeTime, type ElectionConfig } from './election-config.js';
import type { WritePermit } from './write-permit.js';

/** A write has ended that long before the lease may run out: for its way to the server, and clocks that go unevenly. */
const margin = 500;

/**
 * One term of leadership: the fence before each write that is made under it. It judges by the monotonic clock at the moment
 * of asking, so that a late timer lets nothing through.
 */
export class Lead implements WritePermit {
  readonly #lease: string;
  readonly #clock: Clock;
  readonly #config: ElectionConfig;
  #onExpired: () => void = () => undefined;
  /** Monotonic time at which the last renewal that succeeded was sent. `undefined`: not led yet. */
  #heldFrom: number | undefined;
  #end: LeadershipLostError | undefined;

  constructor(config: ElectionConfig, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
    this.#lease = `${config.namespace}/${config.name}`;
  }

  /** Has the first who finds that its time is over tell so. */
  onExpired(tell: () => void): void {
    this.#onExpired = tell;
  }

  /** Whether work may go on now. */
  get isLeading(): boolean {
    return this.#end === undefined && this.left > 0;
  }

  /** Milliseconds until the lead counts as lost, without another renewal. */
  get left(): number {
    return this.#heldFrom === undefined ? 0 : this.#heldFrom + safeTime(this.#config) - this.#clock.monotonic();
  }

  /** The lease was written, by a request that was sent at this monotonic time. */
  extend(heldFrom: number): void {
    this.#heldFrom = Math.max(heldFrom, this.#heldFrom ?? heldFrom);
  }

  /** It is over, and why. The first reason counts. */
  end(error: LeadershipLostError): void {
    this.#end ??= error;
  }

  /**
   * Milliseconds within which a write that begins now must have ended.
   *
   * @throws LeadershipLostError when none may begin
   */
  timeForWrite(): number {
    if (this.isLeading && this.#heldFrom !== undefined) {
      const left = this.#heldFrom + this.#config.leaseDuration - this.#clock.monotonic();
      if (left >= leastTimeForWrite) return left - margin;
    }
    if (this.#end === undefined && this.#heldFrom !== undefined) this.#onExpired();
    throw this.#end ?? new LeadershipLostError(this.#lease, 'not-leading', 'this replica does not lead.');
  }
}
