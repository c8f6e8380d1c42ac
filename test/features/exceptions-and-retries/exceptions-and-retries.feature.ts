import { afterAll, describe, expect, test } from 'vitest';
import { Widget } from '../../support/widget.js';
import { eventsAbout } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import { expectWaits } from '../../support/timing.js';
import type { World } from '../../support/world.js';
import { OtherHandlers, WidgetHandlers } from './operator.js';

/** Temporary, arbitrary and permanent errors of a handler: when it is called again, and when no more. */
export function exceptionsAndRetriesFeature(createWorld: () => Promise<World>): void {
  describe('exceptions and retries', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('a temporary error brings its own delay, any other the back-off, a permanent one the end', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'failing', namespace };
      const { module, logs, exit } = await world.startOperator({ providers: [WidgetHandlers, OtherHandlers] });
      const { attempts } = module.get(WidgetHandlers);
      await admin.create(Widget, { metadata: ref, spec: {} });
      await world.until(() => module.get(OtherHandlers).created.length === 1);
      expect(attempts).toHaveLength(1);
      await world.until(async () => (await eventsAbout(world, ref.name)).length === 2);
      await world.pass(5_000);
      expect(attempts.map(({ retry }) => retry)).toEqual([0, 1, 2]);
      expectWaits(
        world,
        attempts.map(({ at }) => at),
        [1_000, [2_400, 3_600]],
      );

      const posted = await eventsAbout(world, ref.name);
      expect(posted.map(({ type, reason, note }) => `${type} ${reason}: ${note}`).toSorted()).toEqual([
        'Warning HandlerFailed: ensure: not yet',
        'Warning HandlerGaveUp: ensure: it will never work',
      ]);
      expect(module.get(OtherHandlers).created).toEqual(['failing']);
      // Errors that are meant are warnings; the one that is not is told as an error. None of them ends the operator.
      expect(logs.find({ level: 'error' })).toHaveLength(1);
      expect(exit.exits).toEqual([]);
    });

    test('attempts outlive a restart of the operator', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const first = await world.startOperator({ providers: [WidgetHandlers] });
      await admin.create(Widget, { metadata: { name: 'failing', namespace }, spec: {} });
      await world.until(() => first.module.get(WidgetHandlers).attempts.length === 2);
      await world.pass(500);
      await first.close();

      const second = await world.startOperator({ providers: [WidgetHandlers] });
      const { attempts } = second.module.get(WidgetHandlers);
      await world.until(() => attempts.length > 0);
      await world.pass(5_000);
      expect(attempts.map(({ retry }) => retry)).toEqual([2]);
      const [before, after] = [first.module.get(WidgetHandlers).attempts.at(-1), attempts[0]];
      expect((after?.at.getTime() ?? 0) - (before?.at.getTime() ?? 0)).toBeGreaterThanOrEqual(2_400);
    });

    test('what failed for good is left alone, until what the handler watches changes', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'failing', namespace };
      const { module } = await world.startOperator({ providers: [WidgetHandlers] });
      const { attempts } = module.get(WidgetHandlers);
      await admin.create(Widget, { metadata: ref, spec: {} });
      await world.until(() => attempts.length === 3);
      await world.pass(1_000);
      await admin.patch(Widget, ref, { spec: { color: 'red' } });
      await world.pass(5_000);
      expect(attempts.splice(0).map(({ retry }) => retry)).toEqual([0, 1, 2]);
      await admin.patch(Widget, ref, { spec: { size: 1 } });
      await world.until(() => attempts.length === 3);
      expect(attempts.map(({ retry }) => retry)).toEqual([0, 1, 2]);
    });
  });
}
