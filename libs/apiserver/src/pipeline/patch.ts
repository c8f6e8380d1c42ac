import { isObject, parseJson, type KubeObject } from '../json.js';
import { JsonPatchError, jsonPatch, type JsonPatchOperation } from '../patch/json-patch.js';
import { mergePatch } from '../patch/merge-patch.js';
import { StrategicPatchError, strategicMergePatch } from '../patch/strategic-merge-patch.js';
import { groupVersion, type ResourceType } from '../resources/resource-type.js';
import { ApiError, errors, failure } from '../status.js';
import type { ObjectResult } from './api-request.js';
import { unknownInOtherVersion } from './type-meta.js';
import { checkMetadataShape, invalidValue } from './metadata-validation.js';
import type { ServerContext } from './server-context.js';
import type { Steps } from './steps.js';
import { changeObject, checkTarget } from './update.js';
import type { WriteRequest } from './write-request.js';

const jsonPatchType = 'application/json-patch+json';
const mergePatchType = 'application/merge-patch+json';
const strategicPatchType = 'application/strategic-merge-patch+json';
const applyPatchType = 'application/apply-patch+yaml';
const mostOperations = 10_000;

/** Refuses patch types that the resource does not take. */
export function checkPatchType(type: ResourceType, contentType: string): void {
  const accepted = [jsonPatchType, mergePatchType, ...(type.custom === undefined ? [strategicPatchType] : [])];
  if (contentType === applyPatchType) {
    throw failure(
      'UnsupportedMediaType',
      'server-side apply (application/apply-patch+yaml) is not supported by this embedded API server; use a merge patch or client-side apply',
    );
  }
  if (!accepted.includes(contentType)) {
    throw type.custom === undefined
      ? failure('UnsupportedMediaType', '415: Unsupported Media Type', {})
      : errors.unsupportedMediaType([...accepted, applyPatchType]);
  }
}

/** Applies a patch of any supported type to an object and answers the patched document. */
export function patched(
  type: ResourceType | undefined,
  contentType: string,
  body: string,
  current: KubeObject,
): unknown {
  const patch = decodePatch(body);
  if (contentType === jsonPatchType) {
    if (!Array.isArray(patch) || patch.some((operation) => !isObject(operation))) {
      throw errors.badRequest(
        'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
      );
    }
    if (patch.length > mostOperations) {
      throw failure(
        'RequestEntityTooLarge',
        `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${patch.length}`,
      );
    }
    try {
      return jsonPatch(current, patch as JsonPatchOperation[]);
    } catch (error) {
      if (error instanceof JsonPatchError) throw errors.rejected();
      throw error;
    }
  }
  if (!isObject(patch)) {
    const found = Array.isArray(patch) ? 'array' : typeof patch;
    throw errors.badRequest(
      `error decoding patch: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
    );
  }
  if (contentType !== strategicPatchType) return mergePatch(current, patch);
  try {
    return strategicMergePatch(current, patch, type?.kind ?? '');
  } catch (error) {
    if (error instanceof StrategicPatchError) throw errors.badRequest(error.message);
    throw error;
  }
}

/** PATCH of an object or of its status. */
export function* patchObject(
  context: ServerContext,
  request: WriteRequest,
  contentType: string,
  body: string,
): Steps<ObjectResult> {
  return yield* changeObject(context, request, {
    next: (current) => patchedObject(request, patched(request.type, contentType, body, current)),
  });
}

/** What a patch made of an object, once it is certain that it is still that object. */
function patchedObject(request: WriteRequest, result: unknown): KubeObject {
  const { type, name } = request;
  if (!isObject(result)) throw errors.rejected();
  const next = result as KubeObject;
  const metadata: unknown = next.metadata;
  if (metadata !== undefined && metadata !== null && !isObject(metadata)) throw errors.rejected();
  next.metadata = { ...next.metadata };
  checkMetadataShape(next, type);
  checkTarget(request, next);
  const wanted = { kind: type.kind, apiVersion: groupVersion(type) };
  for (const field of ['kind', 'apiVersion'] as const) {
    if (next[field] !== wanted[field]) {
      const kind: unknown = next.kind;
      const refused = errors.invalid({ group: type.group, kind: typeof kind === 'string' ? kind : '' }, name, [
        invalidValue(field, next[field], `must be ${wanted[field]}`),
      ]);
      throw field === 'kind' ? refused : new ApiError(refused.status, unknownInOtherVersion(type, next));
    }
  }
  return next;
}

function decodePatch(body: string): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    throw errors.badRequest(`error decoding patch: ${error instanceof Error ? error.message : String(error)}`);
  }
}
