import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadline, delay, pollUntil } from '../../src/control-plane/wait.js';

describe('waiting', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('ends with the first result', async () => {
    const answers = [undefined, undefined, 'yes', 'late'];
    const result = pollUntil(() => Promise.resolve(answers.shift()), { deadline: new Deadline(1_000), interval: 100 });
    await vi.advanceTimersByTimeAsync(200);
    expect(await result).toBe('yes');
    expect(answers).toEqual(['late']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('asks once more at the deadline, then gives up', async () => {
    const attempt = vi.fn(() => Promise.resolve(undefined));
    const result = pollUntil(attempt, { deadline: new Deadline(250), interval: 100 });
    await vi.advanceTimersByTimeAsync(250);
    expect(await result).toBeUndefined();
    expect(attempt).toHaveBeenCalledTimes(4);
  });

  it('passes an error on at once', async () => {
    const attempt = (): Promise<undefined> => Promise.reject(new Error('broken'));
    await expect(pollUntil(attempt, { deadline: new Deadline(1_000) })).rejects.toThrow('broken');
  });

  it('ends with its signal and leaves no timer', async () => {
    const controller = new AbortController();
    const waits = [
      delay(1_000, controller.signal),
      pollUntil(() => Promise.resolve(undefined), { deadline: new Deadline(1_000), signal: controller.signal }),
    ];
    const settled = Promise.allSettled(waits);
    await vi.advanceTimersByTimeAsync(10);
    controller.abort(new Error('enough'));
    expect((await settled).map((result) => result.status)).toEqual(['rejected', 'rejected']);
    await expect(delay(1_000, controller.signal)).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
  });
});
