import 'reflect-metadata';
import { HandlerContext, OnCreate, OnDelete, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import type { EmbeddedWorld } from '../../support/embedded-world.js';
import { configMaps, Widget } from '../../support/kinds.js';
import { openWorld } from './open-world.js';
import { seededRandom } from './seeded-random.js';

const pause = ({ stage: { clock } }: EmbeddedWorld, milliseconds: number): Promise<void> =>
  new Promise((resolve) => clock.setTimer(milliseconds, resolve));

describe('objects side by side', () => {
  it('[TC-11] slow objects hold up no others, and each is served by its own handler, one change after the other', async () => {
    const world = await openWorld();
    const { clock } = world.stage;
    const calls: { handler: string; name: string; n: unknown; from: number; to: number }[] = [];
    const work = async (handler: string, ctx: HandlerContext<Widget>, milliseconds: number): Promise<void> => {
      const call = { handler, name: ctx.meta.name, n: ctx.spec['n'], from: clock.monotonic(), to: Number.NaN };
      calls.push(call);
      await pause(world, milliseconds);
      call.to = clock.monotonic();
    };

    @ResourceHandlers(Widget)
    class Roles {
      @OnCreate({ labels: { role: 'slow' } })
      @OnUpdate({ labels: { role: 'slow' } })
      slow(ctx: HandlerContext<Widget>): Promise<void> {
        return work('slow', ctx, 20_000);
      }

      @OnCreate({ labels: { role: 'fast' } })
      @OnUpdate({ labels: { role: 'fast' } })
      fast(ctx: HandlerContext<Widget>): Promise<void> {
        return work('fast', ctx, 500);
      }
    }

    await world.startOperator({ providers: [Roles] });
    const create = (role: string, index: number): Promise<unknown> =>
      world.admin.create(Widget, {
        metadata: { name: `${role}-${index}`, namespace: 'default', labels: { role } },
        spec: { n: 1 },
      });
    const change = (name: string, n: number): Promise<unknown> =>
      world.admin.patch(Widget, { name, namespace: 'default' }, { spec: { n } });
    for (let index = 0; index < 3; index += 1) await create('slow', index);
    await world.until(() => calls.length === 3);
    const begun = clock.monotonic();
    for (let index = 0; index < 20; index += 1) await create('fast', index);
    const ended = (handler: string): number =>
      calls.filter((call) => call.handler === handler && !Number.isNaN(call.to)).length;
    await world.until(() => ended('fast') === 20);
    expect(clock.monotonic() - begun).toBeLessThanOrEqual(3_000);
    expect(ended('slow')).toBe(0);

    // The first run of slow-0 goes on for 17 s; its second change comes while the run for the first one is under way.
    await change('slow-0', 2);
    await world.until(() => calls.some(({ name, n }) => name === 'slow-0' && n === 2));
    await world.pass(5_000);
    await change('slow-0', 3);
    await world.until(() => ended('slow') === 5);

    expect(calls.every(({ handler, name }) => name.startsWith(`${handler}-`))).toBe(true);
    expect(calls).toHaveLength(25);
    const changes = calls.filter(({ name }) => name === 'slow-0');
    expect(changes.map(({ n }) => n)).toEqual([1, 2, 3]);
    for (const [index, { from }] of changes.entries()) {
      if (index > 0) expect(from).toBeGreaterThanOrEqual(changes[index - 1]!.to);
    }
    await world.expectQuiet();
  });

  const count = 100;
  const names = Array.from({ length: count }, (_, index) => `burst-${index}`);
  const doomed = names.filter((_, index) => index % 3 === 0);

  async function startBurst(duration: number) {
    const world = await openWorld();
    const calls: { cause: string; name: string; content: unknown }[] = [];

    @ResourceHandlers('configmaps')
    class Burst {
      @OnCreate()
      @OnUpdate()
      async ensure({ cause, meta, object }: HandlerContext): Promise<void> {
        calls.push({ cause, name: meta.name, content: (object['data'] as Record<string, unknown>)['content'] });
        await pause(world, duration);
      }

      @OnDelete()
      remove({ cause, meta }: HandlerContext): void {
        calls.push({ cause, name: meta.name, content: undefined });
      }
    }

    await world.startOperator({ providers: [Burst] });
    const of = (cause: string): string[] => calls.filter((call) => call.cause === cause).map(({ name }) => name);
    /** Spread over one second, as fast as it comes. */
    const burst = async (over: readonly string[], step: (name: string) => Promise<unknown>): Promise<void> => {
      for (const name of over) {
        await step(name);
        await world.pass(1_000 / count);
      }
    };
    const steps = {
      create: () =>
        burst(names, (name) =>
          world.admin.create(configMaps, {
            metadata: { name, namespace: 'default' },
            data: { content: 'first' },
          } as never),
        ),
      update: () =>
        burst(names, (name) =>
          world.admin.patch(configMaps, { name, namespace: 'default' }, { data: { content: 'last' } }),
        ),
      remove: () => burst(doomed, (name) => world.admin.delete(configMaps, { name, namespace: 'default' })),
    };
    const left = async (): Promise<number> =>
      (await world.admin.listPage(configMaps, { namespace: 'default', pageSize: 500 })).items.length;
    return { world, calls, of, steps, left };
  }

  it.each([0, 30, 400])(
    '[TC-12] of a burst over 100 objects every creation, last content and deletion is handled, by handlers of %i ms',
    async (duration) => {
      const { world, calls, of, steps, left } = await startBurst(duration);
      await steps.create();
      await world.until(() => of('create').length === count);
      await steps.update();
      await world.until(() => of('update').length === count);
      await steps.remove();
      await world.until(async () => (await left()) === count - doomed.length);
      expect(of('create').toSorted()).toEqual(names.toSorted());
      expect(of('update').toSorted()).toEqual(names.toSorted());
      expect(of('delete').toSorted()).toEqual(doomed.toSorted());
      expect(doomed).toHaveLength(34);
      const contents = (cause: string): unknown[] =>
        calls.filter((call) => call.cause === cause).map((call) => call.content);
      expect(new Set(contents('create'))).toEqual(new Set(['first']));
      expect(new Set(contents('update'))).toEqual(new Set(['last']));
      await world.expectQuiet();
      expect(calls).toHaveLength(2 * count + doomed.length);
    },
  );

  it('[TC-12] with steps that overtake each other, the last content of every object is handled', async () => {
    const { world, calls, of, steps, left } = await startBurst(400);
    await steps.create();
    await steps.update();
    await steps.remove();
    await world.until(async () => (await left()) === count - doomed.length);
    for (const name of names.filter((candidate) => !doomed.includes(candidate))) {
      await world.until(() => calls.findLast((call) => call.name === name)?.content === 'last');
    }
    await world.pass(5_000);
    await world.expectQuiet();
    expect(new Set(of('create')).size).toBe(of('create').length);
    expect(of('update').length).toBeLessThan(count);
    // Whoever was created for us is deleted for us.
    expect(of('delete').toSorted()).toEqual(
      of('create')
        .filter((name) => doomed.includes(name))
        .toSorted(),
    );
  });
});

describe('changes beside the own writes', () => {
  it('[TC-14] a change at any moment of a running handler leads to a second run with the right old and new', async () => {
    const world = await openWorld();
    const calls: { cause: string; old: unknown; new: unknown; n: unknown }[] = [];
    const n = (essence: unknown): unknown => (essence as { spec?: { n?: unknown } } | undefined)?.spec?.n;

    @ResourceHandlers(Widget)
    class Slow {
      @OnCreate()
      @OnUpdate()
      async ensure(ctx: HandlerContext<Widget>): Promise<{ seen: unknown }> {
        calls.push({ cause: ctx.cause, old: n(ctx.old), new: n(ctx.new), n: ctx.spec['n'] });
        await pause(world, 3_000);
        return { seen: ctx.spec['n'] };
      }
    }

    await world.startOperator({ providers: [Slow] });
    const random = seededRandom(14);
    const moments = [1_000, ...Array.from({ length: 200 }, () => Math.floor(random() * 3_200))];
    for (const [index, moment] of moments.entries()) {
      const ref = { name: `w-${index}`, namespace: 'default' };
      const seen = async (): Promise<unknown> => (await world.admin.get(Widget, ref)).status?.['seen'];
      calls.length = 0;
      await world.admin.create(Widget, { metadata: ref, spec: { n: 1 } });
      await world.until(() => calls.length === 1);
      await world.pass(moment);
      await world.admin.patch(Widget, ref, { spec: { n: 2 } });
      await world.pass(3_100 - Math.min(moment, 3_000));
      await world.pass(3_100);
      expect(calls, `changed after ${moment} ms`).toEqual([
        { cause: 'create', old: undefined, new: 1, n: 1 },
        { cause: 'update', old: 1, new: 2, n: 2 },
      ]);
      expect(await seen(), `changed after ${moment} ms`).toBe(2);
    }
    calls.length = 0;
    await world.expectQuiet();
    expect(calls).toEqual([]);
  }, 120_000);

  it.each([
    { delay: 2_000, change: 500 },
    { delay: 60_000, change: 500 },
    // The change is made when the creation has been handled, and its event is on its way all the same.
    { delay: 2_000, change: 2_500 },
    { delay: 60_000, change: 60_500 },
  ])(
    '[TC-15] with watch events $delay ms late and a change after $change ms, creation runs once and the next run sees its status',
    async ({ delay, change }) => {
      const world = await openWorld();
      const { api, clock } = world.stage;
      const calls: { cause: string; status: unknown; label: unknown; at: number }[] = [];

      @ResourceHandlers(Widget)
      class Once {
        @OnCreate()
        created(ctx: HandlerContext<Widget>): object {
          calls.push({ cause: 'create', status: ctx.status, label: ctx.meta.labels?.['team'], at: clock.monotonic() });
          return { wrote: 'created' };
        }

        @OnUpdate()
        updated(ctx: HandlerContext<Widget>): void {
          calls.push({ cause: 'update', status: ctx.status, label: ctx.meta.labels?.['team'], at: clock.monotonic() });
        }
      }

      api.faults.add({ match: { verb: 'watch', resource: 'widgets' }, do: { action: 'delayEvents', ms: delay } });
      const { logs } = await world.startOperator({ providers: [Once] });
      const ref = { name: 'late', namespace: 'default' };
      const begun = clock.monotonic();
      await world.admin.create(Widget, { metadata: ref, spec: {} });
      await world.pass(change);
      await world.admin.patch(Widget, ref, { metadata: { labels: { team: 'b' } } });
      await world.until(() => calls.some(({ cause }) => cause === 'update'), 2 * delay + change);
      // Nothing is waited for beyond the news itself: own writes are known from their answers.
      const latest = Math.max(delay, change + delay);
      expect(calls.map(({ at }) => at - begun <= latest)).toEqual([true, true]);
      // Everything that was on its way has come.
      await clock.advance(3 * delay);
      expect(calls.map(({ cause, status, label }) => ({ cause, status, label }))).toEqual([
        { cause: 'create', status: undefined, label: undefined },
        { cause: 'update', status: { wrote: 'created' }, label: 'b' },
      ]);
      expect(logs.find({ level: 'error' })).toEqual([]);
      await world.expectQuiet();
      expect(calls).toHaveLength(2);
    },
  );
});
