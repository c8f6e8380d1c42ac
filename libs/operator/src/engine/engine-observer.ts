import type { ApiVerb, ConnectionPool } from './client/api-client.js';
import type { HandlerCause } from './handling/handler-context.js';
import type { ObjectKey } from './kube-object.js';
import type { LeadershipStatus } from './leaderelection/leadership-status.js';
import type { OperatorState } from './supervision/supervised.js';
import type { WatchState, WatchTroubleKind } from './watching/watch-state.js';

/**
 * States of a key in its queue. `waiting`: until its due time. `ready`: until a slot is free. `running`: it is being
 * processed. `absent`: there is nothing to do for it.
 */
export type QueueState = 'absent' | 'waiting' | 'ready' | 'running';

/**
 * States of a key's cycle. `held`: its turn came before its throttle or pause was over. `running`: a cycle works. Then how it
 * ended: `done`; `postponed`: others kept writing, or the operator fails; `throttled`: by an error; `gone`: the object is no
 * more; `cut`: by the stop.
 */
export type CycleState = 'held' | 'running' | 'done' | 'postponed' | 'throttled' | 'gone' | 'cut';

/** How a cycle ended. `failed`: by an error that is unrecoverable, since throttling is switched off. */
export type CycleResult = Exclude<CycleState, 'held' | 'running'> | 'failed';

/** What is told of an error: never its message, which may quote what it is about. */
export interface ErrorFact {
  /** The class. */
  readonly name: string;
  /** The stable code, where it has one. */
  readonly code: string | undefined;
}

/** One pass over one object. */
export interface CycleFact {
  readonly resource: string;
  readonly key: ObjectKey;
}

export interface CycleEndFact {
  readonly result: CycleResult;
  /** Milliseconds. */
  readonly duration: number;
  /** Of a cycle that was throttled or failed. */
  readonly error: ErrorFact | undefined;
}

/** One call of a handler, of a part of one, or of an activity. */
export interface HandlerFact {
  /** Id of the handler, unique per resource; of an activity its origin. */
  readonly handler: string;
  /** `Class.method`. */
  readonly origin: string;
  /** `plural.version.group`; `undefined` for activities. */
  readonly resource: string | undefined;
  readonly key: ObjectKey | undefined;
  readonly cause: HandlerCause | 'startup' | 'cleanup';
  /** From 1 on. */
  readonly attempt: number;
}

/**
 * What became of a call. `temporary`: it failed and is repeated. `permanent`: it failed for good. `ignored`: its error does
 * not count. `aborted`: it was told to end. `fatal`: its error ends the operator.
 */
export type HandlerOutcome = 'succeeded' | 'temporary' | 'permanent' | 'ignored' | 'aborted' | 'fatal';

export interface HandlerEndFact {
  readonly outcome: HandlerOutcome;
  /** Milliseconds that the call took. */
  readonly duration: number;
  readonly error: ErrorFact | undefined;
  /** Milliseconds to the next attempt, with `temporary`. */
  readonly delay: number | undefined;
}

/** One watch: of a resource in one namespace, or in all. */
export interface WatchFact {
  /** `plural.version.group`. */
  readonly resource: string;
  readonly namespace: string | undefined;
}

/** Why a watch is degraded. */
export interface WatchCauseFact {
  readonly kind: WatchTroubleKind;
  readonly verb: ApiVerb;
  /** HTTP status, or the code of an ERROR event. */
  readonly status: number | undefined;
}

/** One attempt of a request to the API server. */
export interface RequestFact {
  readonly verb: ApiVerb;
  /** `plural.version.group` of what it is about; `undefined` where it is about no resource, as discovery is. */
  readonly resource: string | undefined;
  readonly subresource: string | undefined;
  /** The path with `{namespace}` and `{name}` in place of names. */
  readonly template: string;
  readonly pool: ConnectionPool;
  /** From 1 on. */
  readonly attempt: number;
}

export interface RequestEndFact {
  /** HTTP status; `undefined` when there was no answer. */
  readonly status: number | undefined;
  /** Milliseconds: of a watch until it was accepted, else until the whole answer was read. */
  readonly duration: number;
  readonly error: ErrorFact | undefined;
}

/** Why a Kubernetes event was not posted. `budget`: too many of its object; `full`: too many at once; `failed`: refused, or no answer. */
export type EventDropReason = 'budget' | 'full' | 'failed';

/**
 * What the engine tells outward, as it happens. An observer has the methods for what it wants to know, and nothing is made
 * or measured for what nobody asks. Several are combined by an `ObserverHub`, which also sees to it that one that throws
 * disturbs nobody; an observer that is given to the engine directly must not throw. All of them must be quick. Durations are
 * milliseconds; resources are named `plural.version.group`.
 *
 * Start and end of one cycle, handler or request carry the same fact, the very same object, so that it can serve as a key.
 * `within…` runs the work itself: it must call `work` once, synchronously, in whatever context it wants it to run in.
 */
export interface EngineObserver {
  onOperatorState?(state: OperatorState, previous: OperatorState): void;
  /** Every watch is in sync and each object of the first lists has begun its first cycle. Once. */
  onSynced?(): void;
  /** An unrecoverable error: the operator ends because of it. */
  onFailure?(error: ErrorFact): void;

  /** The election has gone on to another state. */
  onLeadership?(status: LeadershipStatus): void;

  /** A resource is watched from now on, or no longer. */
  onResourceServed?(resource: string): void;
  onResourceLeft?(resource: string, how: 'gone' | 'replaced'): void;

  onWatchState?(watch: WatchFact, state: WatchState, previous: WatchState, cause: WatchCauseFact | undefined): void;
  /** It is in sync again. `degradedFor`: milliseconds. */
  onWatchRecovered?(watch: WatchFact, degradedFor: number): void;
  /** It is taken up again. `end`: its stream ended in order. */
  onWatchRestart?(watch: WatchFact, reason: WatchTroubleKind | 'end'): void;
  onWatchEvent?(watch: WatchFact, type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'): void;

  /**
   * The store has taken a state that is not of our own making, as far as is known then: its key will be processed. Also in
   * stores of a standby.
   */
  onObjectChange?(resource: string, key: ObjectKey, origin: 'list' | 'watch' | 'write'): void;

  onQueueState?(resource: string, key: ObjectKey, state: QueueState): void;
  /** Something asked for a run of the key; also when it waits already. */
  onQueueAdd?(resource: string): void;
  /** A key was due for that long before it had a slot. */
  onQueueWait?(resource: string, key: ObjectKey, waited: number): void;
  onQueueWork?(resource: string, key: ObjectKey, worked: number): void;
  /** A key waits because its work failed or could not be finished. */
  onQueueRetry?(resource: string): void;

  onCycleState?(resource: string, key: ObjectKey, state: CycleState): void;
  onCycleStart?(cycle: CycleFact): void;
  withinCycle?(cycle: CycleFact, work: () => void): void;
  onCycleEnd?(cycle: CycleFact, end: CycleEndFact): void;

  /** `delay`: milliseconds to the next cycle, unless something ends the wait before. */
  onThrottled?(resource: string, key: ObjectKey, delay: number, error: ErrorFact): void;
  /** A cycle has succeeded at last, or the object is gone. */
  onUnthrottled?(resource: string, key: ObjectKey): void;

  onHandlerStart?(call: HandlerFact): void;
  withinHandler?(call: HandlerFact, work: () => void): void;
  /** Over its time, or deaf to its abort. It may still end. */
  onHandlerStuck?(call: HandlerFact): void;
  onHandlerEnd?(call: HandlerFact, end: HandlerEndFact): void;

  onRequestStart?(request: RequestFact): void;
  withinRequest?(request: RequestFact, work: () => void): void;
  onRequestEnd?(request: RequestFact, end: RequestEndFact): void;

  onEventPosted?(): void;
  onEventDropped?(reason: EventDropReason): void;
}

/** For those that nobody observes. */
export const noObserver: EngineObserver = {};
