import { describe, expect, it } from 'vitest';
import { CompactedError, Store, type KubeObject, type StoreEvent } from '../src/index.js';
import { seeded } from './support/seeded.js';

const object = (name: string, value: number): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name },
  value,
});

/** Writes at random and remembers the whole state after each revision. */
function randomHistory(seed: number, steps: number) {
  const random = seeded(seed);
  const store = new Store(100_000);
  const log: StoreEvent[] = [];
  const states = new Map<number, string>();
  store.subscribe((event) => log.push(event));
  const show = (): string => JSON.stringify(store.list('g/things').map((entry) => entry.object));
  states.set(store.revision, show());
  for (let step = 0; step < steps; step++) {
    const resource = random() < 0.8 ? 'g/things' : 'g/others';
    const key = `ns${Math.floor(random() * 2)}/k${Math.floor(random() * 8)}`;
    if (random() < 0.3 && store.get(resource, key) !== undefined) store.remove(resource, key);
    else store.put(resource, key, object(key, step));
    states.set(store.revision, show());
  }
  return { store, log, states };
}

function fold(state: Map<string, KubeObject>, events: readonly StoreEvent[]): string {
  const after = new Map(state);
  for (const event of events) {
    if (event.type === 'DELETED') after.delete(event.key);
    else after.set(event.key, event.object);
  }
  return JSON.stringify([...after].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value));
}

describe('store', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('lists each past revision exactly as it was (seed %i)', (seed) => {
    const { store, states } = randomHistory(seed, 200);
    for (const [revision, state] of states) {
      expect(JSON.stringify(store.list('g/things', revision).map((entry) => entry.object))).toBe(state);
    }
  });

  it.each([11, 12, 13, 14])('folds the log from any revision on to the state of any later one (seed %i)', (seed) => {
    const { store, states } = randomHistory(seed, 120);
    const revisions = [...states.keys()];
    for (const from of revisions.filter((_, index) => index % 7 === 0)) {
      const start = new Map(store.list('g/things', from).map((entry) => [entry.key, entry.object]));
      for (const to of revisions.filter((revision) => revision >= from)) {
        const events = store.eventsSince('g/things', from).filter((event) => event.revision <= to);
        expect(fold(start, events)).toBe(states.get(to));
      }
    }
  });

  it('numbers all writes of all resources in one row, without gap or repetition', () => {
    const { store, log } = randomHistory(21, 300);
    expect(log.map((event) => event.revision)).toEqual(log.map((_, index) => index + 2));
    expect(store.revision).toBe(log.at(-1)!.revision);
  });

  it('gives a deletion a revision above that of the last change, in the event and in its object', () => {
    const { log } = randomHistory(22, 200);
    const deletions = log.filter((event) => event.type === 'DELETED');
    expect(deletions.length).toBeGreaterThan(10);
    for (const event of deletions) {
      expect(event.object.metadata.resourceVersion).toBe(String(event.revision));
      expect(Number(event.previous!.metadata.resourceVersion)).toBeLessThan(event.revision);
    }
  });

  it('refuses what was compacted and keeps what was not', () => {
    const { store, states } = randomHistory(23, 100);
    const middle = [...states.keys()][50]!;
    store.compact(middle);
    expect(() => store.list('g/things', middle - 1)).toThrow(CompactedError);
    expect(() => store.eventsSince('g/things', middle - 1)).toThrow(CompactedError);
    expect(JSON.stringify(store.list('g/things', middle).map((entry) => entry.object))).toBe(states.get(middle));
    expect(() => store.compact(store.revision + 1)).toThrow(RangeError);
  });

  it('compacts the older half by itself when the history grows beyond its size', () => {
    const store = new Store(100);
    for (let index = 0; index < 101; index++) store.put('g/things', 'a/b', object('b', index));
    expect(store.compactedRevision).toBe(52);
    expect(store.eventsSince('g/things', 52)).toHaveLength(50);
  });

  it('delivers events in order to every listener, also when a listener writes', () => {
    const store = new Store(100);
    const seen: number[] = [];
    store.subscribe((event) => {
      if (event.key === 'first') store.put('g/things', 'second', object('second', 2));
    });
    store.subscribe((event) => seen.push(event.revision));
    store.put('g/things', 'first', object('first', 1));
    expect(seen).toEqual([2, 3]);
  });

  it('goes back to a snapshot with its revision, its history and its objects', () => {
    const { store } = randomHistory(24, 50);
    const before = JSON.stringify([store.revision, store.list('g/things'), store.eventsSince('g/things', 1)]);
    const snapshot = store.snapshot();
    store.put('g/things', 'x/y', object('y', 1));
    store.remove('g/things', 'x/y');
    store.restore(snapshot);
    expect(JSON.stringify([store.revision, store.list('g/things'), store.eventsSince('g/things', 1)])).toBe(before);
  });

  it('orders keys by bytes and keeps what it was given apart from what it holds', () => {
    const store = new Store(100);
    const given = object('a', 1);
    for (const key of ['a/x', 'a-b/x', 'a/b', 'b/a']) store.put('g/things', key, given);
    given['value'] = 2;
    expect(store.list('g/things').map((entry) => entry.key)).toEqual(['a-b/x', 'a/b', 'a/x', 'b/a']);
    expect(store.get('g/things', 'a/x')!['value']).toBe(1);
  });
});
