import { deepFreeze } from '../json/deep-freeze.js';
import type { DiffItem } from '../json/diff.js';
import type { Indexes } from '../indexing/index-registry.js';
import { objectKey, type ObjectKey, type ObjectMeta, type StoredObject } from '../kube-object.js';
import type { Clock } from '../ports/index.js';
import type { Resource } from '../resource.js';
import type { ChangeView } from './change-view.js';
import {
  HandlerContext,
  type DeepReadonly,
  type EventInput,
  type FilterContext,
  type HandlerCause,
  type HandlerLogger,
  type SpecOf,
  type StatusOf,
} from './handler-context.js';
import type { ObjectMemo } from './object-memo.js';
import { ObjectPatchBuffer } from './object-patch-buffer.js';
import { StopNotice } from './stop-notice.js';
import type { Stopped } from './stopped.js';
import type { SubHandlers } from './sub-handlers.js';

export interface HandlerCallInput {
  readonly object: StoredObject;
  /** The newest state, for calls that outlive the one they began with. */
  readonly live?: () => StoredObject;
  readonly resource: Resource;
  readonly cause: HandlerCause;
  readonly eventType: 'ADDED' | 'MODIFIED' | 'DELETED' | undefined;
  readonly change: ChangeView;
  readonly signal: AbortSignal;
  /** Where it is not the signal that tells the call to end. */
  readonly stopped?: Stopped;
  /** Called after each wish of the call. */
  readonly onPatch?: () => void;
  /** Made when asked for, as the memo: few calls need either. */
  readonly logger: () => HandlerLogger;
  readonly memo: () => ObjectMemo;
  readonly indexes: Indexes;
  readonly parts: SubHandlers<HandlerContext>;
  readonly param: unknown;
  readonly retry: number;
  readonly startedAt: number;
  readonly clock: Clock;
  readonly event: (event: EventInput) => void;
  readonly enqueue: (key: ObjectKey, delay: number | string) => void;
  readonly fatal: (error: unknown) => void;
}

/** The context of one call. */
export class ObjectHandlerContext extends HandlerContext {
  readonly patch: ObjectPatchBuffer<StoredObject>;
  readonly #input: HandlerCallInput;
  #logger: HandlerLogger | undefined;
  #stopped: Stopped | undefined;

  constructor(input: HandlerCallInput) {
    super();
    this.#input = input;
    this.patch = new ObjectPatchBuffer<StoredObject>(input.onPatch);
  }

  get object(): DeepReadonly<StoredObject> {
    return deepFreeze(this.#newest) as DeepReadonly<StoredObject>;
  }

  get #newest(): StoredObject {
    return this.#input.live?.() ?? this.#input.object;
  }

  get spec(): DeepReadonly<SpecOf<StoredObject>> {
    return this.object['spec'] as DeepReadonly<SpecOf<StoredObject>>;
  }

  get status(): DeepReadonly<StatusOf<StoredObject>> {
    return this.object['status'] as DeepReadonly<StatusOf<StoredObject>>;
  }

  get meta(): ObjectMeta {
    return deepFreeze(this.#newest.metadata);
  }

  get resource(): Resource {
    return this.#input.resource;
  }

  get key(): ObjectKey {
    return objectKey(this.#input.object);
  }

  get cause(): HandlerCause {
    return this.#input.cause;
  }

  get eventType(): 'ADDED' | 'MODIFIED' | 'DELETED' | undefined {
    return this.#input.eventType;
  }

  get deleting(): boolean {
    return this.meta.deletionTimestamp !== undefined;
  }

  get old(): unknown {
    return this.#input.change.old;
  }

  get new(): unknown {
    return this.#input.change.new;
  }

  get diff(): readonly DiffItem[] {
    return this.#input.change.diff;
  }

  get signal(): AbortSignal {
    return this.#input.signal;
  }

  get stopped(): Stopped {
    this.#stopped ??= this.#input.stopped ?? new StopNotice(this.signal, this.#input.clock);
    return this.#stopped;
  }

  get logger(): HandlerLogger {
    this.#logger ??= this.#input.logger();
    return this.#logger;
  }

  get memo(): ObjectMemo {
    return this.#input.memo();
  }

  get indexes(): Indexes {
    return this.#input.indexes;
  }

  get param(): unknown {
    return this.#input.param;
  }

  get retry(): number {
    return this.#input.retry;
  }

  get startedAt(): Date {
    return new Date(this.#input.startedAt);
  }

  get now(): Date {
    return new Date(this.#input.clock.now());
  }

  get runtime(): number {
    return this.#input.clock.now() - this.#input.startedAt;
  }

  get parts(): SubHandlers<HandlerContext> {
    return this.#input.parts;
  }

  event(event: EventInput): void {
    this.#input.event(event);
  }

  enqueue(options: { readonly key?: ObjectKey; readonly delay?: number | string } = {}): void {
    this.#input.enqueue(options.key ?? this.key, options.delay ?? 0);
  }

  fatal(error: unknown): void {
    this.#input.fatal(error);
  }
}

/** What filters see of an object and its change. Most filters look at little of it: what they see is frozen when they ask. */
export class ObjectFilterContext implements FilterContext {
  readonly #object: StoredObject;
  readonly #change: ChangeView;

  constructor(
    object: StoredObject,
    readonly resource: Resource,
    readonly cause: HandlerCause,
    change: ChangeView,
  ) {
    this.#object = object;
    this.#change = change;
  }

  get object(): DeepReadonly<StoredObject> {
    return deepFreeze(this.#object) as DeepReadonly<StoredObject>;
  }

  get meta(): ObjectMeta {
    return deepFreeze(this.#object.metadata);
  }

  get deleting(): boolean {
    return this.#object.metadata.deletionTimestamp !== undefined;
  }

  get old(): unknown {
    return this.#change.old;
  }

  get new(): unknown {
    return this.#change.new;
  }

  get diff(): readonly DiffItem[] {
    return this.#change.diff;
  }
}
