import type { LeadershipStatus } from './leaderelection/leadership-status.js';
import type { OperatorState, RootTaskStatus } from './supervision/supervised.js';
import type { WatchState } from './watching/watch-health.js';

/** One watch: a resource in one namespace or in all. */
export interface WatchStatus {
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly state: WatchState;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly synced: boolean;
  readonly cause: string | undefined;
  /** When the server last sent something, bookmarks included: milliseconds since 1970. */
  readonly lastEventAt: number | undefined;
  /** Milliseconds for which it has been out of sync; `undefined`: it is in sync, or waits for its kind. */
  readonly degradedFor: number | undefined;
}

/** What the operator is doing now. */
export interface OperatorStatus {
  readonly state: OperatorState;
  /** `OperatorRef.pause()` holds its work: nothing begins before `resume()`. */
  readonly paused: boolean;
  readonly tasks: readonly RootTaskStatus[];
  readonly watches: readonly WatchStatus[];
  /** Stored objects per resource. */
  readonly objects: Readonly<Record<string, number>>;
  /** Keys that wait or run, per resource. */
  readonly queued: Readonly<Record<string, number>>;
  /** Keys that are due or run, and events that are being posted: 0 when nothing is left to do now. */
  readonly due: number;
  /** Handlers that run now. */
  readonly running: number;
  /** Handlers that are over their time, or deaf to their abort. */
  readonly stuck: number;
  /** Keys that may be processed at a time. */
  readonly capacity: number;
  /** Throttled keys. */
  readonly throttled: number;
  /** Every resource that handlers name has been found. */
  readonly found: boolean;
  /** Who leads, where there is an election. */
  readonly leadership: LeadershipStatus;
}
