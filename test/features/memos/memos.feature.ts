import { afterAll, describe, expect, test } from 'vitest';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import { Widget } from '../../support/widget.js';
import type { World } from '../../support/world.js';
import { WidgetHandlers } from './operator.js';

/** Typed values that handlers keep in memory for each object. */
export function memosFeature(createWorld: () => Promise<World>): void {
  describe('memos', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('each object has its own, shared by its handlers, until it is gone or the process ends', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = (name: string) => ({ name, namespace });
      const first = await world.startOperator({ providers: [WidgetHandlers] });
      const { lines } = first.module.get(WidgetHandlers);
      for (const [name, size] of [
        ['a', 1],
        ['b', 10],
      ] as const) {
        await admin.create(Widget, { metadata: ref(name), spec: { size } });
      }
      await world.pass(2_000);
      await admin.patch(Widget, ref('a'), { spec: { size: 2 } });
      await world.pass(2_000);
      for (const name of ['a', 'b']) await admin.patch(Widget, ref(name), { spec: { color: 'red' } });
      await world.until(() => lines.length === 2);
      expect(lines.splice(0).toSorted()).toEqual(['a: 1 2', 'b: 10']);

      await admin.delete(Widget, ref('a'));
      await world.until(() => isGone(admin, Widget, ref('a')));
      await admin.create(Widget, { metadata: ref('a'), spec: { size: 3 } });
      await world.pass(2_000);
      await admin.patch(Widget, ref('a'), { spec: { color: 'red' } });
      await world.until(() => lines.length === 1);
      expect(lines).toEqual(['a: 3']);

      await first.close();
      const second = await world.startOperator({ providers: [WidgetHandlers] });
      const after = second.module.get(WidgetHandlers).lines;
      await admin.patch(Widget, ref('b'), { spec: { color: 'blue' } });
      await world.until(() => after.length === 1);
      expect(after).toEqual(['b: ']);
    });
  });
}
