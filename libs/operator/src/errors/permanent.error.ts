import { OperatorError } from './operator.error.js';

/** Thrown by a handler that cannot succeed for this state of the object: no further attempt until the state changes. */
export class PermanentError extends OperatorError {
  readonly code = 'OPERATOR_PERMANENT';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
  }
}
