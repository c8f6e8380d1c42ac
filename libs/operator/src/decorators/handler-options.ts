import type { DeepReadonly, FilterContext } from '../engine/handling/handler-context.js';
import type { KeyMatch } from '../engine/handling/handler-definition.js';
import type { ObjectKey, StoredObject } from '../engine/kube-object.js';
import type { Duration } from '../duration.js';
import type { FieldReference } from './field-path.js';
import type { ResourceReference } from './resource-reference.js';

/** Delays that grow from `initial` by `factor` up to `cap`. */
export interface BackoffOptions {
  readonly initial: Duration;
  /** @defaultValue 2 */
  readonly factor?: number;
  /** @defaultValue no cap */
  readonly cap?: Duration;
  /**
   * Share by which a delay may differ, from 0 to 1.
   * @defaultValue the operator's
   */
  readonly jitter?: number;
}

/**
 * The wait before the next attempt: the same each time, one of a list after the other (the last one from then on), growing,
 * or computed from the number of failures so far (1 after the first). The operator adds its jitter.
 */
export type BackoffOption = Duration | readonly Duration[] | BackoffOptions | ((failures: number) => Duration);

/** How attempts of one method are repeated. Counted anew for each difference that it handles. */
export interface RetryOptions {
  /**
   * Attempts in all.
   * @defaultValue no limit
   */
  readonly retries?: number;
  /**
   * Time for one attempt; then its signal is aborted.
   * @defaultValue none
   */
  readonly timeout?: Duration;
  /**
   * Time over all attempts.
   * @defaultValue none
   */
  readonly giveUpAfter?: Duration;
  /** @defaultValue the operator's `retry` */
  readonly backoff?: BackoffOption;
  /**
   * Turns errors of your domain into TemporaryError, PermanentError or FatalError. What it returns is used instead.
   * @defaultValue none: errors are taken as they are
   */
  readonly asHandlerError?: (error: unknown) => unknown;
}

/** What all handlers of a resource can say. */
export interface HandlerOptions {
  /** @defaultValue the resource of the class's `@ResourceHandlers` */
  readonly resource?: ResourceReference;
  /**
   * Progress is kept under this name: give it before renaming a method. Unique per resource.
   * @defaultValue the method's name
   */
  readonly id?: string;
  /**
   * Ids that it had in earlier releases: progress that objects carry under them is taken over.
   * @defaultValue none
   */
  readonly formerIds?: readonly string[];
  /**
   * Handed to the method as `ctx.param`, for methods that several classes inherit.
   * @defaultValue undefined
   */
  readonly param?: unknown;
  /**
   * Labels that the object must have: a text, PRESENT, ABSENT, or a function of the value and its context.
   * @defaultValue no condition
   */
  readonly labels?: Readonly<Record<string, KeyMatch>>;
  /**
   * As `labels`, for annotations.
   * @defaultValue no condition
   */
  readonly annotations?: Readonly<Record<string, KeyMatch>>;
  /**
   * Called after all other conditions; must be pure.
   * @defaultValue no condition
   */
  readonly when?: (context: FilterContext) => boolean;
}

/** Outcomes of handlers whose progress is kept on the object. */
export interface OutcomeOptions extends RetryOptions {
  /**
   * What an error that is none of ours means: try again, fail for good, or count as success.
   * @defaultValue 'temporary'
   */
  readonly errors?: 'temporary' | 'permanent' | 'ignored';
  /**
   * Abort a running attempt when what it watches changes.
   * @defaultValue false
   */
  readonly abortOnChange?: boolean;
  /**
   * Where a returned object goes: merged into `status`, or to `status.<id>`.
   * @defaultValue 'merge'
   */
  readonly result?: 'merge' | 'byHandler';
}

/** A field that must have a value. */
export interface FieldValueOptions {
  /**
   * The part of the object that this handler watches.
   * @defaultValue the essence of the object
   */
  readonly field?: FieldReference;
  /**
   * With `field`: a literal compared by content, PRESENT, ABSENT, or a function of the value and its context.
   * @defaultValue PRESENT outside of changes; for changes no condition
   */
  readonly value?: unknown;
}

/** A field that must change in a certain way. */
export interface FieldChangeOptions extends FieldValueOptions {
  /**
   * With `field`: what the value was. Not together with `value`.
   * @defaultValue no condition
   */
  readonly old?: unknown;
  /**
   * With `field`: what the value is now. Not together with `value`.
   * @defaultValue no condition
   */
  readonly new?: unknown;
}

/** Options of `@OnCreate`. */
export interface OnCreateOptions extends HandlerOptions, OutcomeOptions, FieldValueOptions {}

/** Options of `@OnUpdate`. */
export interface OnUpdateOptions extends HandlerOptions, OutcomeOptions, FieldChangeOptions {}

/** Options of `@OnField`. */
export interface OnFieldOptions extends HandlerOptions, OutcomeOptions, FieldChangeOptions {
  readonly field: FieldReference;
}

/** Options of `@OnDelete`. */
export interface OnDeleteOptions extends HandlerOptions, OutcomeOptions, FieldValueOptions {
  /**
   * Ask for no finalizer: called only where another handler of the operator has put one on the object.
   * @defaultValue false
   */
  readonly optional?: boolean;
  /**
   * When it failed for good: let the object go, or keep it until someone steps in.
   * @defaultValue 'release'
   */
  readonly onGiveUp?: 'release' | 'hold';
}

/** Options of `@OnResume`. */
export interface OnResumeOptions extends HandlerOptions, OutcomeOptions, FieldValueOptions {
  /**
   * Also for objects that are being deleted.
   * @defaultValue false
   */
  readonly deleted?: boolean;
}

/** Options of `@OnWatchEvent`. There are no retries: a failed call is logged. */
export interface OnWatchEventOptions extends HandlerOptions, FieldValueOptions {
  /**
   * Turns errors of your domain into TemporaryError, PermanentError or FatalError. What it returns is used instead.
   * @defaultValue none: errors are taken as they are
   */
  readonly asHandlerError?: (error: unknown) => unknown;
  /**
   * Time for one call; then its signal is aborted.
   * @defaultValue none
   */
  readonly timeout?: Duration;
}

/** Options of `@OnReconcile`. */
export interface OnReconcileOptions extends HandlerOptions, FieldValueOptions {
  /**
   * Turns errors of your domain into TemporaryError, PermanentError or FatalError. What it returns is used instead.
   * @defaultValue none: errors are taken as they are
   */
  readonly asHandlerError?: (error: unknown) => unknown;
  /**
   * Time for one call; then its signal is aborted.
   * @defaultValue none
   */
  readonly timeout?: Duration;
  /** @defaultValue the operator's `retry` */
  readonly backoff?: BackoffOption;
  /**
   * Keep a finalizer on the object, released when a run for its deletion returns without asking for another one.
   * @defaultValue false
   */
  readonly finalizer?: boolean;
  /**
   * Resources whose objects the handler's object owns: called also when one of them changes, comes or goes.
   * @defaultValue none
   */
  readonly owns?: ReadonlyArray<ResourceReference | OwnedResource>;
  /**
   * Resources whose changes lead to objects of this handler by a function.
   * @defaultValue none
   */
  readonly watches?: readonly WatchedResource[];
}

/** A resource whose objects are owned. */
export interface OwnedResource {
  readonly resource: ResourceReference;
  /**
   * Only owner references that are marked as the controller count.
   * @defaultValue true
   */
  readonly controller?: boolean;
}

/** A resource whose objects matter to others. */
export interface WatchedResource<T extends StoredObject = StoredObject> {
  readonly resource: ResourceReference;
  /**
   * The objects of the handler that depend on this one: keys (`namespace/name`, or `name`), or their parts. Asked for the
   * state before a change and for the one after it. Must be quick, and pure.
   */
  readonly map: (
    object: DeepReadonly<T>,
  ) => Iterable<ObjectKey | { readonly namespace?: string | undefined; readonly name: string }>;
}

/** Options of `@Timer`. */
export interface TimerOptions extends HandlerOptions, Omit<OutcomeOptions, 'abortOnChange'>, FieldValueOptions {
  /**
   * Time from the end of a call to the next one. A failed attempt is repeated after its own delay instead; a timer that
   * failed for good waits until the object changes.
   * @defaultValue none: one call; with `idle`, one after each change
   */
  readonly interval?: Duration;
  /**
   * Keep to the grid that the first call began: the interval counts from start to start, and what a long call missed is
   * left out.
   * @defaultValue false
   */
  readonly sharp?: boolean;
  /**
   * Call only when nothing that matters to handlers has changed on the object for this long. What the operator itself
   * writes does not count.
   * @defaultValue no condition
   */
  readonly idle?: Duration;
  /**
   * Time before the first call, once per object and process.
   * @defaultValue 0
   */
  readonly initialDelay?: Duration | ((context: FilterContext) => Duration);
  /**
   * The first calls for what is there when the operator starts are spread over this time.
   * @defaultValue a tenth of `interval`, one minute at most
   */
  readonly jitter?: Duration;
  /**
   * Keep a finalizer on the object, so that a running call ends before the object is gone.
   * @defaultValue false
   */
  readonly finalizer?: boolean;
}

/** Options of `@ObjectIndex`. */
export interface ObjectIndexOptions extends HandlerOptions, RetryOptions, FieldValueOptions {
  /**
   * What an error that is none of ours means: try again, give the object up until it changes, or index nothing for it.
   * @defaultValue 'temporary'
   */
  readonly errors?: 'temporary' | 'permanent' | 'ignored';
}

/** Options of `@Daemon`. Attempts that fail are repeated in memory. */
export interface DaemonOptions extends HandlerOptions, Omit<OutcomeOptions, 'abortOnChange'>, FieldValueOptions {
  /**
   * Time before the first call, once per object and process.
   * @defaultValue 0
   */
  readonly initialDelay?: Duration;
  /**
   * Daemons of what is there when the operator starts begin spread over this time.
   * @defaultValue 0
   */
  readonly jitter?: Duration;
  /**
   * What follows when the method has returned: nothing for this object in this process, another call after the next
   * change of the object, or another call after the first delay of its back-off.
   * @defaultValue 'never'
   */
  readonly restart?: 'never' | 'onChange' | 'always';
  /**
   * Time between `stopped` and the abort of `signal`, for an end of its own.
   * @defaultValue 0: both at once
   */
  readonly cancellationBackoff?: Duration;
  /**
   * After the abort: when a daemon that does not end holds its object no longer.
   * @defaultValue none: the object waits for it
   */
  readonly cancellationTimeout?: Duration;
  /**
   * Without `cancellationTimeout`: how often a warning says that the object waits.
   * @defaultValue '1m'
   */
  readonly cancellationPolling?: Duration;
  /**
   * Keep a finalizer on the object until the daemon has ended.
   * @defaultValue true
   */
  readonly finalizer?: boolean;
}

/** What an `@OnReconcile` method may return: when to be called again though nothing changes. */
export interface ReconcileResult {
  readonly requeueAfter?: Duration;
}

/** Options of `@OnStartup` and `@OnCleanup`. */
export interface ActivityOptions extends RetryOptions {
  /** @defaultValue the method's name */
  readonly id?: string;
}

/** Options of `@OnProbe`. */
export interface OnProbeOptions {
  /**
   * The name under which health shows what it returns.
   * @defaultValue the method's name
   */
  readonly id?: string;
  /**
   * What it means when it throws, or takes too long: that the process is to be started anew, that the operator is not ready, or
   * nothing but that it is shown.
   * @defaultValue 'readiness'
   */
  readonly fails?: 'liveness' | 'readiness' | 'none';
  /**
   * Time for one call; then its signal is aborted, and it has failed. Keep it below what asks for health allows: a kubelet
   * allows 1 s unless it is told otherwise.
   * @defaultValue '800ms'
   */
  readonly timeout?: Duration;
  /**
   * That long, its last result is the answer, whoever asks.
   * @defaultValue '10s'
   */
  readonly maxAge?: Duration;
}
