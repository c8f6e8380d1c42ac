import { canonical, type KubeObject } from '../json.js';
import type { StoreEvent, StoreSnapshot } from './store-event.js';
import type { StoreJournal } from './store-journal.js';

export type { StoreEvent, StoreSnapshot };

interface Bucket {
  readonly objects: Map<string, KubeObject>;
  /** Keys in byte order; undefined after a key came or went. */
  sorted: string[] | undefined;
}

/** Thrown for a revision whose history was compacted away. */
export class CompactedError extends Error {
  constructor(
    readonly requested: number,
    readonly compacted: number,
  ) {
    super(`revision ${requested} has been compacted (history begins after ${compacted})`);
    this.name = 'CompactedError';
  }
}

type Listener = (event: StoreEvent) => void;

/**
 * All objects under one revision counter, with the log of events since the compaction point. States of the past are
 * had by undoing the log, so each revision above the compaction point can be listed exactly.
 *
 * Objects handed out are shared and must not be changed.
 */
export class Store {
  #revision = 1;
  #compacted = 0;
  #log: StoreEvent[] = [];
  #buckets = new Map<string, Bucket>();
  readonly #listeners = new Set<Listener>();
  readonly #resetListeners = new Set<() => void>();
  readonly #pending: StoreEvent[] = [];
  #dispatching = false;
  #size = 0;
  #journal: StoreJournal | undefined;

  constructor(private readonly historySize: number) {}

  /** Keeps everything in a journal too: this state, or the given one, which takes its place; and all that follows. */
  keepIn(journal: StoreJournal, state?: StoreSnapshot): void {
    if (state === undefined) journal.replace(this.snapshot());
    this.#journal = journal;
    if (state !== undefined) this.#assign(state);
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** Exact reads and watches work from this revision on. */
  get compactedRevision(): number {
    return this.#compacted;
  }

  get(resource: string, key: string): KubeObject | undefined {
    return this.#buckets.get(resource)?.objects.get(key);
  }

  /** How many objects of a resource there are. */
  count(resource: string): number {
    return this.#buckets.get(resource)?.objects.size ?? 0;
  }

  /** Every resource that has had an object. */
  resources(): string[] {
    return [...this.#buckets.keys()];
  }

  /** Creates or replaces. The store keeps a copy of its own, with the new resourceVersion in it. */
  put(resource: string, key: string, object: KubeObject): KubeObject {
    const bucket = this.#bucket(resource);
    const previous = bucket.objects.get(key);
    const revision = this.#revision + 1;
    const stored = canonical({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
    const event: StoreEvent =
      previous === undefined
        ? { revision, resource, key, type: 'ADDED', object: stored }
        : { revision, resource, key, type: 'MODIFIED', object: stored, previous };
    this.#journal?.append(event);
    if (previous === undefined) {
      bucket.sorted = undefined;
      this.#size++;
    }
    bucket.objects.set(key, stored);
    this.#record(event);
    return stored;
  }

  /** Removes an object that exists; the answer is its last state with the revision of the deletion. */
  remove(resource: string, key: string): KubeObject {
    const bucket = this.#bucket(resource);
    const previous = bucket.objects.get(key);
    if (previous === undefined) throw new Error(`store: no ${resource} ${key} to remove`);
    const revision = this.#revision + 1;
    const object = withRevision(previous, revision);
    const event: StoreEvent = { revision, resource, key, type: 'DELETED', object, previous };
    this.#journal?.append(event);
    bucket.objects.delete(key);
    bucket.sorted = undefined;
    this.#size--;
    this.#record(event);
    return object;
  }

  /** All objects of a resource in byte order of their keys, now or as of `revision`. */
  list(resource: string, revision?: number): { key: string; object: KubeObject }[] {
    const bucket = this.#bucket(resource);
    if (revision === undefined || revision >= this.#revision) {
      bucket.sorted ??= [...bucket.objects.keys()].sort(byBytes);
      return bucket.sorted.map((key) => ({ key, object: bucket.objects.get(key)! }));
    }
    if (revision < this.#compacted) throw new CompactedError(revision, this.#compacted);
    const past = new Map(bucket.objects);
    for (let index = this.#log.length - 1; index >= 0; index--) {
      const event = this.#log[index]!;
      if (event.revision <= revision) break;
      if (event.resource !== resource) continue;
      if (event.previous === undefined) past.delete(event.key);
      else past.set(event.key, event.previous);
    }
    return [...past.keys()].sort(byBytes).map((key) => ({ key, object: past.get(key)! }));
  }

  /** The events of a resource after `revision`, oldest first. */
  eventsSince(resource: string, revision: number): StoreEvent[] {
    if (revision < this.#compacted) throw new CompactedError(revision, this.#compacted);
    const found: StoreEvent[] = [];
    for (let index = this.#firstAfter(revision); index < this.#log.length; index++) {
      const event = this.#log[index]!;
      if (event.resource === resource) found.push(event);
    }
    return found;
  }

  /** Calls the listener with each event, in order, until the returned function is called. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the listener after each `restore`. */
  onRestore(listener: () => void): () => void {
    this.#resetListeners.add(listener);
    return () => this.#resetListeners.delete(listener);
  }

  /** Forgets the history up to and including `revision` (default: all of it). */
  compact(revision: number = this.#revision): void {
    if (revision > this.#revision) throw new RangeError(`store: cannot compact ${revision}, now at ${this.#revision}`);
    if (revision <= this.#compacted) return;
    this.#journal?.compact(revision);
    this.#log.splice(0, this.#firstAfter(revision));
    this.#compacted = revision;
  }

  snapshot(): StoreSnapshot {
    return {
      revision: this.#revision,
      compacted: this.#compacted,
      log: [...this.#log],
      buckets: new Map([...this.#buckets].map(([resource, bucket]) => [resource, new Map(bucket.objects)])),
    };
  }

  /** Goes back to a snapshot, revision counter included, as when etcd is restored from a backup. */
  restore(snapshot: StoreSnapshot): void {
    this.#journal?.replace(snapshot);
    this.#assign(snapshot);
  }

  #assign(snapshot: StoreSnapshot): void {
    this.#revision = snapshot.revision;
    this.#compacted = snapshot.compacted;
    this.#log = [...snapshot.log];
    this.#buckets = new Map(
      [...snapshot.buckets].map(([resource, objects]) => [resource, { objects: new Map(objects), sorted: undefined }]),
    );
    this.#size = 0;
    for (const { objects } of this.#buckets.values()) this.#size += objects.size;
    this.#pending.length = 0;
    for (const listener of this.#resetListeners) listener();
  }

  #bucket(resource: string): Bucket {
    let bucket = this.#buckets.get(resource);
    if (bucket === undefined) {
      bucket = { objects: new Map(), sorted: undefined };
      this.#buckets.set(resource, bucket);
    }
    return bucket;
  }

  #record(event: StoreEvent): void {
    this.#revision = event.revision;
    this.#log.push(event);
    if (this.#log.length > this.historySize) this.compact(this.#log[Math.floor(this.historySize / 2)]!.revision);
    this.#journal?.settle(this.#size, this.#log.length, () => this.snapshot());
    this.#pending.push(event);
    // A listener that writes only appends; the outermost call delivers, so that all listeners see the same order.
    if (this.#dispatching) return;
    this.#dispatching = true;
    try {
      for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
        for (const listener of this.#listeners) listener(next);
      }
    } finally {
      this.#dispatching = false;
    }
  }

  #firstAfter(revision: number): number {
    let low = 0;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#log[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The same object under another resourceVersion. */
export function withRevision(object: KubeObject, revision: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

// Code units order like bytes except beyond the basic plane, which no valid name uses.
const byBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
