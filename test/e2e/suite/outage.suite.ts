import { HandlerContext, OnCreate, OnDelete, OnUpdate, OnWatchEvent, ResourceHandlers } from 'nestjs-operator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BareWidget, Widget } from '../../support/kinds.js';
import { isGone } from '../../support/looking.js';
import type { RunningOperator, World } from '../../support/world.js';

/** A world whose API server can fail. */
export interface OutageWorld extends World {
  /** The API server crashes and comes back, without memory of what changed when. Resolves when it answers again. */
  restart(): Promise<void>;
  /** The API server answers nothing for this long, and goes on. */
  pause(milliseconds: number): Promise<void>;
  /** It forgets older states, as it does every few minutes. */
  compact(): Promise<void>;
}

@ResourceHandlers(Widget)
class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Widget>): object {
    this.calls.push(`${ctx.cause} ${ctx.meta.name} ${String(ctx.spec['size'])}`);
    return { seen: ctx.spec['size'] };
  }

  @OnDelete()
  remove(ctx: HandlerContext<Widget>): void {
    this.calls.push(`delete ${ctx.meta.name}`);
  }
}

@ResourceHandlers(BareWidget)
class BareHandlers {
  readonly events: string[] = [];

  @OnWatchEvent()
  note(ctx: HandlerContext<BareWidget>): void {
    this.events.push(`${ctx.eventType} ${ctx.meta.name}`);
  }
}

/** Long enough for a silent watch to be noticed. */
const limit = 150_000;

/** An operator outlives the outages of its API server, sees every change, and asks for no more than it has to. */
export function outageSuite(createWorld: () => Promise<OutageWorld>): void {
  describe('outages of the API server', () => {
    let world: OutageWorld;
    let running: RunningOperator;
    beforeAll(async () => {
      world = await createWorld();
      // The outages follow each other faster than the back-off is forgotten; with its own cap they would take minutes.
      const operator = { watching: { backoff: { cap: '2s' } } };
      running = await world.startOperator({ providers: [WidgetHandlers, BareHandlers], operator });
    });
    afterAll(() => world.close());

    /** Makes, changes and deletes objects around the outage, and waits until all of it has been handled. */
    async function liveThrough(prefix: string, outage: () => Promise<void>): Promise<void> {
      const { admin, namespace } = world;
      const { calls } = running.module.get(WidgetHandlers);
      const { events } = running.module.get(BareHandlers);
      const ref = (name: string) => ({ name: `${prefix}-${name}`, namespace });
      const seen = (name: string, size: number) => async () =>
        (await admin.get(Widget, ref(name))).status?.['seen'] === size;
      for (const name of ['changed', 'deleted', 'steady']) {
        await admin.create(Widget, { metadata: ref(name), spec: { size: 1 } });
        await world.until(seen(name, 1));
      }
      await admin.create(BareWidget, { metadata: ref('watched'), spec: {} });
      await world.until(() => events.includes(`ADDED ${prefix}-watched`));
      // All that is written for it has been written, and come back.
      await world.pass(1_000);
      calls.length = 0;
      running.transport.clear();

      await outage();
      await admin.patch(Widget, ref('changed'), { spec: { size: 2 } });
      await admin.delete(Widget, ref('deleted'));
      await admin.delete(BareWidget, ref('watched'));
      await admin.create(Widget, { metadata: ref('made'), spec: { size: 1 } });
      await world.until(seen('changed', 2), limit);
      await world.until(seen('made', 1), limit);
      await world.until(() => isGone(admin, Widget, ref('deleted')), limit);
      await world.until(() => events.includes(`DELETED ${prefix}-watched`), limit);
      await world.until(() => running.operator.getStatus().watches.every(({ synced }) => synced), limit);
      expect(calls.toSorted()).toEqual([
        `create ${prefix}-made 1`,
        `delete ${prefix}-deleted`,
        `update ${prefix}-changed 2`,
      ]);
      expect(running.exit.code).toBeUndefined();
      expect(running.logs.find({ level: 'error' })).toEqual([]);
    }

    test('a server that was paused for 20 s has missed nothing, and is asked for nothing twice', async () => {
      await liveThrough('paused', () => world.pause(20_000));
      for (const plural of ['widgets', 'barewidgets']) {
        expect(running.transport.lists(plural).length, plural).toBeLessThanOrEqual(1);
      }
    });

    test('after a restart of the server, one list at most per watch', async () => {
      await liveThrough('restarted', () => world.restart());
      for (const plural of ['widgets', 'barewidgets']) {
        expect(running.transport.lists(plural).length, plural).toBeLessThanOrEqual(1);
        expect(running.transport.watches(plural).length, plural).toBeGreaterThanOrEqual(1);
      }
    });

    test('where the server has forgotten the state that a watch goes on from, it lists once', async () => {
      await liveThrough('forgotten', async () => {
        const { admin, namespace } = world;
        // Moves the history on beyond the versions that the watches have seen.
        const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'later', namespace } };
        await admin.create({ ...config, data: { step: '0' } });
        await world.compact();
        await world.restart();
      });
      for (const plural of ['widgets', 'barewidgets']) expect(running.transport.lists(plural), plural).toHaveLength(1);
    });

    test('nothing of this is written again in a quiet cluster', () => world.expectQuiet());
  });
}
