import type { Verb } from '../pipeline/api-request.js';
import type { EventMatch } from './event-match.js';
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
  /** Begin with the nth matching request (of a watch: the nth stream), counted from 1. @defaultValue 1 */
  nth?: number;
  /** How many requests it hits. @defaultValue no limit */
  times?: number;
  /** Chance from 0 to 1 that a matching request is hit. The seed of the faults decides which ones are. @defaultValue 1 */
  probability?: number;
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

/** What a fault does to a request. Times are milliseconds of the server's clock. */
export type FaultAction =
  | AnswerFault
  /**
   * Waits before the request is processed, or with its answer: the work is done then, and not even a header has been
   * sent.
   */
  | { action: 'delay'; ms: number; when?: 'beforeWork' | 'beforeAnswer' }
  /** Resets the connection before anything was processed, or right after the answer's headers. */
  | { action: 'reset'; when?: 'beforeHeaders' | 'afterHeaders' }
  /** Processes the request and resets the connection in place of the answer. */
  | { action: 'loseAnswer' }
  /**
   * Breaks the connection off after n bytes of the answer's body: with a reset, or closed as if that were all.
   *
   * `how` defaults to `'reset'`.
   */
  | { action: 'cut'; afterBytes: number; how?: 'reset' | 'close' }
  /**
   * Forwards nothing any more in either direction and keeps the connection open: for `ms`, after which everything
   * goes on in order, or without end (a half-open connection). A watch stalls after its headers and n lines, any other
   * request in place of its answer; with `afterBytes` both do after so many bytes of the body.
   */
  | { action: 'stall'; ms?: number; afterEvents?: number; afterBytes?: number }
  /** Sends the answer in pieces of n bytes. */
  | { action: 'rechunk'; bytes: number }
  /**
   * Reads as of an older revision ("time travel"): a list with its old version, an object as it was, a watch that
   * begins with the old state and goes on from there.
   */
  | { action: 'stale'; revision: number }
  /**
   * Says 410 whatever history there is: for a list (of a page: with a token to go on without consistency), and within a
   * watch after n lines. Other requests are left alone.
   */
  | { action: 'expire'; afterEvents?: number }
  /**
   * Spoils what is sent so that it is no JSON any more: lines of a watch, each still a line, or the body of another
   * answer. `'truncate'` leaves the first half, `'garble'` puts a byte that is never allowed into the middle.
   *
   * `how` defaults to `'truncate'`.
   */
  | { action: 'corrupt'; how?: 'truncate' | 'garble'; events?: EventMatch }
  | StreamFault;

/** Answers in the server's place. */
export interface AnswerFault {
  action: 'answer';
  status: number;
  reason?: string;
  message?: string;
  /** Retry-After in seconds; a Status body then says so as well. */
  retryAfter?: number;
  /** Text is sent as text/plain, an object as JSON. @defaultValue a Status */
  body?: string | JsonObject;
}

/** What a fault does to the stream of a watch; other requests are left alone. Lines are events and bookmarks alike. */
export type StreamFault =
  /** Ends it cleanly once it has carried n lines (default 0: at once, after the headers). */
  | { action: 'endStream'; afterEvents?: number }
  /** Ends it without a word once its reader is n bytes behind. */
  | { action: 'endSlowReader'; bytes: number }
  /** Delays each line; their order stays. */
  | { action: 'delayEvents'; ms: number }
  /** Swallows events. */
  | { action: 'dropEvents'; events?: EventMatch }
  /** Sends events twice in a row. */
  | { action: 'duplicateEvents'; events?: EventMatch }
  /** Holds events back until n others have passed (default 1), or the stream ends. */
  | { action: 'reorderEvents'; by?: number; events?: EventMatch }
  /** Sends events under another type, with another object, or both. */
  | {
      action: 'changeEvents';
      type?: string;
      object?: JsonObject | ((object: JsonObject) => JsonObject);
      events?: EventMatch;
    }
  /** Takes the mark of the end of the initial events off its bookmark. */
  | { action: 'omitInitialEventsEnd' }
  /** Adds a line once the stream has carried n others (default 0): text as it is, an object as JSON. */
  | { action: 'inject'; line: string | JsonObject; afterEvents?: number };

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
