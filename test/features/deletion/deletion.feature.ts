import { afterAll, describe, expect, test } from 'vitest';
import { eventsAbout, isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import { Widget } from '../../support/widget.js';
import type { World } from '../../support/world.js';
import { FailingHandlers, WidgetHandlers } from './operator.js';

/** Objects that stay until they are taken down, and what happens when that fails. */
export function deletionFeature(createWorld: () => Promise<World>): void {
  describe('deletion', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('overtakes what is being done for the object, is tried until it succeeds, and leaves the finalizers of others', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const { module } = await world.startOperator({ providers: [WidgetHandlers] });
      const { calls } = module.get(WidgetHandlers);
      await admin.create(Widget, { metadata: { ...ref, finalizers: ['demo.example/theirs'] }, spec: {} });
      await world.until(() => calls.length === 1);
      await admin.delete(Widget, ref);
      await world.until(() => calls.includes('dismantle 1'));
      expect((await admin.get(Widget, ref)).metadata.finalizers).toContain('test.example.com/finalizer');
      await world.until(async () => {
        const { finalizers } = (await admin.get(Widget, ref)).metadata;
        return JSON.stringify(finalizers) === JSON.stringify(['demo.example/theirs']);
      });
      expect(calls).toEqual(['build', 'building ends: deleting', 'dismantle 0', 'note', 'dismantle 1', 'dismantle 2']);
      await admin.patch(Widget, ref, { metadata: { finalizers: null } });
      await world.until(() => isGone(admin, Widget, ref));
    });

    test('that cannot be dealt with releases the object, or holds it until somebody steps in', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { module } = await world.startOperator({ providers: [FailingHandlers] });
      const { calls } = module.get(FailingHandlers);
      for (const precious of ['no', 'yes']) {
        await admin.create(Widget, { metadata: { name: precious, namespace, labels: { precious } }, spec: {} });
      }
      await world.until(async () => {
        const { items } = await admin.listPage(Widget, { namespace });
        return items.every(({ metadata }) => metadata.finalizers?.length === 1);
      });
      for (const name of ['no', 'yes']) await admin.delete(Widget, { name, namespace });
      await world.until(() => isGone(admin, Widget, { name: 'no', namespace }));
      await world.until(async () => (await eventsAbout(world, 'yes')).length > 0);
      await world.pass(3_000);
      expect(await isGone(admin, Widget, { name: 'yes', namespace })).toBe(false);
      expect(calls.toSorted()).toEqual(['hold', 'let go']);
      expect((await eventsAbout(world, 'yes')).map(({ type, reason }) => `${type} ${reason}`)).toEqual([
        'Warning HandlerGaveUp',
      ]);
      await admin.patch(Widget, { name: 'yes', namespace }, { metadata: { finalizers: null } });
      await world.until(() => isGone(admin, Widget, { name: 'yes', namespace }));
    });
  });
}
