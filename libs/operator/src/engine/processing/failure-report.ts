import { judgeFailure, type FailureVerdict } from '../handling/attempt-outcome.js';
import type { ChangeDecision } from '../handling/change-decision.js';
import { finalLevel, retryLevel } from '../handling/failure-level.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import { objectKey, type StoredObject } from '../kube-object.js';
import type { ProcessingEnvironment } from './processing-environment.js';

export interface FailedAttempt {
  readonly handler: ResourceHandler;
  readonly decision: ChangeDecision;
  readonly object: StoredObject;
  readonly error: unknown;
  /** Start of the first attempt for this difference, and now: milliseconds since 1970. */
  readonly startedAt: number;
  readonly now: number;
}

/** Judges a failed attempt of a change handler and tells log and events of it. */
export function reportFailure(environment: ProcessingEnvironment, failed: FailedAttempt): FailureVerdict {
  const { config, random, events, fatal, name, logger } = environment;
  const { handler, decision, object } = failed;
  const { definition } = handler;
  const failures = (decision.attempt?.failures ?? 0) + 1;
  const verdict = judgeFailure({
    error: failed.error,
    policy: definition.policy,
    failures,
    runtime: failed.now - failed.startedAt,
    retry: config.retry,
    random,
  });
  const key = objectKey(object);
  const fields = {
    handler: definition.origin,
    resource: name,
    key,
    uid: object.metadata.uid,
    cause: decision.cause,
    attempt: failures,
  };
  switch (verdict.kind) {
    case 'fatal':
      fatal(verdict.error, `handler ${definition.origin} of ${name} ${key}`);
      break;
    case 'retry': {
      const delay = Math.ceil(verdict.delay);
      logger.log(
        retryLevel(verdict.error),
        'Handler failed and will be called again',
        { ...fields, delay },
        verdict.error,
      );
      if (failures === 1)
        events.post(object, { type: 'Warning', reason: 'HandlerFailed', message: eventText(handler, verdict.error) });
      break;
    }
    case 'final':
      logger.log(
        finalLevel(verdict.error),
        'Handler failed for good',
        { ...fields, reason: verdict.reason },
        verdict.error,
      );
      events.post(object, { type: 'Warning', reason: 'HandlerGaveUp', message: eventText(handler, verdict.error) });
      break;
    case 'ignored':
      logger.log('warn', 'Handler failed; the error is ignored', fields, verdict.error);
  }
  return verdict;
}

function eventText(handler: ResourceHandler, error: unknown): string {
  return `${handler.id}: ${error instanceof Error ? error.message : String(error)}`;
}
