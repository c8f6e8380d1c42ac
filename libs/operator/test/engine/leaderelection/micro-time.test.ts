import { expect, test } from 'vitest';
import { microTime } from '../../../src/engine/leaderelection/micro-time.js';

test.each([
  [0, '1970-01-01T00:00:00.000000Z'],
  [Date.UTC(2026, 1, 28, 23, 59, 59, 999), '2026-02-28T23:59:59.999000Z'],
  [1_000.5, '1970-01-01T00:00:01.000500Z'],
  [-0.5, '1969-12-31T23:59:59.999500Z'],
])('%d has six digits', (milliseconds, text) => {
  expect(microTime(milliseconds)).toBe(text);
});
