import { afterAll, describe, expect, test } from 'vitest';
import { Widget } from '../../support/widget.js';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';
import { WidgetHandlers } from './operator.js';

/** Handlers for creation, update, deletion, resumption and the change of a field, several for one cause. */
export function causesFeature(createWorld: () => Promise<World>): void {
  describe('causes', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('each cause reaches its handlers, once and in order', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const { module } = await world.startOperator({ providers: [WidgetHandlers] });
      const { calls } = module.get(WidgetHandlers);
      const next = async (): Promise<string[]> => {
        await world.until(() => calls.length > 0);
        await world.pass(1_000);
        return calls.splice(0);
      };

      await admin.create(Widget, { metadata: ref, spec: { color: 'red' } });
      expect(await next()).toEqual(['create 1', 'create 2', 'color undefined -> red']);

      await admin.patch(Widget, ref, { spec: { size: 1 } });
      expect(await next()).toEqual(['update add spec.size undefined->1']);

      await admin.patch(Widget, ref, { spec: { color: 'blue' } });
      expect(await next()).toEqual(['update change spec.color red->blue', 'color red -> blue']);

      await admin.patch(Widget, ref, { spec: { color: null } });
      expect(await next()).toEqual(['update remove spec.color blue->undefined', 'color blue -> undefined']);

      // It stays until both have seen it.
      await admin.delete(Widget, ref);
      expect(await next()).toEqual(['delete 1', 'delete 2']);
      expect(await isGone(admin, Widget, ref)).toBe(true);
    });

    test('an operator that starts resumes what is there, with what changed meanwhile as one difference', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const first = await world.startOperator({ providers: [WidgetHandlers] });
      for (const name of ['still', 'changed']) {
        await admin.create(Widget, { metadata: { name, namespace }, spec: { color: 'red' } });
      }
      await world.until(() => first.module.get(WidgetHandlers).calls.length === 6);
      await world.pass(1_000);
      await first.close();

      for (const color of ['green', 'blue']) {
        await admin.patch(Widget, { name: 'changed', namespace }, { spec: { color } });
      }
      const second = await world.startOperator({ providers: [WidgetHandlers] });
      const { calls } = second.module.get(WidgetHandlers);
      await world.until(() => calls.length === 6);
      await world.pass(1_000);
      const resumes = calls.filter((call) => call.startsWith('resume')).toSorted();
      expect(resumes).toEqual(['resume 1', 'resume 1', 'resume 2', 'resume 2']);
      expect(calls.filter((call) => !call.startsWith('resume'))).toEqual([
        'update change spec.color red->blue',
        'color red -> blue',
      ]);
    });
  });
}
