import { describe, expect, it } from 'vitest';
import type { StoredObject } from '../../../src/engine/kube-object.js';
import type { ObjectStore } from '../../../src/engine/watching/object-store.js';
import { storeRig, widget } from './support.js';
import type { StoreRig } from './support.js';

/** Seeded chance: a failing run can be run again. */
class Chance {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }
}

interface LogEntry {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
}

type State = ReadonlyMap<string, StoredObject>;

const names = ['a', 'b', 'c', 'd'];
const mark = { deletionTimestamp: '2030-01-01T00:00:00Z' };
const isSelected = (object: StoredObject): boolean => object['selected'] !== false;

/** A server of few objects, with its whole history and one selection. */
class ModelServer {
  version = 100;
  state = new Map<string, StoredObject>();
  log: LogEntry[] = [];
  history = new Map<number, State>([[100, new Map()]]);
  private uids = 0;

  create(name: string, selected: boolean): StoredObject {
    return this.put(name, { uid: `u${++this.uids}`, selected, content: 0, finalizers: ['f'] });
  }

  update(name: string, change: { selected?: boolean; deleting?: boolean }): StoredObject {
    const old = this.state.get(name)!;
    return this.put(name, {
      uid: old.metadata.uid,
      selected: change.selected ?? isSelected(old),
      content: Number(old['content']) + 1,
      finalizers: old.metadata.finalizers,
      ...(change.deleting === true || old.metadata.deletionTimestamp !== undefined ? mark : {}),
    });
  }

  /** Takes the last finalizer away. Answers with the version from before, as a real server does. */
  release(name: string): StoredObject {
    const old = this.state.get(name)!;
    this.remove(name);
    return { ...old, metadata: { ...old.metadata, finalizers: [] } };
  }

  remove(name: string): void {
    const old = this.state.get(name)!;
    this.state.delete(name);
    this.record(isSelected(old) ? 'DELETED' : undefined, old);
  }

  /** Goes back to what it was at an earlier version, as after a restore of its storage. */
  restore(version: number): void {
    this.version = version;
    this.state = new Map(this.history.get(version));
    this.log = this.log.filter((entry) => entry.version <= version);
    for (const later of [...this.history.keys()].filter((at) => at > version)) this.history.delete(later);
  }

  listAt(version: number): StoredObject[] {
    return [...this.history.get(version)!.values()].filter(isSelected);
  }

  private put(name: string, fields: Record<string, unknown>): StoredObject {
    const { uid, selected, content, finalizers, deletionTimestamp } = fields;
    const metadata = { finalizers, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) };
    const object = widget({ name, uid: String(uid), version: this.version + 1, selected, content, metadata });
    const old = this.state.get(name);
    this.state.set(name, object);
    const was = old !== undefined && isSelected(old);
    if (isSelected(object)) this.record(was ? 'MODIFIED' : 'ADDED', object);
    else this.record(was ? 'DELETED' : undefined, old ?? object);
    return object;
  }

  private record(type: LogEntry['type'] | undefined, object: StoredObject): void {
    this.version++;
    const { version } = this;
    if (type !== undefined) {
      const stamped = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
      this.log.push({ version, type, object: type === 'DELETED' ? stamped : object });
    }
    this.history.set(version, new Map(this.state));
  }
}

/** Drives one store as a reflector and a writer would, in an order that chance decides. */
class Run {
  readonly rig: StoreRig;
  private readonly server = new ModelServer();
  private readonly chance: Chance;
  private position = 100;
  private answers: (() => void)[] = [];
  /** Uids of which an own write learned that they are gone for good, and how many changes there were by then. */
  private readonly gone = new Map<string, number>();
  private restores = 0;
  readonly steps: string[] = [];

  constructor(seed: number) {
    this.chance = new Chance(seed);
    this.rig = storeRig({ selects: isSelected });
    this.list();
  }

  private get store(): ObjectStore {
    return this.rig.store;
  }

  go(steps: number, restores: boolean): void {
    for (let step = 0; step < steps; step++) {
      const dice = this.chance.below(restores ? 41 : 40);
      if (dice < 14) this.change();
      else if (dice < 22) this.write();
      else if (dice < 30) this.deliver(1 + this.chance.below(4));
      else if (dice < 35) this.answer();
      else if (dice < 37) this.store.advance(String(this.bookmark()), undefined);
      else if (dice < 38) this.repeat();
      else if (dice < 40) this.list();
      else this.restore();
      this.check();
    }
    while (this.answers.length > 0) this.answer();
    this.deliver(Number.POSITIVE_INFINITY);
    this.check();
  }

  expected(): string[] {
    return this.server
      .listAt(this.server.version)
      .map(({ metadata }) => `ns/${metadata.name}@${metadata.resourceVersion} ${metadata.uid}`)
      .toSorted();
  }

  private change(): void {
    const name = this.chance.pick(names)!;
    const dice = this.chance.below(6);
    this.steps.push(`change ${name} ${dice}`);
    if (!this.server.state.has(name)) this.server.create(name, dice > 0);
    else if (dice === 0) this.server.remove(name);
    else this.server.update(name, dice === 1 ? { selected: this.chance.below(2) === 0 } : { deleting: dice === 2 });
  }

  /** An own write, computed on what the store shows, and answered some time later. */
  private write(): void {
    const name = this.chance.pick(names)!;
    const base = this.store.get(`ns/${name}`);
    const stored = this.server.state.get(name);
    if (base === undefined) {
      if (stored !== undefined) return;
      const created = this.server.create(name, true);
      this.answers.push(() => this.store.writeThrough(created, { written: {} }));
      this.steps.push(`create ${name}`);
      return;
    }
    if (stored === undefined || stored.metadata.uid !== base.metadata.uid) {
      this.answers.push(() => {
        this.store.remove(`ns/${name}`, base.metadata.uid);
        this.gone.set(base.metadata.uid, this.rig.changes.length);
      });
      this.steps.push(`write ${name}: gone`);
      return;
    }
    const releases = stored.metadata.deletionTimestamp !== undefined && stored === base;
    const response = releases
      ? this.server.release(name)
      : this.server.update(name, { selected: this.chance.below(5) > 0 });
    this.steps.push(`write ${name}: ${releases ? 'released' : response.metadata.resourceVersion}`);
    this.answers.push(() => {
      this.store.writeThrough(response, { base, written: {} });
      if (releases) this.gone.set(response.metadata.uid, this.rig.changes.length);
    });
  }

  private answer(): void {
    const [answer] = this.answers.splice(this.chance.below(this.answers.length), 1);
    this.steps.push('answer');
    answer?.();
  }

  private deliver(most: number): void {
    const entries = this.server.log.filter(({ version }) => version > this.position).slice(0, most);
    for (const { type, object, version } of entries) {
      this.steps.push(`deliver ${type} ${object.metadata.name}@${version}`);
      this.store.observe(type, object, undefined);
      this.position = version;
    }
  }

  /** A bookmark promises that nothing between the last event and it is missing. */
  private bookmark(): number {
    const next = this.server.log.find(({ version }) => version > this.position);
    const last = (next?.version ?? this.server.version + 1) - 1;
    this.position = Math.max(this.position, last);
    return this.position;
  }

  /** Events that were delivered before come again. */
  private repeat(): void {
    for (const { type, object, version } of this.server.log.slice(-6)) {
      if (version <= this.position && type !== 'ADDED') this.store.observe(type, object, undefined);
    }
  }

  private list(): void {
    // A server that lags shows an older state, which may be older than what is known here.
    const lag = this.chance.below(3) === 0 ? this.chance.below(8) : 0;
    const version = Math.max(100, this.server.version - lag);
    const items = this.server.listAt(version);
    const session = this.store.beginList(undefined);
    this.steps.push(`list at ${version}`);
    if (this.chance.below(2) === 0) this.write();
    if (this.chance.below(2) === 0) this.answer();
    this.listed(session.finish(items, String(version)), version);
  }

  private listed(outcome: string, version: number): void {
    this.position = version;
    if (outcome !== 'ask-again') return;
    const latest = this.server.version;
    const again = this.store.beginList(undefined, { repeated: true });
    this.steps.push(`list again at ${latest}: ${again.finish(this.server.listAt(latest), String(latest))}`);
    this.position = latest;
  }

  private restore(): void {
    // What the old history still had to answer is lost with it.
    this.answers = [];
    this.gone.clear();
    this.restores++;
    this.deliver(Number.POSITIVE_INFINITY);
    const version = Math.max(100, this.server.version - 1 - this.chance.below(20));
    this.server.restore(version);
    this.steps.push(`restore ${version}`);
    const session = this.store.beginList(undefined);
    this.listed(session.finish(this.server.listAt(version), String(version)), version);
  }

  /** What the changes tell, applied one by one, is what the store holds; and none of them is out of place. */
  private check(): void {
    const told = new Map<string, StoredObject>();
    const versions = new Map<string, number>();
    for (const [index, change] of this.rig.changes.entries()) {
      const before = told.get(change.key);
      if (change.type === 'doubted') throw new Error(`${change.key} is in doubt without a selection`);
      if (change.type === 'recognized') {
        if (change.object !== before) throw new Error(`${change.key} is recognized in a state that it does not have`);
        continue;
      }
      if (change.previous !== before) throw new Error(`${change.type} of ${change.key} names a wrong former state`);
      if (change.type === 'removed') {
        told.delete(change.key);
        continue;
      }
      if ((change.type === 'added') !== (before === undefined))
        throw new Error(`${change.type} of ${change.key} is out of place`);
      const { uid, resourceVersion } = change.object.metadata;
      if (index >= (this.gone.get(uid) ?? Number.POSITIVE_INFINITY)) throw new Error(`${uid} came back from the dead`);
      const latest = versions.get(uid) ?? 0;
      if (this.restores === 0 && Number(resourceVersion) <= latest) throw new Error(`${uid} went back from ${latest}`);
      versions.set(uid, Number(resourceVersion));
      told.set(change.key, change.object);
    }
    const held = new Map([...this.store.keys()].map((key) => [key, this.store.get(key)]));
    expect(told).toEqual(held);
  }
}

describe('whatever the order of lists, events, writes and their answers', () => {
  it.each([
    ['one history', false],
    ['a history that is set back at times', true],
  ])('the store ends equal to the server: %s', (_, restores) => {
    for (let seed = 1; seed <= 300; seed++) {
      const run = new Run(seed);
      try {
        run.go(120, restores);
        expect(run.rig.content()).toEqual(run.expected());
      } catch (error) {
        throw new Error(`Seed ${seed}, after: ${run.steps.slice(-40).join('; ')}`, { cause: error });
      }
    }
  });
});
