import { ApiError } from '../../errors/api.error.js';
import { NetworkError } from '../../errors/network.error.js';
import { RequestTimeoutError } from '../../errors/request-timeout.error.js';
import type { ApiVerb, RetryRule } from './api-client.js';

/** The longest Retry-After that a write waits for. */
const longestWriteWait = 1_000;

export interface FailedAttempt {
  readonly rule: RetryRule;
  readonly verb: ApiVerb;
  /** How often the request was repeated before. */
  readonly repeats: number;
  readonly error: unknown;
}

/** Milliseconds to wait before the request is repeated, or undefined if it is not. */
export function delayBeforeRetry(attempt: FailedAttempt, readDelays: readonly number[]): number | undefined {
  switch (attempt.rule) {
    case 'reads':
      return delayForRead(attempt, readDelays);
    case 'write-once':
      return attempt.repeats === 0 ? delayForWrite(attempt) : undefined;
    case 'none':
      return undefined;
  }
}

function delayForRead({ repeats, error }: FailedAttempt, delays: readonly number[]): number | undefined {
  const delay = delays[repeats];
  if (delay === undefined) return undefined;
  if (error instanceof NetworkError || error instanceof RequestTimeoutError) return delay;
  if (error instanceof ApiError && mayPass(error)) return Math.max(delay, error.retryAfter ?? 0);
  return undefined;
}

function mayPass(error: ApiError): boolean {
  // Asking the same again cannot help: the caller has to ask for another version.
  if (error.isTooLargeResourceVersion) return false;
  return error.status === 408 || error.status === 429 || error.status >= 500;
}

function delayForWrite({ verb, error }: FailedAttempt): number | undefined {
  if (error instanceof NetworkError) {
    // A connection that breaks is usually an idle one that the server had just closed: no reason to wait. A server that
    // cannot be reached is given a moment.
    if (error.mayHaveReachedServer) return verb === 'create' ? undefined : 0;
    return longestWriteWait;
  }
  // Whatever was answered, the request has reached the server: a create is not sent again.
  if (verb === 'create' || !(error instanceof ApiError)) return undefined;
  return error.retryAfter !== undefined && error.retryAfter <= longestWriteWait ? error.retryAfter : undefined;
}
