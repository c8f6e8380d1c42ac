import { afterAll, describe, expect, test } from 'vitest';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';
import { PodReaper, pods } from './operator.js';

/** Handlers on a kind that the cluster brings along, with the types of the official client. */
export function builtInKindsFeature(createWorld: () => Promise<World>): void {
  describe('built-in kinds', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    const pod = (name: string, namespace: string) => ({
      metadata: { name, namespace },
      spec: { containers: [{ name: 'main', image: 'web:1' }], terminationGracePeriodSeconds: 0 },
    });

    test('a pod is noticed, and deleted when its time is over', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { module } = await world.startOperator({ providers: [PodReaper] });
      const { calls } = module.get(PodReaper);
      await admin.create(pods, pod('a', namespace));
      await world.until(() => calls.length === 2);
      expect(calls.toSorted()).toEqual(['counts down', 'create web:1']);
      await world.pass(3_000);
      expect(await isGone(admin, pods, { name: 'a', namespace })).toBe(false);
      await world.until(() => isGone(admin, pods, { name: 'a', namespace }));
      expect(calls.slice(2)).toEqual(['reaps', 'a goes']);
    });

    test('one that somebody else deletes is not counted down to its end', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { module, logs } = await world.startOperator({ providers: [PodReaper] });
      const { calls } = module.get(PodReaper);
      await admin.create(pods, pod('a', namespace));
      await world.until(() => calls.length === 2);
      await admin.delete(pods, { name: 'a', namespace });
      await world.until(() => isGone(admin, pods, { name: 'a', namespace }));
      await world.pass(6_000);
      expect(calls.slice(2).toSorted()).toEqual(['a goes', 'stands down: deleting']);
      expect(logs.find({ level: 'error' })).toEqual([]);
    });

    test('those that are there at the start are resumed, those of the system left alone', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const first = await world.startOperator({ providers: [PodReaper] });
      await admin.create(pods, pod('a', namespace));
      await world.until(() => first.module.get(PodReaper).calls.length === 2);
      await world.pass(500);
      await first.close();

      const system = { name: `system-of-${namespace}`, namespace: 'kube-public' };
      await admin.create(pods, pod(system.name, system.namespace));
      const second = await world.startOperator({
        providers: [PodReaper],
        operator: { namespaces: [namespace, system.namespace] },
      });
      const { calls } = second.module.get(PodReaper);
      await world.until(() => isGone(admin, pods, { name: 'a', namespace }));
      expect(calls.toSorted()).toEqual(['a goes', 'counts down', 'reaps', 'resume web:1']);
      const { metadata } = await admin.get(pods, system);
      expect([metadata.finalizers, metadata.annotations]).toEqual([undefined, undefined]);
      await admin.delete(pods, system);
    });
  });
}
