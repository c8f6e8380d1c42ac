import { OperatorError } from './operator.error.js';

/** A duration that is neither a number of milliseconds nor a text such as `'90s'`. */
export class InvalidDurationError extends OperatorError {
  readonly code = 'OPERATOR_INVALID_DURATION';

  constructor(found: string) {
    super(
      `${found} is not a duration. Give a number of milliseconds from 0 on, or a text such as '500ms', '90s', '1h30m' or '2d'.`,
    );
  }
}
