import 'reflect-metadata';
import { Daemon, HandlerContext, OnCreate, OnUpdate, ResourceHandlers, TemporaryError, Timer } from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import { Widget } from '../support/kinds.js';
import { openWorld } from './trials/open-world.js';
import { ref } from './trials/widgets.js';

const widget = (
  name: string,
  size = 1,
): Parameters<Awaited<ReturnType<typeof openWorld>>['stage']['api']['create']>[0] => ({
  ...ref(name),
  metadata: { name, namespace: 'default' },
  spec: { size },
});

describe('an operator that is paused', () => {
  it('begins nothing, keeps watching, and goes on with the newest state, once', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const calls: string[] = [];
    @ResourceHandlers(Widget)
    class Handlers {
      @OnCreate()
      @OnUpdate()
      ensure(ctx: HandlerContext<Widget>): void {
        calls.push(`${ctx.cause} ${ctx.meta.name} ${(ctx.spec as { size: number }).size}`);
        if (ctx.meta.name === 'failing' && ctx.retry === 0) throw new TemporaryError('Later.', { delay: '10s' });
      }
      @Timer({ interval: '1m' })
      tick(ctx: HandlerContext<Widget>): void {
        if (ctx.meta.name === 'ticking') calls.push('tick');
      }
    }
    const { operator, transport } = await world.startOperator({ providers: [Handlers] });
    for (const name of ['old', 'failing', 'ticking']) await api.create(widget(name));
    await world.stage.settled();
    expect(calls.splice(0)).toEqual(['create old 1', 'create failing 1', 'create ticking 1', 'tick']);
    expect((await operator.getHealth()).paused).toBe(false);

    await operator.pause();
    await operator.pause();
    expect(operator.getStatus()).toMatchObject({ state: 'running', paused: true });
    for (const size of [2, 3, 4]) await api.patch(ref('old'), { spec: { size } });
    await api.create(widget('new'));
    await api.create(widget('passing'));
    await api.delete(ref('passing'));
    transport.clear();
    await clock.advance(600_000);
    expect(calls).toEqual([]);
    expect(transport.writes).toEqual([]);
    expect(Object.values(operator.getStatus().objects)).toEqual([4]);
    const health = await operator.getHealth();
    expect([health.paused, health.liveness.ok, health.readiness.ok]).toEqual([true, true, true]);

    const reads = (): number =>
      api.requests.filter(({ verb, resource }) => ['list', 'watch'].includes(String(verb)) && resource === 'widgets')
        .length;
    const before = reads();
    expect(before).toBeGreaterThan(0);
    operator.resume();
    operator.resume();
    await world.stage.settled();
    expect(calls.splice(0).toSorted()).toEqual(['create failing 1', 'create new 1', 'tick', 'update old 4']);
    expect(operator.getStatus().paused).toBe(false);
    // The store is warm: nothing was listed again.
    expect(reads()).toBe(before);
    await clock.advance(59_000);
    expect(calls).toEqual([]);
    await clock.advance(1_000);
    expect(calls).toEqual(['tick']);
  });

  it('ends daemons as paused, sends what they leave behind, and starts them again', async () => {
    const world = await openWorld();
    const { api } = world.stage;
    const lives: string[] = [];
    @ResourceHandlers(Widget)
    class Handlers {
      @Daemon()
      async live(ctx: HandlerContext<Widget>): Promise<void> {
        lives.push('begins');
        await ctx.stopped.wait();
        lives.push(String(ctx.stopped.reason));
        ctx.patch.merge({ metadata: { labels: { left: String(ctx.stopped.reason) } } });
      }
    }
    const { operator } = await world.startOperator({ providers: [Handlers] });
    await api.create(widget('one'));
    await world.until(() => lives.length === 1);
    const pausing = operator.pause();
    await world.stage.settled();
    await pausing;
    expect(lives).toEqual(['begins', 'paused']);
    expect((await api.get(ref('one')))?.metadata.labels).toEqual({ left: 'paused' });
    await world.pass(60_000);
    expect(lives).toHaveLength(2);
    operator.resume();
    await world.stage.settled();
    expect(lives).toEqual(['begins', 'paused', 'begins']);
  });

  it('lets what runs end, tells who takes longer than the drain, and can be resumed meanwhile', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const calls: string[] = [];
    @ResourceHandlers(Widget)
    class Handlers {
      @OnCreate()
      async ensure(ctx: HandlerContext<Widget>): Promise<void> {
        calls.push(`begin ${ctx.meta.name}`);
        await new Promise<void>((resolve) => clock.setTimer((ctx.spec as { size: number }).size, resolve));
        calls.push(`end ${ctx.meta.name}`);
      }
    }
    const { operator, logs } = await world.startOperator({ providers: [Handlers] });
    await api.create(widget('short', 5_000));
    await world.until(() => calls.length === 1);
    let paused = false;
    const first = operator.pause().then(() => (paused = true));
    await clock.advance(4_000);
    expect(paused).toBe(false);
    await clock.during(first);
    expect(calls).toEqual(['begin short', 'end short']);
    operator.resume();

    await api.create(widget('long', 60_000));
    await world.until(() => calls.length === 3);
    const second = operator.pause();
    await clock.during(second);
    expect(logs.find({ message: 'Operator paused while handlers go on' })).toHaveLength(1);
    const third = operator.pause();
    operator.resume();
    await third;
    await clock.advance(60_000);
    expect(calls).toEqual(['begin short', 'end short', 'begin long', 'end long']);
  });

  it('may be so before its start, and may be stopped', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const calls: string[] = [];
    @ResourceHandlers(Widget)
    class Handlers {
      @OnCreate()
      ensure(ctx: HandlerContext<Widget>): void {
        calls.push(ctx.meta.name);
      }
    }
    const { operator } = await world.startOperator({
      providers: [Handlers],
      operator: { autoStart: false },
      synced: false,
    });
    operator.resume();
    await operator.pause();
    expect(operator.getStatus()).toMatchObject({ state: 'idle', paused: true });
    await clock.during(operator.start());
    await api.create(widget('one'));
    await clock.advance(60_000);
    expect(calls).toEqual([]);
    expect(operator.getStatus()).toMatchObject({ state: 'running', paused: true, found: true });
    const synced = operator.whenSynced();
    operator.resume();
    await clock.during(synced);
    await world.stage.settled();
    expect(calls).toEqual(['one']);

    await operator.pause();
    await api.create(widget('two'));
    await clock.during(operator.stop());
    operator.resume();
    await operator.pause();
    await clock.advance(60_000);
    expect(calls).toEqual(['one']);
    expect(operator.getStatus().state).toBe('stopped');
  });
});
