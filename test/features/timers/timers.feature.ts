import { afterAll, describe, expect, test } from 'vitest';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import { expectWaits } from '../../support/timing.js';
import { Widget } from '../../support/widget.js';
import type { World } from '../../support/world.js';
import { FailingTimer, IdleTimers, SlowTimers } from './operator.js';

/** Calls on a schedule, for each object, while nothing changes on it or whatever happens. */
export function timersFeature(createWorld: () => Promise<World>): void {
  describe('timers', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    const at = (ticks: ReadonlyArray<{ readonly at: Date }>): Date[] => ticks.map((tick) => tick.at);

    test('wait until their object is idle, then come at their interval', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const { module, transport } = await world.startOperator({ providers: [IdleTimers] });
      const { created, often, seldom } = module.get(IdleTimers);
      await admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(() => often.length >= 4 && seldom.length >= 2);
      const written = transport.writes.length;
      expectWaits(world, [...created, ...at(often).slice(0, 3)], [5_000, 2_000, 2_000]);
      expectWaits(world, [...created, ...at(seldom).slice(0, 2)], [10_000, 4_000]);
      expect(transport.writes, 'a timer that patches nothing writes nothing').toHaveLength(written);

      // A change makes them wait anew, and they see it.
      often.length = 0;
      await admin.patch(Widget, ref, { spec: { size: 2 } });
      await world.pass(4_000);
      expect(often).toEqual([]);
      await world.until(() => often.length === 1);
      expect(often[0]?.size).toBe(2);

      // They hold no object back.
      expect((await admin.get(Widget, ref)).metadata.finalizers).toBeUndefined();
      await admin.delete(Widget, ref);
      expect(await isGone(admin, Widget, ref)).toBe(true);
      await world.pass(500);
      often.length = 0;
      await world.pass(6_000);
      expect(often).toEqual([]);
    });

    test('count from the end of a call, or on the grid that the first one began', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { module } = await world.startOperator({ providers: [SlowTimers] });
      const { sharp, plain } = module.get(SlowTimers);
      for (const timing of ['sharp', 'plain']) {
        await admin.create(Widget, { metadata: { name: timing, namespace, labels: { timing } }, spec: {} });
      }
      await world.until(() => sharp.length === 3 && plain.length >= 3);
      expectWaits(world, sharp, [3_000, 3_000]);
      expectWaits(world, plain.slice(0, 3), [4_000, 4_000]);
      const [firstSharp, firstPlain] = [sharp[0]?.getTime() ?? 0, plain[0]?.getTime() ?? 0];
      if (world.kind === 'embedded') expect(firstSharp - firstPlain).toBe(1_000);
      expect(firstSharp).toBeGreaterThan(firstPlain);
    });

    test('are repeated by their own back-off after a failure, and wait for a change when they have failed for good', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const { module } = await world.startOperator({ providers: [FailingTimer] });
      const { ticks } = module.get(FailingTimer);
      await admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(async () => (await admin.get(Widget, ref)).status?.['ticks'] === 3);
      expectWaits(world, ticks, [4_000, 1_000]);

      await admin.patch(Widget, ref, { spec: { size: 13 } });
      await world.until(() => ticks.length === 5);
      await world.pass(9_000);
      expect(ticks, 'called again though it failed for good').toHaveLength(5);
      await admin.patch(Widget, ref, { spec: { size: 2 } });
      await world.until(async () => (await admin.get(Widget, ref)).status?.['ticks'] === 6);
    });
  });
}
