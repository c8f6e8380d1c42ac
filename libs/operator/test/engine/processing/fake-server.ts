import { ApiError } from '../../../src/errors/api.error.js';
import type { ApiClient, ApiRequest, ApiResponse, ApiStream } from '../../../src/engine/client/api-client.js';
import { jsonEqual } from '../../../src/engine/json/json-equal.js';
import { applyMergePatch } from '../../../src/engine/json/merge-patch.js';
import type { StoredObject } from '../../../src/engine/kube-object.js';

type JsonObject = Record<string, unknown>;

export interface Write {
  /** `status`, `finalizers`, or `object`. */
  readonly what: string;
  readonly body: unknown;
}

/** What a test puts before a request: an answer to give instead, or something to do first. */
export type Interception = (request: ApiRequest) => unknown;

export function apiError(status: number, request: Pick<ApiRequest, 'verb' | 'path'>, reason = ''): ApiError {
  return new ApiError({
    verb: request.verb,
    path: request.path,
    status,
    reason,
    serverMessage: `status ${status}`,
    details: undefined,
    retryAfter: undefined,
  });
}

/** A server of one resource: merge patches on object and status, JSON patches of finalizers, uid and version preconditions. */
export class FakeServer implements ApiClient {
  readonly objects = new Map<string, StoredObject>();
  readonly requests: ApiRequest[] = [];
  /** What the schema drops. */
  prunes: (object: StoredObject) => StoredObject = (object) => object;
  readonly #interceptions: Interception[] = [];
  #version = 100;

  /** Own writes so far, in short. */
  get writes(): Write[] {
    return this.requests
      .filter(({ verb }) => verb === 'patch')
      .map(({ path, patchType, body }) => ({
        what: path.endsWith('/status') ? 'status' : patchType === 'json' ? 'finalizers' : 'object',
        body,
      }));
  }

  /** Called before each request, the oldest first; `undefined` lets the request through, an Error is thrown. */
  intercept(interception: Interception): { remove(): void } {
    this.#interceptions.push(interception);
    return { remove: () => void this.#interceptions.splice(this.#interceptions.indexOf(interception), 1) };
  }

  nextVersion(): string {
    this.#version += 1;
    return String(this.#version);
  }

  async request<T>(request: ApiRequest): Promise<ApiResponse<T>> {
    await Promise.resolve();
    request.signal?.throwIfAborted();
    this.requests.push(request);
    const interceptions = this.#interceptions.slice();
    for (const interception of interceptions) {
      const answer = await interception(request);
      if (answer instanceof Error) throw answer;
      if (answer !== undefined) return { status: 200, body: answer as T, headers: {} };
    }
    return { status: 200, body: this.#answer(request) as T, headers: {} };
  }

  stream(): Promise<ApiStream> {
    throw new Error('There is no stream here.');
  }

  #answer(request: ApiRequest): StoredObject {
    const [, namespace, name, subresource] =
      /\/namespaces\/([^/]+)\/widgets\/([^/]+)(?:\/(status))?$/.exec(request.path) ?? [];
    const key = `${namespace}/${name}`;
    const object = this.objects.get(key);
    if (object === undefined) throw apiError(404, request, 'NotFound');
    if (request.verb === 'get') return object;
    const changed = this.prunes(
      request.patchType === 'json'
        ? this.#json(request, object)
        : this.#merge(request, object, subresource === 'status'),
    );
    if (jsonEqual(changed, object)) return object;
    if (changed.metadata.deletionTimestamp !== undefined && !changed.metadata.finalizers?.length) {
      this.objects.delete(key);
      return changed;
    }
    const stored = { ...changed, metadata: { ...changed.metadata, resourceVersion: this.nextVersion() } };
    this.objects.set(key, stored);
    return stored;
  }

  #merge(request: ApiRequest, object: StoredObject, status: boolean): StoredObject {
    const body = request.body as JsonObject;
    const { uid, resourceVersion } = body['metadata'] as JsonObject;
    if (uid !== object.metadata.uid) throw apiError(409, request, 'Conflict');
    if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion)
      throw apiError(409, request, 'Conflict');
    if (status) return { ...object, status: applyMergePatch(object['status'], body['status']) };
    const { status: _status, ...rest } = body;
    const merged = applyMergePatch(object, rest) as StoredObject;
    return { ...merged, metadata: { ...merged.metadata, resourceVersion: object.metadata.resourceVersion } };
  }

  #json(request: ApiRequest, object: StoredObject): StoredObject {
    const copy = structuredClone(object) as JsonObject;
    for (const { op, path, value } of request.body as Array<{ op: string; path: string; value: unknown }>) {
      const keys = path
        .slice(1)
        .split('/')
        .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
      const last = keys.pop() as string;
      const parent = keys.reduce<unknown>((at, key) => (at as JsonObject | undefined)?.[key], copy) as
        JsonObject | undefined;
      if (parent === undefined || (op === 'remove' && !Object.hasOwn(parent, last)))
        throw apiError(422, request, 'Invalid');
      if (op === 'test' && !jsonEqual(parent[last] ?? null, value)) throw apiError(422, request, 'Invalid');
      if (op === 'remove') delete parent[last];
      else if (op !== 'test') parent[last] = value;
    }
    const changed = copy as unknown as StoredObject;
    const { finalizers, ...metadata } = changed.metadata;
    return { ...changed, metadata: finalizers?.length ? { ...metadata, finalizers } : metadata };
  }
}
