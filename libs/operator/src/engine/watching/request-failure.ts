import { ApiError } from '../../errors/api.error.js';
import { NetworkError } from '../../errors/network.error.js';
import { RequestTimeoutError } from '../../errors/request-timeout.error.js';

/**
 * What a failed list or watch request means for the reflector.
 *
 * - `gone`: the version asked for is no longer known (410).
 * - `too-large`: the version asked for lies in the server's future (504 of that cause).
 * - `throttled`: 429.
 * - `refused`: 401 or 403.
 * - `not-found`: 404; discovery tells what it means.
 * - `rejected`: any other 4xx: the server does not take this form of the request.
 * - `server`: 408 and 5xx.
 * - `network`: no complete answer.
 */
export type FailureKind =
  'gone' | 'too-large' | 'throttled' | 'refused' | 'not-found' | 'rejected' | 'server' | 'network';

/** `undefined`: no failure that the reflector knows how to deal with. */
export function failureKind(error: unknown): FailureKind | undefined {
  if (error instanceof NetworkError || error instanceof RequestTimeoutError) return 'network';
  if (!(error instanceof ApiError)) return undefined;
  if (error.isGone) return 'gone';
  if (error.isTooLargeResourceVersion) return 'too-large';
  switch (error.status) {
    case 429:
      return 'throttled';
    case 401:
    case 403:
      return 'refused';
    case 404:
      return 'not-found';
    case 408:
      return 'server';
    default:
      return error.status >= 400 && error.status < 500 ? 'rejected' : 'server';
  }
}
