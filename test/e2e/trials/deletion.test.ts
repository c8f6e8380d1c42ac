import 'reflect-metadata';
import {
  HandlerContext,
  OnCreate,
  OnDelete,
  OnResume,
  OnUpdate,
  ResourceHandlers,
  TemporaryError,
} from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import type { EmbeddedWorld } from '../../support/embedded-world.js';
import { Widget } from '../../support/kinds.js';
import { openWorld } from './open-world.js';

const ref = { name: 'a', namespace: 'default' };
const fullRef = { apiVersion: 'demo.example/v1', kind: 'Widget', ...ref };
const finalizer = 'test.example.com/finalizer';

const isGone = async (world: EmbeddedWorld): Promise<boolean> => (await world.stage.api.get(fullRef)) === undefined;

describe('a deletion beside unfinished work', () => {
  /** What the retried handler is called for, how the world comes to that, and whether it is under way at the deletion. */
  const cases = (['create', 'update', 'resume'] as const).flatMap((cause) => [
    { cause, running: false },
    { cause, running: true },
  ]);

  it.each(cases)(
    '[TC-27] it replaces a $cause that is being retried (running at that moment: $running)',
    async ({ cause, running }) => {
      const world = await openWorld();
      const { clock } = world.stage;
      const calls: string[] = [];
      /** How long c2 takes, by the clock; it heeds its signal as little as code that has none. */
      let duration = 0;
      let failing = false;
      let inside = 0;
      const c2 = async (ctx: HandlerContext<Widget>): Promise<void> => {
        calls.push(`c2 ${ctx.cause}${ctx.deleting ? ' deleting' : ''}`);
        inside += 1;
        await new Promise<void>((resolve) => clock.setTimer(duration, resolve));
        inside -= 1;
        if (failing) throw new TemporaryError('Not yet.', { delay: '5s' });
      };

      @ResourceHandlers(Widget)
      class Handlers {
        @OnCreate()
        c1(): void {
          calls.push('c1');
        }

        @OnDelete()
        d1(): void {
          calls.push('d1');
        }

        @OnDelete()
        d2(ctx: HandlerContext<Widget>): void {
          calls.push('d2');
          if (ctx.retry === 0) throw new TemporaryError('Once more.', { delay: '1s' });
        }
      }
      @ResourceHandlers(Widget)
      class Creating {
        @OnCreate()
        c2(ctx: HandlerContext<Widget>): Promise<void> {
          return c2(ctx);
        }
      }
      @ResourceHandlers(Widget)
      class Updating {
        @OnUpdate()
        c2(ctx: HandlerContext<Widget>): Promise<void> {
          return c2(ctx);
        }
      }
      @ResourceHandlers(Widget)
      class Resuming {
        @OnResume()
        c2(ctx: HandlerContext<Widget>): Promise<void> {
          return c2(ctx);
        }
      }
      const providers = [Handlers, { create: Creating, update: Updating, resume: Resuming }[cause]];
      const started = await world.startOperator({ providers });
      if (cause === 'create') failing = true;
      await world.admin.create(Widget, { metadata: ref, spec: { n: 1 } });
      await world.until(() => calls.includes('c1'));
      await started.settled();
      failing = true;
      if (cause === 'update') await world.admin.patch(Widget, ref, { spec: { n: 2 } });
      let { logs } = started;
      if (cause === 'resume') {
        await started.close();
        ({ logs } = await world.startOperator({ providers }));
      }
      await world.until(() => calls.includes(`c2 ${cause}`));
      await world.pass(2_000);
      expect(calls).toEqual(['c1', `c2 ${cause}`]);
      if (running) {
        // The next attempt, which ends two seconds after the deletion.
        duration = 4_000;
        await world.until(() => inside === 1);
        await world.pass(2_000);
      }
      const before = calls.length;
      const deletedAt = clock.monotonic();
      await world.admin.delete(Widget, ref);
      await world.until(() => isGone(world), 10_000);

      expect(clock.monotonic() - deletedAt).toBeLessThanOrEqual(10_000);
      expect(calls.slice(before)).toEqual(['d1', 'd2', 'd2']);
      expect(calls.filter((call) => call.startsWith('c2')).length).toBe(running ? 2 : 1);
      expect(logs.find({ level: 'error' })).toEqual([]);
      await world.expectQuiet();
      expect(calls.slice(before)).toEqual(['d1', 'd2', 'd2']);
    },
  );
});

describe('an earlier object of the same name', () => {
  it('[TC-34] events of it, old and with a deletion mark, touch the living one in no way', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const calls: string[] = [];

    @ResourceHandlers(Widget)
    class Handlers {
      @OnCreate()
      @OnUpdate()
      ensure(ctx: HandlerContext<Widget>): void {
        calls.push(`${ctx.cause} ${ctx.meta.uid}`);
      }

      @OnDelete()
      remove(ctx: HandlerContext<Widget>): void {
        calls.push(`delete ${ctx.meta.uid}`);
      }
    }

    const initialLists = () =>
      api.requests.filter(
        ({ verb, resource, query }) =>
          resource === 'widgets' && (verb === 'list' || (verb === 'watch' && query.has('sendInitialEvents'))),
      );
    const first = await world.startOperator({ providers: [Handlers] });
    await world.admin.create(Widget, { metadata: ref, spec: { n: 1 } });
    await world.until(() => calls.length === 1);
    await first.settled();
    const former = (await api.get(fullRef))!;
    await world.admin.delete(Widget, ref);
    await world.until(() => isGone(world));
    await world.admin.create(Widget, { metadata: ref, spec: { n: 1 } });
    await world.until(() => calls.length === 3);
    await first.settled();
    const living = (await api.get(fullRef))!;
    const uids = [former.metadata.uid, living.metadata.uid];
    expect(new Set(uids).size).toBe(2);
    const story = [`create ${uids[0]}`, `delete ${uids[0]}`, `create ${uids[1]}`];
    expect(calls).toEqual(story);

    const marked = {
      ...former,
      metadata: { ...former.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 },
    };
    const events = [
      { type: 'MODIFIED', object: marked },
      { type: 'DELETED', object: marked },
      { type: 'ADDED', object: former },
    ];
    const inject = async (): Promise<void> => {
      for (const event of events) {
        expect(api.watches.inject(JSON.stringify(event), { resource: 'widgets' })).toBe(1);
        await clock.advance(1_000);
      }
    };
    const expectUntouched = async (): Promise<void> => {
      await clock.advance(60_000);
      expect(calls).toEqual(story);
      const now = await api.get(fullRef);
      expect(now).toEqual(living);
      expect(now!.metadata.finalizers).toEqual([finalizer]);
      expect(now!.metadata.deletionTimestamp).toBeUndefined();
    };
    await inject();
    await expectUntouched();

    await first.close();
    api.requests.clear();
    const second = await world.startOperator({ providers: [Handlers] });
    // On its first watch.
    expect(api.watches.list({ resource: 'widgets' })).toHaveLength(1);
    await inject();
    await expectUntouched();

    const lists = initialLists();
    expect(lists.length).toBeGreaterThan(0);
    // Consistent, not from a cache that may lag behind.
    for (const { query } of lists) expect(query.get('resourceVersion') ?? '').toBe('');

    // What the framework writes to the living one is bound to its uid.
    second.transport.clear();
    await world.admin.delete(Widget, ref);
    await world.until(() => isGone(world));
    expect(calls).toEqual([...story, `delete ${uids[1]}`]);
    const bodies = second.transport.writes.map(({ body }) => JSON.stringify(body));
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) expect(body).toContain(uids[1]);
    await world.expectQuiet();
  });
});
