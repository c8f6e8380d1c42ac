import { OperatorError } from './operator.error.js';

/**
 * - `expired`: the lease could not be renewed in time, or too little is left of it for another write.
 * - `taken`: the lease names somebody else, or nobody.
 * - `not-leading`: this process has never led, or does not lead any more.
 */
export type LeadershipLostBecause = 'expired' | 'taken' | 'not-leading';

/**
 * This replica does not lead any more. The reason of the signals of all handlers that ran under the lead, and the error of
 * writes that would have begun after it. Not a failure of a handler.
 */
export class LeadershipLostError extends OperatorError {
  readonly code = 'OPERATOR_LEADERSHIP_LOST';
  /** `namespace/name`. */
  readonly lease: string;
  readonly because: LeadershipLostBecause;

  constructor(lease: string, because: LeadershipLostBecause, message: string, options?: ErrorOptions) {
    super(`The lead by lease ${lease} is lost: ${message}`, options);
    this.lease = lease;
    this.because = because;
  }
}
