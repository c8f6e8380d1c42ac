import { afterEach, describe, expect, test, vi } from 'vitest';
import { HandlerTimeoutError } from '../../../src/errors/handler-timeout.error.js';
import { TemporaryError } from '../../../src/errors/temporary.error.js';
import { SystemClock } from '../../../src/engine/ports/index.js';
import { on, ProcessingRig } from './rig.js';

const minute = 60_000;
const day = 86_400_000;

describe('delays of months', () => {
  let rig: ProcessingRig | undefined;
  afterEach(() => rig?.stop());

  test('[TC-72] timers, initial delays, repetitions and timeouts wait as long as they say', async () => {
    const aborted: unknown[] = [];
    rig = new ProcessingRig({
      handlers: [
        { id: 'monthly', triggers: [on.timer({ interval: 30 * day })] },
        { id: 'late', triggers: [on.timer({ initialDelay: 60 * day })] },
        {
          id: 'repeated',
          triggers: [on.create()],
          policy: { retries: 3 },
          run: () => {
            throw new TemporaryError('in forty days', { delay: '40d' });
          },
        },
        {
          id: 'endless',
          triggers: [on.daemon()],
          policy: { timeout: 365 * day, retries: 1 },
          run: ({ signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => {
                aborted.push(signal.reason);
                reject(signal.reason as Error);
              });
            }),
        },
      ],
    });
    await rig.create();
    const calls = (): Array<[string, number]> => rig!.calls.map(({ handler, at }) => [handler, at / day]);
    await rig.advance(minute);
    expect(calls().toSorted((a, b) => (a[0] < b[0] ? -1 : 1))).toEqual([
      ['endless', 0],
      ['monthly', 0],
      ['repeated', 0],
    ]);
    // The record of each object tells when its handlers go on, so that the wait outlives the process.
    await rig.advance(364 * day);
    expect(aborted).toEqual([]);
    await rig.advance(2 * day);
    expect(aborted).toEqual([expect.any(HandlerTimeoutError)]);
    const daysOf = (id: string): number[] =>
      calls()
        .filter(([handler]) => handler === id)
        .map(([, at]) => Math.round(at * 100) / 100);
    expect(daysOf('monthly')).toEqual(Array.from({ length: 13 }, (_, index) => index * 30));
    expect(daysOf('late')).toEqual([60]);
    const [first, second, third, ...others] = daysOf('repeated');
    expect([first, others]).toEqual([0, []]);
    // Only the framework's jitter comes on top.
    for (const [from, to] of [
      [first!, second!],
      [second!, third!],
    ]) {
      expect(to! - from!).toBeGreaterThanOrEqual(40);
      expect(to! - from!).toBeLessThanOrEqual(48);
    }
    expect(rig.fatals).toEqual([]);
  });

  test("[TC-72] the machine's clock splits what Node would fire at once, and Node has nothing to warn of", () => {
    vi.useFakeTimers();
    const warned = vi.spyOn(process, 'emitWarning');
    try {
      const delays: number[] = [];
      const set = globalThis.setTimeout;
      const spied = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, delay: number) => {
        delays.push(delay);
        return set(run, delay);
      }) as typeof setTimeout);
      const clock = new SystemClock();
      const begun = Date.now();
      const fired: number[] = [];
      clock.setTimer(60 * day, () => fired.push((Date.now() - begun) / day));
      vi.advanceTimersByTime(minute);
      expect(fired).toEqual([]);
      vi.advanceTimersByTime(70 * day);
      expect(fired).toEqual([60]);
      expect(delays.length).toBe(3);
      expect(Math.max(...delays)).toBeLessThan(2 ** 31);
      expect(warned).not.toHaveBeenCalled();
      const cancelled = clock.setTimer(60 * day, () => fired.push(0));
      vi.advanceTimersByTime(30 * day);
      cancelled.cancel();
      expect(vi.getTimerCount()).toBe(0);
      spied.mockRestore();
    } finally {
      warned.mockRestore();
      vi.useRealTimers();
    }
  });
});
