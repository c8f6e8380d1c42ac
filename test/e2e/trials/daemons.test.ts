import 'reflect-metadata';
import { Daemon, HandlerContext, OnCreate, ResourceHandlers } from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { openWorld } from './open-world.js';
import { ref } from './widgets.js';

describe('a daemon and the filter of its objects', () => {
  it('[TC-47] runs exactly while its object matches and the operator works, and never twice', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const living = new Map<string, number>();
    let most = 0;
    let starts = 0;
    let work = 0;

    @ResourceHandlers(Widget)
    class Watching {
      @Daemon({ labels: { on: 'yes' } })
      async live(ctx: HandlerContext<Widget>): Promise<void> {
        const { uid } = ctx.meta;
        starts += 1;
        living.set(uid, (living.get(uid) ?? 0) + 1);
        most = Math.max(most, living.get(uid)!);
        await ctx.stopped.wait();
        // An end takes its time: it must not overlap with a new beginning.
        await new Promise((resolve) => clock.setTimer(10, () => resolve(undefined)));
        if (living.get(uid) === 1) living.delete(uid);
        else living.set(uid, living.get(uid)! - 1);
      }

      /** Keeps the queue full, where it takes long. */
      @OnCreate()
      async prepare(): Promise<void> {
        if (work > 0) await new Promise((resolve) => clock.setTimer(work, () => resolve(undefined)));
      }
    }

    const one = { queue: { concurrency: { perResource: 1, total: 1 } } };
    const first = await world.startOperator({ providers: [Watching], operator: one });
    const turn = (name: string, on: boolean): Promise<unknown> =>
      api.patch(ref(name), { metadata: { labels: { on: on ? 'yes' : 'no' } } });
    const create = (name: string): Promise<unknown> =>
      api.create({ ...ref(name), metadata: { name, namespace: 'default', labels: { on: 'yes' } }, spec: {} });

    await create('a');
    await world.until(() => living.size === 1);
    for (let toggle = 0; toggle < 20; toggle += 1) await turn('a', toggle % 2 === 1);
    await clock.advance(1_000);
    expect([living.size, most]).toEqual([1, 1]);
    // The last of them is off.
    for (let toggle = 0; toggle < 21; toggle += 1) await turn('a', toggle % 2 === 1);
    await clock.advance(1_000);
    expect([living.size, most]).toEqual([0, 1]);

    const before = starts;
    for (let toggle = 0; toggle < 20; toggle += 1) {
      await turn('a', toggle % 2 === 0);
      await clock.advance(1_000);
      expect(living.size).toBe(toggle % 2 === 0 ? 1 : 0);
    }
    expect([starts - before, most]).toEqual([10, 1]);

    // While a hundred objects wait in the queue, the operator is paused.
    await turn('a', true);
    await clock.advance(1_000);
    work = 100;
    for (let n = 0; n < 100; n += 1) await create(`queued-${n}`);
    await clock.advance(500);
    let started = starts;
    expect(living.size).toBeGreaterThan(0);
    expect(living.size).toBeLessThan(10);
    const pausing = first.operator.pause();
    await clock.advance(1_000);
    expect([living.size, starts]).toEqual([0, started]);
    await pausing;
    for (let n = 0; n < 100; n += 2) await turn(`queued-${n}`, false);
    await turn('a', false);
    await turn('a', true);
    await clock.advance(60_000);
    expect([living.size, starts]).toEqual([0, started]);
    first.operator.resume();
    await world.until(() => living.size === 51);
    await clock.advance(60_000);
    expect([living.size, most]).toEqual([51, 1]);
    for (let n = 0; n < 100; n += 2) await turn(`queued-${n}`, true);
    await world.until(() => living.size === 101);

    // The same with a stop, after which another operator takes over.
    for (let n = 100; n < 200; n += 1) await create(`queued-${n}`);
    await clock.advance(500);
    started = starts;
    expect(living.size).toBeLessThan(111);
    const stopping = first.operator.stop();
    await clock.advance(1_000);
    expect(living.size).toBe(0);
    expect(starts - started).toBeLessThanOrEqual(1);
    await clock.during(stopping);
    await clock.advance(60_000);
    expect(living.size).toBe(0);

    work = 0;
    await world.startOperator({ providers: [Watching], operator: one });
    await world.until(() => living.size === 201);
    await clock.advance(10_000);
    expect([living.size, most]).toEqual([201, 1]);
    await world.expectQuiet();
  });
});
