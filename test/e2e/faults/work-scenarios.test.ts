import 'reflect-metadata';
import { HandlerContext, OnCreate, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { openWorld } from '../trials/open-world.js';
import { createWidget, ref, setN } from '../trials/widgets.js';

/** Everything that a handler is called for, in order, with what runs at the same time. */
class Calls {
  readonly begun: { readonly name: string; readonly n: number; readonly at: number }[] = [];
  readonly running = new Map<string, number>();
  most = 0;
  mostOfOne = 0;

  begin(name: string, n: number, at: number): void {
    this.begun.push({ name, n, at });
    const ofOne = (this.running.get(name) ?? 0) + 1;
    this.running.set(name, ofOne);
    this.mostOfOne = Math.max(this.mostOfOne, ofOne);
    this.most = Math.max(
      this.most,
      [...this.running.values()].reduce((sum, count) => sum + count, 0),
    );
  }

  end(name: string): void {
    this.running.set(name, (this.running.get(name) ?? 0) - 1);
  }

  of(name: string): number[] {
    return this.begun.filter((call) => call.name === name).map(({ n }) => n);
  }
}

type Behaviour = (ctx: HandlerContext<Widget>, n: number) => unknown;

function handlersWith(calls: Calls, now: () => number, behaviour: Behaviour, options: object = {}) {
  @ResourceHandlers(Widget)
  class WorkHandlers {
    @OnCreate(options)
    @OnUpdate(options)
    async work(ctx: HandlerContext<Widget>): Promise<void> {
      const n = Number(ctx.spec['n']);
      calls.begin(ctx.meta.name, n, now());
      try {
        await behaviour(ctx, n);
      } finally {
        calls.end(ctx.meta.name);
      }
    }
  }
  return WorkHandlers;
}

async function stage(
  behaviour: (wait: (ms: number) => Promise<void>) => Behaviour,
  options: { handler?: object; operator?: object } = {},
) {
  const world = await openWorld();
  const { clock } = world.stage;
  const calls = new Calls();
  const wait = (ms: number): Promise<void> => new Promise((resolve) => void clock.setTimer(ms, resolve));
  const handlers = handlersWith(calls, () => clock.monotonic(), behaviour(wait), options.handler);
  const start = (spec: { readonly synced?: boolean } = {}) =>
    world.startOperator({ providers: [handlers], operator: options.operator ?? {}, ...spec });
  return { world, clock, calls, start };
}

describe('work under faults', () => {
  it('[FS-23] a thousand changes in a second during slow runs are a handful of runs, never two at once', async () => {
    const { world, clock, calls, start } = await stage((wait) => () => wait(200));
    const running = await start();
    await createWidget(world, 'a', 0);
    for (let n = 1; n <= 1_000; n += 1) {
      await setN(world, 'a', n);
      if (n % 10 === 0) await clock.advance(10);
    }
    await world.until(() => calls.of('a').at(-1) === 1_000);
    await running.settled();
    expect(calls.of('a').length).toBeLessThanOrEqual(7);
    expect(calls.of('a').length).toBeGreaterThan(1);
    expect(calls.mostOfOne).toBe(1);
    await clock.advance(1_000);
    await world.expectQuiet();
    expect(calls.of('a').at(-1)).toBe(1_000);
  });

  it('[FS-24] a live change is handled within a second though ten thousand listed objects wait', async () => {
    const { world, clock, calls, start } = await stage((wait) => () => wait(100));
    for (let index = 0; index < 10_000; index += 1) await createWidget(world, `listed-${index}`, 0);
    await start({ synced: false });
    // Ten at once, a tenth of a second each: there is work for more than a minute and a half.
    await clock.advance(2_000);
    expect(calls.begun.length).toBeLessThan(1_000);
    const changed = clock.monotonic();
    await createWidget(world, 'live', 1);
    await world.until(() => calls.of('live').length === 1);
    expect(clock.monotonic() - changed).toBeLessThanOrEqual(1_000);
    expect(calls.begun.length).toBeLessThan(1_000);
    // The others go on meanwhile.
    const before = calls.begun.length;
    await clock.advance(2_000);
    expect(calls.begun.length).toBeGreaterThan(before + 100);
  });

  it('[FS-25] a handler that never resolves is aborted by its timeout, counted, never doubled, and holds up no other key', async () => {
    const aborted: number[] = [];
    const { world, clock, calls, start } = await stage(
      () =>
        ({ meta, signal }) =>
          meta.name === 'hangs'
            ? new Promise<void>(() => signal.addEventListener('abort', () => aborted.push(clock.monotonic())))
            : undefined,
      { handler: { timeout: '5s' }, operator: { queue: { concurrency: { perResource: 1, total: 1 } } } },
    );
    const running = await start();
    await createWidget(world, 'hangs', 0);
    await world.until(() => calls.of('hangs').length === 1);
    const { at } = calls.begun[0]!;
    expect(running.operator.getStatus().running).toBe(1);
    await createWidget(world, 'good', 0);
    await clock.advance(5_000);
    expect(aborted).toHaveLength(1);
    expect(aborted[0]! - at).toBe(5_000);

    // Deaf to its signal as it is, it gives its place away and keeps its key.
    await world.until(() => calls.of('good').length === 1, 60_000);
    expect(running.logs.find({ level: 'warn' }).map(({ message }) => message)).toContain('Handler is stuck');
    await setN(world, 'hangs', 1);
    await clock.advance(10 * 60_000);
    expect(calls.of('hangs')).toEqual([0]);
    expect(calls.mostOfOne).toBe(1);
    expect(running.operator.getStatus().running).toBe(1);
  });

  it('[FS-25] one that heeds its signal is called again, and each attempt is counted', async () => {
    const { world, clock, calls, start } = await stage(
      () =>
        ({ signal }) =>
          new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      { handler: { timeout: '5s', retries: 3 } },
    );
    const running = await start();
    await createWidget(world, 'a', 0);
    await clock.advance(60_000);
    expect(calls.of('a')).toEqual([0, 0, 0]);
    expect(calls.mostOfOne).toBe(1);
    const attempts = running.logs.find({ message: 'Handler failed and will be called again' });
    expect(attempts.map(({ fields }) => fields['attempt'])).toEqual([1, 2]);
    expect(running.logs.find({ message: 'Handler failed for good' })).toMatchObject([{ fields: { attempt: 3 } }]);
    await world.expectQuiet();
  });

  it('[FS-26] thrown and rejected errors are retried with growing waits', async () => {
    const { world, clock, calls, start } = await stage(() => ({ meta }) => {
      if (meta.name === 'throws') throw new Error('thrown');
      return Promise.reject(new Error('rejected'));
    });
    const running = await start();
    for (const name of ['throws', 'rejects']) await createWidget(world, name, 0);
    await clock.advance(60_000);
    for (const name of ['throws', 'rejects']) {
      const times = calls.begun.filter((call) => call.name === name).map(({ at }) => at);
      const waits = times.slice(1).map((at, index) => at - times[index]!);
      expect(waits.length).toBeGreaterThanOrEqual(4);
      for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(0.8 * 1_000 * 2 ** index - 1);
    }
    expect(running.exit.exits).toEqual([]);
    expect(running.operator.getStatus().state).toBe('running');
  });

  it('[FS-37] one failing object among a thousand holds up none; a change to it runs at once and is no failure', async () => {
    const { world, clock, calls, start } = await stage(() => ({ meta }, n) => {
      if (meta.name === 'bad' && n < 3) throw new Error('not yet');
    });
    await createWidget(world, 'bad', 0);
    for (let index = 0; index < 1_000; index += 1) await createWidget(world, `good-${index}`, 0);
    const running = await start();
    const begun = clock.monotonic();
    await world.until(() => calls.begun.filter(({ name }) => name !== 'bad').length === 1_000);
    expect(clock.monotonic() - begun).toBeLessThan(1_000);
    // Four failures: the next attempt is some 16 s away.
    await clock.advance(12_000);
    const attempts = (): unknown[] =>
      running.logs.find({ message: 'Handler failed and will be called again' }).map(({ fields }) => fields['attempt']);
    expect(attempts()).toEqual([1, 2, 3, 4]);

    const changed = clock.monotonic();
    await setN(world, 'bad', 1);
    await world.until(() => calls.of('bad').includes(1));
    expect(clock.monotonic() - changed).toBeLessThanOrEqual(1_000);
    await running.settled();
    // A new difference is counted anew, and its wait is the first one again.
    expect(attempts()).toEqual([1, 2, 3, 4, 1]);
    await clock.advance(1_500);
    expect(attempts()).toEqual([1, 2, 3, 4, 1, 2]);
    expect(calls.begun.filter(({ name }) => name !== 'bad')).toHaveLength(1_000);
  });

  it("[FS-38] a user's fix during a wait for a retry runs at once, and its success resets the back-off", async () => {
    const { world, clock, calls, start } = await stage(() => (_, n) => {
      if (n % 2 === 0) throw new Error('even');
    });
    const running = await start();
    await createWidget(world, 'a', 0);
    await clock.advance(40_000);
    const failures = calls.of('a').length;
    expect(failures).toBeGreaterThanOrEqual(5);
    const fixed = clock.monotonic();
    await setN(world, 'a', 1);
    await world.until(() => calls.of('a').at(-1) === 1);
    expect(clock.monotonic() - fixed).toBeLessThan(1_000);
    await running.settled();

    await setN(world, 'a', 2);
    await world.until(() => calls.of('a').at(-1) === 2);
    const broken = clock.monotonic();
    await world.until(() => calls.of('a').filter((n) => n === 2).length === 2);
    expect(clock.monotonic() - broken).toBeLessThanOrEqual(1_200);
    await setN(world, 'a', 3);
    await clock.advance(2_000);
    await world.expectQuiet();
    expect((await world.stage.api.get(ref('a')))!['spec']).toEqual({ n: 3 });
  });
});
