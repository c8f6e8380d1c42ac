import { afterAll, describe, expect, test } from 'vitest';
import { OperatorModule } from 'nestjs-operator';
import { pods, Widget } from '../../support/kinds.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';
import { PodIndexes, PodReport, PODS_BY_APP, PodWatcher, WidgetHandlers } from './operator.js';

/** Indexes are kept equal to the store, and are complete before any handler runs. */
export function indexesFeature(createWorld: () => Promise<World>): void {
  describe('indexes', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    const pod = (world: World, name: string, app: string) => ({
      metadata: { name, namespace: world.namespace, labels: { app } },
      spec: { containers: [{ name: 'main', image: 'none' }], terminationGracePeriodSeconds: 0 },
    });
    const imports = [OperatorModule.forFeature({ indexes: [PODS_BY_APP] })];

    test('show everything that is there before the first handler is called, at any limit of concurrency', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      for (const name of ['a', 'b']) await admin.create(Widget, { metadata: { name, namespace }, spec: {} });
      for (const name of ['one', 'two', 'three'])
        await admin.create(pods, pod(world, name, name === 'two' ? 'b' : 'a'));
      const { module } = await world.startOperator({
        imports,
        providers: [WidgetHandlers, PodIndexes, PodReport],
        operator: { queue: { concurrency: { perResource: 1, total: 1 } } },
      });
      const { seen } = module.get(WidgetHandlers);
      await world.until(() => seen.length === 2);
      expect(seen.toSorted()).toEqual(['a: one three', 'b: two']);
      expect(module.get(PodReport).apps).toEqual(['a', 'b']);
    });

    test('follow changes and deletions, and show an object to its own handlers', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { module } = await world.startOperator({ imports, providers: [PodIndexes, PodReport, PodWatcher] });
      const report = module.get(PodReport);
      const { seen } = module.get(PodWatcher);
      await admin.create(pods, pod(world, 'one', 'a'));
      await admin.create(pods, pod(world, 'two', 'a'));
      await world.until(() => report.podsOf('a').length === 2 && seen.length === 2);
      expect(seen).toEqual(['ADDED one true', 'ADDED two true']);

      await admin.patch(pods, { name: 'one', namespace }, { metadata: { labels: { app: 'b' } } });
      await world.until(() => report.podsOf('b').length === 1);
      expect(report.podsOf('a')).toEqual(['two']);

      await admin.delete(pods, { name: 'two', namespace });
      await world.until(() => report.podsOf('a').length === 0);
      expect(report.apps).toEqual(['b']);
    });

    test('nothing is written in a quiet cluster', () => worlds.expectQuiet());
  });
}
