import { OperatorError } from './operator.error.js';

/**
 * Credentials for the API server cannot be had: a file is missing, or a credential plugin keeps failing. Passing trouble
 * was retried before this is thrown, for one minute at most.
 */
export class CredentialsError extends OperatorError {
  readonly code = 'OPERATOR_CREDENTIALS';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
  }
}
