import { afterAll, describe, expect, test } from 'vitest';
import { configMaps, Widget } from '../../support/kinds.js';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';
import { WidgetReconciler } from './operator.js';

/** Changes of owned and of mapped objects are a reason to reconcile. */
export function ownedObjectsFeature(createWorld: () => Promise<World>): void {
  describe('owned and mapped objects', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('an owned object is made again when it is deleted, and set right when it is changed', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const own = { name: 'a-own', namespace };
      const size = async (): Promise<unknown> =>
        ((await admin.get(configMaps, own)) as { data?: Record<string, unknown> }).data?.['size'];
      await world.startOperator({ providers: [WidgetReconciler] });
      await admin.create(Widget, { metadata: { name: 'a', namespace }, spec: { size: 1 } });
      await world.until(async () => !(await isGone(admin, configMaps, own)));
      const { uid } = (await admin.get(configMaps, own)).metadata;

      await admin.delete(configMaps, own);
      await world.until(async () => !(await isGone(admin, configMaps, own)));
      expect((await admin.get(configMaps, own)).metadata.uid).not.toBe(uid);

      await admin.patch(configMaps, own, { data: { size: 'wrong' } });
      await world.until(async () => (await size()) === '1');
    });

    test('an object that others use leads to those that use it, before a change and after it', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { module } = await world.startOperator({ providers: [WidgetReconciler] });
      const { runs } = module.get(WidgetReconciler);
      for (const name of ['a', 'b', 'c']) {
        await admin.create(Widget, { metadata: { name, namespace }, spec: { size: 1 } });
      }
      await world.until(() => ['a', 'b', 'c'].every((name) => runs.includes(name)));
      await world.pass(1_000);
      const shared = { name: 'shared', namespace };
      const usedBy = (names: string): object => ({ annotations: { 'demo.example/used-by': names } });

      runs.length = 0;
      await admin.create(configMaps, { metadata: { ...shared, ...usedBy('a,b') } });
      await world.until(() => runs.length === 2);
      expect(runs.toSorted()).toEqual(['a', 'b']);

      runs.length = 0;
      await admin.patch(configMaps, shared, { metadata: usedBy('b,c') });
      await world.until(() => runs.length === 3);
      expect(runs.toSorted()).toEqual(['a', 'b', 'c']);

      runs.length = 0;
      await admin.delete(configMaps, shared);
      await world.until(() => runs.length === 2);
      expect(runs.toSorted()).toEqual(['b', 'c']);
    });

    test('nothing is written in a quiet cluster', () => worlds.expectQuiet());
  });
}
