import {
  applyPatch,
  combinePatches,
  emptyPatch,
  isEmptyPatch,
  type PatchRequest,
} from '../handling/object-patch-buffer.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import { objectKey, type StoredObject } from '../kube-object.js';
import type { CallReport } from '../observing/call-report.js';
import type { CallResult } from './handler-calls.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import { resultPatch } from './result-patch.js';

/** A failure that is still to be judged. */
export interface CallFailure {
  readonly error: unknown;
  readonly report: CallReport;
}

/** What a call comes to. */
export interface WeighedResult {
  readonly wanted: PatchRequest;
  readonly failure: CallFailure | undefined;
}

/**
 * What a call wants changed: its patch and its result. One that cannot be put on the object is the handler's own failure.
 * Success is told to observers here; a failure by whoever judges it.
 */
export function weighResult(
  environment: ProcessingEnvironment,
  handler: ResourceHandler,
  object: StoredObject,
  { outcome, patch, report }: CallResult,
): WeighedResult {
  const { logger, name } = environment;
  const fields = { resource: name, key: objectKey(object) };
  const failure = outcome.kind === 'failure' ? { error: outcome.error, report } : undefined;
  try {
    const result = outcome.kind === 'success' ? resultPatch(handler, outcome.value, logger, fields) : emptyPatch;
    const wanted = combinePatches(patch, result);
    // Only to see whether it can.
    if (!isEmptyPatch(wanted)) applyPatch(object, wanted);
    if (failure === undefined) report.succeeded();
    return { wanted, failure };
  } catch (error) {
    if (failure !== undefined) {
      const more = { handler: handler.definition.origin, ...fields, uid: object.metadata.uid };
      logger.log('warn', 'The patch of a failed handler is not sent, since it failed as well', more, error);
    }
    return { wanted: emptyPatch, failure: failure ?? { error, report } };
  }
}
