import type { FieldPath } from '../json/field-path.js';
import type { ObjectKey, StoredObject } from '../kube-object.js';
import type { Resource, ResourceSelector } from '../resource.js';
import type { RecordStoreName } from '../persistence/record-store.js';
import type { FilterContext, HandlerContext } from './handler-context.js';
import type { TimerSchedule } from './timer-schedule.js';

/** What filters match a label or annotation against. */
export type KeyMatch =
  string | typeof PRESENT | typeof ABSENT | ((value: string | undefined, context: FilterContext) => boolean);

/** Matches when there is a value. */
export const PRESENT: unique symbol = Symbol.for('nestjs-operator.present');
/** Matches when there is no value. */
export const ABSENT: unique symbol = Symbol.for('nestjs-operator.absent');

/** A field's value to match: a literal (compared by content), PRESENT, ABSENT, or a function of the value. */
export type ValueMatch = unknown;

export type { FieldPath };

/** Conditions that all must hold. */
export interface HandlerFilter {
  readonly labels?: Readonly<Record<string, KeyMatch>>;
  readonly annotations?: Readonly<Record<string, KeyMatch>>;
  /** Evaluated last. An error in it counts as an error of the object's cycle, not of the handler. */
  readonly when?: (context: FilterContext) => boolean;
  readonly field?: FieldPath;
  /** With `field`: what the value must be. For changes: what the old or the new value must be. */
  readonly value?: ValueMatch;
  /** With `field`, for updates: what the old value must be. */
  readonly old?: ValueMatch;
  /** With `field`, for updates: what the new value must be. */
  readonly new?: ValueMatch;
}

/** One reason for a handler to be called; stacked decorators give several. */
export type Trigger =
  | { readonly on: 'create'; readonly filter: HandlerFilter }
  | { readonly on: 'update'; readonly filter: HandlerFilter }
  /** Creation and change of one field. `filter.field` is set. */
  | { readonly on: 'field'; readonly filter: HandlerFilter }
  /** `optional`: asks for no finalizer; called only when another handler's need has put one on the object. */
  | {
      readonly on: 'delete';
      readonly filter: HandlerFilter;
      readonly optional: boolean;
      readonly onGiveUp: 'release' | 'hold';
    }
  /** `deleted`: also for objects that are being deleted. */
  | { readonly on: 'resume'; readonly filter: HandlerFilter; readonly deleted: boolean }
  | { readonly on: 'event'; readonly filter: HandlerFilter }
  | {
      readonly on: 'reconcile';
      readonly filter: HandlerFilter;
      readonly finalizer: boolean;
      /** Other resources whose changes are a reason to call it. */
      readonly mapped: readonly MappedResource[];
    }
  /** At most one per handler. */
  | {
      readonly on: 'timer';
      readonly filter: HandlerFilter;
      readonly schedule: TimerSchedule;
      readonly finalizer: boolean;
    }
  /** A long call beside the cycles. At most one per handler, and nothing else with it. All times are milliseconds. */
  | {
      readonly on: 'daemon';
      readonly filter: HandlerFilter;
      readonly initialDelay: number;
      readonly jitter: number;
      /** When it has ended well: not again for this object in this process, after the next change, or at once. */
      readonly restart: 'never' | 'onChange' | 'always';
      readonly cancellation: DaemonCancellation;
      readonly finalizer: boolean;
    }
  /** Fills an index. Called for each state of an object, before anything else sees it. At most one per handler. */
  | { readonly on: 'index'; readonly filter: HandlerFilter; readonly index: string };

/** Changes of one resource that lead to objects of another one. */
export interface MappedResource {
  readonly resource: ResourceSelector;
  /** The objects of `served` that depend on this state of this object. Asked for the state before a change and after it. */
  readonly map: (object: StoredObject, served: Resource) => readonly ObjectKey[];
  /** Its objects are made by the handler, and owned by the object that it handles. */
  readonly owned?: boolean;
}

/** How a daemon is ended. All times are milliseconds. */
export interface DaemonCancellation {
  /** From being told to stop to the abort of its signal. */
  readonly cancellationBackoff: number;
  /** From the abort to being left to itself. Absent: its object waits for it. */
  readonly cancellationTimeout: number | undefined;
  /** How often it is told meanwhile that its object waits. */
  readonly cancellationPolling: number;
}

export type TriggerKind = Trigger['on'];

/** Milliseconds before the next attempt, given the number of failed attempts so far (1 after the first). */
export type Backoff = (failures: number) => number;

export interface HandlerPolicy {
  /** Attempts in all, for one difference. Absent: no limit. */
  readonly retries?: number;
  /** Milliseconds per attempt, by abort. */
  readonly timeout?: number;
  /** Milliseconds over all attempts for one difference. */
  readonly giveUpAfter?: number;
  /** Absent: the operator's `retry`. Jitter is added by the engine. */
  readonly backoff?: Backoff;
  /** Share of a delay by which it may differ, in place of the operator's. */
  readonly jitter?: number;
  /** What an arbitrary error means. */
  readonly errors: 'temporary' | 'permanent' | 'ignored';
  /** Abort a running attempt when what it watches changes. */
  readonly abortOnChange: boolean;
  /** Where a returned object goes: merged into `status`, or under `status.<id>`. */
  readonly result: 'merge' | 'byHandler';
  /** Maps domain errors to TemporaryError, PermanentError or FatalError. */
  readonly asHandlerError?: (error: unknown) => unknown;
}

/** One handler of one resource: one method of one provider. */
export interface HandlerDefinition {
  /** Unique per resource, stable across releases: progress is kept under it. */
  readonly id: string;
  /** Ids that it had in earlier releases: progress under them is its own. */
  readonly formerIds?: readonly string[];
  /** `Class.method`, for messages. */
  readonly origin: string;
  /** What the decorator was given for the handler, as it is. */
  readonly param?: unknown;
  readonly resource: ResourceSelector;
  /** Where the records of its resource are kept, if its class says so. */
  readonly store?: RecordStoreName;
  /** At least one. */
  readonly triggers: readonly Trigger[];
  readonly policy: HandlerPolicy;
}

/** When a probe is called, and what its failure means. All times are milliseconds. */
export interface ProbePolicy {
  readonly fails: 'liveness' | 'readiness' | 'none';
  readonly timeout: number;
  /** That long, its last result is the answer. */
  readonly maxAge: number;
}

/** A start-up or clean-up step, or a probe. */
export interface ActivityDefinition {
  readonly id: string;
  readonly origin: string;
  readonly on: 'startup' | 'cleanup' | 'probe';
  readonly policy: Pick<HandlerPolicy, 'retries' | 'timeout' | 'giveUpAfter' | 'backoff' | 'asHandlerError'>;
  /** Set for a probe. */
  readonly probe?: ProbePolicy;
}

/** Port: how the engine calls user code. The Nest side resolves scopes, parameters and enhancers behind it. */
export interface HandlerInvoker {
  invoke(handler: HandlerDefinition, context: HandlerContext): Promise<unknown>;
  invokeActivity(activity: ActivityDefinition, context: ActivityContext): Promise<unknown>;
}

/** What start-up and clean-up handlers, and probes, are called with. */
export interface ActivityContext {
  /** Aborted at the attempt's timeout and when the operator stops. */
  readonly signal: AbortSignal;
  /** Failed attempts before this one. */
  readonly retry: number;
}
