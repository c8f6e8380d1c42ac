import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  HandlerContext,
  KubeClient,
  LeadershipLostError,
  OnCreate,
  OnResume,
  OnUpdate,
  ResourceHandlers,
  Timer,
} from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { openStage, ReplicaClock, second, startReplica, widget } from './two-replicas.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const handledBy = { apiVersion: 'demo.example/v1', kind: 'Widget', namespace: 'default' };

describe('a lead that cannot be renewed', () => {
  it('aborts the handlers before the lease runs out, refuses their writes, records nothing, and ends with code 1', async () => {
    const stage = await openStage();
    const aborted: number[] = [];
    const refused: unknown[] = [];
    @ResourceHandlers(Widget)
    class Slow {
      constructor(private readonly client: KubeClient) {}

      @OnCreate() async create(ctx: HandlerContext<Widget>): Promise<{ by: string }> {
        await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve(), { once: true }));
        aborted.push(stage.clock.monotonic());
        await this.client
          .patch(Widget, { name: 'one', namespace: 'default' }, { spec: { by: 'a' } })
          .catch((error: unknown) => refused.push(error));
        return { by: 'a' };
      }
    }
    @ResourceHandlers(Widget)
    class Quick {
      @OnCreate() create(): { by: string } {
        return { by: 'b' };
      }
    }
    const a = await startReplica({ stage, identity: 'a', providers: [Slow] });
    const end = a.operator.done.catch((error: unknown) => error);
    await stage.settled();
    const b = await startReplica({ stage, identity: 'b', providers: [Quick] });
    await stage.api.create(widget('one'));
    await stage.clock.advance(5 * second);
    const fault = stage.api.faults.add({ match: { resource: 'leases', verb: 'update' }, do: { action: 'reset' } });
    const blockedAt = stage.clock.monotonic();
    await stage.clock.advance(12 * second);
    fault.remove();
    expect(aborted).toHaveLength(1);
    // The last renewal was up to a retry period before.
    expect(aborted[0]! - blockedAt).toBeLessThanOrEqual(10 * second);
    expect(refused).toEqual([expect.any(LeadershipLostError)]);
    expect(await end).toMatchObject({ cause: { code: 'OPERATOR_LEADERSHIP_LOST', because: 'expired' } });
    expect(a.exit.code).toBe(1);
    await stage.clock.advance(10 * second);
    expect(b.operator.getStatus().leadership.state).toBe('leading');
    const one = await stage.api.get({ ...handledBy, name: 'one' });
    expect(one).toMatchObject({ spec: {}, status: { by: 'b' } });
  });

  it('[FS-31] with an event loop that user code blocked for 12 s counts as lost though timers fire late, and ends with code 1', async () => {
    const stage = await openStage();
    const clock = new ReplicaClock(stage);
    const wrote: string[] = [];
    const refused: unknown[] = [];
    @ResourceHandlers(Widget)
    class Busy {
      constructor(private readonly client: KubeClient) {}

      @OnCreate() async create(ctx: HandlerContext<Widget>): Promise<void> {
        clock.block(12 * second);
        await this.client
          .patch(Widget, { name: 'one', namespace: 'default' }, { spec: { by: 'a' } })
          .then(() => wrote.push(ctx.meta.name))
          .catch((error: unknown) => refused.push(error));
      }
    }
    const a = await startReplica({ stage, identity: 'a', providers: [Busy], clock });
    const end = a.operator.done.catch((error: unknown) => error);
    await stage.clock.advance(5 * second);
    const before = stage.api.store.revision;
    await stage.api.create(widget('one'));
    await stage.settled();
    expect(wrote).toEqual([]);
    expect(refused).toEqual([expect.any(LeadershipLostError)]);
    await stage.clock.advance(5 * second);
    expect(await end).toMatchObject({ cause: { code: 'OPERATOR_LEADERSHIP_LOST' } });
    expect(a.exit).toMatchObject({ code: 1, exits: [1] });
    expect(await stage.api.get({ ...handledBy, name: 'one' })).not.toHaveProperty('metadata.annotations');
    expect(stage.api.store.revision).toBeGreaterThan(before);
  });
});

it('[FS-30] clocks that differ by ten minutes, and jump, make no second leader', async () => {
  const stage = await openStage();
  const calls: Array<{ readonly by: string; readonly at: number }> = [];
  const tick = (by: string) => {
    @ResourceHandlers(Widget)
    class Ticking {
      @Timer({ interval: '500ms' }) tick(): void {
        calls.push({ by, at: stage.clock.monotonic() });
      }
    }
    return [Ticking];
  };
  const ahead = new ReplicaClock(stage, 600 * second);
  const behind = new ReplicaClock(stage, -600 * second);
  await stage.api.create(widget('one'));
  const a = await startReplica({ stage, identity: 'ahead', providers: tick('ahead'), clock: ahead });
  await stage.settled();
  const b = await startReplica({ stage, identity: 'behind', providers: tick('behind'), clock: behind });
  const even = await startReplica({ stage, identity: 'even', providers: tick('even') });
  await stage.clock.advance(40 * second);
  ahead.wallOffset -= 1_200 * second;
  behind.wallOffset += 1_200 * second;
  await stage.clock.advance(40 * second);
  expect(new Set(calls.map(({ by }) => by))).toEqual(new Set(['ahead']));
  await a.close();
  await stage.clock.advance(20 * second);
  const second_ = calls.at(-1)!.by;
  await (second_ === 'behind' ? b : even).close();
  await stage.clock.advance(20 * second);
  // Each lead is one piece: nobody works between the first and the last call of another one.
  const leads = calls.map(({ by }) => by).filter((by, index, all) => by !== all[index - 1]);
  expect(leads.toSorted()).toEqual(['ahead', 'behind', 'even']);
});

it('[TC-65] the lease given and taken 20 times, and a store that is away for 2 minutes: one works at a time, and one in the end', async () => {
  const stage = await openStage();
  const running = new Set<string>();
  const overlaps: string[] = [];
  const ticks: Array<{ readonly by: string; readonly name: string; readonly at: number }> = [];
  const handlers = (by: string) => {
    @ResourceHandlers(Widget)
    class Restless {
      @OnCreate() @OnUpdate() @OnResume() async retried(ctx: HandlerContext<Widget>): Promise<void> {
        await this.#call(ctx, 300);
        throw new Error('It is to be tried again.');
      }

      @Timer({ interval: '5s' }) async tick(ctx: HandlerContext<Widget>): Promise<void> {
        ticks.push({ by, name: ctx.meta.name, at: stage.clock.monotonic() });
        await this.#call(ctx, 100);
      }

      async #call(ctx: HandlerContext<Widget>, milliseconds: number): Promise<void> {
        const others = [...running].filter((call) => !call.startsWith(`${by} `));
        overlaps.push(...others);
        const call = `${by} ${ctx.meta.name}`;
        running.add(call);
        await new Promise<void>((resolve) => {
          const timer = stage.clock.setTimer(milliseconds, resolve);
          ctx.signal.addEventListener(
            'abort',
            () => {
              timer.cancel();
              resolve();
            },
            { once: true },
          );
        });
        running.delete(call);
      }
    }
    return [Restless];
  };
  const names = Array.from({ length: 50 }, (_none, index) => `w${index}`);
  for (const name of names) await stage.api.create(widget(name));
  const election = { onLost: 'standby' } as const;
  const operator = { retry: { initial: '3s', cap: '3s' }, events: { enabled: false } } as const;
  const replicas = [
    await startReplica({ stage, identity: 'a', providers: handlers('a'), election, operator }),
    await startReplica({ stage, identity: 'b', providers: handlers('b'), election, operator }),
  ];
  const leaders = (): string[] =>
    replicas.map((replica, index) => `${'ab'[index]} ${replica.operator.getStatus().leadership.state}`);
  const settled = async (): Promise<void> => {
    await stage.clock.advanceUntil(() => leaders().some((one) => one.endsWith('leading')));
    await stage.clock.advance(8 * second);
  };
  await settled();
  const timersBefore = stage.clock.pending;
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: 'default', name: 'op.example.com' };
  /** Without what the test itself notes. */
  const heap = (): number => {
    for (const { logs } of replicas) logs.clear();
    stage.api.requests.clear();
    stage.api.compact();
    ticks.length = 0;
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  let young = 0;
  for (let round = 0; round < 20; round += 1) {
    if (round === 5) young = heap();
    await stage.api.patch(lease, { spec: { holderIdentity: 'somebody', leaseDurationSeconds: 3 } });
    await stage.clock.advance(2.5 * second);
    await stage.api.patch(lease, { spec: { holderIdentity: '', leaseDurationSeconds: 1 } });
    await settled();
  }
  // Fifteen leads later.
  expect(heap() - young, 'bytes').toBeLessThan(3_000_000);
  const fault = stage.api.faults.add({ do: { action: 'reset' } });
  await stage.clock.advance(120 * second);
  expect(leaders()).not.toContain('a leading');
  expect(leaders()).not.toContain('b leading');
  fault.remove();
  await settled();
  await stage.clock.advance(60 * second);
  expect(overlaps).toEqual([]);
  expect(leaders().filter((one) => one.endsWith('leading'))).toHaveLength(1);
  // No timer is doubled: each object's ticks are as far apart as they should be.
  const end = stage.clock.monotonic();
  for (const name of names) {
    const last = ticks.filter((tick) => tick.name === name && tick.at > end - 31 * second);
    expect(last.length).toBeGreaterThanOrEqual(5);
    expect(last.length).toBeLessThanOrEqual(7);
  }
  // What a lead leaves behind would add up.
  expect(stage.clock.pending).toBeLessThan(timersBefore + 30);
  for (const { operator: own } of replicas) expect(own.getStatus().state).toBe('running');
}, 120_000);
