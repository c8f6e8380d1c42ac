import { describe, expect, it } from 'vitest';
import { isOlder } from '../../src/control-plane/go-toolchain.js';

describe('the version of Go', () => {
  it.each([
    ['1.25.9', '1.26.0', true],
    ['1.9', '1.26.0', true],
    ['1.26', '1.26.0', false],
    ['1.26.0', '1.26.0', false],
    ['1.26rc1', '1.26.0', false],
    ['1.26.8', '1.26.0', false],
    ['2.0', '1.26.0', false],
  ])('%s older than %s: %s', (version, wanted, expected) => {
    expect(isOlder(version, wanted)).toBe(expected);
  });
});
