import {
  applyPatch,
  combinePatches,
  emptyPatch,
  isEmptyPatch,
  type PatchRequest,
} from '../handling/object-patch-buffer.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import { objectKey, type StoredObject } from '../kube-object.js';
import type { CallResult } from './handler-calls.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import { resultPatch } from './result-patch.js';

/** What a call comes to. */
export interface WeighedResult {
  readonly wanted: PatchRequest;
  readonly failure: { readonly error: unknown } | undefined;
}

/**
 * What a call wants changed: its patch and its result. One that cannot be put on the object is the handler's own failure.
 */
export function weighResult(
  environment: ProcessingEnvironment,
  handler: ResourceHandler,
  object: StoredObject,
  { outcome, patch }: CallResult,
): WeighedResult {
  const { logger, name } = environment;
  const fields = { resource: name, key: objectKey(object) };
  const failure = outcome.kind === 'failure' ? { error: outcome.error } : undefined;
  try {
    const result = outcome.kind === 'success' ? resultPatch(handler, outcome.value, logger, fields) : emptyPatch;
    const wanted = combinePatches(patch, result);
    // Only to see whether it can.
    if (!isEmptyPatch(wanted)) applyPatch(object, wanted);
    return { wanted, failure };
  } catch (error) {
    if (failure !== undefined) {
      const more = { handler: handler.definition.origin, ...fields, uid: object.metadata.uid };
      logger.log('warn', 'The patch of a failed handler is not sent, since it failed as well', more, error);
    }
    return { wanted: emptyPatch, failure: failure ?? { error } };
  }
}
