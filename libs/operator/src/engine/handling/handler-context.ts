import type { DiffItem } from '../json/diff.js';
import type { ObjectKey, ObjectMeta, StoredObject } from '../kube-object.js';
import type { LogFields } from '../ports/index.js';
import type { Resource } from '../resource.js';
import type { Indexes } from '../indexing/index-registry.js';
import type { ObjectMemo } from './object-memo.js';
import type { Stopped } from './stopped.js';
import type { SubHandlers } from './sub-handlers.js';

/** Why a handler is called. */
export type HandlerCause =
  'create' | 'update' | 'delete' | 'resume' | 'event' | 'reconcile' | 'timer' | 'daemon' | 'index';

/** The `spec` of an object type; `unknown` fields for types that have none. */
export type SpecOf<T> = T extends { readonly spec: infer S }
  ? S
  : T extends { readonly spec?: infer S }
    ? S | undefined
    : unknown;
export type StatusOf<T> = T extends { readonly status: infer S }
  ? S
  : T extends { readonly status?: infer S }
    ? S | undefined
    : unknown;

export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> | null }
    : T;

export type DeepReadonly<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

export type DeepWriteable<T> = T extends object ? { -readonly [K in keyof T]: DeepWriteable<T[K]> } : T;

/**
 * What a handler wants changed on its object. Sent after the attempt, also when the attempt throws; in a daemon, which may
 * never end, at once.
 */
export interface ObjectPatch<T> {
  /** Merges fields (RFC 7386: null removes). `status` goes to the status subresource where there is one. */
  merge(fields: DeepPartial<T>): void;
  /**
   * Changes a copy of the freshest object. May be called several times, when others write meanwhile: it must give the
   * same result for the same object.
   */
  update(change: (object: DeepWriteable<T>) => void): void;
}

/** Lines of one handler call; each carries the object's key and the handler's id. */
export interface HandlerLogger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, error?: unknown, fields?: LogFields): void;
}

/** A Kubernetes event about an object. */
export interface EventInput {
  readonly type?: 'Normal' | 'Warning';
  /** CamelCase, at most 128 characters. */
  readonly reason: string;
  /** At most 1,024 characters; longer ones are cut. */
  readonly message: string;
  /** What was done. Defaults to `reason`. */
  readonly action?: string;
}

/** What filters see. */
export interface FilterContext<T = StoredObject> {
  readonly object: DeepReadonly<T>;
  readonly meta: ObjectMeta;
  readonly resource: Resource;
  readonly cause: HandlerCause;
  readonly deleting: boolean;
  readonly old: unknown;
  readonly new: unknown;
  readonly diff: readonly DiffItem[];
}

/**
 * What a handler is called with. A class, not an interface, so that it survives in decorator metadata.
 *
 * `T` is the object's type: a `@CustomResource` class, or a type of client-node through `Stored<…>`.
 */
export abstract class HandlerContext<T = StoredObject> {
  /** The object, deeply frozen. In a daemon: its newest state. */
  abstract readonly object: DeepReadonly<T>;
  /** Its `spec`. */
  abstract readonly spec: DeepReadonly<SpecOf<T>>;
  /** Its `status`; absent until something writes one. */
  abstract readonly status: DeepReadonly<StatusOf<T>>;
  /** Its `metadata`. */
  abstract readonly meta: ObjectMeta;
  /** As the server serves it. */
  abstract readonly resource: Resource;
  /** `namespace/name`, or `name` when cluster-scoped. */
  abstract readonly key: ObjectKey;
  /** Why this call happens. */
  abstract readonly cause: HandlerCause;
  /** For `@OnWatchEvent`: what happened. */
  abstract readonly eventType: 'ADDED' | 'MODIFIED' | 'DELETED' | undefined;
  /** The object carries a deletion mark. */
  abstract readonly deleting: boolean;
  /** What this handler handled last: the essence, or the field's value. Absent on creation and where only digests are kept. */
  abstract readonly old: unknown;
  /** The essence now, or the field's value. */
  abstract readonly new: unknown;
  /** From `old` to `new`; empty where `old` is absent. */
  abstract readonly diff: readonly DiffItem[];
  /** What is to change on the object. */
  abstract readonly patch: ObjectPatch<T>;
  /**
   * Aborted at the timeout, on shutdown, when the object is gone, and when it is being deleted (not for delete, event and
   * level-based handlers).
   */
  abstract readonly signal: AbortSignal;
  /**
   * Whether the call is to end, why, and a wait that ends with it. For daemons it comes before `signal`, by
   * `cancellationBackoff`; for all others it is that signal.
   */
  abstract readonly stopped: Stopped;
  /** Lines that carry the object's key and the handler. */
  abstract readonly logger: HandlerLogger;
  /** Kept in memory per object while it exists and the process lives. Shared by all its handlers. */
  abstract readonly memo: ObjectMemo;
  /** The operator's indexes. They show every object that was there when the operator started, and all changes since. */
  abstract readonly indexes: Indexes;
  /** What the decorator was given as `param`. */
  abstract readonly param: unknown;
  /** Failed attempts before this one, for this difference. */
  abstract readonly retry: number;
  /** Start of the first attempt for this difference. */
  abstract readonly startedAt: Date;
  /** The operator's time, which tests move. */
  abstract readonly now: Date;
  /** Milliseconds since `startedAt`. */
  abstract readonly runtime: number;
  /** Parts of this handler's work, each with progress of its own. Only where the cause is creation, change, deletion or resumption. */
  abstract readonly parts: SubHandlers<HandlerContext<T>>;
  /** Posts a Kubernetes event about the object. Returns at once; never fails the handler. */
  abstract event(event: EventInput): void;
  /** Asks for a cycle of this object, or of another one of this resource, after `delay` (milliseconds or `'90s'`; default 0). */
  abstract enqueue(options?: { readonly key?: ObjectKey; readonly delay?: number | string }): void;
  /** Ends the operator: for callbacks outside the call. Inside, throw a FatalError. */
  abstract fatal(error: unknown): void;
}
