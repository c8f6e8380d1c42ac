import { afterAll, describe, expect, test } from 'vitest';
import { Widget } from '../../support/widget.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';
import { GridHandlers, WidgetHandlers } from './operator.js';

/** A handler's work in parts, each with progress, retries and a result of its own. */
export function subHandlersFeature(createWorld: () => Promise<World>): void {
  describe('sub-handlers', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('each part is done once; one that fails is repeated alone', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const { module } = await world.startOperator({ providers: [WidgetHandlers] });
      const { calls } = module.get(WidgetHandlers);
      const status = async () => (await admin.get(Widget, ref)).status;
      await admin.create(Widget, { metadata: ref, spec: { items: ['one', 'late', 'two'] } });
      await world.until(async () => (await status())?.['two'] === 'done');
      expect(await status()).toEqual({ one: 'done', two: 'done' });
      await world.until(async () => (await status())?.['late'] === 'done');
      await world.pass(1_000);
      expect(calls.splice(0)).toEqual(['create one 0', 'create late 0', 'create two 0', 'create late 1']);

      // A change is handled by every part that there is then.
      await admin.patch(Widget, ref, { spec: { items: ['one', 'three'] } });
      await world.until(async () => (await status())?.['three'] === 'done');
      await world.pass(1_000);
      expect(calls).toEqual(['update one 0', 'update three 0']);
    });

    test('what is done stays done over a restart', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const first = await world.startOperator({ providers: [WidgetHandlers] });
      await admin.create(Widget, { metadata: { name: 'a', namespace }, spec: { items: ['one', 'late'] } });
      await world.until(async () => (await admin.get(Widget, { name: 'a', namespace })).status?.['one'] === 'done');
      await world.pass(500);
      await first.close();
      const second = await world.startOperator({ providers: [WidgetHandlers] });
      const { calls } = second.module.get(WidgetHandlers);
      await world.until(() => calls.length > 0);
      await world.pass(1_000);
      expect(calls).toEqual(['create late 1']);
    });

    test('parts can have parts', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { module } = await world.startOperator({ providers: [GridHandlers] });
      const { calls } = module.get(GridHandlers);
      await admin.create(Widget, { metadata: { name: 'grid', namespace }, spec: {} });
      await world.until(() => calls.length === 3);
      await world.pass(1_000);
      expect(calls.toSorted()).toEqual(['north-east', 'north-west', 'south-east']);
    });
  });
}
