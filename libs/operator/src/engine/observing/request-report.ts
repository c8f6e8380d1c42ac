import type { ApiRequest } from '../client/api-client.js';
import type { EngineObserver, RequestFact } from '../engine-observer.js';
import type { Clock } from '../ports/index.js';
import { describePath } from './describe-path.js';
import { isHeard } from './is-heard.js';
import { errorFact } from './error-fact.js';
import { runWithin } from './run-within.js';

/** Tells of one attempt of a request, from its start until its answer was read, or a watch was accepted. */
export function observeRequest<Answer extends { readonly status: number }>(
  observer: EngineObserver,
  clock: Clock,
  request: ApiRequest,
  attempt: { readonly number: number; readonly pool: RequestFact['pool'] },
  send: () => Promise<Answer>,
): Promise<Answer> {
  if (!isHeard(observer, 'onRequestStart', 'onRequestEnd', 'withinRequest')) return send();
  const fact: RequestFact = {
    verb: request.verb,
    ...describePath(request.path),
    pool: request.pool ?? attempt.pool,
    attempt: attempt.number,
  };
  return observed(observer, clock, fact, send);
}

async function observed<Answer extends { readonly status: number }>(
  observer: EngineObserver,
  clock: Clock,
  fact: RequestFact,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const startedAt = clock.monotonic();
  observer.onRequestStart?.(fact);
  const within = observer.withinRequest && ((it: RequestFact, work: () => void) => observer.withinRequest?.(it, work));
  try {
    const answer = await runWithin(within, fact, send);
    const duration = clock.monotonic() - startedAt;
    observer.onRequestEnd?.(fact, { status: answer.status, duration, error: undefined });
    return answer;
  } catch (error) {
    const duration = clock.monotonic() - startedAt;
    observer.onRequestEnd?.(fact, { status: statusOf(error), duration, error: errorFact(error) });
    throw error;
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : undefined;
}
