import { parseDuration } from '../duration.js';
import { OperatorError } from './operator.error.js';

/**
 * Thrown by a handler that wants another attempt.
 *
 * `delay` (milliseconds, or `'90s'`) overrides the handler's back-off for this once; 0 means at once. Without it, the
 * back-off decides.
 */
export class TemporaryError extends OperatorError {
  readonly code = 'OPERATOR_TEMPORARY';
  /** Milliseconds. */
  readonly delay: number | undefined;

  constructor(message: string, options: { readonly delay?: number | string; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.delay = options.delay === undefined ? undefined : parseDuration(options.delay);
  }
}
