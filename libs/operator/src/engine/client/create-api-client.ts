import { ClientClosedError } from '../../errors/client-closed.error.js';
import { NetworkError } from '../../errors/network.error.js';
import { RequestTimeoutError } from '../../errors/request-timeout.error.js';
import { noObserver, type EngineObserver } from '../engine-observer.js';
import { observeRequest } from '../observing/request-report.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Clock, Logger, Random } from '../ports/index.js';
import { AbortScope } from './abort-scope.js';
import type { ApiClient, ApiRequest, ApiResponse, ApiStream, ApiVerb, ConnectionPool } from './api-client.js';
import { queryString } from './api-path.js';
import { contentTypeOf } from './content-type.js';
import type { Credentials } from './credentials/credential-source.js';
import { CredentialSource } from './credentials/credential-source.js';
import type { AccessEnvironment, KubeConfigSource } from './credentials/load-cluster-access.js';
import { defaultEnvironment, loadClusterAccess } from './credentials/load-cluster-access.js';
import { readFailure } from './read-failure.js';
import { delayBeforeRetry } from './retry.js';
import { connectionFailureOf } from './transport/connection-failure.js';
import type { Transport, TransportRequest, TransportResponse } from './transport/transport.js';
import { UndiciTransport } from './transport/undici-transport.js';
import { wait } from './wait.js';

export interface ApiClientOptions {
  /** Default: `KUBECONFIG`, `~/.kube/config`, the pod's service account, in this order. */
  readonly kubeConfig?: KubeConfigSource | undefined;
  readonly config: OperatorConfig['client'];
  /** Sent with creates, updates and patches that name none. */
  readonly fieldManager?: string | undefined;
  /** @defaultValue `nestjs-operator` */
  readonly userAgent?: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Closed with the client. @defaultValue a transport of its own over undici */
  readonly transport?: Transport | undefined;
  /** Variables, home and service account folder. @defaultValue those of the process */
  readonly environment?: Partial<AccessEnvironment> | undefined;
  readonly observer?: EngineObserver | undefined;
}

export interface ClosableApiClient extends ApiClient {
  /** Address of the API server as configured. */
  readonly server: string;
  /** Namespace of the kubeconfig's context, or of the pod. */
  readonly namespace: string | undefined;
  /** The way to the cluster is the service account of a pod. */
  readonly inCluster: boolean;
  /**
   * Work that only the outside world can end: requests until their whole answer is read, streams until their headers are
   * there, credentials being read. Requests that wait for their next attempt do not count.
   */
  readonly inFlight: number;
  /** Pieces of streams that have arrived so far. As long as it grows, more may be on the way. */
  readonly received: number;
  /**
   * Ends everything in progress with a ClientClosedError (`OPERATOR_CLIENT_CLOSED`); no connection is left afterwards.
   * Idempotent.
   */
  close(): Promise<void>;
}

/**
 * A client for one cluster.
 *
 * @throws KubeConfigError (`OPERATOR_KUBE_CONFIG`) when no usable configuration is found
 */
export function createApiClient(options: ApiClientOptions): ClosableApiClient {
  return new HttpApiClient(options);
}

const methods: Readonly<Record<ApiVerb, TransportRequest['method']>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

interface Answer {
  readonly response: TransportResponse;
  readonly used: Credentials;
}

class HttpApiClient implements ClosableApiClient {
  readonly server: string;
  readonly namespace: string | undefined;
  readonly inCluster: boolean;
  readonly #config: OperatorConfig['client'];
  readonly #fieldManager: string | undefined;
  readonly #userAgent: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #transport: Transport;
  readonly #credentials: CredentialSource;
  /** Path of the server's address: API servers behind a gateway have one. */
  readonly #basePath: string;
  readonly #observer: EngineObserver;
  readonly #closing = new AbortController();
  #sending = 0;
  #received = 0;
  #closed: Promise<void> | undefined;

  constructor(options: ApiClientOptions) {
    const environment = { ...defaultEnvironment(), ...options.environment };
    const access = loadClusterAccess(options.kubeConfig, environment);
    const logger = options.logger.child('ApiClient');
    this.server = access.cluster.server;
    this.namespace = access.namespace;
    this.inCluster = access.inCluster;
    this.#config = options.config;
    this.#fieldManager = options.fieldManager;
    this.#userAgent = options.userAgent ?? 'nestjs-operator';
    this.#clock = options.clock;
    this.#observer = options.observer ?? noObserver;
    this.#logger = logger;
    this.#transport = options.transport ?? new UndiciTransport();
    this.#credentials = new CredentialSource({ ...options, access, environment, logger });
    this.#basePath = new URL(access.cluster.server).pathname.replace(/\/+$/, '');
  }

  get inFlight(): number {
    return this.#sending + this.#credentials.busy;
  }

  get received(): number {
    return this.#received;
  }

  async request<T = unknown>(request: ApiRequest): Promise<ApiResponse<T>> {
    const rule = request.retry ?? (request.verb === 'get' || request.verb === 'list' ? 'reads' : 'none');
    for (let repeats = 0; ; repeats++) {
      try {
        const attempt = { number: repeats + 1, pool: 'requests' } as const;
        return await observeRequest(this.#observer, this.#clock, request, attempt, () => this.#requestOnce<T>(request));
      } catch (error) {
        this.#throwIfEnded(request);
        const delay = delayBeforeRetry({ rule, verb: request.verb, repeats, error }, this.#config.retries);
        if (delay === undefined) throw error;
        this.#logger.log(
          'debug',
          'Request failed; trying again',
          { verb: request.verb, path: request.path, repeats, delay },
          error,
        );
        await this.#pause(delay, request);
      }
    }
  }

  stream(request: ApiRequest): Promise<ApiStream> {
    const attempt = { number: 1, pool: 'watches' } as const;
    return observeRequest(this.#observer, this.#clock, request, attempt, () => this.#stream(request));
  }

  async #stream(request: ApiRequest): Promise<ApiStream> {
    const scope = this.#scopeOf(request);
    try {
      const answer = await this.#sendAuthorized(request, scope, 'watches');
      const { response } = answer;
      if (!isSuccess(response.status)) throw await this.#failureOf(request, response, scope);
      scope.clearDeadline();
      return this.#openStream(request, response, scope);
    } catch (error) {
      scope.end();
      // Frees the connection of an answer that nobody will read.
      scope.abort(error);
      throw error;
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    const reason = new ClientClosedError();
    this.#closing.abort(reason);
    this.#credentials.close(reason);
    await this.#transport.destroy();
  }

  async #requestOnce<T>(request: ApiRequest): Promise<ApiResponse<T>> {
    const scope = this.#scopeOf(request);
    try {
      const { response } = await this.#sendAuthorized(request, scope, 'requests');
      if (!isSuccess(response.status)) throw await this.#failureOf(request, response, scope);
      const text = await this.#readBody(request, response, scope);
      return {
        status: response.status,
        headers: response.headers,
        body: this.#parse(request, response, text) as T,
      };
    } catch (error) {
      scope.abort(error);
      throw error;
    } finally {
      scope.end();
    }
  }

  /** Sends once more when the server refuses the credentials and others can be had. Each time has the whole time limit. */
  async #sendAuthorized(request: ApiRequest, scope: AbortScope, pool: ConnectionPool): Promise<Answer> {
    const first = await this.#send(request, await this.#credentials.get(scope.signal), scope, pool);
    if (first.response.status !== 401) return first;
    // The answer must be read: the refusal is the result if no other credentials can be had.
    const refusal = await this.#failureOf(request, first.response, scope);
    scope.clearDeadline();
    const others = await this.#credentials.refresh(first.used, scope.signal);
    if (others === undefined) throw refusal;
    this.#logger.log('debug', 'Credentials were refused and renewed', { verb: request.verb, path: request.path });
    return this.#send(request, others, scope, pool);
  }

  async #send(request: ApiRequest, used: Credentials, scope: AbortScope, pool: ConnectionPool): Promise<Answer> {
    // After all that had to be waited for: nothing may come between the permission and the sending.
    const permitted = request.permit?.timeForWrite();
    const timeout = Math.min(request.timeout ?? this.#config.timeout, permitted ?? Infinity);
    const sent = this.#transportRequest(
      permitted === undefined ? request : endsWithin(request, timeout),
      used,
      scope.signal,
      pool,
    );
    scope.setDeadline(this.#clock, timeout, () => new RequestTimeoutError(request.verb, request.path, timeout));
    this.#sending++;
    try {
      const response = await this.#transport.send(sent);
      return { response, used };
    } catch (error) {
      throw this.#connectionError(request, error, scope);
    } finally {
      this.#sending--;
    }
  }

  #transportRequest(
    request: ApiRequest,
    credentials: Credentials,
    signal: AbortSignal,
    pool: ConnectionPool,
  ): TransportRequest {
    const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body), 'utf8');
    return {
      target: credentials.target,
      pool: request.pool ?? pool,
      method: methods[request.verb],
      path: `${this.#basePath}${request.path}${queryString(this.#queryOf(request))}`,
      headers: {
        accept: request.accept ?? 'application/json',
        'user-agent': this.#userAgent,
        ...(body === undefined ? {} : { 'content-type': contentTypeOf(request) }),
        ...credentials.headers,
      },
      body,
      signal,
    };
  }

  #queryOf(request: ApiRequest): ApiRequest['query'] {
    const writes = request.verb === 'create' || request.verb === 'update' || request.verb === 'patch';
    if (!writes || this.#fieldManager === undefined || request.query?.['fieldManager'] !== undefined) {
      return request.query;
    }
    return { ...request.query, fieldManager: this.#fieldManager };
  }

  async #readBody(request: ApiRequest, response: TransportResponse, scope: AbortScope): Promise<string> {
    this.#sending++;
    try {
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      return Buffer.concat(chunks).toString('utf8');
    } catch (error) {
      throw this.#connectionError(request, error, scope);
    } finally {
      this.#sending--;
    }
  }

  async #failureOf(request: ApiRequest, response: TransportResponse, scope: AbortScope): Promise<Error> {
    const text = await this.#readBody(request, response, scope);
    return readFailure(request, { status: response.status, headers: response.headers, text }, this.#clock);
  }

  #parse(request: ApiRequest, response: TransportResponse, text: string): unknown {
    if (text === '') return undefined;
    if (!(response.headers['content-type'] ?? '').startsWith('application/json')) return text;
    try {
      return JSON.parse(text);
    } catch {
      // The parser's message quotes the body.
      throw new NetworkError({
        verb: request.verb,
        path: request.path,
        server: this.server,
        systemCode: 'INVALID_JSON',
        mayHaveReachedServer: true,
        advice: 'The answer says that it is JSON and is not: look for a proxy in between',
      });
    }
  }

  #openStream(request: ApiRequest, response: TransportResponse, scope: AbortScope): ApiStream {
    const ended = new ClientClosedError();
    let closed = false;
    const connectionError = (error: unknown): Error => this.#connectionError(request, error, scope);
    const count = (): number => (this.#received += 1);
    const chunks = (async function* () {
      try {
        for await (const chunk of response.body) {
          count();
          yield chunk;
        }
      } catch (error) {
        // Whoever closes the stream wants it to end, not to fail.
        if (!closed) throw connectionError(error);
      } finally {
        scope.end();
      }
    })();
    return {
      status: response.status,
      headers: response.headers,
      chunks,
      close: () => {
        closed = true;
        scope.end();
        scope.abort(ended);
      },
    };
  }

  #connectionError(request: ApiRequest, error: unknown, scope: AbortScope): Error {
    // An abort's reason may be anything, and is handed on as it is.
    if (scope.signal.aborted) return scope.signal.reason as Error;
    return new NetworkError({
      verb: request.verb,
      path: request.path,
      server: this.server,
      ...connectionFailureOf(error),
      cause: error,
    });
  }

  #scopeOf(request: ApiRequest): AbortScope {
    const scope = new AbortScope([request.signal, this.#closing.signal]);
    if (scope.signal.aborted) {
      scope.end();
      throw scope.signal.reason;
    }
    return scope;
  }

  #throwIfEnded(request: ApiRequest): void {
    request.signal?.throwIfAborted();
    this.#closing.signal.throwIfAborted();
  }

  async #pause(delay: number, request: ApiRequest): Promise<void> {
    const scope = new AbortScope([request.signal, this.#closing.signal]);
    try {
      await wait(this.#clock, delay, scope.signal);
    } finally {
      scope.end();
    }
  }
}

/** The server is to give up in time as well. */
function endsWithin(request: ApiRequest, milliseconds: number): ApiRequest {
  return { ...request, query: { timeout: `${Math.floor(milliseconds)}ms`, ...request.query } };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
