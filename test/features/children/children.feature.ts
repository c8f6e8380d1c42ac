import { afterAll, describe, expect, test } from 'vitest';
import { Widget } from '../../support/widget.js';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';
import { pods, WidgetHandlers } from './operator.js';

/** Objects that a handler makes for its own object, adopted so that they go with it. */
export function childrenFeature(createWorld: () => Promise<World>): void {
  describe('children', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('a child takes namespace, labels and the beginning of its name from its owner, and goes with it', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'parent', namespace };
      await world.startOperator({ providers: [WidgetHandlers] });
      const { metadata: parent } = await admin.create(Widget, {
        metadata: { ...ref, labels: { team: 'blue' } },
        spec: { color: 'red', duration: 60 },
      });
      await world.until(async () => (await admin.get(Widget, ref)).status !== undefined);

      const { items } = await admin.listPage(pods, { namespace });
      expect(items).toHaveLength(1);
      const [pod] = items;
      if (pod === undefined) throw new Error('no pod');
      expect(pod.metadata.name).toMatch(/^parent-./);
      expect(pod.metadata.labels).toEqual({ team: 'blue' });
      expect(pod.metadata.ownerReferences).toEqual([
        { apiVersion: 'demo.example/v1', kind: 'Widget', name: 'parent', uid: parent.uid, controller: true },
      ]);
      expect(pod.spec?.containers[0]).toMatchObject({
        command: ['sleep', '60'],
        env: [{ name: 'COLOR', value: 'red' }],
      });
      expect((await admin.get(Widget, ref)).status).toEqual({ children: [pod.metadata.uid] });

      await admin.delete(Widget, ref);
      await world.until(() => isGone(admin, pods, { name: pod.metadata.name, namespace }));
    });
  });
}
