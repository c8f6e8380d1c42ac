import { OperatorError } from './operator.error.js';

/** The reason of every signal that the operator aborts because it stops. Never a failure by itself. */
export class OperatorStoppingError extends OperatorError {
  readonly code = 'OPERATOR_STOPPING';
  /** Why it stops: a signal's name, `close`, `failure`. */
  readonly reason: string;

  constructor(reason: string) {
    super(`The operator stops: ${reason}.`);
    this.reason = reason;
  }
}
