import { afterAll, describe, expect, test } from 'vitest';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import { Widget } from '../../support/widget.js';
import type { World } from '../../support/world.js';
import { PatientHandlers, WidgetHandlers } from './operator.js';

/** Annotations by which somebody pauses one object, or has it looked at now. */
export function steeringFeature(createWorld: () => Promise<World>): void {
  describe('steering', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('a paused object is left alone, also by its deletion, and taken up where it was left', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const pause = (value: string | null) =>
        admin.patch(Widget, ref, { metadata: { annotations: { 'test.example.com/paused': value } } });
      const { module } = await world.startOperator({ providers: [WidgetHandlers] });
      const { calls } = module.get(WidgetHandlers);
      await admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(() => calls.length === 1);
      await world.pass(500);

      await pause('true');
      for (const size of [2, 3]) await admin.patch(Widget, ref, { spec: { size } });
      await world.pass(2_000);
      expect(calls).toEqual(['create 1']);
      await pause(null);
      await world.until(() => calls.length === 2);
      await world.pass(500);

      await pause('true');
      await world.pass(500);
      await admin.delete(Widget, ref);
      await world.pass(2_000);
      expect(await isGone(admin, Widget, ref)).toBe(false);
      await pause('false');
      await world.until(() => isGone(admin, Widget, ref));
      expect(calls).toEqual(['create 1', 'update 3', 'delete 3']);
    });

    test('what would wait is done now: failed attempts, timers, levels', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const { module } = await world.startOperator({ providers: [PatientHandlers] });
      const { calls } = module.get(PatientHandlers);
      await admin.create(Widget, { metadata: ref, spec: {} });
      await world.until(() => calls.includes('connect 0') && calls.includes('check') && calls.includes('level'));
      await world.pass(2_000);
      calls.length = 0;
      for (const value of ['now', 'and again']) {
        await admin.patch(Widget, ref, { metadata: { annotations: { 'test.example.com/reconcile-at': value } } });
        await world.until(() => calls.includes('check') && calls.includes('level'));
        await world.pass(1_000);
        expect(calls.splice(0).toSorted()).toEqual(
          value === 'now' ? ['check', 'connect 1', 'level'] : ['check', 'level'],
        );
      }
    });
  });
}
