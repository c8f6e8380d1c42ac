import type { WritePermit } from '../leaderelection/write-permit.js';

export type ApiVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

export type PatchType = 'merge' | 'json' | 'strategic' | 'apply';

/** Which connections a request uses: a slow handler's requests must not hold up a watch, nor the lease. */
export type ConnectionPool = 'requests' | 'watches' | 'lease';

/**
 * How often a failed request is repeated.
 *
 * - `reads`: `client.retries` (network errors, 408, 429, 5xx), Retry-After respected.
 * - `write-once`: once at most, on a connection reset or a Retry-After of up to 1 s. Only for writes that may be repeated.
 * - `none`: never.
 */
export type RetryRule = 'reads' | 'write-once' | 'none';

export interface ApiRequest {
  readonly verb: ApiVerb;
  /** Encoded path without query, as the builders in `api-path.ts` make it. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Required with verb `patch`. */
  readonly patchType?: PatchType;
  readonly accept?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole answer of one attempt, its body included; for {@link ApiClient.stream} until its headers. Default: `client.timeout`. */
  readonly timeout?: number;
  /** Default: `reads` for get and list, `none` otherwise. */
  readonly retry?: RetryRule;
  /** Asked before each attempt, which must have ended in the time that it gives; a refusal is what the request rejects with. */
  readonly permit?: WritePermit;
  /** Default: `requests`; `watches` for {@link ApiClient.stream}. */
  readonly pool?: ConnectionPool;
}

export interface ApiResponse<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ApiStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body's bytes as they arrive. Ends with the stream; throws a NetworkError when the connection breaks. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Closes the connection. Safe to call at any time, more than once. */
  close(): void;
}

/**
 * Sends requests with the operator's credentials: refreshes them once on 401, applies deadlines, retries by rule and turns
 * every failure into a typed error: `ApiError` (the server answered), `NetworkError` (it did not), `CredentialsError`.
 * An aborted request rejects with the signal's reason.
 */
export interface ApiClient {
  request<T = unknown>(request: ApiRequest): Promise<ApiResponse<T>>;
  /** Resolves once a 2xx answer's headers are there; any other answer rejects with an `ApiError`. Never retried. */
  stream(request: ApiRequest): Promise<ApiStream>;
}
