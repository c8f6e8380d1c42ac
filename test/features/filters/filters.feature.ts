import { afterAll, describe, expect, test } from 'vitest';
import { OpenWorlds } from '../../support/open-worlds.js';
import { Widget } from '../../support/widget.js';
import type { World } from '../../support/world.js';
import { FilteredHandlers, RedDaemon } from './operator.js';

/** Filters by labels, annotations, fields, changes and functions, and their combinations. */
export function filtersFeature(createWorld: () => Promise<World>): void {
  describe('filters', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('let through what they describe, and nothing else', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'filtered', namespace };
      const { module } = await world.startOperator({ providers: [FilteredHandlers] });
      const { calls } = module.get(FilteredHandlers);
      const next = async (): Promise<string[]> => {
        await world.until(() => calls.length > 0);
        await world.pass(1_000);
        return calls.splice(0);
      };
      await admin.create(Widget, {
        metadata: { ...ref, labels: { tier: 'public' }, annotations: { 'demo.example/mode': 'test' } },
        spec: { color: 'red' },
      });
      expect(await next()).toEqual([
        'labelIs',
        'labelIsPresent',
        'labelByFunction',
        'annotationIs',
        'annotationsPresentAndAbsent',
        'whenTrue',
        'fieldIs',
        'fieldIsPresent',
        'fieldIsAbsent',
        'fieldByFunction',
        'combined',
      ]);

      await admin.patch(Widget, ref, { spec: { color: 'blue' } });
      // The creation is open for a handler whose filter did not let the object through before.
      expect(await next()).toEqual(['fieldIsAnother', 'fromRedToBlue']);
      await admin.patch(Widget, ref, { spec: { color: 'red' } });
      await world.pass(1_000);
      await admin.patch(Widget, ref, { spec: { color: null } });
      expect(await next()).toEqual(['toNothing']);
    });

    test('an object without what they want reaches those that want its absence', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { module } = await world.startOperator({ providers: [FilteredHandlers] });
      const { calls } = module.get(FilteredHandlers);
      await admin.create(Widget, { metadata: { name: 'plain', namespace }, spec: { size: 1 } });
      await world.until(() => calls.length > 0);
      await world.pass(1_000);
      expect(calls).toEqual(['labelIsAbsent', 'whenTrue', 'negated']);

      // A function of a value sees the whole object.
      calls.length = 0;
      await admin.create(Widget, {
        metadata: { name: 'secret', namespace, labels: { tier: 'public' } },
        spec: { color: 'red', size: 1 },
      });
      await world.until(() => calls.length > 0);
      await world.pass(1_000);
      expect(calls).toEqual(['labelIs', 'labelIsPresent', 'whenTrue', 'fieldIs', 'fieldIsPresent', 'fieldByFunction']);
    });

    test('are asked again at each change for as long as a daemon runs', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'accompanied', namespace };
      const { module } = await world.startOperator({ providers: [RedDaemon] });
      const { calls } = module.get(RedDaemon);
      const finalizers = async () => (await admin.get(Widget, ref)).metadata.finalizers ?? [];
      await admin.create(Widget, { metadata: ref, spec: { color: 'blue' } });
      await world.pass(1_000);
      expect(calls).toEqual([]);
      await admin.patch(Widget, ref, { spec: { color: 'red' } });
      await world.until(() => calls.length === 1);
      expect(await finalizers()).toHaveLength(1);
      await admin.patch(Widget, ref, { spec: { color: 'blue' } });
      await world.until(async () => (await finalizers()).length === 0);
      await admin.patch(Widget, ref, { spec: { color: 'red' } });
      await world.until(() => calls.length === 3);
      expect(calls).toEqual(['begins', 'ends: mismatch', 'begins']);
    });
  });
}
