import 'reflect-metadata';
import {
  HandlerContext,
  OnCreate,
  OnDelete,
  OnUpdate,
  OnWatchEvent,
  ResourceHandlers,
  TemporaryError,
  Timer,
} from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import { Widget } from '../../support/kinds.js';
import type { EmbeddedWorld } from '../../support/embedded-world.js';
import { openWorld } from './open-world.js';
import { createWidget, ref, setN } from './widgets.js';

/** Notes when it ticked, for whom, and which attempt it was. */
interface Tick {
  readonly at: number;
  readonly name: string;
  readonly uid: string;
  readonly retry: number;
}

function ticking(options: Parameters<typeof Timer>[0], tick: (ctx: HandlerContext<Widget>) => void = () => undefined) {
  const ticks: Tick[] = [];
  @ResourceHandlers(Widget)
  class Ticking {
    @Timer(options)
    tick(ctx: HandlerContext<Widget>): void {
      ticks.push({ at: ctx.now.getTime(), name: ctx.meta.name, uid: ctx.meta.uid, retry: ctx.retry });
      tick(ctx);
    }
  }
  return { Ticking, ticks };
}

const gaps = (ticks: readonly Tick[]): number[] => ticks.slice(1).map(({ at }, index) => at - ticks[index]!.at);
const uidOf = async ({ stage: { api } }: EmbeddedWorld, name: string): Promise<string | undefined> =>
  (await api.get(ref(name)))?.metadata.uid;

describe('a timer and the end of its object', () => {
  it.each([false, true])('[TC-46] with finalizer: %s, does not tick once the deletion is known', async (finalizer) => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const { Ticking, ticks } = ticking({ interval: '1s', finalizer });
    const running = await world.startOperator({ providers: [Ticking] });
    const ticksOf = (uid: string | undefined): number => ticks.filter((tick) => tick.uid === uid).length;

    // Deleted normally, and made again under the same name: one timer, for the new one.
    await createWidget(world, 'a', 1);
    await clock.advance(3_000);
    const first = await uidOf(world, 'a');
    expect(ticksOf(first)).toBe(4);
    await api.delete(ref('a'));
    await world.until(async () => (await uidOf(world, 'a')) === undefined);
    const after = ticksOf(first);
    await createWidget(world, 'a', 2);
    await clock.advance(3_500);
    const second = await uidOf(world, 'a');
    expect([ticksOf(first), ticksOf(second)]).toEqual([after, 4]);

    // The watch is cut before the deletion: at most until it is back.
    api.watches.cut({ how: 'reset', resource: 'widgets' });
    await api.delete(ref('a'));
    await clock.advance(5_000);
    const known = ticksOf(second);
    await clock.advance(10_000);
    expect(ticksOf(second)).toBe(known);
    expect(await uidOf(world, 'a')).toBeUndefined();

    // By force, while somebody else's finalizer held it.
    await api.create({
      ...ref('b'),
      metadata: { name: 'b', namespace: 'default', finalizers: ['other.example/keep'] },
      spec: {},
    });
    await clock.advance(2_500);
    const third = await uidOf(world, 'b');
    await api.delete(ref('b'));
    await running.settled();
    const marked = ticksOf(third);
    expect(marked).toBe(3);
    await clock.advance(5_000);
    await api.patch(ref('b'), { metadata: { finalizers: null } });
    await clock.advance(5_000);
    expect(ticksOf(third)).toBe(marked);
    expect(await uidOf(world, 'b')).toBeUndefined();

    // While no operator runs, only the switch holds an object.
    await createWidget(world, 'c', 1);
    await clock.advance(1_500);
    await running.close();
    await api.delete(ref('c'));
    expect((await uidOf(world, 'c')) !== undefined).toBe(finalizer);
    if (finalizer) {
      const again = await world.startOperator({ providers: [Ticking] });
      await again.settled();
      expect(await uidOf(world, 'c')).toBeUndefined();
    }
    await world.expectQuiet();
  });
});

describe('back-off', () => {
  it('[TC-35] begins anew after each success, and asking for a later run is no failure', async () => {
    const world = await openWorld();
    const { clock } = world.stage;
    let calls = 0;
    const { Ticking, ticks } = ticking({ interval: '10s' }, () => {
      calls += 1;
      if (calls % 10 === 0) throw new Error('every tenth');
    });
    const attempts: number[] = [];
    let failures = 5;
    @ResourceHandlers(Widget)
    class Failing {
      @OnCreate()
      @OnUpdate()
      change(ctx: HandlerContext<Widget>): void {
        attempts.push(ctx.retry);
        if (failures-- > 0) throw new Error('five times');
      }
    }
    const { logs, settled } = await world.startOperator({ providers: [Ticking, Failing] });
    await createWidget(world, 'a', 1);
    await clock.advance(600_000);
    expect(ticks.length).toBeGreaterThan(50);
    ticks.forEach(({ retry }, index) => expect(retry).toBe((index + 1) % 10 === 1 && index > 0 ? 1 : 0));
    const waits = gaps(ticks).filter((_gap, index) => (index + 1) % 10 === 0);
    expect(waits.length).toBeGreaterThanOrEqual(5);
    for (const wait of waits) expect(Math.abs(wait - 1_000)).toBeLessThanOrEqual(200);

    expect(attempts).toEqual([0, 1, 2, 3, 4, 5]);
    failures = 1;
    await setN(world, 'a', 2);
    await settled();
    await clock.advance(2_000);
    expect(attempts.slice(6)).toEqual([0, 1]);
    const told = logs.find({ message: 'Handler failed and will be called again' }).at(-1);
    expect(Math.abs(Number(told?.fields['delay']) - 1_000)).toBeLessThanOrEqual(200);
  });

  it('[TC-37] giving up ends this cause only: exactly the allowed tries, a new change starts afresh, timers go on', async () => {
    const world = await openWorld();
    const { clock } = world.stage;
    const { Ticking, ticks } = ticking({ interval: '5s' });
    const counted: string[] = [];
    const timed: string[] = [];
    const refuse = (ctx: HandlerContext<Widget>): void => {
      if (ctx.spec['n'] === 1) throw new TemporaryError('not yet', { delay: '30s' });
    };
    @ResourceHandlers(Widget)
    class Failing {
      @OnCreate({ retries: 3 })
      @OnUpdate()
      counted(ctx: HandlerContext<Widget>): void {
        counted.push(`${ctx.cause} ${String(ctx.spec['n'])} ${ctx.retry}`);
        refuse(ctx);
      }

      @OnCreate({ giveUpAfter: '10s' })
      @OnUpdate()
      timed(ctx: HandlerContext<Widget>): void {
        timed.push(`${ctx.cause} ${String(ctx.spec['n'])} ${ctx.retry}`);
        refuse(ctx);
      }
    }
    const providers = [Ticking, Failing];
    const running = await world.startOperator({ providers });
    await createWidget(world, 'a', 1);
    await clock.advance(5_000);
    // A retry that could not succeed any more is a failure at once.
    const gaveUp = (): unknown[] =>
      running.logs.find({ message: 'Handler failed for good' }).map(({ fields }) => fields['handler']);
    expect(gaveUp()).toEqual(['Failing.timed']);
    await clock.advance(120_000);
    expect(counted).toEqual(['create 1 0', 'create 1 1', 'create 1 2']);
    expect(timed).toEqual(['create 1 0']);
    expect(gaveUp()).toEqual(['Failing.timed', 'Failing.counted']);
    expect(new Set(gaps(ticks))).toEqual(new Set([5_000]));
    const before = ticks.length;

    await running.close();
    const again = await world.startOperator({ providers });
    await again.settled();
    await clock.advance(60_000);
    expect([counted.length, timed.length]).toEqual([3, 1]);
    expect(ticks.length).toBeGreaterThan(before + 10);
    await setN(world, 'a', 2);
    await again.settled();
    expect(counted.slice(3)).toEqual(['update 2 0']);
    expect(timed.slice(1)).toEqual(['update 2 0']);
  });
});

describe('objects that others care for', () => {
  it('are never written when they match no handler; what stops to match loses its finalizer and its timer', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const secret = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', name, namespace: 'default' });
    const mine = { labels: { mine: 'yes' } };
    const calls: string[] = [];
    const ticks: string[] = [];
    @ResourceHandlers('secrets')
    class SecretHandlers {
      @OnCreate(mine)
      @OnUpdate(mine)
      @OnDelete(mine)
      change({ cause, meta }: HandlerContext): void {
        calls.push(`${cause} ${meta.name}`);
      }

      @Timer({ interval: '10s', jitter: 0, ...mine })
      tick({ meta }: HandlerContext): void {
        ticks.push(meta.name);
      }
    }
    for (let n = 0; n < 500; n += 1) {
      const labels = n < 5 ? { mine: 'yes' } : { mine: 'no' };
      const metadata = { name: `s${n}`, namespace: 'default', labels };
      await api.create({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { n: String(n) } });
    }
    const running = await world.startOperator({ providers: [SecretHandlers] });
    await running.settled();
    const written = (): string[] => [
      ...new Set(running.transport.writes.map(({ path }) => path.split('/').at(-1) ?? '')),
    ];
    expect(written().toSorted()).toEqual(['s0', 's1', 's2', 's3', 's4']);
    expect(calls.toSorted()).toEqual([0, 1, 2, 3, 4].map((n) => `create s${n}`));

    await api.patch(secret('s0'), { metadata: { labels: { mine: 'no' } } });
    await running.settled();
    const left = (await api.get(secret('s0')))!.metadata;
    expect(left.finalizers ?? []).toEqual([]);
    ticks.length = 0;
    await clock.advance(20_000);
    expect(ticks.includes('s0')).toBe(false);

    await api.patch(secret('s9'), { metadata: { labels: { mine: 'yes' } } });
    await running.settled();
    expect(calls.slice(5)).toEqual(['create s9']);
    await running.close();

    const again = await world.startOperator({ providers: [SecretHandlers] });
    await again.settled();
    await clock.advance(5_000);
    expect(again.transport.writes).toEqual([]);
    expect(calls).toHaveLength(6);
    await world.expectQuiet();
  });

  it('[TC-30] keep the finalizer of another operator; an own one that is needed no more goes', async () => {
    const world = await openWorld();
    @ResourceHandlers(Widget)
    class Deleting {
      @OnDelete()
      remove(): void {}
    }
    @ResourceHandlers(Widget)
    class Observing {
      @OnWatchEvent()
      look(): void {}
    }
    const { Ticking } = ticking({ interval: '10s', finalizer: true });
    const finalizers = async (): Promise<readonly string[]> =>
      [...((await world.stage.api.get(ref('a')))?.metadata.finalizers ?? [])].toSorted();
    await world.startOperator({ providers: [Deleting], operator: { name: 'a.example' } });
    const b = await world.startOperator({ providers: [Observing, Ticking], operator: { name: 'b.example' } });
    await createWidget(world, 'a', 1);
    await b.settled();
    expect(await finalizers()).toEqual(['a.example/finalizer', 'b.example/finalizer']);
    await b.close();
    const upgraded = await world.startOperator({ providers: [Observing], operator: { name: 'b.example' } });
    await upgraded.settled();
    expect(await finalizers()).toEqual(['a.example/finalizer']);
    await setN(world, 'a', 2);
    await world.expectQuiet();
    expect(await finalizers()).toEqual(['a.example/finalizer']);
  });
});
