import { Agent } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { startApiServer, systemClock, type Clock } from '../src/index.js';
import { configMap, configMaps, widgetDefinition, widgets } from './support/fixtures.js';
import { call, WatchStream } from './support/http.js';
import { ManualClock } from './support/manual-clock.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('an idle server', () => {
  it('has no timer and does nothing, however long it waits', async () => {
    const clock = new ManualClock();
    const api = await startApiServer({ crds: [widgetDefinition], objects: [configMap('a')], clock });
    await api.activity.whenIdle();
    const reads = vi.spyOn(clock, 'now');
    expect(clock.timers).toBe(0);
    clock.advance(24 * 3_600_000);
    for (let index = 0; index < 50; index++) await turn();
    expect([reads.mock.calls.length, clock.timers, api.activity.count]).toEqual([0, 0, 0]);
    await api.close();
  });

  it('asks nothing of the machine: no interval, no timer of its own beside the clock', async () => {
    const timers = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'setTimeout')];
    const clock = new ManualClock();
    const api = await startApiServer({ crds: [widgetDefinition], clock });
    const watch = await WatchStream.open(api.url, `${configMaps}?watch=1`);
    await call(api.url, 'POST', configMaps, { body: configMap('a') });
    await watch.next();
    const own = timers.flatMap((spy) => spy.mock.calls).filter(([, delay]) => delay !== undefined && delay > 0);
    expect(own).toEqual([]);
    watch.close();
    await api.close();
    vi.restoreAllMocks();
  });

  it('with watches open, works once a bookmark for each of them, and for nothing else', async () => {
    let set = 0;
    const clock = new ManualClock();
    const counting: Clock = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      setTimer: (delay, fire) => {
        set++;
        return clock.setTimer(delay, fire);
      },
    };
    const api = await startApiServer({ crds: [widgetDefinition], clock: counting });
    const watches = await Promise.all(
      [configMaps, widgets].map((path) =>
        WatchStream.open(api.url, `${path}?watch=1&allowWatchBookmarks=true&timeoutSeconds=3600`),
      ),
    );
    while (api.watches.list().length < 2) await turn();
    const before = set;
    clock.advance(30 * 60_000);
    // A bookmark a minute sets the timer of the next one.
    expect(set - before).toBe(2 * 30);
    for (const watch of watches) {
      expect((await watch.take(31)).map(({ type }) => type)).toEqual(Array(31).fill('BOOKMARK'));
      watch.close();
    }
    await api.close();
  });

  it('takes hardly any processor time', async () => {
    const api = await startApiServer({ crds: [widgetDefinition], objects: [configMap('a')], clock: systemClock });
    const agent = new Agent({ keepAlive: true });
    const watches = await Promise.all(
      Array.from({ length: 100 }, () => WatchStream.open(api.url, `${configMaps}?watch=1&allowWatchBookmarks=true`)),
    );
    while (api.watches.list().length < 100) await turn();
    const before = performance.eventLoopUtilization();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    // Of the time of the loop, not of the machine, which other tests share.
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.2);
    for (const watch of watches) watch.close();
    agent.destroy();
    await api.close();
  });
});

describe('a start', () => {
  it('takes less than 50 ms of the processor to the first answer', async () => {
    const times: number[] = [];
    for (let round = 0; round < 10; round++) {
      const before = process.cpuUsage();
      const api = await startApiServer({ crds: [widgetDefinition] });
      expect((await call(api.url, 'GET', '/readyz')).status).toBe(200);
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1_000);
      await api.close();
    }
    expect(Math.min(...times)).toBeLessThan(50);
  });
});
