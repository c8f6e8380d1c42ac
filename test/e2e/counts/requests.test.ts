import 'reflect-metadata';
import { OnCreate, OnDelete, OnReconcile, OnResume, OnUpdate, OnWatchEvent, ResourceHandlers } from 'nestjs-operator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEmbeddedWorld } from '../../support/embedded-world.js';
import { Widget } from '../../support/kinds.js';
import { requestsSuite } from '../suite/requests.suite.js';

requestsSuite(createEmbeddedWorld);

@ResourceHandlers(Widget)
class EveryKind {
  @OnCreate()
  @OnUpdate()
  @OnResume()
  ensure(): object {
    return { done: true };
  }

  @OnDelete()
  remove(): void {}

  @OnReconcile()
  reconcile(): void {}

  @OnWatchEvent()
  note(): void {}
}

describe('requests of a reconnect', () => {
  it.each(['end', 'reset', 'midline', 'stall'] as const)(
    'are one watch, no list and no write, after the watch broke (%s)',
    async (how) => {
      const world = await createEmbeddedWorld();
      onTestFinished(() => world.close());
      const { api, clock } = world.stage;
      const { transport, settled } = await world.startOperator({ providers: [EveryKind] });
      for (const name of ['a', 'b', 'c']) {
        await world.admin.create(Widget, { metadata: { name, namespace: world.namespace }, spec: {} });
      }
      await settled();
      await clock.advance(60_000);
      transport.clear();
      expect(api.watches.cut({ how, resource: 'widgets' })).toBe(1);
      await clock.advance(120_000);
      expect(api.watches.list({ resource: 'widgets' }).length).toBeGreaterThanOrEqual(1);
      expect(transport.watches('widgets')).toHaveLength(1);
      expect(transport.lists('widgets')).toEqual([]);
      expect(transport.writes).toEqual([]);
      expect(transport.sent).toHaveLength(1);
      await world.expectQuiet();
    },
  );
});
