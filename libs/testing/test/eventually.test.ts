import { expect, test } from 'vitest';
import { eventually, EventuallyTimeoutError } from '../src/index.js';

const never = (): Promise<never> => new Promise(() => undefined);

test('tries until it neither throws nor is false', async () => {
  const outcomes = [() => Promise.reject(new Error('not yet')), () => false, () => 'here'];
  expect(await eventually(() => outcomes.shift()?.(), { interval: 1 })).toBe('here');
  expect(outcomes).toEqual([]);
});

test('until judges what an attempt returns', async () => {
  let count = 0;
  expect(await eventually(() => ++count, { interval: 1, until: (value) => value === 3 })).toBe(3);
});

test('says at the deadline what was seen last', async () => {
  const limits = { timeout: 30, interval: 5 };
  const value = eventually(() => ({ status: { phase: 'Pending' } }), { ...limits, until: () => false });
  await expect(value).rejects.toThrow(/^It did not come true within 30 ms \(\d+ attempts\)\..*phase: 'Pending'/);
  const cause = new Error('still absent');
  const thrown = await eventually(() => Promise.reject(cause), limits).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(EventuallyTimeoutError);
  expect(thrown).toMatchObject({ code: 'TESTING_EVENTUALLY_TIMEOUT', cause });
  expect((thrown as Error).message).toContain('Last seen: still absent');
});

test('the deadline ends an attempt that hangs, and tells it so', async () => {
  let told: AbortSignal | undefined;
  let attempts = 0;
  const hanging = eventually(
    (signal) => {
      told = signal;
      attempts += 1;
      return attempts === 1 ? false : never();
    },
    { timeout: 40, interval: 1 },
  );
  await expect(hanging).rejects.toThrow('(2 attempts, the last of which hangs). Last seen: false');
  expect(told?.aborted).toBe(true);
});
