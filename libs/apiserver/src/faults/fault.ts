import type { Verb } from '../pipeline/api-request.js';
import type { JsonObject } from '../json.js';

/** Which requests a fault is for. What is left out matches everything. */
export interface FaultMatch {
  verb?: Verb | readonly Verb[];
  /** Plural, or `plural.group`. */
  resource?: string;
  namespace?: string;
  name?: string;
  /** A subresource; `''` matches only requests without one. */
  subresource?: string;
  user?: string;
  /** Path prefix, for requests that are not about a resource. */
  path?: string;
  /** Anything else that can be read from the request. */
  where?: (request: FaultRequest) => boolean;
  /** Begin with the nth matching request, counted from 1. @defaultValue 1 */
  nth?: number;
  /** How many requests it hits. @defaultValue no limit */
  times?: number;
}

/** A request as a fault sees it. */
export interface FaultRequest {
  readonly verb: Verb | undefined;
  readonly method: string;
  readonly path: string;
  readonly group: string | undefined;
  readonly resource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly user: string | undefined;
  readonly query: URLSearchParams;
}

/** What a fault does to a request. */
export type FaultAction =
  /** Answers in the server's place. `body`: text is sent as text/plain, an object as JSON; by default a Status. */
  | {
      action: 'answer';
      status: number;
      reason?: string;
      message?: string;
      /** Retry-After in seconds; a Status body then says so as well. */
      retryAfter?: number;
      body?: string | JsonObject;
    }
  /** Waits before the request is processed, in milliseconds of the server's clock. */
  | { action: 'delay'; ms: number }
  /** Resets the connection before anything was processed, or right after the answer's headers. */
  | { action: 'reset'; when?: 'beforeHeaders' | 'afterHeaders' }
  /** Resets the connection after n bytes of the answer's body. */
  | { action: 'cut'; afterBytes: number }
  /** Ends a stream cleanly once it has carried n lines (default 0: at once, after the headers). */
  | { action: 'endStream'; afterEvents?: number }
  /** Forwards nothing any more in either direction and keeps the connection open. A watch stalls after its headers and n lines. */
  | { action: 'stall'; afterEvents?: number }
  /** Delays each line of a watch; their order stays. */
  | { action: 'delayEvents'; ms: number }
  /** Sends the answer in pieces of n bytes. */
  | { action: 'rechunk'; bytes: number }
  /** Processes the request and resets the connection in place of the answer. */
  | { action: 'loseAnswer' }
  /** Ends a watch without a word once its reader is n bytes behind. */
  | { action: 'endSlowReader'; bytes: number }
  /**
   * Reads as of an older revision ("time travel"): a list with its old version, an object as it was, a watch that
   * begins with the old state and goes on from there.
   */
  | { action: 'stale'; revision: number };

export interface Fault {
  match?: FaultMatch;
  do: FaultAction | readonly FaultAction[];
}

/** A fault that was added. */
export interface FaultHandle {
  /** How many requests it has hit. */
  readonly hits: number;
  remove(): void;
}
