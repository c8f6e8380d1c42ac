import { afterAll, describe, expect, test } from 'vitest';
import { Widget } from '../../support/widget.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';
import { WidgetWatcher } from './operator.js';

/** Raw events of the watch, in order, without any record of them. */
export function watchEventsFeature(createWorld: () => Promise<World>): void {
  describe('watch events', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('reach every handler in order, those of the first list included; a failure is logged and changes nothing', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      await admin.create(Widget, { metadata: { name: 'old', namespace }, spec: { size: 0 } });
      const { module, logs, transport } = await world.startOperator({ providers: [WidgetWatcher] });
      const { seen } = module.get(WidgetWatcher);
      const next = async (): Promise<string[]> => {
        await world.until(() => seen.length > 0);
        await world.pass(500);
        return seen.splice(0);
      };
      expect(await next()).toEqual(['ADDED old 0']);
      const ref = { name: 'a', namespace };
      await admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      expect(await next()).toEqual(['ADDED a 1']);
      await admin.patch(Widget, ref, { spec: { size: 2 } });
      expect(await next()).toEqual(['MODIFIED a 2']);
      await admin.patch(Widget, ref, { status: { any: 'status' } }, { subresource: 'status' });
      expect(await next()).toEqual(['MODIFIED a 2']);
      await admin.delete(Widget, ref);
      expect(await next()).toEqual(['DELETED a 2']);

      expect(logs.find({ level: 'error' }).map(({ fields }) => fields['handler'])).toEqual(
        Array.from({ length: 5 }, () => 'WidgetWatcher.fail'),
      );
      expect(transport.writes).toEqual([]);
      expect((await admin.get(Widget, { name: 'old', namespace })).metadata.annotations).toBeUndefined();
    });
  });
}
