import type { SupersededBecause } from '../../errors/object-superseded.error.js';

/** Why a call is to end. `exiting`: the operator stops; `timeout`: the attempt's own time is up. */
export type StopReason = SupersededBecause | 'exiting' | 'timeout';

/** Whether a call is to end, why, and a way to wait that ends with it. */
export interface Stopped {
  /** The call is to end. */
  readonly requested: boolean;
  /** Why; `undefined` until then. */
  readonly reason: StopReason | undefined;
  /** Aborted when the call is to end. */
  readonly signal: AbortSignal;
  /**
   * Waits on the operator's clock, for this long at most (milliseconds, or `'90s'`; default: without limit). True as soon
   * as the call is to end, false when the time is over.
   */
  wait(time?: number | string): Promise<boolean>;
}
