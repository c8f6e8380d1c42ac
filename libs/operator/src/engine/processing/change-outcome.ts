import {
  refusesChange,
  settlesFirstSight,
  type ChangeDecision,
  type DecisionView,
} from '../handling/change-decision.js';
import type { FailureVerdict } from '../handling/attempt-outcome.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import type { HandledState } from '../persistence/handled-state.js';
import type { Attempt, HandlerProgress } from '../persistence/object-record.js';

export interface AttemptTimes {
  readonly startedAt: number;
  readonly lastAt: number;
  readonly now: number;
}

/** The progress of a handler after an attempt that succeeded, or failed for good: both deal with what it saw. */
export function progressAfterEnd(
  handler: ResourceHandler,
  before: HandlerProgress,
  decision: ChangeDecision,
  saw: HandledState,
  failed: boolean,
): HandlerProgress {
  switch (decision.cause) {
    case 'delete': {
      const holds = failed && decision.trigger.on === 'delete' && decision.trigger.onGiveUp === 'hold';
      return { ...before, attempt: undefined, deletionDone: true, holds };
    }
    case 'resume':
      // What it changed itself must not come back to it as an update.
      return handler.tracksState && before.handled !== undefined ? { ...before, handled: saw } : before;
    default:
      return { ...before, attempt: undefined, creationOpen: false, handled: saw };
  }
}

/** The attempt to remember when another one follows. */
export function failedAttempt(
  decision: ChangeDecision,
  verdict: Extract<FailureVerdict, { kind: 'retry' }>,
  saw: HandledState,
  times: AttemptTimes,
): Attempt {
  return {
    cause: decision.cause,
    saw: decision.cause === 'create' || decision.cause === 'update' ? saw : undefined,
    failures: (decision.attempt?.failures ?? 0) + 1,
    startedAt: times.startedAt,
    lastAt: times.lastAt,
    nextAt: times.now + Math.ceil(verdict.delay),
  };
}

/** The attempt to remember while parts of a handler's work are open: no failure of its own. */
export function openAttempt(decision: ChangeDecision, nextAt: number, saw: HandledState, times: AttemptTimes): Attempt {
  return {
    cause: decision.cause,
    saw: decision.cause === 'create' || decision.cause === 'update' ? saw : undefined,
    failures: 0,
    startedAt: times.startedAt,
    lastAt: times.lastAt,
    nextAt,
  };
}

/**
 * The progress of a handler that takes something as handled without a call: the object as it was at its first sight, or a
 * change that it refuses. `undefined`: neither.
 */
export function settledProgress(
  handler: ResourceHandler,
  progress: HandlerProgress,
  view: DecisionView,
  sight: DecisionView,
): HandlerProgress | undefined {
  if (settlesFirstSight(handler, progress, sight)) {
    // A creation that its filters keep back may still come.
    const creationOpen = handler.creating.some((trigger) => trigger.on === 'create');
    return { ...progress, handled: { kind: 'essence', essence: sight.essence }, creationOpen };
  }
  if (!refusesChange(handler, progress, view)) return undefined;
  return { ...progress, handled: { kind: 'essence', essence: view.essence }, attempt: undefined };
}
