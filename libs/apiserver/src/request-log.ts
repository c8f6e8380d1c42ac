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
}

/** Beyond so many the oldest ones are dropped, so that a server that runs for long does not grow. */
const most = 50_000;

/** The requests since the start or the last `clear`, oldest first; the last 50,000 at least. */
export class RequestLog {
  readonly #records: RequestRecord[] = [];

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

  /** Used by the server. */
  append(record: RequestRecord): void {
    this.#records.push(record);
    if (this.#records.length > most * 1.1) this.#records.splice(0, this.#records.length - most);
  }
}
