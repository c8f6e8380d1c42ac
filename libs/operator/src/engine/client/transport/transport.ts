import type { ConnectionPool } from '../api-client.js';

/** What decides which connections can be shared: the server, how it is reached, and who the client is on the TLS level. */
export interface ConnectionTarget {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** Overrides the name that the server's certificate is checked against. */
  readonly servername: string | undefined;
  readonly skipTlsVerify: boolean;
  readonly proxyUrl: string | undefined;
}

/** One HTTP request. */
export interface TransportRequest {
  readonly target: ConnectionTarget;
  readonly pool: ConnectionPool;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array | undefined;
  /** Ends the request, its answer's body included. The only way to give up a body that was not read to its end. */
  readonly signal: AbortSignal;
}

/** The answer to one request, as soon as its headers are there. */
export interface TransportResponse {
  readonly status: number;
  /** Names in lower case; repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends HTTP requests. Knows nothing of Kubernetes, credentials, deadlines or retries. */
export interface Transport {
  /** Resolves with the headers, whatever the status. Rejects with the HTTP layer's own error, or the signal's reason. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Requests between {@link Transport.send} and the end of their bodies, per pool. */
  readonly inFlight: Readonly<Record<ConnectionPool, number>>;
  /** Waits for what is in flight, then closes all connections. */
  close(): Promise<void>;
  /** Breaks off what is in flight and resolves when all connections are closed. */
  destroy(): Promise<void>;
}
