import { afterAll, describe, expect, test } from 'vitest';
import { StrictWidget } from '../../support/kinds.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import { Widget } from '../../support/widget.js';
import type { World } from '../../support/world.js';
import { StrictHandlers, WidgetHandlers } from './operator.js';

/** What handlers write to their own object: results, patches, changes of the newest state. */
export function statusAndResultsFeature(createWorld: () => Promise<World>): void {
  describe('status and results', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('results and patches arrive, also those of an attempt that fails', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const { module, transport } = await world.startOperator({ providers: [WidgetHandlers] });
      const { calls } = module.get(WidgetHandlers);
      transport.clear();
      await admin.create(Widget, { metadata: ref, spec: { size: 1, color: 'grey' } });
      const get = () => admin.get(Widget, ref);
      await world.until(async () => (await get()).status?.['attempts'] === 1);
      expect((await get()).status).toEqual({ size: 1, inspect: ['color grey'], attempts: 1 });
      await world.until(async () => (await get()).status?.['attempts'] === 2);
      const { spec, metadata } = await get();
      expect(spec).toEqual({ size: 1, color: 'red' });
      expect(metadata.labels).toEqual({ painted: 'yes' });
      await world.pass(1_000);

      expect(calls.splice(0)).toEqual(['grey -> red']);

      await admin.patch(Widget, ref, { spec: { size: 3 } });
      await world.until(async () => (await get()).spec.size === 4);
      await world.pass(1_000);
      expect(calls).toEqual(['size 3']);
    });

    test('what the schema of the server drops is noticed, and named', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const { logs } = await world.startOperator({ providers: [StrictHandlers] });
      await admin.create(StrictWidget, { metadata: ref, spec: {} });
      await world.until(async () => (await admin.get(StrictWidget, ref)).status?.message === 'kept');
      await world.until(() => logs.find({ level: 'warn', message: /drops/ }).length > 0);
      expect(JSON.stringify(logs.find({ level: 'warn', message: /drops/ })[0]?.fields)).toContain('/status/other');
      expect(logs.find({ level: 'error' })).toEqual([]);
    });

    test('nothing is written in a quiet cluster', () => worlds.expectQuiet());
  });
}
