import { ClientClosedError } from '../../errors/client-closed.error.js';
import { ObjectSupersededError } from '../../errors/object-superseded.error.js';
import { conditionOf } from '../handling/guarded-filter.js';
import { jsonEqual } from '../json/json-equal.js';
import { objectKey, type ObjectKey, type StoredObject } from '../kube-object.js';
import type { RecordOwner } from '../persistence/record-store.js';
import type { LogFields } from '../ports/index.js';
import { reportCycle, type CycleReport } from '../observing/cycle-report.js';
import { errorFact } from '../observing/error-fact.js';
import type { KeyRun, NextRun } from '../queueing/work-queue.js';
import { DaemonKeeper } from '../background/daemon-keeper.js';
import { causeChain } from '../supervision/cause-chain.js';
import type { StoreChange } from '../watching/store-change.js';
import type { Essence } from './essence.js';
import { deliverEvent } from './event-calls.js';
import { ObjectCycle, type CycleEnd } from './object-cycle.js';
import { ObjectMemory } from './object-memory.js';
import { RecordRemovals } from './record-removals.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import { hasten } from './timer-calls.js';
import { throttleAfterChange, throttleAfterError } from './throttle.js';

/** Asks the queue for a run. */
export type Schedule = (key: ObjectKey, when: Partial<NextRun>) => void;

/** An object that is gone, whose event handlers have not been told yet. */
interface Departed {
  readonly object: StoredObject;
  readonly memory: ObjectMemory;
}

/**
 * The demultiplexer and the worker of one resource: turns changes of the store into work per key, and runs the cycles.
 * Owns what is known in memory of each object.
 */
export class ResourceProcessor {
  readonly #memories = new Map<ObjectKey, ObjectMemory>();
  readonly #departed = new Map<ObjectKey, Departed[]>();
  /** Objects of first lists whose first cycle has not begun. */
  readonly #unseen = new Set<ObjectKey>();
  readonly #hasEventHandlers: boolean;
  /** What is to be resumed of each object of a first list; one set for all of them. */
  readonly #resuming: ReadonlySet<string>;
  readonly #reconciles: boolean;
  /** There are handlers beside those of indexes. */
  readonly #hasCycles: boolean;
  /** There are handlers that wait for or after changes of the essence. */
  readonly #countsEssence: boolean;
  readonly #removals: RecordRemovals;
  #seenWaiters: Array<() => void> = [];
  #holding = false;

  /** The daemons of the resource's objects. */
  readonly daemons: DaemonKeeper;
  private readonly environment: ProcessingEnvironment;

  constructor(
    environment: ProcessingEnvironment,
    private readonly schedule: Schedule,
  ) {
    this.environment = { ...environment, enqueue: (key, delay) => this.enqueue(key, delay) };
    this.daemons = new DaemonKeeper(this.environment, (key) => this.schedule(key, { after: 0, priority: 'live' }));
    this.#removals = new RecordRemovals(this.environment);
    this.#hasEventHandlers = environment.handlers.some((handler) => handler.events.length > 0);
    this.#resuming = new Set(environment.handlers.filter(({ resuming }) => resuming.length > 0).map(({ id }) => id));
    this.#hasCycles = environment.handlers.some(({ indexing }) => indexing === undefined);
    this.#reconciles = environment.handlers.some((handler) => handler.reconciling.length > 0);
    this.#countsEssence = environment.handlers.some(
      ({ timing, background }) => timing !== undefined || background !== undefined,
    );
  }

  get hasDaemons(): boolean {
    return this.environment.handlers.some(({ background }) => background !== undefined);
  }

  /** Objects whose cycles are throttled now. */
  get throttled(): number {
    const now = this.environment.clock.monotonic();
    let count = 0;
    for (const { throttle } of this.#memories.values()) if (throttle !== undefined && throttle.until > now) count += 1;
    return count;
  }

  /** Until {@link begin}, another operator handles the objects. */
  hold(): void {
    this.#holding = true;
  }

  /** From now on the objects are this operator's to handle. Those that are there are new to it. */
  begin(objects: Iterable<StoredObject>): void {
    if (!this.#holding) return;
    this.#holding = false;
    if (!this.#hasCycles) return;
    for (const object of objects)
      this.#onState({ key: objectKey(object), object, previous: undefined, origin: 'list', initial: true });
  }

  /** Takes one change of the store. Synchronous, in the order of the changes. */
  readonly onChange = (change: StoreChange): void => {
    if (!this.#hasCycles || this.#holding) return;
    if (change.type === 'removed') this.#onRemoved(change.key, change.previous);
    else if (change.type === 'recognized') this.#onRecognized(change.key, change.object);
    else if (change.type !== 'doubted' && change.foreign) this.#onState(change);
  };

  /** A handler asks for a cycle of an object, in which level-based handlers run as after a change. */
  enqueue(key: ObjectKey, delay: number): void {
    const memory = this.#memories.get(key);
    if (memory === undefined) return;
    const at = this.environment.clock.monotonic() + delay;
    memory.wakeAt = Math.min(at, memory.wakeAt ?? at);
    this.schedule(key, { after: delay, priority: 'live' });
  }

  /** Something else changed that this object depends on: to level-based handlers a change of its own. */
  wake(key: ObjectKey, priority: NextRun['priority']): void {
    const memory = this.#memories.get(key);
    if (memory === undefined) return;
    memory.changes += 1;
    this.schedule(key, { after: 0, priority });
  }

  /** Ends all calls that run in cycles. */
  interruptAll(reason: ObjectSupersededError): void {
    for (const { running } of this.#memories.values()) running?.abort(reason);
  }

  /** What identifies the object of a key in records. */
  describe(key: ObjectKey): LogFields {
    const memory = this.#memories.get(key);
    return memory === undefined ? {} : { uid: memory.uid };
  }

  /** Resolves when every object that the first lists brought so far has begun its first cycle. */
  firstCyclesBegun(): Promise<void> {
    if (this.#unseen.size === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#seenWaiters.push(resolve);
    return promise;
  }

  /** Records of these owners are in a store of the application: those without an object are removed. */
  sweep(owners: Iterable<RecordOwner>): void {
    for (const owner of owners) {
      const key = objectKey({ metadata: owner });
      if (this.#memories.get(key)?.uid === owner.uid) continue;
      this.#removals.add(key, owner);
      this.schedule(key, { after: 0, priority: 'background' });
    }
  }

  /** The worker: one run of one key. A rejection is unrecoverable. */
  async process(run: KeyRun): Promise<NextRun | undefined> {
    const next = await this.#processObject(run);
    const after = await this.#removals.run(run.key);
    return after === undefined || (next !== undefined && next.after <= after) ? next : { after, priority: 'live' };
  }

  async #processObject(run: KeyRun): Promise<NextRun | undefined> {
    const indexed = this.environment.indexed(run.key);
    if (indexed !== undefined) {
      await indexed;
      if (this.environment.isStopping()) return undefined;
    }
    this.#markSeen(run.key);
    await this.#tellDepartures(run);
    const object = this.environment.store.get(run.key);
    const memory = this.#memories.get(run.key);
    if (object === undefined || memory === undefined) return undefined;
    const { clock, observer, name } = this.environment;
    const now = clock.monotonic();
    const earliest = Math.max(memory.throttle?.until ?? 0, memory.notBefore ?? 0);
    if (earliest > now) {
      observer.onCycleState?.(name, run.key, 'held');
      return { after: earliest - now, priority: 'live' };
    }
    memory.notBefore = undefined;
    // To level-based handlers this is a change.
    if (memory.takeWakeUps(now) && this.#reconciles) memory.changes += 1;
    observer.onCycleState?.(name, run.key, 'running');
    const report = reportCycle(observer, clock, name, run.key);
    let end: CycleEnd;
    try {
      const cycle = new ObjectCycle(this.environment, memory, run, this.daemons);
      end = await report.within(() => cycle.execute());
    } catch (error) {
      return this.#throttle(run.key, memory, object, error, report);
    }
    this.#unthrottle(run.key, memory);
    report.ended(end.kind);
    if (end.kind === 'gone' || this.environment.isStopping()) return undefined;
    if (end.kind === 'done') return this.#next(memory, end.again);
    observer.onQueueRetry?.(name);
    const { initial } = this.environment.config.retry;
    memory.notBefore = clock.monotonic() + initial;
    return { after: initial, priority: 'live' };
  }

  #onState({
    key,
    object,
    previous,
    origin,
    initial,
  }: Pick<
    Extract<StoreChange, { type: 'added' | 'modified' }>,
    'key' | 'object' | 'previous' | 'origin' | 'initial'
  >): void {
    let memory = this.#memories.get(key);
    const known = memory !== undefined && memory.uid === object.metadata.uid;
    if (memory === undefined || !known) {
      memory = this.#newMemory(object, initial);
      this.#memories.set(key, memory);
      if (initial) this.#unseen.add(key);
    }
    memory.changes += 1;
    if (known) this.#noteChange(memory, object, previous);
    if (this.#hasEventHandlers && memory.event === undefined) {
      memory.event = known ? 'MODIFIED' : 'ADDED';
      memory.eventSince = memory.changes;
    }
    this.#interrupt(memory, object);
    const after = this.#throttleDelay(memory, object);
    this.schedule(key, { after, priority: origin === 'list' && initial ? 'background' : 'live' });
  }

  #newMemory(object: StoredObject, initial: boolean): ObjectMemory {
    const { clock, switches } = this.environment;
    const memory = new ObjectMemory(object.metadata.uid, clock.monotonic());
    memory.request = switches.requestOf(object);
    if (initial) {
      memory.initial = true;
      memory.resumeOpen = this.#resuming;
    }
    return memory;
  }

  /** What a foreign change means beyond a cycle: a request of somebody, and to timers a change of the essence. */
  #noteChange(memory: ObjectMemory, object: StoredObject, previous: StoredObject | undefined): void {
    const { clock, switches, essence } = this.environment;
    const request = switches.requestOf(object);
    if (request !== undefined && request !== memory.request) {
      memory.requested = true;
      memory.throttle = undefined;
      memory.notBefore = undefined;
      for (const timer of memory.timers?.values() ?? []) hasten(timer, clock.monotonic());
    }
    memory.request = request;
    if (switches.isReleasedByForce(object)) {
      memory.throttle = undefined;
      memory.notBefore = undefined;
    }
    if (!this.#countsEssence || (previous !== undefined && jsonEqual(essence(previous), essence(object)))) return;
    memory.essentialChanges += 1;
    memory.essentialSince = memory.changes;
    memory.changedAt = clock.monotonic();
  }

  /** The last change was taken for somebody else's, as its answer had not come yet. */
  #onRecognized(key: ObjectKey, object: StoredObject): void {
    const memory = this.#memories.get(key);
    if (memory === undefined || memory.uid !== object.metadata.uid) return;
    if (memory.eventSince === memory.changes) memory.event = undefined;
    if (memory.essentialSince === memory.changes) memory.essentialChanges -= 1;
    memory.changes -= 1;
  }

  #onRemoved(key: ObjectKey, previous: StoredObject): void {
    const memory = this.#memories.get(key);
    if (memory === undefined || memory.uid !== previous.metadata.uid) return;
    memory.running?.abort(new ObjectSupersededError('gone'));
    this.daemons.onGone(memory);
    this.#unthrottle(key, memory);
    this.#memories.delete(key);
    if (this.environment.external !== undefined) {
      this.#removals.add(key, this.environment.external.ownerOf(previous));
    }
    if (this.#hasEventHandlers) {
      memory.event = 'DELETED';
      const departed = this.#departed.get(key) ?? [];
      departed.push({ object: previous, memory });
      this.#departed.set(key, departed);
    } else {
      this.#markSeen(key);
    }
    // In any case: what waits in the queue for the object is dropped by that run.
    this.schedule(key, { after: 0, priority: 'live' });
  }

  /** Tells running calls what they should know at once. */
  #interrupt(memory: ObjectMemory, object: StoredObject): void {
    if (memory.daemons !== undefined) this.daemons.onState(memory, object);
    const { running } = memory;
    if (running === undefined) return;
    const { switches } = this.environment;
    const because =
      (running.endsOnDeletion || switches.isReleasedByForce(object)) && object.metadata.deletionTimestamp !== undefined
        ? 'deleting'
        : running.endsFor?.(object);
    if (because !== undefined) running.abort(new ObjectSupersededError(because));
  }

  #throttleDelay(memory: ObjectMemory, object: StoredObject): number {
    if (memory.throttle === undefined) return 0;
    const now = this.environment.clock.monotonic();
    memory.throttle = throttleAfterChange(memory.throttle, now, this.#essentials(object));
    return Math.max(0, memory.throttle.until - now);
  }

  #essentials(object: StoredObject): { readonly deleting: boolean; readonly essence: Essence } {
    return {
      deleting: object.metadata.deletionTimestamp !== undefined,
      essence: this.environment.essence(object),
    };
  }

  async #tellDepartures(run: KeyRun): Promise<void> {
    const departed = this.#departed.get(run.key);
    if (departed === undefined) return;
    this.#departed.delete(run.key);
    for (const { object, memory } of departed) {
      const { environment } = this;
      if (environment.isStopping()) return;
      try {
        await deliverEvent(environment, memory, run, object, environment.essence(object));
      } catch (error) {
        // There is no object left that could be throttled.
        const fields = { resource: environment.name, key: run.key, uid: memory.uid };
        environment.logger.log('error', 'A deletion could not be told to event handlers', fields, error);
      }
    }
  }

  #unthrottle(key: ObjectKey, memory: ObjectMemory): void {
    if (memory.throttle === undefined) return;
    memory.throttle = undefined;
    this.environment.observer.onUnthrottled?.(this.environment.name, key);
  }

  #throttle(
    key: ObjectKey,
    memory: ObjectMemory,
    object: StoredObject,
    error: unknown,
    report: CycleReport,
  ): NextRun | undefined {
    const { config, clock, logger, name, isStopping, events, signal, observer } = this.environment;
    if (signal.aborted && (causeChain(error).includes(signal.reason) || error instanceof ClientClosedError)) {
      logger.log('debug', 'Cycle cut short by the stop', { resource: name, key, uid: memory.uid });
      report.ended('cut');
      return undefined;
    }
    const now = clock.monotonic();
    const before = memory.throttle;
    const first = throttleAfterError(config.queue.throttle, before, now, this.#essentials(object));
    if (first === undefined) {
      report.ended('failed', error);
      throw error;
    }
    // What changed while the cycle ran counts like what changes from now on.
    const newest = this.environment.store.get(key) ?? object;
    const state = newest === object ? first : throttleAfterChange(first, now, this.#essentials(newest));
    memory.throttle = state;
    // A condition of one handler, or a write for several.
    const origin = conditionOf(error) ?? { handlers: [...(memory.pendingOf ?? [])] };
    const delay = state.until - now;
    report.ended('throttled', error);
    observer.onThrottled?.(name, key, delay, errorFact(error));
    observer.onQueueRetry?.(name);
    logger.log(
      'error',
      'Processing an object failed; it is throttled',
      { resource: name, key, uid: memory.uid, delay, ...origin },
      error,
    );
    if (before === undefined && config.events.failures) {
      events.post(newest, {
        type: 'Warning',
        reason: 'ProcessingFailed',
        message: `The operator could not finish its work on this object and tries again: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
    return isStopping() ? undefined : { after: delay, priority: 'live' };
  }

  #next(memory: ObjectMemory, again: number | undefined): NextRun {
    const { clock, random, config } = this.environment;
    const now = clock.monotonic();
    memory.resyncAt ??= now + config.queue.resync * (0.9 + 0.2 * random.next());
    if (again !== undefined && again <= memory.resyncAt) return { after: Math.max(0, again - now), priority: 'live' };
    return { after: Math.max(0, memory.resyncAt - now), priority: 'background' };
  }

  #markSeen(key: ObjectKey): void {
    if (!this.#unseen.delete(key) || this.#unseen.size > 0) return;
    for (const resolve of this.#seenWaiters.splice(0)) resolve();
  }
}
