import type { Verb } from './pipeline/api-request.js';

/** One request that the server has seen. */
export interface RequestRecord {
  /** Time of the server's clock, milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** Undefined for requests that are not about a resource. */
  readonly verb: Verb | undefined;
  readonly group: string | undefined;
  readonly resource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly query: URLSearchParams;
  readonly user: string | undefined;
  readonly userAgent: string | undefined;
  readonly contentType: string | undefined;
  /** The parsed JSON body, or its text where it is not JSON. */
  readonly body: unknown;
  /** HTTP status of the answer; undefined while there is none. */
  readonly status: number | undefined;
  /** Bytes of the answer's body so far. */
  readonly bytes: number;
  /** Milliseconds of the server's clock until there was an answer, or the connection was gone. */
  readonly duration: number | undefined;
}

/** `answered`: status and headers are known. `ended`: nothing more is sent, or the connection is gone. */
export type RequestMoment = 'answered' | 'ended';

/** Told of requests as they go on. What it throws is an error of its own, not of the request. */
export type RequestListener = (record: RequestRecord, moment: RequestMoment) => void;

/** Beyond so many the oldest ones are dropped, so that a server that runs for long does not grow. */
const most = 50_000;

/** The requests since the start or the last `clear`, oldest first; the last 50,000 at least. */
export class RequestLog {
  readonly #records: RequestRecord[] = [];
  readonly #listeners = new Set<RequestListener>();

  get length(): number {
    return this.#records.length;
  }

  all(): readonly RequestRecord[] {
    return [...this.#records];
  }

  filter(predicate: (record: RequestRecord) => boolean): RequestRecord[] {
    return this.#records.filter(predicate);
  }

  [Symbol.iterator](): Iterator<RequestRecord> {
    return this.all()[Symbol.iterator]();
  }

  clear(): void {
    this.#records.length = 0;
  }

  /** Calls the listener with each request when it is answered and when it has ended, until the returned function is called. */
  subscribe(listener: RequestListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @internal */
  tell(record: RequestRecord, moment: RequestMoment): void {
    for (const listener of this.#listeners) listener(record, moment);
  }

  /** @internal */
  append(record: RequestRecord): void {
    this.#records.push(record);
    if (this.#records.length > most * 1.1) this.#records.splice(0, this.#records.length - most);
  }
}
