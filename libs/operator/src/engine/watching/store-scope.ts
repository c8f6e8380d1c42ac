import { isDeepStrictEqual } from 'node:util';
import { objectKey } from '../kube-object.js';
import type { ObjectKey, StoredObject } from '../kube-object.js';
import type { StoreChange } from './store-change.js';
import { compareVersions, higherVersion, isIntegerVersion } from './resource-version.js';

type Origin = 'list' | 'watch' | 'write';
type Emit = (change: StoreChange) => void;

/** Tombstones beyond this number are forgotten, the oldest first. */
const mostTombstones = 4_096;

interface Entry {
  readonly object: StoredObject;
  readonly uid: string;
  readonly version: string;
  /** When it came in, on the scope's own counter. */
  readonly arrival: number;
  /** The version that it replaced, where the watch brought it. */
  readonly follows?: string | undefined;
  /** The watch shows it no more: it is gone, or has left the selection. */
  readonly doubted?: boolean;
}

/** A removed state. `final`: the uid is known to be gone for good, no version of it comes back. */
interface Tombstone {
  readonly uid: string;
  readonly version: string;
  readonly arrival: number;
  readonly final: boolean;
}

/** What the scope knew when a list was asked for. */
export interface ScopeMark {
  readonly arrival: number;
  readonly highest: string | undefined;
}

type Prepare = (raw: StoredObject) => StoredObject | undefined;

/**
 * The objects that one list and watch feeds, and the rules that order their states. A key holds an object or a tombstone,
 * never both.
 *
 * Tombstones are forgotten by the next list that covers them, save those of uids that are gone for good, and beyond a fixed
 * number. The list's own version takes their place: what is not newer than a list and was not in it does not come in by the
 * watch. Answers to own writes are held against the version that the watch has reached as well.
 */
export class StoreScope {
  readonly entries = new Map<ObjectKey, Entry>();
  private readonly tombstones = new Map<ObjectKey, Tombstone>();
  private arrivals = 0;
  /** Highest integer version seen, in whatever way. */
  private highest: string | undefined;
  /** How far list and watch have come: the store shows at least this state. */
  private position: string | undefined;
  /** Version of the last list. */
  private floor: string | undefined;
  /** A list has been applied since the scope was last emptied. */
  listed = false;
  /** A list has been applied at any time. */
  everListed = false;

  /**
   * `prepare`: what is stored of an object; `undefined` when it cannot be read, and what is known of it stays. `doubts`: where
   * the watch has a selection, whether an object is in it: what the watch shows no more is in doubt then, until `settle`.
   */
  constructor(
    private readonly emit: Emit,
    private readonly prepare: Prepare,
    private readonly doubts?: (object: StoredObject) => boolean,
  ) {}

  get tombstoneCount(): number {
    return this.tombstones.size;
  }

  mark(): ScopeMark {
    return { arrival: this.arrivals, highest: this.highest };
  }

  /** The watch has come to this version. */
  advance(version: string): void {
    this.see(version);
    this.position = higherVersion(this.position, version);
  }

  see(version: string): void {
    this.highest = higherVersion(this.highest, version);
  }

  /** ADDED and MODIFIED of the watch. */
  observeState(raw: StoredObject): void {
    const key = objectKey(raw);
    const { uid, resourceVersion: version } = raw.metadata;
    if (!this.accepts(key, uid, version)) return;
    if (!this.entries.has(key) && isCovered(version, this.floor)) return;
    const object = this.prepare(raw);
    if (object !== undefined) this.put(key, object, 'watch', { initial: false, foreign: true });
  }

  /**
   * A removed state: DELETED of the watch, an object that left the selection, one whose last finalizer went. Drops it when
   * the store holds a newer state or another uid; leaves a tombstone otherwise. Returns whether it stands as removed now.
   */
  observeRemoval(key: ObjectKey, uid: string, version: string, origin: Origin, final = false): boolean {
    const entry = this.entries.get(key);
    if (entry !== undefined) {
      if (entry.uid !== uid) return false;
      const order = compareVersions(version, entry.version);
      if (order !== undefined && order < 0) return false;
      if (!final && this.doubts !== undefined) {
        this.doubt(key, entry, version);
        return true;
      }
      this.bury(key, { uid, version, arrival: ++this.arrivals, final });
      this.emit({ type: 'removed', key, previous: entry.object, origin });
      return true;
    }
    const tombstone = this.tombstones.get(key);
    if (tombstone !== undefined) {
      const same = tombstone.uid === uid;
      const order = compareVersions(version, tombstone.version);
      // Raised by another uid as well: whatever lies below that removal is gone too.
      const newer = order === undefined ? same : order > 0;
      if (!newer && !(same && final)) return same;
      this.bury(key, {
        uid,
        version: newer ? version : tombstone.version,
        arrival: ++this.arrivals,
        final: final || (tombstone.final && same),
      });
      return true;
    }
    this.bury(key, { uid, version, arrival: ++this.arrivals, final });
    return true;
  }

  /** The uid is known to be gone for good, at an unknown version. */
  observeGone(key: ObjectKey, uid: string): void {
    const held = this.entries.get(key) ?? this.tombstones.get(key);
    if (held !== undefined && held.uid !== uid) return;
    this.observeRemoval(key, uid, held?.version ?? '0', 'write', true);
  }

  /**
   * What a read has told of an object in doubt: its state, or that it is gone. False: the read was overtaken, and another one is
   * needed.
   */
  settle(key: ObjectKey, uid: string, found: StoredObject | undefined): boolean {
    const entry = this.entries.get(key);
    if (entry?.doubted !== true || entry.uid !== uid) return true;
    if (found?.metadata.uid !== uid) {
      this.observeRemoval(key, uid, entry.version, 'watch', true);
      return true;
    }
    const order = compareVersions(found.metadata.resourceVersion, entry.version);
    if (order !== undefined && order < 0) return false;
    const object = this.prepare(found);
    if (object !== undefined) this.put(key, object, 'watch', { initial: false, foreign: true });
    return true;
  }

  /** An object that is not in the selection of the watch. Dropped where something newer is known. */
  admit(raw: StoredObject): void {
    const key = objectKey(raw);
    const { uid, resourceVersion: version } = raw.metadata;
    if (this.entries.has(key) || !this.accepts(key, uid, version)) return;
    const object = this.prepare(raw);
    if (object !== undefined) this.put(key, object, 'watch', { initial: false, foreign: true });
  }

  /** An answer to an own write, known to be within the scope. Returns whether it was stored. */
  write(object: StoredObject, base: StoredObject | undefined, foreign: boolean): boolean {
    const key = objectKey(object);
    const { uid, resourceVersion: version } = object.metadata;
    const entry = this.entries.get(key);
    if (!isIntegerVersion(version)) {
      // Without an order, only an answer to a write on the very state that is stored is known to be newer.
      const follows = entry?.uid === uid && base !== undefined && entry.version === base.metadata.resourceVersion;
      if (!follows || entry.version === version) return false;
    } else {
      if (!this.accepts(key, uid, version)) return false;
      if (entry?.uid !== uid && isCovered(version, this.position)) return false;
    }
    this.put(key, object, 'write', { initial: false, foreign });
    return true;
  }

  /**
   * An answer to an own write that shows nothing but what the write itself set. If the watch was quicker to bring that
   * state, and nobody wrote between `base` and it, what came was no news.
   */
  recognize(key: ObjectKey, answer: StoredObject, base: StoredObject): void {
    const entry = this.entries.get(key);
    if (entry?.uid !== answer.metadata.uid || entry.version !== answer.metadata.resourceVersion) return;
    if (entry.follows === undefined || entry.follows !== base.metadata.resourceVersion) return;
    this.entries.set(key, { ...entry, follows: undefined });
    this.emit({ type: 'recognized', key, object: entry.object });
  }

  /** Whether a list at `version` shows less than what was known when it was asked for. */
  isRegress(mark: ScopeMark, version: string): boolean {
    if (mark.highest === undefined) return false;
    const order = compareVersions(version, mark.highest);
    return order !== undefined && order < 0;
  }

  /** Applies a list: its items by the order of their versions, then removals of what it does not show and is not newer. */
  replace(items: ReadonlyMap<ObjectKey, StoredObject>, version: string, mark: ScopeMark): void {
    const initial = !this.everListed;
    for (const [key, raw] of items) {
      if (!this.acceptsListed(key, raw.metadata.uid, raw.metadata.resourceVersion, mark)) continue;
      const object = this.prepare(raw);
      if (object !== undefined) this.put(key, object, 'list', { initial, foreign: true });
    }
    for (const [key, entry] of this.entries) {
      if (items.get(key)?.metadata.uid === entry.uid) continue;
      const order = compareVersions(entry.version, version);
      const covered = order === undefined ? entry.arrival <= mark.arrival : order <= 0;
      if (covered) this.removeListed(key, entry, version);
    }
    this.forgetCovered(version, mark);
    this.listedAt(version);
  }

  /**
   * Applies a list of a server whose history was set back: it is the truth for all that was known when it was asked for,
   * whatever the versions say. Versions and tombstones of before are forgotten.
   */
  restore(items: ReadonlyMap<ObjectKey, StoredObject>, version: string, mark: ScopeMark): void {
    for (const [key, tombstone] of this.tombstones) {
      if (tombstone.arrival <= mark.arrival) this.tombstones.delete(key);
    }
    for (const [key, raw] of items) {
      const entry = this.entries.get(key);
      const known = entry !== undefined && entry.arrival <= mark.arrival;
      if (!known && !this.accepts(key, raw.metadata.uid, raw.metadata.resourceVersion)) continue;
      const object = this.prepare(raw);
      if (object === undefined || (known && sameState(entry, object))) continue;
      this.put(key, object, 'list', { initial: false, foreign: true });
    }
    for (const [key, entry] of this.entries) {
      if (items.get(key)?.metadata.uid === entry.uid || entry.arrival > mark.arrival) continue;
      this.entries.delete(key);
      this.emit({ type: 'removed', key, previous: entry.object, origin: 'list' });
    }
    this.highest = undefined;
    this.position = undefined;
    for (const entry of this.entries.values()) this.see(entry.version);
    this.listedAt(version);
  }

  /** Empties the scope and forgets everything but that it was once listed. */
  drop(): void {
    this.tombstones.clear();
    this.highest = undefined;
    this.position = undefined;
    this.floor = undefined;
    this.listed = false;
    for (const [key, entry] of this.entries) {
      this.entries.delete(key);
      this.emit({ type: 'removed', key, previous: entry.object, origin: 'list' });
    }
  }

  /** Whether a state from the watch (or, with an integer version, from a write) is newer than what the key holds. */
  private accepts(key: ObjectKey, uid: string, version: string): boolean {
    const entry = this.entries.get(key);
    if (entry !== undefined) {
      const order = compareVersions(version, entry.version);
      return order === undefined ? entry.uid === uid : order > 0;
    }
    const tombstone = this.tombstones.get(key);
    if (tombstone === undefined) return true;
    if (tombstone.final && tombstone.uid === uid) return false;
    const order = compareVersions(version, tombstone.version);
    return order === undefined || order > 0;
  }

  /** The same for an item of a list, which without an order of versions is newer than all that was known before. */
  private acceptsListed(key: ObjectKey, uid: string, version: string, mark: ScopeMark): boolean {
    const held = this.entries.get(key) ?? this.tombstones.get(key);
    if (held === undefined || compareVersions(version, held.version) !== undefined)
      return this.accepts(key, uid, version);
    if ('final' in held && held.final && held.uid === uid) return false;
    return held.arrival <= mark.arrival;
  }

  private put(
    key: ObjectKey,
    object: StoredObject,
    origin: Origin,
    how: { readonly initial: boolean; readonly foreign: boolean },
  ): void {
    const { uid, resourceVersion: version } = object.metadata;
    const entry = this.entries.get(key);
    const replaced = entry !== undefined && entry.uid !== uid;
    this.see(version);
    if (replaced) {
      this.entries.delete(key);
      this.emit({ type: 'removed', key, previous: entry.object, origin });
    }
    this.tombstones.delete(key);
    const follows = origin === 'watch' && !replaced ? entry?.version : undefined;
    this.entries.set(key, { object, uid, version, arrival: ++this.arrivals, follows });
    const previous = replaced ? undefined : entry?.object;
    this.emit({ type: previous === undefined ? 'added' : 'modified', key, object, previous, origin, ...how });
  }

  /** The state stays, at the version of the removal: what is older does not replace it. */
  private doubt(key: ObjectKey, entry: Entry, version: string): void {
    // What is known to be outside of the selection has left it, and that is no news.
    if (entry.doubted !== true && entry.version === version && this.doubts?.(entry.object) === false) return;
    this.see(version);
    this.entries.set(key, { ...entry, version, arrival: ++this.arrivals, doubted: true });
    this.emit({ type: 'doubted', key, object: entry.object });
  }

  private removeListed(key: ObjectKey, entry: Entry, version: string): void {
    if (this.doubts !== undefined) {
      // The version of the list is none of the object's: what is read of it may well be older.
      this.doubt(key, { ...entry, doubted: true }, entry.version);
      return;
    }
    const order = compareVersions(entry.version, version);
    this.bury(key, {
      uid: entry.uid,
      version: order !== undefined && order < 0 ? version : entry.version,
      arrival: ++this.arrivals,
      final: false,
    });
    this.emit({ type: 'removed', key, previous: entry.object, origin: 'list' });
  }

  private bury(key: ObjectKey, tombstone: Tombstone): void {
    this.see(tombstone.version);
    this.entries.delete(key);
    // Set anew, so that the map's order is that of the burials.
    this.tombstones.delete(key);
    this.tombstones.set(key, tombstone);
    if (this.tombstones.size <= mostTombstones) return;
    const oldest = this.tombstones.keys().next();
    if (!oldest.done) this.tombstones.delete(oldest.value);
  }

  private forgetCovered(version: string, mark: ScopeMark): void {
    for (const [key, tombstone] of this.tombstones) {
      if (tombstone.arrival > mark.arrival || tombstone.final) continue;
      if (compareVersions(tombstone.version, version) === undefined || isCovered(tombstone.version, version)) {
        this.tombstones.delete(key);
      }
    }
  }

  private listedAt(version: string): void {
    this.advance(version);
    this.floor = version;
    this.listed = true;
    this.everListed = true;
  }
}

/** Whether both versions can be ordered, and `version` is not the newer one. */
function isCovered(version: string, by: string | undefined): boolean {
  if (by === undefined) return false;
  const order = compareVersions(version, by);
  return order !== undefined && order <= 0;
}

function sameState(entry: Entry, object: StoredObject): boolean {
  // Equal versions of two histories may hold different content.
  return (
    entry.uid === object.metadata.uid &&
    entry.version === object.metadata.resourceVersion &&
    isDeepStrictEqual(entry.object, object)
  );
}
