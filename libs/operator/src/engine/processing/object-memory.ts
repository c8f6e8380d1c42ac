import type { HandlerDefinition } from '../handling/handler-definition.js';
import type { PatchRequest } from '../handling/object-patch-buffer.js';
import type { StoredObject } from '../kube-object.js';
import type { HandledState } from '../persistence/handled-state.js';
import type { Attempt, ObjectRecord } from '../persistence/object-record.js';
import type { ThrottleState } from './throttle.js';

/** Outcomes that the server has not acknowledged yet. */
export interface PendingWrite {
  readonly patch: PatchRequest;
  /** The record as it is to be; absent when it did not change. */
  readonly record: ObjectRecord | undefined;
}

/** A call that runs now. */
export interface RunningCall {
  readonly handler: HandlerDefinition;
  /** Ends with the object: not told to delete handlers, which run because of the deletion. */
  readonly endsOnDeletion: boolean;
  readonly abort: (reason: Error) => void;
  /** For `abortOnChange`: whether what the handler watches differs in this state from what it was called with. */
  readonly isSuperseded: ((object: StoredObject) => boolean) | undefined;
}

/** Where level-based handlers stand with an object. */
export interface ReconcileProgress {
  /** The change count that its last run began with. */
  seen: number;
  failures: number;
  /** Monotonic milliseconds of the next run, asked for by the handler or by its back-off. */
  due: number | undefined;
  /** A run during deletion ended without asking for another one. */
  released: boolean;
}

/** What is known in memory of one object, as long as it exists and this process watches it. */
export class ObjectMemory {
  /** Foreign changes seen so far. */
  changes = 0;
  /** What event handlers have not been told yet. */
  event: 'ADDED' | 'MODIFIED' | undefined;
  /** Handlers that still have to be resumed in this process. */
  readonly resumeOpen = new Set<string>();
  readonly resumeAttempts = new Map<string, Attempt>();
  readonly reconciles = new Map<string, ReconcileProgress>();
  /** Monotonic milliseconds of the next resync. */
  resyncAt: number | undefined;
  pending: PendingWrite | undefined;
  /** The record of an object that has no room for it. */
  unstorable: ObjectRecord | undefined;
  /** The text of the last record that the server had, to notice that somebody stripped it. */
  recordText: string | undefined;
  /** Monotonic milliseconds before which a stripped record is not written again. */
  restoreAt: number | undefined;
  throttle: ThrottleState | undefined;
  running: RunningCall | undefined;
  /** Within a cycle: the state of the newest object version, shared by all handlers. */
  cachedState: { readonly object: StoredObject; readonly state: HandledState } | undefined;
  /** Within a cycle: the record as read from the object. */
  cachedRecord: { readonly object: StoredObject; readonly record: ObjectRecord } | undefined;
  #memo: Map<unknown, unknown> | undefined;

  constructor(readonly uid: string) {}

  get memo(): Map<unknown, unknown> {
    this.#memo ??= new Map();
    return this.#memo;
  }
}
