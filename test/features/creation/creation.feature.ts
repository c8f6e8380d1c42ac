import { afterAll, describe, expect, test } from 'vitest';
import { Widget } from '../../support/widget.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';
import { WidgetHandlers } from './operator.js';

/** The smallest operator: one handler for new objects, whose result becomes the object's status. */
export function creationFeature(createWorld: () => Promise<World>): void {
  describe('creation', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('a handler is called once for each new object, and its result is merged into the status', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const { module, logs } = await world.startOperator({ providers: [WidgetHandlers] });
      const { created } = module.get(WidgetHandlers);
      await admin.create(Widget, { metadata: ref, spec: { size: 1 }, status: {} });
      await world.until(async () => (await admin.get(Widget, ref)).status?.['message'] === 'Hello, a');

      await admin.patch(Widget, ref, { spec: { size: 2 } });
      await admin.create(Widget, { metadata: { name: 'b', namespace }, spec: { size: 3 } });
      await world.until(() => created.length === 2);
      await world.pass(1_000);
      expect(created).toEqual(['a {"size":1}', 'b {"size":3}']);
      expect((await admin.get(Widget, ref)).status).toEqual({ message: 'Hello, a' });
      expect(logs.find({ message: 'Widget created' })).toHaveLength(2);
      expect(logs.find({ level: 'error' })).toEqual([]);
    });

    test('an object that is made while the operator is down is new to it, one that it knows is not', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const first = await world.startOperator({ providers: [WidgetHandlers] });
      await admin.create(Widget, { metadata: { name: 'known', namespace }, spec: {} });
      await world.until(() => first.module.get(WidgetHandlers).created.length === 1);
      await world.pass(1_000);
      await first.close();

      await admin.create(Widget, { metadata: { name: 'missed', namespace }, spec: {} });
      const second = await world.startOperator({ providers: [WidgetHandlers] });
      const { created } = second.module.get(WidgetHandlers);
      await world.until(() => created.length > 0);
      await world.pass(1_000);
      expect(created).toEqual(['missed {}']);
    });

    test('nothing is written in a quiet cluster', () => worlds.expectQuiet());
  });
}
