import type { SupersededBecause } from '../../errors/object-superseded.error.js';
import type { OperatorStoppingError } from '../../errors/operator-stopping.error.js';
import type { HandlerDefinition } from '../handling/handler-definition.js';
import { ObjectMemo } from '../handling/object-memo.js';
import type { PatchRequest } from '../handling/object-patch-buffer.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import type { UnwrittenCall } from '../handling/unwritten-call.js';
import type { StoredObject } from '../kube-object.js';
import type { HandledState } from '../persistence/handled-state.js';
import type { Attempt, HandlerProgress, ObjectRecord } from '../persistence/object-record.js';
import type { ThrottleState } from './throttle.js';

/** Outcomes that the server has not acknowledged yet. */
export interface PendingWrite {
  readonly patch: PatchRequest;
  /** The record as it is to be; absent when it did not change. */
  readonly record: ObjectRecord | undefined;
  /** By the id of a handler or part: its last call, if the patch holds what it changes. */
  readonly calls?: ReadonlyMap<string, UnwrittenCall>;
}

/** A call that runs now. */
export interface RunningCall {
  readonly handler: HandlerDefinition;
  /** Ends with the object: not told to delete handlers, which run because of the deletion. */
  readonly endsOnDeletion: boolean;
  readonly abort: (reason: Error) => void;
  /** Why it is to end, given a newer state of the object. */
  readonly endsFor: ((object: StoredObject) => SupersededBecause | undefined) | undefined;
}

/** Where level-based handlers stand with an object. */
export interface ReconcileProgress {
  /** The change count that its last run began with. */
  seen: number;
  failures: number;
  /** Start of the first of these failed attempts, milliseconds since 1970. */
  failingSince: number;
  /** Monotonic milliseconds of the next run, asked for by the handler or by its back-off. */
  due: number | undefined;
  /** A run during deletion ended without asking for another one. */
  released: boolean;
}

/** `waiting`: before its first call, or between two. `abandoned`: deaf to its abort for longer than it may hold its object. */
export type DaemonState = 'waiting' | 'running' | 'ended' | 'abandoned';

/** A daemon of one object. */
export interface LivingDaemon {
  readonly handler: ResourceHandler;
  readonly state: DaemonState;
  /** Tells it to end. The first reason counts. */
  stop(reason: SupersededBecause | OperatorStoppingError): void;
}

/** Where a daemon handler stands with an object. */
export interface DaemonSlot {
  /** The one that lives; a new one starts only when it has ended. */
  daemon: LivingDaemon | undefined;
  /** It ended by itself, when so many essential changes had been seen. */
  doneAt: number | undefined;
}

/** Where a timer stands with an object. */
export interface TimerProgress {
  waitsFor: 'time' | 'change' | 'nothing';
  /** Monotonic milliseconds. */
  due: number;
  failures: number;
  /** Start of the first of these failed attempts, milliseconds since 1970. */
  failingSince: number;
  /** The count of essential changes that its last call began with. */
  seen: number;
  /** Monotonic start of the first call of a timer that keeps to a grid. */
  grid: number | undefined;
}

const nobody: ReadonlySet<string> = new Set();

/** What is known in memory of one object, as long as it exists and this process watches it. */
export class ObjectMemory {
  /** Foreign changes seen so far. */
  changes = 0;
  /** What event handlers have not been told yet. */
  event: 'ADDED' | 'MODIFIED' | 'DELETED' | undefined;
  /** The change that it began with. */
  eventSince = 0;
  /** Handlers that still have to be resumed in this process. */
  resumeOpen: ReadonlySet<string> = nobody;
  /** Made when first needed, as all maps here: most objects of a large store never need one. */
  resumeAttempts: Map<string, Attempt> | undefined;
  /** Progress of the parts of handlers that are being resumed. */
  resumeParts: Map<string, HandlerProgress> | undefined;
  reconciles: Map<string, ReconcileProgress> | undefined;
  timers: Map<string, TimerProgress> | undefined;
  daemons: Map<string, DaemonSlot> | undefined;
  /** What daemons want changed, until a cycle takes it. */
  arrived: PatchRequest | undefined;
  /** Foreign changes of the essence, counted for handlers that wait for or after them. */
  essentialChanges = 0;
  /** The change that the last of them was. */
  essentialSince = 0;
  /** It was there when this process, or its term of leadership, began. */
  initial = false;
  /** The last request for a cycle that was seen on the object. */
  request: string | undefined;
  /** Such a request came, and what waits for a time does not wait for it in the next cycle. */
  requested = false;
  /** Monotonic milliseconds of the run that a handler asked for. */
  wakeAt: number | undefined;
  /** Monotonic milliseconds of the next resync. */
  resyncAt: number | undefined;
  /** Monotonic milliseconds before which no cycle begins: others kept writing. */
  notBefore: number | undefined;
  /** The dying object was let go: whatever the store still shows of it, its deletion is done. */
  released = false;
  pending: PendingWrite | undefined;
  /** The object as the cycle found it that is at work, or that could not be finished. */
  sight: StoredObject | undefined;
  /** Handlers whose outcomes it holds, for records. */
  pendingOf: Set<string> | undefined;
  /** The record of an object that has no room for it. */
  unstorable: ObjectRecord | undefined;
  /** The record that was written on this state, while the store does not show the answer. */
  unseen: { readonly object: StoredObject; readonly record: ObjectRecord } | undefined;
  /** The text of the last record that the server had, to notice that somebody stripped it. */
  recordText: string | undefined;
  /** No handler's labels and annotations match the object. */
  unwanted = false;
  /** The record of an object that is unwanted, and carries none. */
  setAside: ObjectRecord | undefined;
  /** The record is what Kopf left on the object, to be written as our own. */
  ofKopf = false;
  /** The record was asked of a store of its own. */
  loaded = false;
  /** Somebody stripped the record, which has not been told yet. */
  stripped = false;
  /** Monotonic milliseconds before which a stripped record is not written again. */
  restoreAt: number | undefined;
  throttle: ThrottleState | undefined;
  running: RunningCall | undefined;
  /** Within a cycle: the state of the newest object version, shared by all handlers. */
  cachedState: { readonly object: StoredObject; readonly state: HandledState } | undefined;
  /** Within a cycle: the record as read from the object. */
  cachedRecord: { readonly object: StoredObject; readonly record: ObjectRecord } | undefined;
  #memo: ObjectMemo | undefined;

  /** @param changedAt - monotonic milliseconds of the last foreign change of the essence, or of the first sight */
  constructor(
    readonly uid: string,
    public changedAt = 0,
  ) {}

  /** The handler was resumed, or will not be any more. */
  closeResume(handler: string): void {
    this.resumeAttempts?.delete(handler);
    for (const id of this.resumeParts?.keys() ?? []) {
      if (id.startsWith(`${handler}/`)) this.resumeParts?.delete(id);
    }
    if (this.resumeOpen.has(handler)) this.resumeOpen = new Set([...this.resumeOpen].filter((id) => id !== handler));
  }

  /** Whether a time has come that a cycle was planned for: of a resync, or asked for by a handler. It is over then. */
  takeWakeUps(now: number): boolean {
    const resyncs = this.resyncAt !== undefined && this.resyncAt <= now;
    const wakes = this.wakeAt !== undefined && this.wakeAt <= now;
    if (resyncs) this.resyncAt = undefined;
    if (wakes) this.wakeAt = undefined;
    return resyncs || wakes;
  }

  get memo(): ObjectMemo {
    this.#memo ??= new ObjectMemo();
    return this.#memo;
  }
}
