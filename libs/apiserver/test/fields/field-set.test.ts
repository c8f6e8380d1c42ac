import { describe, expect, it } from 'vitest';
import {
  difference,
  emptySet,
  intersection,
  isEmptySet,
  union,
  withoutBelow,
  type FieldSet,
} from '../../src/fields/field-set.js';
import { decodeFieldsV1, ManagedFieldsError } from '../../src/fields/managed-fields.js';
import { seeded } from '../support/seeded.js';

const set = (document: object): FieldSet => decodeFieldsV1(document);
const a = set({ 'f:spec': { '.': {}, 'f:a': {}, 'f:b': { 'f:c': {} } } });

describe('sets of fields', () => {
  it('are united', () => {
    expect(union(a, set({ 'f:spec': { 'f:b': {}, 'f:z': {} } }))).toEqual({
      'f:spec': { '.': {}, 'f:a': {}, 'f:b': { '.': {}, 'f:c': {} }, 'f:z': {} },
    });
  });

  it('are subtracted path by path: what is below a path stays', () => {
    expect(difference(a, set({ 'f:spec': { '.': {}, 'f:a': {} } }))).toEqual({ 'f:spec': { 'f:b': { 'f:c': {} } } });
  });

  it('are subtracted with what is below', () => {
    expect(withoutBelow(a, set({ 'f:spec': { 'f:b': {} } }))).toEqual({ 'f:spec': { '.': {}, 'f:a': {} } });
    expect(isEmptySet(withoutBelow(a, set({ 'f:spec': {} })))).toBe(true);
  });

  it('are intersected', () => {
    expect(intersection(a, set({ 'f:spec': { 'f:a': {}, 'f:b': {} } }))).toEqual({ 'f:spec': { 'f:a': {} } });
  });

  it('are handed back where nothing changes', () => {
    expect(union(a, set({ 'f:spec': { 'f:a': {} } }))).toBe(a);
    expect(difference(a, set({ 'f:x': {} }))).toBe(a);
  });

  it('obey the laws of sets, whatever is in them', () => {
    const random = seeded(4711);
    const make = (depth: number): object =>
      Object.fromEntries(
        ['f:a', 'f:b', 'k:{"n":"x"}', 'v:1']
          .filter(() => random() < 0.5)
          .map((step) => [step, depth > 0 ? { ...(random() < 0.5 ? { '.': {} } : {}), ...make(depth - 1) } : {}]),
      );
    for (let round = 0; round < 500; round++) {
      const [x, y] = [set(make(3)), set(make(3))];
      expect(union(x, y)).toEqual(union(y, x));
      expect(intersection(x, y)).toEqual(intersection(y, x));
      expect(isEmptySet(intersection(difference(x, y), y))).toBe(true);
      expect(union(difference(x, y), intersection(x, y))).toEqual(x);
      expect(difference(x, x)).toEqual(emptySet);
    }
  });
});

describe('FieldsV1 documents', () => {
  it('are read however they are written', () => {
    expect(set({ '.': {}, 'f:l': { 'k:{"p":3, "k":"a"}': {}, 'v: 5': null, 'i:0': {} }, 'x:y': {} })).toEqual({
      'f:l': { 'i:0': {}, 'k:{"k":"a","p":3}': {}, 'v:5': {} },
    });
  });

  it.each([
    [{ spec: {} }],
    [{ 'f:a': 5 }],
    [{ 'f:a': [] }],
    [{ 'k:[1]': {} }],
    [{ 'v:x': {} }],
    [{ 'i:x': {} }],
    ['x'],
  ])('are refused: %j', (document) => {
    expect(() => decodeFieldsV1(document)).toThrow(ManagedFieldsError);
  });

  it('name fields as no member of an object is named', () => {
    const document = JSON.parse('{"f:__proto__":{},"f:constructor":{"f:toString":{}}}') as object;
    expect(JSON.stringify(set(document))).toBe('{"f:__proto__":{},"f:constructor":{"f:toString":{}}}');
  });
});
