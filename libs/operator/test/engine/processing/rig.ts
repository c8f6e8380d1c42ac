import { setImmediate } from 'node:timers/promises';
import { OperatorStoppingError } from '../../../src/errors/operator-stopping.error.js';
import { defaultConfig } from '../../../src/engine/defaults.js';
import type { EventInput, HandlerContext } from '../../../src/engine/handling/handler-context.js';
import type {
  DaemonCancellation,
  HandlerDefinition,
  HandlerPolicy,
  Trigger,
} from '../../../src/engine/handling/handler-definition.js';
import { HandlerRunner } from '../../../src/engine/handling/handler-runner.js';
import type { TimerSchedule } from '../../../src/engine/handling/timer-schedule.js';
import { ResourceHandler, type DaemonTrigger } from '../../../src/engine/handling/resource-handler.js';
import { IndexRegistry } from '../../../src/engine/indexing/index-registry.js';
import { pathText, type FieldPath } from '../../../src/engine/json/field-path.js';
import type { StoredObject } from '../../../src/engine/kube-object.js';
import type { OperatorConfig } from '../../../src/engine/operator-config.js';
import { ExternalRecords } from '../../../src/engine/persistence/external-records.js';
import { RecordKeeper } from '../../../src/engine/persistence/record-keeper.js';
import type { RecordPlace, RecordStore } from '../../../src/engine/persistence/record-store.js';
import { createLogger, type LogRecord } from '../../../src/engine/ports/index.js';
import { essenceOf, isEssential } from '../../../src/engine/processing/essence.js';
import { ObjectSwitches } from '../../../src/engine/processing/object-switches.js';
import { ObjectWriter } from '../../../src/engine/processing/object-writer.js';
import { ResourceProcessor } from '../../../src/engine/processing/resource-processor.js';
import { SlotPool } from '../../../src/engine/queueing/slot-pool.js';
import { WorkQueue } from '../../../src/engine/queueing/work-queue.js';
import type { Resource } from '../../../src/engine/resource.js';
import { ObjectStore } from '../../../src/engine/watching/object-store.js';
import { FakeClock } from '../client/fake-clock.js';
import { widget, widgets, type WidgetFields } from '../watching/support.js';
import { FakeServer } from './fake-server.js';

export type Run = (context: HandlerContext<StoredObject>) => unknown;

export interface TestHandler {
  readonly id: string;
  readonly formerIds?: readonly string[];
  readonly param?: unknown;
  readonly triggers: readonly Trigger[];
  readonly policy?: Partial<HandlerPolicy>;
  readonly run?: Run;
}

export interface Call {
  readonly handler: string;
  readonly cause: string;
  readonly object: StoredObject;
  readonly old: unknown;
  readonly new: unknown;
  readonly retry: number;
  /** Milliseconds since the start of the test. */
  readonly at: number;
}

export interface RigOptions {
  readonly handlers: readonly TestHandler[];
  readonly config?: Partial<OperatorConfig>;
  readonly resource?: Resource;
  readonly server?: FakeServer;
  readonly store?: RecordPlace | RecordStore;
}

export const on = {
  create: (filter: Trigger['filter'] = {}): Trigger => ({ on: 'create', filter }),
  update: (filter: Trigger['filter'] = {}): Trigger => ({ on: 'update', filter }),
  field: (...field: string[]): Trigger => ({ on: 'field', filter: { field } }),
  delete: (
    options: { optional?: boolean; onGiveUp?: 'release' | 'hold'; filter?: Trigger['filter'] } = {},
  ): Trigger => ({
    on: 'delete',
    filter: {},
    optional: false,
    onGiveUp: 'release',
    ...options,
  }),
  resume: (options: { deleted?: boolean; filter?: Trigger['filter'] } = {}): Trigger => ({
    on: 'resume',
    filter: {},
    deleted: false,
    ...options,
  }),
  event: (filter: Trigger['filter'] = {}): Trigger => ({ on: 'event', filter }),
  reconcile: (options: { finalizer?: boolean; filter?: Trigger['filter'] } = {}): Trigger => ({
    on: 'reconcile',
    filter: {},
    finalizer: false,
    mapped: [],
    ...options,
  }),
  timer: ({
    filter = {},
    finalizer = false,
    ...schedule
  }: Partial<TimerSchedule> & { filter?: Trigger['filter']; finalizer?: boolean } = {}): Trigger => ({
    on: 'timer',
    filter,
    finalizer,
    schedule: { interval: undefined, sharp: false, idle: undefined, initialDelay: 0, jitter: 0, ...schedule },
  }),
  daemon: ({
    filter = {},
    finalizer = true,
    initialDelay = 0,
    jitter = 0,
    restart = 'never',
    ...cancellation
  }: Partial<Omit<DaemonTrigger, 'on' | 'cancellation'> & DaemonCancellation> = {}): Trigger => ({
    on: 'daemon',
    filter,
    finalizer,
    initialDelay,
    jitter,
    restart,
    cancellation: {
      cancellationBackoff: 0,
      cancellationTimeout: undefined,
      cancellationPolling: 60_000,
      ...cancellation,
    },
  }),
};

/** One resource's queue, processor and store over a fake server and a clock that stands still. */
export class ProcessingRig {
  readonly clock = new FakeClock();
  readonly server: FakeServer;
  readonly calls: Call[] = [];
  readonly events: EventInput[] = [];
  readonly logs: LogRecord[] = [];
  readonly fatals: unknown[] = [];
  readonly indexes = new IndexRegistry();
  readonly store: ObjectStore;
  readonly queue: WorkQueue;
  readonly processor: ResourceProcessor;
  readonly runner: HandlerRunner;
  readonly records: RecordKeeper;
  readonly external: ExternalRecords | undefined;
  readonly stopped: Promise<void>;
  readonly #requests = new AbortController();
  readonly #stop = new AbortController();
  #stopping = false;
  #listed = false;

  constructor(options: RigOptions) {
    const { clock } = this;
    this.server = options.server ?? new FakeServer();
    const resource = options.resource ?? widgets;
    const config: OperatorConfig = { ...defaultConfig, name: 'op.example', ...options.config };
    const logger = createLogger((record) => this.logs.push(record));
    const runs = new Map(options.handlers.map(({ id, run }) => [id, run]));
    const definitions = options.handlers.map(({ id, triggers, policy, formerIds = [], param }): HandlerDefinition => ({
      id,
      formerIds,
      param,
      origin: `Tests.${id}`,
      resource,
      triggers,
      policy: { errors: 'temporary', abortOnChange: false, result: 'merge', ...policy },
    }));
    const handlers = definitions.map((definition) => new ResourceHandler(definition));
    const watched = [
      ...new Map(
        handlers.flatMap((handler) => handler.watched.map((path): [string, FieldPath] => [pathText(path), path])),
      ).values(),
    ].filter((path) => path.length > 0);
    const watchedPaths = watched.filter((path) => !isEssential(path));
    const switches = new ObjectSwitches(config);
    this.store = new ObjectStore({
      resource,
      config: config.watching,
      logger,
      onChange: (change) => this.processor.onChange(change),
    });
    const { store = 'annotations' } = options;
    this.external =
      typeof store === 'string'
        ? undefined
        : new ExternalRecords({ store, operator: config.name, resource, clock, timeout: config.client.timeout });
    this.records = new RecordKeeper({
      home: typeof store === 'string' ? store : (this.external as ExternalRecords),
      operator: config.name,
      formerNames: config.formerNames,
      resource,
      handlers: handlers.filter(({ tracksState, deleting }) => tracksState || deleting.length > 0).map(({ id }) => id),
      watched,
      formerIds: new Map(
        definitions.flatMap(({ id, formerIds = [] }) => formerIds.map((former) => [former, id] as const)),
      ),
    });
    this.runner = new HandlerRunner({ clock, logger, stuckAfter: config.queue.stuckAfter });
    this.processor = new ResourceProcessor(
      {
        name: 'widgets.v1.demo.example',
        resource: () => resource,
        handlers,
        essence: (object) => essenceOf(object, watchedPaths, switches.annotations),
        switches,
        config,
        store: this.store,
        writer: new ObjectWriter({
          client: this.server,
          store: this.store,
          fieldManager: config.name,
          logger,
          resource: () => resource,
          refreshResource: () => Promise.resolve(),
        }),
        records: this.records,
        external: this.external,
        indexes: this.indexes,
        indexed: () => undefined,
        runner: this.runner,
        invoker: {
          invoke: async ({ id }, context) => {
            this.calls.push({
              handler: id,
              cause: context.cause === 'event' ? `event ${context.eventType}` : context.cause,
              object: context.object as StoredObject,
              old: context.old,
              new: context.new,
              retry: context.retry,
              at: clock.monotonic(),
            });
            return runs.get(id)?.(context as HandlerContext<StoredObject>);
          },
          invokeActivity: () => Promise.reject(new Error('There are no activities here.')),
        },
        events: { post: (_object, event) => this.events.push(event) },
        clock,
        random: { next: () => 0.5 },
        logger,
        signal: this.#requests.signal,
        isStopping: () => this.#stopping,
        isPaused: () => false,
        observer: {},
        enqueue: (key, delay) => this.queue.add(key, { after: delay }),
        fatal: (error) => {
          this.fatals.push(error);
          this.#stopping = true;
        },
      },
      (key, when) => this.queue.add(key, when),
    );
    this.queue = new WorkQueue({
      resource: 'widgets.v1.demo.example',
      clock,
      slots: new SlotPool(50),
      concurrency: 10,
      logger,
      process: (run) => this.processor.process(run),
      describe: (key) => this.processor.describe(key),
    });
    this.stopped = this.queue.run(this.#stop.signal);
    // Tests that expect a failure look at it themselves.
    this.stopped.catch(() => undefined);
  }

  /** Which handlers were called for which cause, in order. */
  get causes(): string[] {
    return this.calls.map(({ handler, cause }) => `${handler} ${cause}`);
  }

  get key(): string {
    return 'ns/a';
  }

  /** The object as the server has it. */
  get object(): StoredObject {
    const object = this.server.objects.get(this.key);
    if (object === undefined) throw new Error('The object is gone.');
    return object;
  }

  /** Lists what the server has: the first list of the watch. */
  async list(): Promise<void> {
    this.#listed = true;
    this.store.beginList(undefined).finish([...this.server.objects.values()], this.server.nextVersion());
    await this.settle();
  }

  /** Somebody creates an object. */
  async create(fields: Partial<WidgetFields> = {}): Promise<StoredObject> {
    if (!this.#listed) await this.list();
    const object = widget({ ...fields, version: this.server.nextVersion() });
    this.server.objects.set(`${object.metadata.namespace}/${object.metadata.name}`, object);
    this.store.observe('ADDED', object, undefined);
    await this.settle();
    return object;
  }

  /** Somebody else changes the object; the watch tells of it unless it is `silent`. */
  async change(fields: Record<string, unknown>, { key = this.key, silent = false, settle = true } = {}): Promise<void> {
    const before = this.server.objects.get(key) as StoredObject;
    const { metadata, ...rest } = fields;
    const changed = {
      ...before,
      ...rest,
      metadata: {
        ...before.metadata,
        ...(metadata as Record<string, unknown> | undefined),
        resourceVersion: this.server.nextVersion(),
      },
    };
    this.server.objects.set(key, changed);
    if (silent) return;
    this.store.observe('MODIFIED', changed, undefined);
    if (settle) await this.settle();
  }

  /** Somebody deletes the object: it is marked while it has finalizers. */
  async delete(key = this.key): Promise<void> {
    const before = this.server.objects.get(key) as StoredObject;
    if (before.metadata.finalizers?.length) {
      await this.change({ metadata: { deletionTimestamp: '2030-01-01T00:00:10Z' } }, { key });
      return;
    }
    this.server.objects.delete(key);
    const last = { ...before, metadata: { ...before.metadata, resourceVersion: this.server.nextVersion() } };
    this.store.observe('DELETED', last, undefined);
    await this.settle();
  }

  async settle(): Promise<void> {
    // Turns of the event loop, each of which empties the queue of promises; none of it takes time on the clock.
    for (let n = 0; n < 4; n += 1) await setImmediate();
  }

  /** Moves the clock on, with all that follows from it. */
  async advance(by: number): Promise<void> {
    const end = this.clock.monotonic() + by;
    await this.settle();
    for (;;) {
      const { next } = this.clock;
      const left = end - this.clock.monotonic();
      this.clock.advance(next === undefined ? left : Math.min(next, left));
      await this.settle();
      if (this.clock.monotonic() >= end) return;
    }
  }

  beginStop(): void {
    this.#stopping = true;
    this.processor.daemons.stopAll(new OperatorStoppingError('stop'));
    this.runner.abortAll(new Error('stop'));
  }

  endRequests(): void {
    this.#requests.abort(new Error('stop'));
  }

  /** The text of the record, parsed. */
  get record(): Record<string, unknown> | undefined {
    const text = this.object.metadata.annotations?.[this.records.annotation];
    return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
  }

  messages(level: LogRecord['level']): string[] {
    return this.logs.filter((record) => record.level === level).map(({ message }) => message);
  }

  stop(): Promise<void> {
    this.#stop.abort();
    return this.stopped;
  }
}

/** A promise to be settled by the test. */
export function gate<T = void>(): { promise: Promise<T>; open: (value: T) => void; fail: (error: unknown) => void } {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  return { promise, open: resolve, fail: reject };
}
