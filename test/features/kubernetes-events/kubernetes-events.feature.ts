import { afterAll, describe, expect, test } from 'vitest';
import { Widget } from '../../support/widget.js';
import { eventsAbout } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';
import { WidgetHandlers } from './operator.js';

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

function byReason(a: { readonly reason: string }, b: { readonly reason: string }): number {
  return a.reason < b.reason ? -1 : 1;
}
