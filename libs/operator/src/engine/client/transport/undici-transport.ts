import { createHash } from 'node:crypto';
import type { Dispatcher, Pool } from 'undici';
import type { ConnectionPool } from '../api-client.js';
import type { PollPhase } from '../../ports/index.js';
import { SystemPollPhase } from '../../ports/index.js';
import type { ConnectionTarget, Transport, TransportRequest, TransportResponse } from './transport.js';

type Undici = typeof import('undici');
type Pools = Readonly<Record<ConnectionPool, Dispatcher>>;

/** A watch holds its connection for minutes: their number is the number of watches. */
const connections: Readonly<Record<ConnectionPool, number | null>> = { requests: 64, watches: null, lease: 2 };

const connectTimeout = 10_000;
/** Below the 90 s after which a kube-apiserver closes idle connections, and below the idle limits of load balancers. */
const keepAliveTimeout = 30_000;
const tcpKeepAlive = 30_000;

/** HTTP/1.1 over undici. Each fingerprint of a target has its own connections; those of a replaced one close when idle. */
export class UndiciTransport implements Transport {
  readonly #inFlight: Record<ConnectionPool, number> = { requests: 0, watches: 0, lease: 0 };
  readonly #pools = new Map<string, Pools>();
  readonly #fingerprints = new WeakMap<ConnectionTarget, string>();
  /** Pools of replaced targets, until their last request has ended. */
  readonly #retired = new Set<Dispatcher>();
  readonly #poll: PollPhase;
  #undici: Promise<Undici> | undefined;
  #ended: Promise<unknown> | undefined;

  constructor(poll: PollPhase = new SystemPollPhase()) {
    this.#poll = poll;
  }

  get inFlight(): Readonly<Record<ConnectionPool, number>> {
    return this.#inFlight;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.#inFlight[request.pool]++;
    const end = once(() => this.#inFlight[request.pool]--);
    try {
      const undici = await this.#load();
      request.signal.throwIfAborted();
      const answer = await this.#poolsOf(undici, request.target)[request.pool].request({
        origin: request.target.origin,
        method: request.method,
        path: request.path,
        headers: request.headers as Record<string, string | string[]>,
        body: request.body ?? null,
        signal: request.signal,
      });
      return {
        status: answer.statusCode,
        headers: flatten(answer.headers),
        body: this.#counted(answer.body, end, request.signal),
      };
    } catch (error) {
      end();
      throw error;
    }
  }

  /** With the first request: it is the larger part of what importing this package would cost. Asked of the loader once. */
  #load(): Promise<Undici> {
    this.#undici ??= import('undici');
    return this.#undici;
  }

  async close(): Promise<void> {
    await this.#end((pool) => pool.close());
  }

  async destroy(): Promise<void> {
    // A close that still waits for requests must not keep them alive.
    await this.#end((pool) => pool.destroy(), true);
  }

  async #end(how: (pool: Dispatcher) => Promise<void>, again = false): Promise<void> {
    if (this.#ended === undefined || again) {
      const all = [...[...this.#pools.values()].flatMap((pools) => Object.values(pools)), ...this.#retired];
      this.#ended = Promise.all(all.map(how));
    }
    await this.#ended;
  }

  /** Calls `end` when the body has ended in any way; also when it is given up before anyone read it. */
  #counted(body: AsyncIterable<Uint8Array>, end: () => void, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const poll = this.#poll;
    const done = once(() => {
      signal.removeEventListener('abort', done);
      end();
    });
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
    return (async function* () {
      try {
        yield* body;
        // undici takes a connection back one turn of the event loop later: a request sent before that opens another one.
        await new Promise<void>((resolve) => {
          poll.after(resolve);
        });
      } finally {
        done();
      }
    })();
  }

  #poolsOf(undici: Undici, target: ConnectionTarget): Pools {
    const fingerprint = this.#fingerprintOf(target);
    const known = this.#pools.get(fingerprint);
    if (known !== undefined) return known;
    if (this.#ended !== undefined) throw new undici.errors.ClientClosedError();
    this.#retireOthers();
    const pools = {
      requests: createDispatcher(undici, target, 'requests'),
      watches: createDispatcher(undici, target, 'watches'),
      lease: createDispatcher(undici, target, 'lease'),
    };
    this.#pools.set(fingerprint, pools);
    return pools;
  }

  #fingerprintOf(target: ConnectionTarget): string {
    let fingerprint = this.#fingerprints.get(target);
    if (fingerprint === undefined) {
      fingerprint = fingerprintOf(target);
      this.#fingerprints.set(target, fingerprint);
    }
    return fingerprint;
  }

  /** A client has one identity at a time: a new fingerprint means that the former certificate or CA was replaced. */
  #retireOthers(): void {
    for (const [fingerprint, pools] of this.#pools) {
      this.#pools.delete(fingerprint);
      for (const pool of Object.values(pools)) {
        this.#retired.add(pool);
        const forget = (): boolean => this.#retired.delete(pool);
        pool.close().then(forget, forget);
      }
    }
  }
}

/** Tells targets apart without keeping keys in memory as map keys. */
export function fingerprintOf(target: ConnectionTarget): string {
  const { origin, ca, cert, key, servername, skipTlsVerify, proxyUrl } = target;
  const parts = [origin, ca, cert, key, servername, skipTlsVerify, proxyUrl];
  return createHash('sha256')
    .update(JSON.stringify(parts.map((part) => part ?? null)))
    .digest('base64url');
}

function createDispatcher(undici: Undici, target: ConnectionTarget, pool: ConnectionPool): Dispatcher {
  const tls = {
    ...(target.ca === undefined ? {} : { ca: target.ca }),
    ...(target.cert === undefined ? {} : { cert: target.cert }),
    ...(target.key === undefined ? {} : { key: target.key }),
    ...(target.servername === undefined ? {} : { servername: target.servername }),
    ...(target.skipTlsVerify ? { rejectUnauthorized: false } : {}),
  };
  const options: Pool.Options = {
    connections: connections[pool],
    allowH2: false,
    connectTimeout,
    keepAliveTimeout,
    // Deadlines are the client's, on its clock. undici's own would run on real time beside them.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const socket = { keepAlive: true, keepAliveInitialDelay: tcpKeepAlive, timeout: connectTimeout };
  if (target.proxyUrl === undefined) {
    return new undici.Pool(target.origin, { ...options, connect: { ...socket, ...tls } });
  }
  return new undici.ProxyAgent({
    ...options,
    uri: target.proxyUrl,
    requestTls: { ...socket, ...tls, allowH2: false },
    connect: socket,
  });
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

function once(action: () => void): () => void {
  let called = false;
  return () => {
    if (called) return;
    called = true;
    action();
  };
}
