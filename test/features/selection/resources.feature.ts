import { afterAll, describe, expect, test } from 'vitest';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';
import { build, define, gears, levers, undefine } from './machines.js';
import { GearHandlers, Onlooker } from './operator.js';

const resourceOf = ({ resource }: { readonly resource: string }): string => resource;

/** Handlers say in many ways which resources they serve. */
export function resourcesFeature(createWorld: () => Promise<World>): void {
  describe('resources', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('are named by plural, singular, kind, short name or text, or selected; each is served once, in its best version', async () => {
      const world = await worlds.open();
      await define(world, gears);
      await define(world, levers);
      await build(world, gears, 'first', 'v1beta1');
      await build(world, levers, 'first');
      const { module, operator } = await world.startOperator({ providers: [GearHandlers] });
      const { calls } = module.get(GearHandlers);
      await world.until(() => calls.length === 10);
      const ways = ['plural', 'singular', 'kind', 'short name', 'text', 'category', 'group', 'function'];
      expect(calls.filter((call) => !call.includes('by category') && !call.includes('by group'))).toEqual(
        ways.filter((way) => way !== 'category' && way !== 'group').map((way) => `select.example/v1 first by ${way}`),
      );
      expect(calls.filter((call) => call.includes('by category') || call.includes('by group'))).toHaveLength(4);
      expect(operator.getStatus().watches.map(resourceOf).toSorted()).toEqual([
        'gears.v1.select.example',
        'levers.v1.select.example',
      ]);
      await undefine(world, gears);
      await undefine(world, levers);
    });

    test('are all but events and what cannot be watched, where everything is meant', async () => {
      const world = await worlds.open();
      const { module, operator } = await world.startOperator({ providers: [Onlooker] });
      const { seen } = module.get(Onlooker);
      const { namespace } = world;
      const metadata = { name: 'seen', namespace };
      await world.admin.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
      await world.admin.create({ apiVersion: 'demo.example/v1', kind: 'Widget', metadata });
      await world.until(() => seen.filter((line) => line.endsWith(' seen')).length === 2);
      expect(seen.filter((line) => line.endsWith(' seen')).toSorted()).toEqual([
        'ADDED configmaps seen',
        'ADDED widgets seen',
      ]);
      expect(seen).toContain(`ADDED namespaces ${namespace}`);
      const watched = operator.getStatus().watches.map(resourceOf);
      expect(new Set(watched).size).toBe(watched.length);
      expect(watched).toContain('leases.v1.coordination.k8s.io');
      expect(watched.filter((name) => /^(?:events|bindings|tokenreviews|componentstatuses)\./.test(name))).toEqual([]);
    });

    test('nothing is written in a quiet cluster', () => worlds.expectQuiet());
  });
}
