import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../src/duration.js';
import { InvalidDurationError } from '../../src/errors/invalid-duration.error.js';

describe('parseDuration', () => {
  it.each([
    [0, 0],
    [1500, 1500],
    [0.5, 0.5],
    [2 ** 31, 2 ** 31],
    ['0s', 0],
    ['500ms', 500],
    ['90s', 90_000],
    ['1.5h', 5_400_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['30d', 2_592_000_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['1m5ms', 60_005],
  ])('takes %j as %d ms', (given, expected) => {
    expect(parseDuration(given)).toBe(expected);
  });

  it.each([
    -1,
    Number.NaN,
    Infinity,
    -Infinity,
    '',
    ' ',
    '5',
    '-5s',
    '5 s',
    '1m1h',
    '1s1s',
    's',
    '1e3s',
    'Infinity',
    null,
    undefined,
    true,
    {},
    [],
  ])('refuses %j', (given) => {
    expect(() => parseDuration(given)).toThrow(InvalidDurationError);
    expect(() => parseDuration(given)).toThrow(/milliseconds/);
  });
});
