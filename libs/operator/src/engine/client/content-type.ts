import { InvalidRequestError } from '../../errors/invalid-request.error.js';
import type { ApiRequest, PatchType } from './api-client.js';

const patchContentTypes: Readonly<Record<PatchType, string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  // JSON is YAML, and servers before 1.36 know no JSON type for it.
  apply: 'application/apply-patch+yaml',
};

/** How the body of a request is to be read. */
export function contentTypeOf(request: ApiRequest): string {
  if (request.verb !== 'patch') return 'application/json';
  if (request.patchType === undefined) {
    throw new InvalidRequestError(`The patch of ${request.path} has no patchType. Say how it is to be merged.`);
  }
  return patchContentTypes[request.patchType];
}
