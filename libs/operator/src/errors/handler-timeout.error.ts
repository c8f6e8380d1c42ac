import { OperatorError } from './operator.error.js';

/** The reason of a handler's abort signal when its `timeout` has passed, and the outcome of such an attempt. */
export class HandlerTimeoutError extends OperatorError {
  readonly code = 'OPERATOR_HANDLER_TIMEOUT';

  constructor(handler: string, timeout: number, options: { readonly cause?: unknown } = {}) {
    super(
      `Handler ${handler} did not end within its timeout of ${timeout} ms. ` +
        "Pass the context's signal to what it waits for, or raise the timeout.",
      options.cause === undefined ? undefined : { cause: options.cause },
    );
  }
}
