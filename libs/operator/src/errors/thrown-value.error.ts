import { OperatorError } from './operator.error.js';

/** Stands for a thrown value that is no Error. */
export class ThrownValueError extends OperatorError {
  readonly code = 'OPERATOR_THROWN_VALUE';

  /** `description` must not hold the content of an object. */
  constructor(description: string) {
    super(`Something other than an Error was thrown: ${description}. Throw an Error, so that its origin is known.`);
  }
}
