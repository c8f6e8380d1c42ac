import { FatalError } from '../../errors/fatal.error.js';
import { PermanentError } from '../../errors/permanent.error.js';
import { TemporaryError } from '../../errors/temporary.error.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Random } from '../ports/index.js';
import type { HandlerPolicy } from './handler-definition.js';

/** What becomes of a failed attempt. */
export type FailureVerdict =
  | { readonly kind: 'fatal'; readonly error: unknown }
  | { readonly kind: 'ignored'; readonly error: unknown }
  /** No further attempt; `reason` says why. */
  | { readonly kind: 'final'; readonly error: unknown; readonly reason: 'permanent' | 'retries' | 'giveUpAfter' }
  | { readonly kind: 'retry'; readonly error: unknown; readonly delay: number };

export interface FailureInput {
  readonly error: unknown;
  readonly policy: Pick<HandlerPolicy, 'retries' | 'giveUpAfter' | 'backoff'> &
    Partial<Pick<HandlerPolicy, 'errors' | 'asHandlerError' | 'jitter'>>;
  /** This one included. */
  readonly failures: number;
  /** Milliseconds since the first attempt began. */
  readonly runtime: number;
  readonly retry: OperatorConfig['retry'];
  readonly random: Random;
}

/** Judges a failed attempt. A retry that could not succeed any more is a final failure at once. */
export function judgeFailure(input: FailureInput): FailureVerdict {
  const { policy, failures } = input;
  const error = mapError(input);
  if (error instanceof FatalError) return { kind: 'fatal', error };
  if (error instanceof PermanentError) return { kind: 'final', error, reason: 'permanent' };
  if (!(error instanceof TemporaryError)) {
    if (policy.errors === 'ignored') return { kind: 'ignored', error };
    if (policy.errors === 'permanent') return { kind: 'final', error, reason: 'permanent' };
  }
  if (policy.retries !== undefined && failures >= policy.retries) return { kind: 'final', error, reason: 'retries' };
  try {
    const delay = retryDelay(error, input);
    if (policy.giveUpAfter !== undefined && input.runtime + delay > policy.giveUpAfter) {
      return { kind: 'final', error, reason: 'giveUpAfter' };
    }
    return { kind: 'retry', error, delay };
  } catch (backoffError) {
    const both = new AggregateError([error, backoffError], 'The handler failed, and so did its back-off.');
    return { kind: 'retry', error: both, delay: input.retry.cap };
  }
}

/** The mapping is user code as well: what it throws is what the handler is judged by. */
function mapError({ policy, error }: FailureInput): unknown {
  if (policy.asHandlerError === undefined) return error;
  try {
    return policy.asHandlerError(error);
  } catch (mappingError) {
    return new AggregateError([error, mappingError], 'The handler failed, and so did the mapping of its error.');
  }
}

function retryDelay(error: unknown, { policy, failures, retry, random }: FailureInput): number {
  if (error instanceof TemporaryError && error.delay !== undefined) return error.delay;
  const delay = policy.backoff?.(failures) ?? Math.min(retry.cap, retry.initial * retry.factor ** (failures - 1));
  if (!(delay >= 0 && delay < Infinity))
    throw new RangeError(`A back-off must be milliseconds from 0 on, not ${delay}.`);
  return delay * (1 + (policy.jitter ?? retry.jitter) * (2 * random.next() - 1));
}
