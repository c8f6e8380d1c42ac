import type { Condition } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { OpenWorlds } from '../../support/open-worlds.js';
import { Widget } from '../../support/widget.js';
import type { World } from '../../support/world.js';
import { WidgetReconciler } from './operator.js';

/** Conditions in the status: set by type, with transition times and generations that are right. */
export function conditionsFeature(createWorld: () => Promise<World>): void {
  describe('conditions', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('tell the state, since when it holds, and of which generation it is', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const { module } = await world.startOperator({ providers: [WidgetReconciler] });
      await admin.create(Widget, { metadata: ref, spec: {} });
      const readyWith = async (message: string): Promise<Condition> => {
        let found: Condition | undefined;
        await world.until(async () => {
          const { status } = await admin.get(Widget, ref);
          found = (status?.['conditions'] as readonly Condition[] | undefined)?.find(({ type }) => type === 'Ready');
          return found?.message === message;
        });
        if (found === undefined) throw new Error('no condition');
        return found;
      };

      const first = await readyWith('size undefined');
      expect(first).toMatchObject({ status: 'False', reason: 'NoSize', observedGeneration: 1 });
      await world.pass(2_000);
      await admin.patch(Widget, ref, { spec: { size: 0 } });
      const second = await readyWith('size 0');
      expect(second).toEqual({ ...first, reason: 'Measured', message: 'size 0', observedGeneration: 2 });
      await world.pass(2_000);
      await admin.patch(Widget, ref, { spec: { size: 1 } });
      const third = await readyWith('size 1');
      expect(third).toMatchObject({ status: 'True', observedGeneration: 3 });
      expect(Date.parse(third.lastTransitionTime)).toBeGreaterThan(Date.parse(second.lastTransitionTime));
      expect(module.get(WidgetReconciler).before).toEqual([undefined, 'False', 'False']);
    });

    test('nothing is written when nothing changes', () => worlds.expectQuiet());
  });
}
