import { afterAll, describe, expect, test } from 'vitest';
import { configMaps, Widget } from '../../support/kinds.js';
import { find, isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { RunningOperator, World } from '../../support/world.js';
import { LabelledHandlers, NamedHandlers } from './operator.js';

const finalizersOf = ({ metadata }: Pick<Widget, 'metadata'>): readonly string[] => metadata.finalizers ?? [];

/** The selectors that the operator gave to the server for a resource. */
function pushed({ transport }: RunningOperator, plural: string): (string | null)[] {
  const asked = transport.sent.filter(({ method, path, query }) => {
    return method === 'GET' && path.endsWith(`/${plural}`) && (query.has('watch') || query.has('limit'));
  });
  return [...new Set(asked.map(({ query }) => query.get('labelSelector') ?? query.get('fieldSelector')))];
}

/** The server leaves out what no handler wants. */
export function selectorsFeature(createWorld: () => Promise<World>): void {
  describe('selectors that are pushed to the server', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());
    const mine = { mine: 'yes', tier: 'gold' };

    async function start(world: World): Promise<RunningOperator & { readonly calls: string[] }> {
      const running = await world.startOperator({ providers: [LabelledHandlers] });
      return Object.assign(running, { calls: running.module.get(LabelledHandlers).calls });
    }

    test('are what all handlers of a resource agree on', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      await admin.create(Widget, { metadata: { name: 'theirs', namespace, labels: { mine: 'no' } }, spec: {} });
      await admin.create(Widget, { metadata: { name: 'ours', namespace, labels: mine }, spec: {} });
      const running = await start(world);
      await world.until(() => running.calls.includes('create ours'));
      await admin.create(configMaps, { metadata: { name: 'settings', namespace } });
      await admin.create(configMaps, { metadata: { name: 'others', namespace } });
      const named = await world.startOperator({ providers: [NamedHandlers] });
      const { seen } = named.module.get(NamedHandlers);
      await world.until(() => seen.length > 0);
      // The first list of all metadata finds what left before.
      expect(pushed(running, 'widgets').filter((selector) => selector !== null)).toEqual(['mine=yes,tier']);
      expect(running.operator.getStatus().objects).toEqual({ 'widgets.v1.demo.example': 1 });
      expect(pushed(named, 'configmaps')).toEqual(['metadata.name=settings']);
      expect(seen).toEqual(['settings']);
      expect((await admin.get(Widget, { name: 'theirs', namespace })).metadata.annotations).toBeUndefined();
    });

    test('tell an object that leaves from one that is deleted: its work ends, its finalizer goes, and no deletion is told', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'wanderer', namespace };
      const running = await start(world);
      const { calls } = running;
      const has = (call: string) => () => calls.includes(call);
      await admin.create(Widget, { metadata: { ...ref, labels: mine }, spec: {} });
      await world.until(has('timer wanderer'));
      await world.until(async () => finalizersOf(await admin.get(Widget, ref)).length === 1);
      await world.pass(1_000);

      await admin.patch(Widget, ref, { metadata: { labels: { mine: 'no' } } });
      await world.until(has('stop wanderer: mismatch'));
      await world.until(async () => finalizersOf(await admin.get(Widget, ref)).length === 0);
      await world.pass(1_000);
      calls.length = 0;
      await world.pass(7_000);
      expect(calls).toEqual([]);
      const { annotations = {} } = (await admin.get(Widget, ref)).metadata;
      expect(annotations).toEqual({});

      await admin.patch(Widget, ref, { metadata: { labels: mine } });
      await world.until(has('run wanderer'));
      await world.until(async () => finalizersOf(await admin.get(Widget, ref)).length === 1);
      await world.pass(2_000);
      // What was created stays so.
      expect(calls.filter((call) => /^(?:create|DELETED|delete)/.test(call))).toEqual([]);

      await admin.delete(Widget, ref);
      await world.until(() => isGone(admin, Widget, ref));
      await world.until(has('DELETED wanderer'));
      expect(calls).toContain('delete wanderer');
      expect(calls).toContain('stop wanderer: deleting');
      expect(running.logs.find({ level: 'error' })).toEqual([]);
    });

    test('let go of an object that a handler itself takes out', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'once', namespace };
      const running = await start(world);
      await admin.create(Widget, { metadata: { ...ref, labels: { ...mine, leave: 'yes' } }, spec: {} });
      await world.until(async () => (await admin.get(Widget, ref)).metadata.labels?.['mine'] === undefined);
      await world.until(async () => finalizersOf(await admin.get(Widget, ref)).length === 0);
      await world.pass(2_000);
      expect(running.calls.filter((call) => call.startsWith('create'))).toEqual(['create once']);
      expect(running.calls.filter((call) => /^(?:DELETED|delete)/.test(call))).toEqual([]);
      await admin.delete(Widget, ref);
      expect(await find(admin, Widget, ref)).toBeUndefined();
      expect(running.logs.find({ level: 'error' })).toEqual([]);
    });

    test('let go, at the start, of what left while no operator was there', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = (name: string) => ({ name, namespace });
      const first = await start(world);
      for (const name of ['left', 'stayed']) {
        await admin.create(Widget, { metadata: { ...ref(name), labels: mine }, spec: {} });
      }
      await world.until(() => first.calls.includes('create left') && first.calls.includes('create stayed'));
      await world.pass(1_000);
      await first.close();
      await admin.patch(Widget, ref('left'), { metadata: { labels: { tier: null } } });
      const foreign = { metadata: { ...ref('foreign'), finalizers: ['other.example/keep'] }, spec: {} };
      await admin.create(Widget, foreign);
      await start(world);
      await world.until(async () => finalizersOf(await admin.get(Widget, ref('left'))).length === 0);
      expect(finalizersOf(await admin.get(Widget, ref('stayed')))).toHaveLength(1);
      expect(finalizersOf(await admin.get(Widget, ref('foreign')))).toEqual(['other.example/keep']);
      await admin.patch(Widget, ref('foreign'), { metadata: { finalizers: null } });
      for (const name of ['left', 'stayed', 'foreign']) await admin.delete(Widget, ref(name));
      await world.until(() => isGone(admin, Widget, ref('stayed')));
    });

    test('nothing is written in a quiet cluster', () => worlds.expectQuiet());
  });
}
