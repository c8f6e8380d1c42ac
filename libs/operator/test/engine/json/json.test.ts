import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/engine/json/canonical-json.js';
import { deepFreeze } from '../../../src/engine/json/deep-freeze.js';
import { diffJson } from '../../../src/engine/json/diff.js';
import { pathLabel, pathText, valueAt, withValueAt } from '../../../src/engine/json/field-path.js';
import { jsonCopy } from '../../../src/engine/json/json-copy.js';
import { jsonEqual } from '../../../src/engine/json/json-equal.js';
import {
  applyMergePatch,
  combineMergePatches,
  createMergePatch,
  effectivePatch,
} from '../../../src/engine/json/merge-patch.js';

type Json = Record<string, unknown>;

/** Objects with keys and values of every awkward sort. */
const samples: readonly Json[] = [
  {},
  { a: 1, b: { c: [1, { d: null }], e: '' }, f: false },
  { a: 1, b: { c: [1, { d: 1 }] } },
  { b: { c: {} }, 'with.dots/and/slashes': { '~0': '😀', '': 'empty' } },
  { constructor: { toString: 1 }, hasOwnProperty: 2 },
  JSON.parse('{"__proto__":{"a":1},"x":{"__proto__":2}}') as Json,
  { b: [1, 2], f: { g: { h: '\u2028' } }, n: 2 ** 60 },
];

describe('plain JSON', () => {
  it.each(samples.flatMap((a) => samples.map((b) => [JSON.stringify(a), JSON.stringify(b), a, b] as const)))(
    'goes from %s to %s by the merge patch made for it',
    (_a, _b, a, b) => {
      const patch = createMergePatch(a, b);
      const nulls = JSON.stringify(b).includes('null');
      if (nulls) return expect(patch === undefined).toBe(jsonEqual(a, b));
      expect(applyMergePatch(a, patch ?? {})).toEqual(b);
      expect(JSON.stringify(applyMergePatch(a, patch ?? {})).length).toBe(JSON.stringify(b).length);
      expect(effectivePatch(b, patch ?? {})).toBeUndefined();
      expect(diffJson(a, b).length === 0).toBe(jsonEqual(a, b));
    },
  );

  it('combines patches to one that does what both do', () => {
    const target = { a: { x: 1, y: 2 }, b: 1 };
    const [first, second] = [
      { a: { x: null, z: 3 }, c: 1 },
      { a: { z: 4 }, c: null, b: { n: 1 } },
    ] as [Json, Json];
    expect(applyMergePatch(target, combineMergePatches(first, second))).toEqual(
      applyMergePatch(applyMergePatch(target, first), second),
    );
  });

  it('is equal by content: key order does not count, absent differs from null, lists by order', () => {
    expect(jsonEqual({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(jsonEqual({ a: undefined, b: 1 }, { b: 1 })).toBe(true);
    expect(jsonEqual({ a: null }, {})).toBe(false);
    expect(jsonEqual([1, 2], [2, 1])).toBe(false);
    expect(jsonEqual({}, [])).toBe(false);
    expect(canonicalJson({ b: 1, a: { d: 1, c: undefined } })).toBe(canonicalJson({ a: { d: 1 }, b: 1 }));
  });

  it('differs in added, changed and removed values, lists as a whole', () => {
    expect(diffJson({ a: 1, l: [1], r: { x: null } }, { a: 2, l: [1, 2], n: {} })).toEqual([
      { operation: 'change', path: ['a'], old: 1, new: 2 },
      { operation: 'change', path: ['l'], old: [1], new: [1, 2] },
      { operation: 'remove', path: ['r'], old: { x: null }, new: undefined },
      { operation: 'add', path: ['n'], old: undefined, new: {} },
    ]);
    expect(diffJson({ constructor: 1 }, {})).toEqual([
      { operation: 'remove', path: ['constructor'], old: 1, new: undefined },
    ]);
  });

  it('has paths of whole keys, whose texts are never the same for two of them', () => {
    const object = { 'a.b/c': { '~1': 1, list: [{ x: 5 }] } };
    expect(valueAt(object, ['a.b/c', '~1'])).toBe(1);
    expect(valueAt(object, ['a.b/c', 'list', '0', 'x'])).toBe(5);
    expect(valueAt(object, ['a', 'b/c'])).toBeUndefined();
    expect(valueAt(object, ['toString'])).toBeUndefined();
    expect(withValueAt({ a: { b: 1 } }, ['a', 'c', 'd'], 2)).toEqual({ a: { b: 1, c: { d: 2 } } });
    const paths = [['a/b'], ['a', 'b'], ['a~1b'], ['a~', '1b'], ['']];
    expect(new Set(paths.map(pathText)).size).toBe(paths.length);
    expect(pathLabel(['metadata', 'annotations', 'x.y/z'])).toBe('metadata.annotations."x.y/z"');
  });

  it('is copied as it goes over the wire, and frozen at every depth', () => {
    expect(jsonCopy({ at: new Date(0), f: () => 1, n: undefined, list: [undefined] })).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      list: [null],
    });
    expect(jsonCopy(undefined)).toBeUndefined();
    expect(() => jsonCopy({ big: 1n })).toThrow(TypeError);
    const frozen = deepFreeze({ a: [{ b: 1 }] });
    expect(() => ((frozen.a[0] as { b: number }).b = 2)).toThrow(TypeError);
  });
});
