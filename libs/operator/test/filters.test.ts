import { describe, expect, it } from 'vitest';
import { allOf, anyOf, noneOf, not } from '../src/filters.js';

const over = (limit: number) => (value: number) => value > limit;

describe('combined conditions', () => {
  it.each([
    ['all', allOf(over(1), over(5)), [false, false, true]],
    ['any', anyOf(over(1), over(5)), [false, true, true]],
    ['none', noneOf(over(1), over(5)), [true, false, false]],
    ['not', not(over(1)), [true, false, false]],
    ['all of nothing', allOf<[number]>(), [true, true, true]],
    ['any of nothing', anyOf<[number]>(), [false, false, false]],
    ['nested', allOf(not(over(5)), anyOf(over(1), over(9))), [false, true, false]],
  ])('%s', (_name, condition, expected) => {
    expect([0, 3, 7].map((value) => condition(value))).toEqual(expected);
  });
});
