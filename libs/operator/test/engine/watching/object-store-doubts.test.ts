import { beforeEach, describe, expect, it } from 'vitest';
import { storeRig, widget, type StoreRig, type WidgetFields } from './support.js';

const inside = { labels: { in: 'yes' } };
const outside = { labels: { in: 'no' } };
const ours = (version: number, metadata: object = inside) => widget({ version, metadata: { ...metadata } });

let rig: StoreRig;

beforeEach(() => {
  rig = storeRig({ doubts: (object) => object.metadata.labels?.['in'] === 'yes' });
  rig.list([ours(10)], 10);
  rig.news();
});

const see = (type: 'ADDED' | 'MODIFIED' | 'DELETED', fields: WidgetFields): void =>
  rig.store.observe(type, widget(fields), undefined);

describe('an object that the watch of a selection shows no more', () => {
  it('is in doubt and stays, until a read tells that it is gone', () => {
    see('DELETED', { version: 12, metadata: inside });
    expect(rig.news()).toEqual(['doubted ns/a@10']);
    expect(rig.content()).toEqual(['ns/a@10 u1']);
    expect(rig.store.settle('ns/a', 'u1', undefined)).toBe(true);
    expect(rig.news()).toEqual(['removed ns/a@10']);
    see('ADDED', { version: 13, metadata: inside });
    expect(rig.content()).toEqual([]);
  });

  it('is changed by a read that finds it outside, and the watch may bring it back', () => {
    see('DELETED', { version: 12, metadata: inside });
    expect(rig.store.settle('ns/a', 'u1', ours(12, outside))).toBe(true);
    expect(rig.news()).toEqual(['doubted ns/a@10', 'modified ns/a@12']);
    see('ADDED', { version: 14, metadata: inside });
    expect(rig.news()).toEqual(['modified ns/a@14']);
    see('DELETED', { version: 15, metadata: inside });
    expect(rig.news()).toEqual(['doubted ns/a@14']);
  });

  it('is not what another one of its name is', () => {
    see('DELETED', { version: 12, metadata: inside });
    see('ADDED', { version: 13, uid: 'u2', metadata: inside });
    expect(rig.news()).toEqual(['doubted ns/a@10', 'removed ns/a@10', 'added ns/a@13']);
    expect(rig.store.settle('ns/a', 'u1', undefined)).toBe(true);
    expect(rig.content()).toEqual(['ns/a@13 u2']);
  });

  it('is asked for again where the read was overtaken', () => {
    see('DELETED', { version: 12, metadata: inside });
    see('ADDED', { version: 13, metadata: inside });
    see('DELETED', { version: 14, metadata: inside });
    expect(rig.store.settle('ns/a', 'u1', ours(12, outside))).toBe(false);
    expect(rig.store.settle('ns/a', 'u1', ours(14, outside))).toBe(true);
    expect(rig.content()).toEqual(['ns/a@14 u1']);
  });

  it('does not fall back to a state from before', () => {
    see('DELETED', { version: 12, metadata: inside });
    see('MODIFIED', { version: 11, metadata: inside });
    expect(rig.news()).toEqual(['doubted ns/a@10']);
  });

  it('is no news where an own write took it out', () => {
    const written = { metadata: { labels: { in: 'no' } } };
    expect(rig.store.writeThrough(ours(11, outside), { base: ours(10), written })).toBe('stored');
    rig.news();
    see('DELETED', { version: 11, metadata: inside });
    expect(rig.news()).toEqual([]);
    expect(rig.content()).toEqual(['ns/a@11 u1']);
  });

  it('is in doubt as well when a list does not show it', () => {
    rig.list([], 20);
    expect(rig.news()).toEqual(['doubted ns/a@10']);
    expect(rig.store.settle('ns/a', 'u1', ours(10, outside))).toBe(true);
    expect(rig.content()).toEqual(['ns/a@10 u1']);
  });

  it('is gone for certain when its last finalizer went by an own write', () => {
    const marked = { ...inside, deletionTimestamp: '2030-01-01T00:00:00Z', finalizers: ['ours'] };
    see('MODIFIED', { version: 11, metadata: marked });
    rig.news();
    const answer = ours(11, { ...marked, finalizers: undefined });
    expect(rig.store.writeThrough(answer, { base: ours(11, marked), written: {} })).toBe('removed');
    expect(rig.news()).toEqual(['removed ns/a@11']);
  });
});

describe('an object that was found outside of the selection', () => {
  it('comes in, unless something newer is known', () => {
    const other = widget({ name: 'b', uid: 'u9', version: 5, metadata: outside });
    rig.store.admit(other);
    rig.store.admit(ours(9, outside));
    expect(rig.news()).toEqual(['added ns/b@5']);
    expect(rig.changes.at(-1)).toMatchObject({ initial: false, foreign: true });
    rig.list([ours(10)], 30);
    expect(rig.news()).toEqual(['doubted ns/b@5']);
  });
});
