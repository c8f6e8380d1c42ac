import type { Transport, TransportRequest, TransportResponse } from '../../../src/engine/client/transport/transport.js';
import type { FaultPlan, FaultTarget } from '../faults/fault-plan.js';
import type { FaultKind, RequestFault } from '../faults/fault.js';
import { exchange, type ExchangeAnswer } from './cluster-exchange.js';
import type { SimulatedCluster } from './simulated-cluster.js';
import type { SimulatedTime } from './simulated-time.js';
import { StreamBody } from './stream-body.js';
import { WatchLine } from './watch-line.js';

/** What becomes of a process's requests, for those who watch over it. */
export interface TransportObserver {
  onSent(request: SentRequest): void;
  /** The answer has reached the process. */
  onAnswered(request: SentRequest, status: number, body: string): void;
  /** A write has reached the server and was carried out. */
  onApplied(request: SentRequest): void;
  onFault(kind: FaultKind, request: SentRequest): void;
}

export interface SentRequest {
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly target: FaultTarget;
  readonly body: string;
  readonly sentAt: number;
}

export interface MemoryTransportOptions {
  readonly cluster: SimulatedCluster;
  readonly time: SimulatedTime;
  readonly faults: FaultPlan;
  readonly observer: TransportObserver;
}

/** What a process has sent may still arrive for so long after its end. */
export const lastMoment = 60;

/** The way between one process and the cluster: each leg takes its time, and what the fault plan says goes wrong. */
export class MemoryTransport implements Transport {
  readonly inFlight = { requests: 0, watches: 0, lease: 0 };
  readonly #streams = new Set<() => void>();
  readonly #bodies = new Set<StreamBody>();
  #gone = false;
  #goneAt = 0;
  #ids = 0;

  constructor(private readonly options: MemoryTransportOptions) {}

  send(request: TransportRequest): Promise<TransportResponse> {
    // To a process that is gone nothing is answered any more.
    if (this.#gone) return new Promise(() => undefined);
    return new Promise((resolve, reject) => {
      const { signal } = request;
      const fail = (error: unknown): void => {
        if (!this.#gone) reject(error as Error);
      };
      if (signal.aborted) {
        fail(signal.reason);
        return;
      }
      const abort = (): void => fail(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      const answered = (response: TransportResponse): void => {
        if (!this.#gone && !signal.aborted) resolve(response);
      };
      this.#travel(request, answered, fail);
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    this.#endStreams();
    return Promise.resolve();
  }

  /** The process is gone: what it has sent may still arrive, but nobody waits for the answer. */
  crash(): void {
    this.#gone = true;
    this.#goneAt = this.options.time.now;
    for (const body of this.#bodies) body.abandon();
    this.#endStreams();
  }

  #endStreams(): void {
    for (const end of this.#streams) end();
    this.#streams.clear();
  }

  #travel(
    request: TransportRequest,
    answered: (response: TransportResponse) => void,
    fail: (error: unknown) => void,
  ): void {
    const { time, faults, observer } = this.options;
    const sent: SentRequest = {
      id: (this.#ids += 1),
      method: request.method,
      path: request.path,
      target: targetOf(request),
      body: request.body === undefined ? '' : Buffer.from(request.body).toString('utf8'),
      sentAt: time.now,
    };
    observer.onSent(sent);
    const fault = faults.forRequest(sent.target);
    if (fault !== undefined) observer.onFault(fault.kind, sent);
    const there = faults.latency() + (fault?.kind === 'delay' ? fault.request : 0);
    const back = faults.latency() + (fault?.kind === 'delay' ? fault.answer : 0);
    if (fault?.kind === 'cut' && fault.when !== 'after') {
      time.after(there, () => fail(brokenConnection(fault.when === 'refused')));
      return;
    }
    if (fault !== undefined && 'status' in fault) {
      time.after(there + back, () => {
        const { status, headers, body } = injected(fault);
        if (!this.#gone && !request.signal.aborted) observer.onAnswered(sent, status, body);
        answered({ status, headers, body: bytes(body) });
      });
      return;
    }
    const arrival = time.now + there;
    time.after(there, () => {
      // What was given up on the way is not delivered any more; what a dead process has sent, within a moment.
      const until = this.#gone ? this.#goneAt + lastMoment : request.signal.aborted ? 0 : Infinity;
      if (arrival > until) return;
      if (fault?.kind === 'duplicate') this.#arriveUnseen(request, sent);
      this.#arrive(request, sent, fault, (answer) => {
        if (fault?.kind === 'cut') {
          time.after(back, () => fail(brokenConnection(false)));
          return;
        }
        this.#sendBack(request, sent, answer, back, answered);
      });
    });
  }

  #arrive(
    request: TransportRequest,
    sent: SentRequest,
    fault: RequestFault | undefined,
    then: (answer: ExchangeAnswer) => void,
  ): void {
    const { cluster, observer } = this.options;
    const { store } = cluster.context;
    const asOf =
      fault?.kind === 'stale' ? Math.max(store.compactedRevision, store.revision - fault.revisions) : undefined;
    exchange(cluster, { ...request, body: sent.body, asOf }).then(
      (answer) => {
        if (request.method !== 'GET' && answer.status < 300) observer.onApplied(sent);
        then(answer);
      },
      (error: unknown) => void cluster.bugs.push(error),
    );
  }

  /** Something on the way sends a request twice; the answer to the first is lost. */
  #arriveUnseen(request: TransportRequest, sent: SentRequest): void {
    if (request.method !== 'GET') this.#arrive(request, sent, undefined, () => undefined);
  }

  #sendBack(
    request: TransportRequest,
    sent: SentRequest,
    answer: ExchangeAnswer,
    delay: number,
    answered: (response: TransportResponse) => void,
  ): void {
    const { time, observer } = this.options;
    const { status, headers, watch } = answer;
    time.after(delay, () => {
      if (this.#gone || request.signal.aborted) {
        watch?.release();
        return;
      }
      observer.onAnswered(sent, status, answer.body);
      answered({
        status,
        headers,
        body: watch === undefined ? bytes(answer.body) : this.#follow(request, sent, watch),
      });
    });
  }

  #follow(
    request: TransportRequest,
    sent: SentRequest,
    watch: NonNullable<ExchangeAnswer['watch']>,
  ): AsyncIterable<Uint8Array> {
    const { time, faults, observer } = this.options;
    const close = (): void => {
      watch.release();
      line.end();
      this.#streams.delete(close);
      this.#bodies.delete(body);
    };
    const body = new StreamBody(close);
    const fault = faults.forStream();
    const line = new WatchLine({
      time,
      body,
      fault,
      latency: () => faults.latency(),
      ceased: () => faults.ceased,
      onFault: (kind) => observer.onFault(kind, sent),
      onCut: () => watch.release(),
    });
    this.#streams.add(close);
    this.#bodies.add(body);
    request.signal.addEventListener(
      'abort',
      () => {
        close();
        body.end(request.signal.reason as Error);
      },
      { once: true },
    );
    watch.start(line);
    return body;
  }
}

function targetOf({ method, path }: TransportRequest): FaultTarget {
  const query = path.indexOf('?');
  const parameters = new URLSearchParams(query < 0 ? '' : path.slice(query));
  const version = parameters.get('resourceVersion');
  const isWatch = parameters.get('watch') === 'true' || parameters.get('watch') === '1';
  const isState = !isWatch || parameters.get('sendInitialEvents') === 'true';
  const notOlderThan = version === null || !isState ? undefined : Number(version);
  const segments = (query < 0 ? path : path.slice(0, query)).split('/').slice(1);
  // /apis/group/version/namespaces/ns/plural[/name]
  const isCollection = segments[0] === 'apis' && (segments.length === 4 || segments.length === 6);
  switch (method) {
    case 'GET':
      return { verb: isWatch ? 'watch' : isCollection ? 'list' : 'read', notOlderThan };
    case 'POST':
      return { verb: 'create', notOlderThan: undefined };
    case 'DELETE':
      return { verb: 'delete', notOlderThan: undefined };
    case 'PATCH':
    case 'PUT':
      return { verb: 'patch', notOlderThan: undefined };
  }
}

function brokenConnection(refused: boolean): Error {
  const code = refused ? 'ECONNREFUSED' : 'ECONNRESET';
  return Object.assign(new Error('The simulated connection broke'), { code });
}

const reasons: Readonly<Record<number, string>> = {
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

function injected(fault: Extract<RequestFault, { readonly status: number }>): ExchangeAnswer {
  const { status, retryAfter, causes } = fault;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  const details = {
    ...(causes === true ? { causes: [{ reason: 'FieldValueInvalid', field: 'spec', message: 'simulated' }] } : {}),
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }),
  };
  const body = JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'simulated',
    reason: reasons[status],
    details,
    code: status,
  });
  return { status, headers, body };
}

async function* bytes(body: string): AsyncGenerator<Uint8Array> {
  if (body !== '') yield await Promise.resolve(Buffer.from(body));
}
