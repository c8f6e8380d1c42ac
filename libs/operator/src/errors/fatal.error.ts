import { OperatorError } from './operator.error.js';

/** Thrown by a handler to end the whole operator with exit code 1. */
export class FatalError extends OperatorError {
  readonly code = 'OPERATOR_FATAL';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
  }
}
