import { PermanentError } from '../../errors/permanent.error.js';
import { TemporaryError } from '../../errors/temporary.error.js';

export type FailureLevel = 'warn' | 'error';

/** A handler that asks for another attempt goes its way; any other error is a surprise, and is logged with its stack. */
export function retryLevel(error: unknown): FailureLevel {
  return error instanceof TemporaryError ? 'warn' : 'error';
}

/** A handler that refuses an object has done its work: that is the object's trouble, not the operator's. */
export function finalLevel(error: unknown): FailureLevel {
  return error instanceof PermanentError ? 'warn' : 'error';
}
