import type { ApiClient, ApiRequest, ApiVerb } from '../client/api-client.js';
import { currentHandlerScope } from '../supervision/handler-scope.js';
import type { WritePermit } from './write-permit.js';

const reads: ReadonlySet<ApiVerb> = new Set(['get', 'list', 'watch']);

/** A client whose writes begin, and end, under a lead only. Reads go through. */
export function fencedClient(client: ApiClient, permit: WritePermit): ApiClient {
  return fencedBy(client, () => permit);
}

/** A client for applications: what a handler writes is under the lead that the handler was called under; all else goes through. */
export function fencedInHandlers(client: ApiClient): ApiClient {
  return fencedBy(client, () => currentHandlerScope()?.permit);
}

function fencedBy(client: ApiClient, permit: () => WritePermit | undefined): ApiClient {
  const fenced = (request: ApiRequest): ApiRequest => {
    const given = reads.has(request.verb) ? undefined : permit();
    return given === undefined ? request : { ...request, permit: given };
  };
  return {
    request: async (request) => client.request(fenced(request)),
    stream: async (request) => client.stream(request),
  };
}
