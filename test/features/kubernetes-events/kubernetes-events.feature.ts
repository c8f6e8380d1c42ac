import { afterAll, describe, expect, test } from 'vitest';
import { Widget } from '../../support/widget.js';
import { eventsAbout } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';
import { FailingHandlers, RepeatingHandlers, WidgetHandlers } from './operator.js';

/** Kubernetes events that handlers post about their objects, for `kubectl describe`. */
export function kubernetesEventsFeature(createWorld: () => Promise<World>): void {
  describe('Kubernetes events', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('are posted with type, reason, message and action about the object', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { logs } = await world.startOperator({ providers: [WidgetHandlers] });
      const { metadata } = await admin.create(Widget, { metadata: { name: 'a', namespace }, spec: {} });
      await world.until(async () => (await eventsAbout(world, 'a')).length === 3);
      const posted = await eventsAbout(world, 'a');
      expect(
        posted.map(({ type, reason, action, note }) => ({ type, reason, action, note })).toSorted(byReason),
      ).toEqual([
        { type: 'Normal', reason: 'Noticed', action: 'Noticed', note: 'The widget is taken care of' },
        {
          type: 'Warning',
          reason: 'RangeError',
          action: 'RangeError',
          note: 'Measuring failed: no size to measure',
        },
        { type: 'Warning', reason: 'Unusual', action: 'Measure', note: 'The widget has no size' },
      ]);
      for (const { regarding, reportingController } of posted) {
        expect(regarding).toMatchObject({ kind: 'Widget', name: 'a', uid: metadata.uid });
        expect(reportingController).toBe('test.example.com');
      }
      expect(logs.find({ level: 'error' })).toEqual([]);
    });

    test('are one event with a count when they are equal', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      await world.startOperator({ providers: [RepeatingHandlers] });
      await admin.create(Widget, { metadata: { name: 'a', namespace }, spec: { size: 0 } });
      for (const size of [1, 2, 3]) {
        await world.until(async () => (await countsAbout(world, 'a')).join() === `Looked ${size}`);
        await admin.patch(Widget, { name: 'a', namespace }, { spec: { size } });
      }
      await world.until(async () => (await countsAbout(world, 'a')).join() === 'Looked 4');
      const [event] = await eventsAbout(world, 'a');
      expect(event).toMatchObject({ note: 'The widget was looked at', series: { count: 4 } });
    });

    test('about failures can be switched off', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { logs } = await world.startOperator({
        providers: [FailingHandlers],
        operator: { events: { failures: false } },
      });
      await admin.create(Widget, { metadata: { name: 'a', namespace }, spec: {} });
      await world.until(() => logs.find({ message: 'Handler failed for good' }).length === 1);
      await world.until(async () => (await countsAbout(world, 'a')).join() === 'Tried 1');
      await world.expectQuiet();
      expect(await countsAbout(world, 'a')).toEqual(['Tried 1']);
    });

    test('are not posted where they are switched off', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { module, transport } = await world.startOperator({
        providers: [WidgetHandlers],
        operator: { events: { enabled: false } },
      });
      expect(module.get(WidgetHandlers)).toBeDefined();
      await admin.create(Widget, { metadata: { name: 'a', namespace }, spec: {} });
      await world.until(() => transport.writes.length > 0);
      await world.pass(1_000);
      expect(transport.sent.filter(({ path }) => path.endsWith('/events'))).toEqual([]);
      expect(await eventsAbout(world, 'a')).toEqual([]);
    });
  });
}

async function countsAbout(world: World, name: string): Promise<string[]> {
  const posted = await eventsAbout(world, name);
  return posted.map(({ reason, series }) => `${reason} ${series?.count ?? 1}`).toSorted();
}

function byReason(a: { readonly reason: string }, b: { readonly reason: string }): number {
  return a.reason < b.reason ? -1 : 1;
}
