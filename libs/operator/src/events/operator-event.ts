import type { ErrorFact, HandlerFact, WatchCauseFact } from '../engine/engine-observer.js';
import type { ObjectKey } from '../engine/kube-object.js';

/** What every event has. */
interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface OfObject extends Moment {
  /** `plural.version.group`. */
  readonly resource: string;
  readonly key: ObjectKey;
}

interface OfWatch extends Moment {
  readonly resource: string;
  /** `undefined`: all namespaces, or a cluster-scoped resource. */
  readonly namespace: string | undefined;
}

interface OfLease extends Moment {
  /** `namespace/name`. */
  readonly lease: string | undefined;
  readonly identity: string | undefined;
}

/** The start-up handlers have succeeded: resources are looked up and watched. */
export interface OperatorStartedEvent extends Moment {
  readonly type: 'started';
}

/** Every watch is in sync and each object of the first lists has begun its first cycle. */
export interface OperatorSyncedEvent extends Moment {
  readonly type: 'synced';
}

/** A stop has begun. */
export interface OperatorStoppingEvent extends Moment {
  readonly type: 'stopping';
}

/** An unrecoverable error: the operator stops because of it. */
export interface OperatorFailureEvent extends Moment {
  readonly type: 'failed';
  readonly error: ErrorFact;
}

/** A call of a handler, of a part of one, or of an activity has succeeded. */
export interface HandlerSucceededEvent extends Moment, HandlerFact {
  readonly type: 'handlerSucceeded';
  /** Milliseconds. */
  readonly duration: number;
}

/** A call has failed. One that was told to end and did is none. */
export interface HandlerFailedEvent extends Moment, HandlerFact {
  readonly type: 'handlerFailed';
  /** `temporary`: it is repeated after `delay`. `permanent`: it is not. `ignored`: its error does not count. `fatal`: the operator stops. */
  readonly outcome: 'temporary' | 'permanent' | 'ignored' | 'fatal';
  readonly duration: number;
  readonly error: ErrorFact | undefined;
  readonly delay: number | undefined;
}

/** Its cycle has failed: it is processed again after `delay` milliseconds. */
export interface ObjectThrottledEvent extends OfObject {
  readonly type: 'objectThrottled';
  readonly delay: number;
  readonly error: ErrorFact;
}

/** A watch is out of sync and retried. */
export interface WatchDegradedEvent extends OfWatch {
  readonly type: 'watchDegraded';
  readonly cause: WatchCauseFact | undefined;
}

export interface WatchRecoveredEvent extends OfWatch {
  readonly type: 'watchRecovered';
  /** Milliseconds. */
  readonly degradedFor: number;
}

export interface LeaderGainedEvent extends OfLease {
  readonly type: 'leaderGained';
}

/** This replica leads no longer: it lost the lead, or gave it back at its end. */
export interface LeaderLostEvent extends OfLease {
  readonly type: 'leaderLost';
}

/** What happens in an operator. Told apart by `type`; more of them may come with any release. */
export type OperatorEvent =
  | OperatorStartedEvent
  | OperatorSyncedEvent
  | OperatorStoppingEvent
  | OperatorFailureEvent
  | HandlerSucceededEvent
  | HandlerFailedEvent
  | ObjectThrottledEvent
  | WatchDegradedEvent
  | WatchRecoveredEvent
  | LeaderGainedEvent
  | LeaderLostEvent;
