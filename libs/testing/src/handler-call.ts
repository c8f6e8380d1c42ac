import type { EventInput, HandlerCause, HandlerContext, ObjectKey, StoredObject } from 'nestjs-operator';
import {
  applyPatch,
  ChangeView,
  createLogger,
  essenceOf,
  IndexRegistry,
  ObjectHandlerContext,
  ObjectMemo,
  type Clock,
  type HandlerLogger,
  type LogRecord,
  type Resource,
} from 'nestjs-operator/internal';
import { EventLoopRest } from './event-loop-rest.js';
import { VirtualClock } from './virtual-clock.js';

/** What a call is about, beyond its object. */
export interface HandlerCallOptions<T> {
  /** @defaultValue 'create', or 'update' where `old` is given, or 'delete' where the object carries a deletion mark */
  readonly cause?: HandlerCause;
  /** The object as it was handled last: `ctx.old` and `ctx.diff` are worked out from it. */
  readonly old?: T;
  /** A field that the handler is restricted to, as in `@OnUpdate({ field })`: `old`, `new` and `diff` are of it. */
  readonly field?: string;
  /** For `@OnWatchEvent`. */
  readonly eventType?: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Failed attempts before. @defaultValue 0 */
  readonly retry?: number;
  readonly param?: unknown;
  /** What handlers of the object have kept in memory. */
  readonly memo?: Iterable<readonly [unknown, unknown]>;
  /** The time of the call. @defaultValue a virtual clock of its own */
  readonly clock?: Clock;
}

/** One call of a handler without operator, server and Nest: the context to call it with, and what the handler did with it. */
export interface HandlerCall<T> {
  readonly ctx: HandlerContext<T>;
  /** Kubernetes events that it posted. */
  readonly events: readonly EventInput[];
  /** Cycles that it asked for. */
  readonly enqueued: readonly { readonly key: ObjectKey; readonly delay: number | string }[];
  /** What it ended the operator with. */
  readonly fatal: readonly unknown[];
  readonly logs: readonly LogRecord[];
  /** Parts that it added. They are not run: call them with `ctx`, or test them with an operator. */
  readonly parts: ReadonlyMap<string, (ctx: HandlerContext<T>) => unknown>;
  /** The object as its patches would make it. */
  patched(): T;
  /** Aborts `ctx.signal`. */
  abort(reason?: unknown): void;
}

/**
 * Builds the context of one handler call, so that a handler can be called as what it is, a method:
 * `await handlers.ensure(call.ctx)`. The context is the real one; only what is around it is missing: nothing is persisted, and
 * what the handler returns is returned to the test.
 */
export function handlerCall<T extends object>(object: T, options: HandlerCallOptions<T> = {}): HandlerCall<T> {
  const stored = object as unknown as StoredObject;
  const events: EventInput[] = [];
  const enqueued: { readonly key: ObjectKey; readonly delay: number | string }[] = [];
  const fatal: unknown[] = [];
  const logs: LogRecord[] = [];
  const parts = new Map<string, (ctx: HandlerContext<T>) => unknown>();
  const controller = new AbortController();
  const clock = options.clock ?? new VirtualClock(new EventLoopRest());
  const memo = new ObjectMemo(options.memo ?? []);
  const add = (name: string, part: unknown): void => {
    if (parts.has(name)) throw new RangeError(`There is a part "${name}" already.`);
    parts.set(name, part as (ctx: HandlerContext<T>) => unknown);
  };
  const path = options.field?.split('.') ?? [];
  const old = options.old as StoredObject | undefined;
  const ctx = new ObjectHandlerContext({
    object: stored,
    resource: resourceOf(stored),
    cause: options.cause ?? causeOf(stored, old),
    eventType: options.eventType,
    change: new ChangeView(
      old && { kind: 'essence', essence: essenceOf(old, [path]) },
      essenceOf(stored, [path]),
      path,
    ),
    signal: controller.signal,
    logger: () => handlerLogger(logs),
    memo: () => memo,
    indexes: new IndexRegistry(),
    parts: {
      add,
      addAll: (all) => {
        const entries = Symbol.iterator in all ? all : Object.entries(all);
        for (const [name, part] of entries as Iterable<readonly [string, unknown]>) add(name, part);
      },
    },
    param: options.param,
    retry: options.retry ?? 0,
    startedAt: clock.now(),
    clock,
    event: (event) => events.push(event),
    enqueue: (key, delay) => enqueued.push({ key, delay }),
    fatal: (error) => fatal.push(error),
  });
  return {
    ctx: ctx as unknown as HandlerContext<T>,
    events,
    enqueued,
    fatal,
    logs,
    parts,
    patched: () => applyPatch(stored, ctx.patch.request) as unknown as T,
    abort: (reason) => controller.abort(reason),
  };
}

function causeOf(object: StoredObject, old: StoredObject | undefined): HandlerCause {
  if (object.metadata.deletionTimestamp !== undefined) return 'delete';
  return old === undefined ? 'create' : 'update';
}

function handlerLogger(logs: LogRecord[]): HandlerLogger {
  const logger = createLogger((record) => logs.push(record)).child('Handler');
  return {
    debug: (message, fields) => logger.log('debug', message, fields),
    info: (message, fields) => logger.log('info', message, fields),
    warn: (message, fields) => logger.log('warn', message, fields),
    error: (message, error, fields) => logger.log('error', message, fields, error),
  };
}

/** As far as an object tells; the plural is the usual one. */
function resourceOf({ apiVersion, kind, metadata }: StoredObject): Resource {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const singular = kind.toLowerCase();
  return {
    group,
    version,
    kind,
    singular,
    plural: `${singular}s`,
    shortNames: [],
    categories: [],
    namespaced: metadata.namespace !== undefined,
    verbs: [],
    subresources: { status: true, scale: false },
  };
}
