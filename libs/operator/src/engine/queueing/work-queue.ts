import { AsyncLocalStorage } from 'node:async_hooks';
import { ProcessingFailedError } from '../../errors/processing-failed.error.js';
import { noObserver, type EngineObserver, type QueueState } from '../engine-observer.js';
import type { ObjectKey } from '../kube-object.js';
import type { Clock, LogFields, Logger, Timer } from '../ports/index.js';
import { DueHeap, type DueEntry } from './due-heap.js';
import type { SlotPool } from './slot-pool.js';

/** `background`: first lists and resyncs. They let live changes pass, for 60 s at most. */
export type Priority = 'live' | 'background';

/** When a key is to be processed again, should nothing happen before. */
export interface NextRun {
  /** Milliseconds from now. */
  readonly after: number;
  readonly priority: Priority;
}

/** One run of one key, as its processor sees it. */
export interface KeyRun {
  readonly key: ObjectKey;
  /** Gives the slot back while the run goes on: the key stays excluded, others may use the slot. */
  freeSlot(): void;
}

export interface WorkQueueOptions {
  /** The resource, for messages. */
  readonly resource: string;
  readonly clock: Clock;
  readonly slots: SlotPool;
  /** Keys of this queue that run at once. */
  readonly concurrency: number;
  readonly logger: Logger;
  /** Processes one key. A rejection is unrecoverable. */
  readonly process: (run: KeyRun) => Promise<NextRun | undefined>;
  /** What identifies the object of a key in records. */
  readonly describe: (key: ObjectKey) => LogFields;
  /** Told of a failure when the root task is over: a run that outlives it must not fail unseen. */
  readonly onLateFailure?: (error: Error) => void;
  /** While true no run begins. Whoever changes the answer calls {@link WorkQueue.heldChanged}. */
  readonly isHeld?: () => boolean;
  readonly observer?: EngineObserver;
}

/** While it runs, `again` holds what was asked for meanwhile. */
type EntryState = Exclude<QueueState, 'absent'>;

interface Entry extends DueEntry {
  readonly key: ObjectKey;
  state: EntryState;
  priority: Priority;
  readySince: number;
  again: { due: number; priority: Priority } | undefined;
}

const longestPass = 60_000;

/**
 * One entry per key, with a due time and a priority; one run per key at a time. What is asked for while a key runs
 * makes one more run. Work is bounded by keys, not by changes.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #observer: EngineObserver;
  readonly #entries = new Map<ObjectKey, Entry>();
  readonly #waiting = new DueHeap<Entry>();
  readonly #ready = { live: new Set<Entry>(), background: new Set<Entry>() };
  readonly #failures: Array<(error: Error) => void> = [];
  #failure: Error | undefined;
  #timer: { readonly due: number; readonly timer: Timer } | undefined;
  #slotsTaken = 0;
  readonly #running = new Set<ObjectKey>();
  /** A handler may ask for a key: its context must not become that of another cycle, nor live on in the timer. */
  readonly #inOwnContext = AsyncLocalStorage.snapshot();
  #open = false;
  #over = false;
  #drainWaiters: Array<() => void> = [];
  #idleWaiters: Array<() => void> = [];

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#observer = options.observer ?? noObserver;
  }

  /** Keys that run. */
  get running(): number {
    return this.#running.size;
  }

  get runningKeys(): readonly ObjectKey[] {
    return [...this.#running];
  }

  /** Keys that are due and wait for a slot. */
  get ready(): number {
    return this.#ready.live.size + this.#ready.background.size;
  }

  /** Keys with work now or later. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Asks for a run of `key` in `after` milliseconds (default 0). The earliest due time and the higher priority win over
   * what was asked for before.
   */
  add(key: ObjectKey, { after = 0, priority = 'live' }: Partial<NextRun> = {}): void {
    this.#observer.onQueueAdd?.(this.#options.resource);
    const due = this.#options.clock.monotonic() + after;
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      const created: Entry = { key, state: 'waiting', priority, readySince: 0, due, heapIndex: -1, again: undefined };
      this.#entries.set(key, created);
      this.#schedule(created, due, priority);
    } else if (entry.state === 'running') {
      const again = entry.again;
      entry.again =
        again === undefined
          ? { due, priority }
          : { due: Math.min(due, again.due), priority: higher(priority, again.priority) };
    } else if (entry.state === 'waiting') {
      this.#schedule(entry, Math.min(due, entry.due), higher(priority, entry.priority));
    } else if (priority === 'live' && entry.priority === 'background') {
      this.#ready.background.delete(entry);
      entry.priority = 'live';
      this.#ready.live.add(entry);
    }
    this.#pump();
  }

  /** Root task: works until `signal` is aborted; rejects with the first failure of a worker or of the queue itself. */
  async run(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#failures.push(reject);
    if (this.#failure !== undefined) reject(this.#failure);
    const stop = (): void => {
      this.close();
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    else {
      this.#open = this.#failure === undefined;
      this.#pump();
    }
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', stop);
      this.close();
      this.#over = true;
    }
  }

  /** No further run begins. Running ones go on. */
  close(): void {
    this.#open = false;
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }

  /** What is due waits, or begins at last. */
  heldChanged(): void {
    this.#pump();
    this.#tellIdle();
  }

  /** Resolves when nothing runs or may begin now, or nothing begins any more. */
  idle(): Promise<void> {
    if (!this.#open || this.#isIdle) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idleWaiters.push(resolve);
    return promise;
  }

  /** Resolves when nothing runs. */
  drained(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drainWaiters.push(resolve);
    return promise;
  }

  #schedule(entry: Entry, due: number, priority: Priority): void {
    entry.due = due;
    entry.priority = priority;
    if (due > this.#options.clock.monotonic()) {
      this.#enter(entry, 'waiting');
      this.#waiting.put(entry);
    } else {
      this.#makeReady(entry);
    }
  }

  #enter(entry: Entry, state: EntryState): void {
    entry.state = state;
    this.#observer.onQueueState?.(this.#options.resource, entry.key, state);
  }

  #makeReady(entry: Entry): void {
    this.#waiting.remove(entry);
    this.#enter(entry, 'ready');
    entry.readySince = this.#options.clock.monotonic();
    this.#ready[entry.priority].add(entry);
  }

  readonly #pump = (): void => {
    if (this.#open && !this.#isHeld) this.#inOwnContext(this.#beginReady);
  };

  readonly #beginReady = (): void => {
    let entry: Entry | undefined;
    try {
      this.#wakeDue();
      while (this.#slotsTaken < this.#options.concurrency) {
        entry = this.#nextReady();
        if (entry === undefined || !this.#options.slots.take(this.#pump)) break;
        this.#slotsTaken += 1;
        this.#running.add(entry.key);
        this.#ready[entry.priority].delete(entry);
        this.#enter(entry, 'running');
        const { key } = entry;
        this.#observer.onQueueWait?.(this.#options.resource, key, this.#options.clock.monotonic() - entry.readySince);
        this.#work(entry).catch((error: unknown) => this.#fail(error, key));
        entry = undefined;
      }
    } catch (error) {
      this.#fail(error, entry?.key);
    }
  };

  #nextReady(): Entry | undefined {
    const background = this.#ready.background.values().next().value;
    const live = this.#ready.live.values().next().value;
    if (live === undefined || background === undefined) return live ?? background;
    return this.#options.clock.monotonic() - background.readySince >= longestPass ? background : live;
  }

  #wakeDue(): void {
    const now = this.#options.clock.monotonic();
    let next = this.#waiting.peek();
    while (next !== undefined && next.due <= now) {
      this.#makeReady(next);
      next = this.#waiting.peek();
    }
    // One that is early is left alone: it finds nothing due, and sets the next.
    if (next !== undefined && this.#timer !== undefined && this.#timer.due <= next.due) return;
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    if (next === undefined) return;
    const timer = this.#options.clock.setTimer(next.due - now, () => {
      this.#timer = undefined;
      this.#pump();
    });
    this.#timer = { due: next.due, timer };
  }

  async #work(entry: Entry): Promise<void> {
    const slot = { taken: true };
    const freeSlot = (): void => {
      if (!slot.taken) return;
      slot.taken = false;
      this.#slotsTaken -= 1;
      // Other queues that wait come first, so that a busy one does not keep the slot for itself.
      this.#options.slots.release();
      this.#pump();
    };
    const startedAt = this.#options.clock.monotonic();
    try {
      const next = await this.#options.process({ key: entry.key, freeSlot });
      this.#observer.onQueueWork?.(this.#options.resource, entry.key, this.#options.clock.monotonic() - startedAt);
      this.#settle(entry, next);
    } catch (error) {
      this.#fail(error, entry.key);
    } finally {
      this.#running.delete(entry.key);
      if (slot.taken) freeSlot();
      // The slot went before: what this run asked for has to be planned all the same.
      else this.#pump();
      if (this.#running.size === 0) for (const resolve of this.#drainWaiters.splice(0)) resolve();
      this.#tellIdle();
    }
  }

  get #isHeld(): boolean {
    return this.#options.isHeld?.() === true;
  }

  get #isIdle(): boolean {
    return this.running === 0 && (this.ready === 0 || this.#isHeld);
  }

  #tellIdle(): void {
    if (this.#isIdle) for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }

  #settle(entry: Entry, next: NextRun | undefined): void {
    const { again } = entry;
    entry.again = undefined;
    const now = this.#options.clock.monotonic();
    const later = next === undefined ? undefined : { due: now + next.after, priority: next.priority };
    const first = again === undefined || (later !== undefined && later.due < again.due) ? later : again;
    if (first === undefined) {
      this.#entries.delete(entry.key);
      this.#observer.onQueueState?.(this.#options.resource, entry.key, 'absent');
    } else this.#schedule(entry, first.due, first.priority);
  }

  #fail(error: unknown, key: ObjectKey | undefined): void {
    const { logger, resource } = this.#options;
    const late = this.#over && this.#failure === undefined;
    this.#failure ??= new ProcessingFailedError(resource, { cause: error });
    this.close();
    for (const reject of this.#failures.splice(0)) reject(this.#failure);
    const object = key === undefined ? {} : this.#describe(key);
    logger.log('error', 'Unrecoverable error in a worker', { resource, ...object }, error);
    if (late) this.#options.onLateFailure?.(this.#failure);
  }

  /** Never throws: it is asked while something worse is being reported. */
  #describe(key: ObjectKey): LogFields {
    try {
      return { key, ...this.#options.describe(key) };
    } catch (error) {
      const { logger, resource } = this.#options;
      logger.log('warn', 'The object of a key could not be described', { resource, key }, error);
      return { key };
    }
  }
}

function higher(a: Priority, b: Priority): Priority {
  return a === 'live' || b === 'live' ? 'live' : 'background';
}
