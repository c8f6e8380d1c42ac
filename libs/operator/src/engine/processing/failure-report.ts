import { judgeFailure, type FailureVerdict } from '../handling/attempt-outcome.js';
import { finalLevel, retryLevel } from '../handling/failure-level.js';
import type { HandlerCause } from '../handling/handler-context.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import { objectKey, type StoredObject } from '../kube-object.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import type { CallFailure } from './weigh-result.js';

export interface FailedAttempt {
  readonly handler: ResourceHandler;
  readonly cause: HandlerCause;
  readonly object: StoredObject;
  readonly failure: CallFailure;
  /** Failed attempts, this one included. */
  readonly failures: number;
  /** Milliseconds since the first of them began. */
  readonly runtime: number;
}

/** Judges a failed attempt and tells log, events and observers of it. */
export function reportFailure(environment: ProcessingEnvironment, failed: FailedAttempt): FailureVerdict {
  const { config, random, events, fatal, name, logger } = environment;
  const { handler, cause, object, failure, failures, runtime } = failed;
  const { definition } = handler;
  const verdict = judgeFailure({
    error: failure.error,
    policy: definition.policy,
    failures,
    runtime,
    retry: config.retry,
    random,
  });
  failure.report.judged(verdict);
  const key = objectKey(object);
  const fields = {
    handler: definition.origin,
    resource: name,
    key,
    uid: object.metadata.uid,
    cause,
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
      if (failures === 1 && config.events.failures)
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
      if (config.events.failures)
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
