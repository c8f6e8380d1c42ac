import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredObject } from '../../../src/engine/kube-object.js';
import { MalformedObjectError } from '../../../src/errors/malformed-object.error.js';
import { StoreScope } from '../../../src/engine/watching/store-scope.js';
import { storeRig, widget } from './support.js';
import type { StoreRig } from './support.js';

let rig: StoreRig;

function see(type: 'ADDED' | 'MODIFIED' | 'DELETED', fields: Parameters<typeof widget>[0]): void {
  rig.store.observe(type, widget(fields), undefined);
}

function write(response: StoredObject, base: StoredObject | undefined, written: unknown = {}): string {
  return rig.store.writeThrough(response, { base, written });
}

beforeEach(() => {
  rig = storeRig();
  rig.list([], 1);
});

describe('versions of one uid', () => {
  it('drops ADDED, MODIFIED and a response that are not newer than the stored state', () => {
    see('ADDED', { version: 10 });
    see('MODIFIED', { version: 9, spec: 'old' });
    see('ADDED', { version: 10, spec: 'same version' });
    expect(write(widget({ version: 10 }), widget({ version: 9 }))).toBe('dropped');
    expect(write(widget({ version: 8 }), widget({ version: 7 }))).toBe('dropped');
    expect(rig.news()).toEqual(['added ns/a@10']);
    expect(rig.store.get('ns/a')).not.toHaveProperty('spec');
  });

  it('compares integers of any length by value', () => {
    see('ADDED', { version: '99999999999999999998' });
    see('MODIFIED', { version: '99999999999999999999' });
    see('MODIFIED', { version: '100000000000000000000' });
    see('MODIFIED', { version: '99999999999999999999' });
    see('MODIFIED', { version: 9 });
    expect(rig.news()).toEqual([
      'added ns/a@99999999999999999998',
      'modified ns/a@99999999999999999999',
      'modified ns/a@100000000000000000000',
    ]);
  });

  it('goes by equality and stream order where versions are no integers', () => {
    see('ADDED', { version: 'b' });
    see('MODIFIED', { version: 'a' });
    see('MODIFIED', { version: 'a' });
    see('MODIFIED', { version: '007' });
    expect(rig.news()).toEqual(['added ns/a@b', 'modified ns/a@a', 'modified ns/a@007']);
  });

  it('without integers, takes a response only on the state that it was computed on', () => {
    const base = widget({ version: 'b' });
    see('ADDED', { version: 'b' });
    expect(write(widget({ version: 'c' }), base)).toBe('stored');
    see('MODIFIED', { version: 'd' });
    expect(write(widget({ version: 'e' }), base)).toBe('dropped');
    see('DELETED', { version: 'f' });
    expect(write(widget({ version: 'g' }), widget({ version: 'd' }))).toBe('dropped');
    expect(rig.content()).toEqual([]);
  });

  it('applies DELETED at or above the stored version and drops one below it', () => {
    see('ADDED', { version: 10 });
    see('DELETED', { version: 9 });
    expect(rig.news()).toEqual(['added ns/a@10']);
    see('DELETED', { version: 10 });
    expect(rig.news()).toEqual(['removed ns/a@10']);
    see('ADDED', { version: 11 });
    see('DELETED', { version: 12 });
    expect(rig.news()).toEqual(['added ns/a@11', 'removed ns/a@11']);
  });

  it('tells the former state with a change', () => {
    see('ADDED', { version: 10, spec: 1 });
    see('MODIFIED', { version: 11, spec: 2 });
    expect(rig.changes.at(-1)).toMatchObject({
      type: 'modified',
      key: 'ns/a',
      object: { spec: 2 },
      previous: { spec: 1 },
      origin: 'watch',
      initial: false,
      foreign: true,
    });
  });
});

describe('tombstones', () => {
  it('keep out what is not newer than the removal', () => {
    see('ADDED', { version: 10 });
    see('DELETED', { version: 12 });
    see('MODIFIED', { version: 11 });
    see('ADDED', { version: 12 });
    expect(write(widget({ version: 11 }), widget({ version: 10 }))).toBe('dropped');
    expect(rig.news()).toEqual(['added ns/a@10', 'removed ns/a@10']);
  });

  it('are lifted by a higher version: the same uid comes back into a selector', () => {
    see('ADDED', { version: 10 });
    see('DELETED', { version: 12 });
    see('ADDED', { version: 13 });
    expect(rig.news()).toEqual(['added ns/a@10', 'removed ns/a@10', 'added ns/a@13']);
  });

  it('that a list has covered still keep out events of before it', () => {
    see('ADDED', { version: 10 });
    see('DELETED', { version: 12 });
    rig.list([], 20);
    see('MODIFIED', { version: 11 });
    see('ADDED', { version: 13 });
    expect(rig.news()).toEqual(['added ns/a@10', 'removed ns/a@10']);
    see('ADDED', { version: 21 });
    expect(rig.news()).toEqual(['added ns/a@21']);
  });

  it('rise with a later removal of the same key', () => {
    see('DELETED', { version: 10 });
    see('DELETED', { uid: 'u2', version: 20 });
    see('DELETED', { version: 15 });
    see('ADDED', { uid: 'u2', version: 18 });
    expect(rig.news()).toEqual([]);
    see('ADDED', { uid: 'u3', version: 21 });
    expect(rig.news()).toEqual(['added ns/a@21']);
  });

  it('are bounded, and what they no longer keep out the position of the watch does', () => {
    for (let index = 0; index < 10_000; index++) {
      see('ADDED', { name: `n${index}`, uid: `u${index}`, version: 100 + 2 * index });
      see('DELETED', { name: `n${index}`, uid: `u${index}`, version: 101 + 2 * index });
    }
    rig.news();
    expect(write(widget({ name: 'n0', uid: 'u0', version: 100 }), undefined)).toBe('dropped');
    expect(rig.news()).toEqual([]);
    expect(rig.store.size).toBe(0);
    const scope = new StoreScope(
      () => undefined,
      (raw) => raw,
    );
    for (let index = 0; index < 10_000; index++)
      scope.observeRemoval(`ns/${index}`, `u${index}`, `${index + 1}`, 'watch');
    expect(scope.tombstoneCount).toBe(4_096);
    scope.replace(new Map(), '10000', scope.mark());
    expect(scope.tombstoneCount).toBe(0);
  });
});

describe('another uid under the key', () => {
  it('replaces the stored object with a higher version: removed, then added', () => {
    see('ADDED', { version: 10 });
    see('ADDED', { uid: 'u2', version: 15 });
    expect(rig.news()).toEqual(['added ns/a@10', 'removed ns/a@10', 'added ns/a@15']);
    expect(rig.changes.at(-1)).toMatchObject({ type: 'added', previous: undefined });
  });

  it('is dropped with a lower one, deletion mark or not', () => {
    see('ADDED', { uid: 'u2', version: 15 });
    see('MODIFIED', { version: 12, metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } });
    expect(write(widget({ version: 14 }), widget({ version: 12 }))).toBe('dropped');
    expect(rig.news()).toEqual(['added ns/a@15']);
  });

  it('is dropped when it is the uid of a DELETED, whatever its version', () => {
    see('ADDED', { uid: 'u2', version: 15 });
    see('DELETED', { version: 99 });
    see('DELETED', { version: 1 });
    expect(rig.content()).toEqual(['ns/a@15 u2']);
  });

  it('needs a higher version than the tombstone', () => {
    see('ADDED', { version: 10 });
    see('DELETED', { version: 20 });
    see('ADDED', { uid: 'u2', version: 19 });
    expect(rig.content()).toEqual([]);
    see('ADDED', { uid: 'u2', version: 21 });
    expect(rig.content()).toEqual(['ns/a@21 u2']);
  });

  it('without integers, comes in only after a DELETED or in a list', () => {
    see('ADDED', { version: 'x' });
    see('ADDED', { uid: 'u2', version: 'y' });
    expect(rig.content()).toEqual(['ns/a@x u1']);
    see('DELETED', { version: 'z' });
    see('ADDED', { uid: 'u2', version: 'y' });
    expect(rig.content()).toEqual(['ns/a@y u2']);
    rig.news();
    rig.list([widget({ uid: 'u3', version: 'q' })], 'q');
    expect(rig.news()).toEqual(['removed ns/a@y', 'added ns/a@q']);
  });
});

describe('write-through', () => {
  const base = widget({ version: 10, spec: { size: 1, mode: 'x' } });

  beforeEach(() => {
    rig.store.observe('ADDED', base, undefined);
    rig.news();
  });

  it('stores a newer response, and ignores its echo', () => {
    expect(write(widget({ version: 11, spec: { size: 2, mode: 'x' } }), base, { spec: { size: 2 } })).toBe('stored');
    see('MODIFIED', { version: 11, spec: { size: 2, mode: 'x' } });
    expect(rig.news()).toEqual(['modified ns/a@11']);
    expect(rig.changes.at(-1)).toMatchObject({ origin: 'write', foreign: false });
  });

  it.each([
    ['nothing but what was written', { spec: { size: 2, mode: 'x' } }, { spec: { size: 2 } }, false],
    ['a written array', { spec: base['spec'], list: [1, 2] }, { list: [1, 2] }, false],
    ['a removed field', { spec: { size: 1 } }, { spec: { mode: null } }, false],
    ['a new branch', { spec: base['spec'], status: { a: { b: 1 } } }, { status: { a: { b: 1 } } }, false],
    ['a foreign field beside the written one', { spec: { size: 2, mode: 'y' } }, { spec: { size: 2 } }, true],
    ['a foreign field elsewhere', { spec: { size: 2, mode: 'x' }, status: {} }, { spec: { size: 2 } }, true],
    ['a foreign field in a new branch', { spec: base['spec'], status: { a: 1, b: 1 } }, { status: { a: 1 } }, true],
    ['a foreign removal', { spec: { size: 2 } }, { spec: { size: 2 } }, true],
  ])('marks a response with %s', (_, fields, written, foreign) => {
    const response = widget({ version: 11, ...fields, metadata: { generation: 7, managedFields: [{}] } });
    expect(write(response, base, written)).toBe('stored');
    expect(rig.changes.at(-1)).toMatchObject({ origin: 'write', foreign });
  });

  it('marks a foreign label that came in with the write', () => {
    write(
      widget({ version: 12, spec: base['spec'], metadata: { labels: { x: 'y' }, annotations: { mine: '1' } } }),
      base,
      { metadata: { annotations: { mine: '1' } } },
    );
    expect(rig.changes.at(-1)).toMatchObject({ foreign: true });
  });

  it('drops a response that the watch has overtaken', () => {
    see('MODIFIED', { version: 13 });
    expect(write(widget({ version: 11 }), base)).toBe('dropped');
    expect(rig.content()).toEqual(['ns/a@13 u1']);
  });

  it('does not revive an object that a later list no longer shows', () => {
    rig.list([], 30);
    expect(write(widget({ version: 25 }), base)).toBe('dropped');
    expect(rig.content()).toEqual([]);
  });

  it('takes a created object that the watch has not shown yet', () => {
    expect(write(widget({ name: 'new', uid: 'u9', version: 40 }), undefined)).toBe('stored');
    expect(rig.changes.at(-1)).toMatchObject({ type: 'added', foreign: true, initial: false });
    see('ADDED', { name: 'new', uid: 'u9', version: 40 });
    expect(rig.news()).toEqual(['added ns/new@40']);
  });

  it('removes an object whose answer lies outside the selection, and lets the DELETED of that write pass in silence', () => {
    rig = storeRig({ selects: (object) => object.metadata.labels?.['in'] !== 'no' });
    rig.list([base], 10);
    rig.news();
    expect(write(widget({ version: 11, metadata: { labels: { in: 'no' } } }), base)).toBe('removed');
    see('DELETED', { version: 11 });
    expect(rig.news()).toEqual(['removed ns/a@10']);
    see('ADDED', { version: 12 });
    expect(rig.news()).toEqual(['added ns/a@12']);
  });

  it('tells of an own write that takes the object out of a selection whose leavers are looked at, once', () => {
    rig = storeRig({ doubts: (object) => object.metadata.labels?.['in'] !== 'no' });
    rig.list([base], 10);
    rig.news();
    const out = { metadata: { labels: { in: 'no' } } };
    const same = { spec: { size: 1, mode: 'x' } };
    expect(write(widget({ version: 11, ...out, ...same }), base, out)).toBe('stored');
    expect(rig.changes.at(-1)).toMatchObject({ type: 'modified', foreign: true });
    see('DELETED', { version: 11, ...out });
    // What is outside already is no news.
    const more = { spec: { size: 2, mode: 'x' } };
    expect(write(widget({ version: 12, ...out, ...more }), widget({ version: 11, ...out, ...same }), more)).toBe(
      'stored',
    );
    expect(rig.changes.at(-1)).toMatchObject({ type: 'modified', foreign: false });
  });

  it('removes an object whose last finalizer went: the later DELETED is silent, a late MODIFIED does not revive it', () => {
    const marked = { deletionTimestamp: '2030-01-01T00:00:00Z', finalizers: ['demo.example/finalizer'] };
    const deleting = widget({ version: 20, metadata: marked });
    rig.store.observe('MODIFIED', deleting, undefined);
    rig.news();
    const response = widget({ version: 20, metadata: { ...marked, finalizers: undefined } });
    expect(write(response, deleting, { metadata: { finalizers: null } })).toBe('removed');
    see('MODIFIED', { version: 20, metadata: marked });
    see('DELETED', { version: 21, metadata: marked });
    see('MODIFIED', { version: 19, metadata: marked });
    // Of a server that lags: the object was there at that version.
    rig.list([deleting], 21);
    rig.list([deleting], 21);
    expect(rig.news()).toEqual(['removed ns/a@20']);
    expect(rig.changes.at(-1)).toMatchObject({ origin: 'write' });
  });

  it('keeps an object of which other finalizers are left', () => {
    const marked = { deletionTimestamp: '2030-01-01T00:00:00Z', finalizers: ['other', 'ours'] };
    const deleting = widget({ version: 20, metadata: marked });
    rig.store.observe('MODIFIED', deleting, undefined);
    expect(write(widget({ version: 21, metadata: { ...marked, finalizers: ['other'] } }), deleting)).toBe('stored');
    expect(rig.content()).toEqual(['ns/a@21 u1']);
  });

  it('ignores what is not a whole object of the resource, or of a scope that was never listed', () => {
    const status = { apiVersion: 'v1', kind: 'Status', metadata: {} } as unknown as StoredObject;
    expect(write(status, base)).toBe('ignored');
    const fresh = storeRig();
    expect(fresh.store.writeThrough(widget({ version: 5 }), { written: {} })).toBe('ignored');
  });
});

describe('an object known to be gone', () => {
  it('is removed, and no late version of its uid revives it', () => {
    see('ADDED', { version: 10 });
    rig.store.remove('ns/a', 'u1');
    see('MODIFIED', { version: 11 });
    see('DELETED', { version: 12 });
    see('MODIFIED', { version: 13 });
    expect(rig.news()).toEqual(['added ns/a@10', 'removed ns/a@10']);
    see('ADDED', { uid: 'u2', version: 14 });
    expect(rig.news()).toEqual(['added ns/a@14']);
  });

  it('leaves a successor of the same name alone', () => {
    see('ADDED', { uid: 'u2', version: 14 });
    rig.store.remove('ns/a', 'u1');
    expect(rig.content()).toEqual(['ns/a@14 u2']);
  });
});

describe('lists', () => {
  it('mark the objects of the first one, and of no later one, as initial', () => {
    rig = storeRig();
    rig.list([widget({ version: 5 })], 10);
    expect(rig.changes).toMatchObject([{ type: 'added', origin: 'list', initial: true, foreign: true }]);
    rig.list([widget({ version: 5 }), widget({ name: 'b', uid: 'u2', version: 12 })], 13);
    expect(rig.changes.at(-1)).toMatchObject({ key: 'ns/b', initial: false });
  });

  it('yield only what differs: new, newer and vanished objects, those with their last state', () => {
    rig.list(
      ['a', 'b', 'c'].map((name, index) => widget({ name, uid: name, version: 2 + index, spec: name })),
      10,
    );
    rig.news();
    const items = [
      widget({ name: 'a', uid: 'a', version: 2 }),
      widget({ name: 'b', uid: 'b', version: 12 }),
      widget({ name: 'd', uid: 'd', version: 13 }),
    ];
    expect(rig.list(items, 14)).toBe('replaced');
    expect(rig.news()).toEqual(['modified ns/b@12', 'added ns/d@13', 'removed ns/c@4']);
    expect(rig.changes.at(-1)).toMatchObject({ previous: { spec: 'c' }, origin: 'list' });
  });

  it('show a successor of the same name as removed and added', () => {
    rig.list([widget({ version: 2 })], 10);
    rig.news();
    rig.list([widget({ uid: 'u2', version: 12 })], 14);
    expect(rig.news()).toEqual(['removed ns/a@2', 'added ns/a@12']);
  });

  it('remove only what is not newer than they are', () => {
    see('ADDED', { version: 10 });
    const session = rig.store.beginList(undefined);
    see('ADDED', { name: 'b', uid: 'u2', version: 20 });
    see('MODIFIED', { version: 21 });
    see('ADDED', { name: 'c', uid: 'u3', version: 22 });
    see('DELETED', { name: 'c', uid: 'u3', version: 23 });
    const listed = [widget({ version: 10 }), widget({ name: 'c', uid: 'u3', version: 15 })];
    expect(session.finish(listed, '15')).toBe('replaced');
    expect(rig.content()).toEqual(['ns/a@21 u1', 'ns/b@20 u2']);
  });

  it('that are lower than what was seen before their request are asked for again, and nothing is applied', () => {
    see('ADDED', { version: 50 });
    rig.news();
    expect(rig.list([], 40)).toBe('ask-again');
    expect(rig.news()).toEqual([]);
    expect(rig.list([widget({ version: 50 })], 50, { repeated: true })).toBe('replaced');
    expect(rig.news()).toEqual([]);
  });

  it('are not held against what arrived after their request was sent', () => {
    const first = rig.store.beginList(undefined);
    see('ADDED', { version: 50 });
    expect(first.finish([], '40')).toBe('replaced');
    expect(rig.content()).toEqual(['ns/a@50 u1']);
  });

  it('count bookmarks, responses and removals as seen', () => {
    rig.store.advance('60', undefined);
    expect(rig.list([], 59)).toBe('ask-again');
    write(widget({ version: 70 }), undefined);
    expect(rig.list([], 69)).toBe('ask-again');
    see('DELETED', { version: 80 });
    expect(rig.list([], 79)).toBe('ask-again');
  });

  it('that stay lower when repeated are the truth: warning, store replaced, versions and tombstones forgotten', () => {
    see('ADDED', { name: 'gone', uid: 'u1', version: 50 });
    see('ADDED', { name: 'older', uid: 'u2', version: 51, spec: 'new' });
    see('ADDED', { name: 'buried', uid: 'u3', version: 52 });
    see('DELETED', { name: 'buried', uid: 'u3', version: 53 });
    see('ADDED', { name: 'rewritten', uid: 'u4', version: 12, spec: 'first history' });
    see('ADDED', { name: 'same', uid: 'u5', version: 11, spec: 'same' });
    rig.news();
    const items = [
      widget({ name: 'older', uid: 'u2', version: 8, spec: 'old' }),
      widget({ name: 'buried', uid: 'u3', version: 9 }),
      widget({ name: 'rewritten', uid: 'u4', version: 12, spec: 'second history' }),
      widget({ name: 'same', uid: 'u5', version: 11, spec: 'same' }),
    ];
    expect(rig.list(items, 12)).toBe('ask-again');
    expect(rig.list(items, 12, { repeated: true })).toBe('restored');
    expect(rig.news()).toEqual([
      'modified ns/older@8',
      'added ns/buried@9',
      'modified ns/rewritten@12',
      'removed ns/gone@50',
    ]);
    expect(rig.logs.messages('warn')).toHaveLength(1);
    see('MODIFIED', { name: 'older', uid: 'u2', version: 13 });
    expect(rig.news()).toEqual(['modified ns/older@13']);
    expect(rig.list(items, 12)).toBe('ask-again');
    expect(rig.list([], 14)).toBe('replaced');
  });

  it('of a restored history leave alone what arrived after their request was sent', () => {
    see('ADDED', { version: 50 });
    rig.list([], 5);
    const session = rig.store.beginList(undefined, { repeated: true });
    write(widget({ name: 'fresh', uid: 'u9', version: 60 }), undefined);
    expect(session.finish([], '6')).toBe('restored');
    expect(rig.content()).toEqual(['ns/fresh@60 u9']);
  });

  it('without integer versions replace all that was there when they were asked for, and no more', () => {
    see('ADDED', { version: 'a' });
    see('ADDED', { name: 'b', uid: 'u2', version: 'b' });
    const session = rig.store.beginList(undefined);
    see('ADDED', { name: 'c', uid: 'u3', version: 'c' });
    see('MODIFIED', { name: 'b', uid: 'u2', version: 'b2' });
    session.finish([widget({ name: 'b', uid: 'u2', version: 'b' })], 'z');
    expect(rig.content()).toEqual(['ns/b@b2 u2', 'ns/c@c u3']);
  });

  it('keep what has no state that can be read, and go on with the others', () => {
    rig = storeRig({
      config: {
        keepManagedFields: false,
        transform: (object) => {
          if (object['bad'] === true) throw new Error('size is no number');
          return { ...object, seen: true };
        },
      },
    });
    rig.list([widget({ version: 2 }), widget({ name: 'b', uid: 'u2', version: 3, bad: true })], 5);
    expect(rig.store.get('ns/a')).toMatchObject({ seen: true });
    expect(rig.content()).toEqual(['ns/a@2 u1']);
    see('MODIFIED', { version: 6, bad: true });
    rig.list([widget({ version: 6, bad: true })], 7);
    expect(rig.content()).toEqual(['ns/a@2 u1']);
    see('MODIFIED', { version: 8 });
    see('ADDED', { name: 'b', uid: 'u2', version: 9 });
    expect(rig.content()).toEqual(['ns/a@8 u1', 'ns/b@9 u2']);
    const errors = rig.logs.records.filter(({ level }) => level === 'error');
    expect(errors.map(({ fields }) => fields['key'])).toEqual(['ns/b', 'ns/a', 'ns/a']);
    expect(errors[0]).toMatchObject({
      fields: { resource: 'widgets.v1.demo.example' },
      error: { message: 'size is no number' },
    });
  });
});

describe('scopes', () => {
  it('are fed one by one, read together, and judged by their own versions', () => {
    rig = storeRig();
    const inNamespace = (namespace: string, version: number): StoredObject =>
      widget({ namespace, uid: namespace, version });
    rig.store.beginList('n1').finish([inNamespace('n1', 5)], '50');
    rig.store.beginList('n2').finish([inNamespace('n2', 6)], '20');
    expect([...rig.store.keys()]).toEqual(['n1/a', 'n2/a']);
    expect(rig.store.size).toBe(2);
    expect(rig.store.beginList('n2').finish([], '21')).toBe('replaced');
    expect(rig.content()).toEqual(['n1/a@5 n1']);
    expect(rig.store.beginList('n1').finish([], '49')).toBe('ask-again');
    expect(rig.store.writeThrough(inNamespace('n3', 60), { written: {} })).toBe('ignored');
  });

  it('that go away yield removals, and start afresh when they come back', () => {
    rig.list([widget({ version: 5 })], 90);
    rig.news();
    rig.store.dropScope(undefined);
    expect(rig.news()).toEqual(['removed ns/a@5']);
    expect(write(widget({ version: 99 }), undefined)).toBe('ignored');
    expect(rig.list([widget({ uid: 'u2', version: 3 })], 4)).toBe('replaced');
    expect(rig.changes.at(-1)).toMatchObject({ type: 'added', initial: false });
  });
});

describe('what is stored', () => {
  it('carries apiVersion and kind, and no managedFields unless they are kept', () => {
    const {
      apiVersion: _,
      kind: __,
      ...item
    } = widget({ version: 5, metadata: { managedFields: [{ manager: 'm' }] } });
    const bare = item as unknown as StoredObject;
    rig.list([bare], 6);
    expect(rig.store.get('ns/a')).toEqual(widget({ version: 5 }));
    expect(bare.metadata).toHaveProperty('managedFields');
    rig = storeRig({ config: { keepManagedFields: true, transform: undefined } });
    rig.list([bare], 6);
    expect(rig.store.get('ns/a')?.metadata).toHaveProperty('managedFields');
  });

  it('is left out when a transform changes its identity', () => {
    rig = storeRig({
      config: {
        keepManagedFields: false,
        transform: (object) => ({ ...object, metadata: { ...object.metadata, uid: 'x' } }),
      },
    });
    rig.list([widget({ version: 5 })], 6);
    expect(rig.content()).toEqual([]);
    expect(rig.logs.records.at(-1)).toMatchObject({ level: 'error', fields: { key: 'ns/a', field: 'metadata.uid' } });
  });

  it.each(['name', 'uid', 'resourceVersion', 'metadata'])(
    'must have %s: otherwise the error names the resource, not the content',
    (field) => {
      const whole = widget({ version: 5, password: 'hunter2' });
      const broken: Record<string, unknown> = structuredClone(whole);
      if (field === 'metadata') delete broken['metadata'];
      else delete (broken['metadata'] as Record<string, unknown>)[field];
      const attempts = [
        () => rig.list([whole, broken as unknown as StoredObject], 6),
        () => rig.store.observe('ADDED', broken as unknown as StoredObject, undefined),
      ];
      for (const attempt of attempts) {
        expect(attempt).toThrow(MalformedObjectError);
        expect(attempt).toThrow(/widgets\.v1\.demo\.example/);
        expect(attempt).not.toThrow(/hunter2/);
      }
      expect(rig.news()).toEqual([]);
    },
  );
});
