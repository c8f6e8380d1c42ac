import { expect, it } from 'vitest';
import { statusOperations } from '../../../src/engine/processing/status-operations.js';
import type { StoredObject } from '../../../src/engine/kube-object.js';

const object = (status?: unknown): StoredObject =>
  ({
    metadata: { name: 'a', uid: 'u1', resourceVersion: '7' },
    ...(status === undefined ? {} : { status }),
  }) as unknown as StoredObject;
const bound = { op: 'test', path: '/metadata/uid', value: 'u1' };

it('is bound to the uid, and to the version where a function saw it', () => {
  expect(statusOperations(object({ a: 1 }), { a: 2 }, false)).toEqual([
    bound,
    { op: 'add', path: '/status/a', value: 2 },
  ]);
  expect(statusOperations(object({ a: 1 }), { a: 2 }, true)).toEqual([
    bound,
    { op: 'test', path: '/metadata/resourceVersion', value: '7' },
    { op: 'add', path: '/status/a', value: 2 },
  ]);
});

it('begins a status only where there is none yet', () => {
  expect(statusOperations(object(), { a: 1, b: null }, false)).toEqual([
    bound,
    { op: 'test', path: '/status', value: null },
    { op: 'add', path: '/status', value: { a: 1 } },
  ]);
});

it('sets, removes and descends like a merge, and leaves the rest alone', () => {
  const status = { keep: true, gone: 1, map: { x: 1, 'a/b~c': 2 }, list: [1] };
  expect(
    statusOperations(
      object(status),
      { gone: null, never: null, map: { 'a/b~c': 3, new: { y: 1 } }, list: [1, 2] },
      false,
    ),
  ).toEqual([
    bound,
    { op: 'remove', path: '/status/gone' },
    { op: 'add', path: '/status/map/a~1b~0c', value: 3 },
    { op: 'test', path: '/status/map/new', value: null },
    { op: 'add', path: '/status/map/new', value: { y: 1 } },
    { op: 'add', path: '/status/list', value: [1, 2] },
  ]);
});

it('replaces what is no object by one', () => {
  expect(statusOperations(object({ a: 'text' }), { a: { b: 1 } }, false)).toEqual([
    bound,
    { op: 'add', path: '/status/a', value: { b: 1 } },
  ]);
});
