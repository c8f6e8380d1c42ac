import 'reflect-metadata';
import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { LogRecorder } from '@nestjs-operator/testing';
import { FatalError, HandlerContext, OnCreate, OnUpdate, OperatorModule, ResourceHandlers } from 'nestjs-operator';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as changeDecision from '../../../libs/operator/src/engine/handling/change-decision.js';
import { ObjectWriter } from '../../../libs/operator/src/engine/processing/object-writer.js';
import { DueHeap } from '../../../libs/operator/src/engine/queueing/due-heap.js';
import { SlotPool } from '../../../libs/operator/src/engine/queueing/slot-pool.js';
import { WorkQueue } from '../../../libs/operator/src/engine/queueing/work-queue.js';
import { FrameSplitter } from '../../../libs/operator/src/engine/watching/frame-splitter.js';
import { ObjectStore } from '../../../libs/operator/src/engine/watching/object-store.js';
import { Widget } from '../../support/kinds.js';
import { openWorld } from './open-world.js';

// A module's own functions can be replaced for its importers only.
vi.mock(import('../../../libs/operator/src/engine/handling/change-decision.js'), { spy: true });

const fault = new RangeError('A fault that nobody expected.');
const graceTime = 25_000;

@Injectable()
class ShutdownWitness implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly hooks: string[] = [];

  onModuleDestroy(): void {
    this.hooks.push('onModuleDestroy');
  }

  beforeApplicationShutdown(): void {
    this.hooks.push('beforeApplicationShutdown');
  }

  onApplicationShutdown(): void {
    this.hooks.push('onApplicationShutdown');
  }
}

@ResourceHandlers(Widget)
class WidgetHandlers {
  readonly calls: string[] = [];
  /** What the handler leaves behind, unwatched. */
  detached: (ctx: HandlerContext<Widget>) => void = () => undefined;

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Widget>): void {
    this.calls.push(`${ctx.cause} ${ctx.meta.name}`);
    this.detached(ctx);
  }
}

interface FaultyPart {
  readonly part: string;
  readonly root: RegExp;
  /** Breaks it once. Returns what mends it. */
  readonly install: () => { mockRestore(): unknown };
}

const throwing = (): never => {
  throw fault;
};

/** Everything between the connection and the cycle: there is no object that could be put aside for it. */
const unrecoverable: readonly FaultyPart[] = [
  {
    part: 'the stream reader',
    root: /^watcher of widgets/,
    install: () => vi.spyOn(FrameSplitter.prototype, 'push').mockImplementation(throwing),
  },
  {
    part: 'the store',
    root: /^watcher of widgets/,
    install: () => vi.spyOn(ObjectStore.prototype, 'observe').mockImplementation(throwing),
  },
  {
    part: 'the queue',
    root: /^watcher of widgets/,
    install: () => vi.spyOn(WorkQueue.prototype, 'add').mockImplementation(throwing),
  },
  {
    part: "the queue's order",
    root: /^queue of widgets/,
    install: () => vi.spyOn(DueHeap.prototype, 'put').mockImplementation(throwing),
  },
  {
    part: 'the scheduler',
    root: /^queue of widgets/,
    install: () => vi.spyOn(SlotPool.prototype, 'take').mockImplementation(throwing),
  },
];

/** What serves one object at a time. */
const throttled: readonly Omit<FaultyPart, 'root'>[] = [
  { part: 'the own patcher', install: () => vi.spyOn(ObjectWriter.prototype, 'write').mockImplementation(throwing) },
  {
    part: 'the cause detector',
    install: () => {
      const detector = vi.mocked(changeDecision.decideChange).mockImplementation(throwing);
      return { mockRestore: () => detector.mockReset() };
    },
  },
];

/** The messages of an error and its causes. */
function chainOf(error: unknown): string[] {
  const messages: string[] = [];
  for (let current = error; current instanceof Error; current = current.cause) messages.push(current.message);
  return messages;
}

async function start(operator: object = {}) {
  const world = await openWorld();
  const running = await world.startOperator({ providers: [WidgetHandlers, ShutdownWitness], operator });
  OperatorModule.attach(running.module);
  const handlers = running.module.get(WidgetHandlers);
  const create = (name: string): Promise<unknown> =>
    world.stage.api.create({
      apiVersion: 'demo.example/v1',
      kind: 'Widget',
      metadata: { name, namespace: 'default' },
      spec: {},
    });
  await create('before');
  await world.until(() => handlers.calls.length === 1);
  await running.settled();
  return { ...running, world, handlers, create, hooks: running.module.get(ShutdownWitness).hooks };
}

type Started = Awaited<ReturnType<typeof start>>;

/** The process ends with a code, in time, in order, and says why. */
async function expectEnd({ world, clock, exit, operator, logs, hooks }: Started, root: RegExp): Promise<void> {
  const begun = clock.monotonic();
  const done = operator.done.then(
    () => undefined,
    (error: unknown) => error,
  );
  await clock.advanceUntil(() => exit.exits.length > 0, graceTime);
  expect(clock.monotonic() - begun).toBeLessThanOrEqual(graceTime);
  expect(exit.exits).toEqual([1]);
  expect(exit.code).toBe(1);
  expect(operator.getStatus().state).toBe('failed');
  expect(operator.getStatus().watches.every(({ state }) => state !== 'watching')).toBe(true);
  expect(hooks).toEqual(['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown']);
  expectReason(logs, root);
  expect(chainOf(await done)).toContain(fault.message);
  await world.expectQuiet();
}

/** The last error record tells the reason. */
function expectReason(logs: LogRecorder, root: RegExp): void {
  const last = logs.find({ level: 'error' }).at(-1)!;
  expect(last.message).toBe('Operator failed');
  expect(chainOf(last.error)).toContain(fault.message);
  expect(String(last.fields['origin'])).toMatch(root);
  const after = logs.records.slice(logs.records.indexOf(last) + 1);
  expect(after.filter(({ level }) => level !== 'debug')).toEqual([]);
}

describe('errors below the handlers', () => {
  it.each(unrecoverable)(
    '[TC-41] in $part end the process with code 1, the hooks run, and the reason comes last',
    async ({ root, install }) => {
      const started = await start();
      const broken = install();
      onTestFinished(() => void broken.mockRestore());
      await started.create('after');
      await expectEnd(started, root);
    },
  );

  it.each(throttled)(
    '[TC-41] in $part put the object aside and serve it later, and the operator goes on',
    async ({ install }) => {
      const { world, create, handlers, logs, exit, operator, hooks } = await start();
      const broken = install();
      onTestFinished(() => void broken.mockRestore());
      await create('after');
      await world.pass(10_000);
      expect(operator.getStatus()).toMatchObject({ state: 'running', throttled: 1 });
      const reports = logs.find({ level: 'error', message: 'Processing an object failed; it is throttled' });
      expect(reports.length).toBeGreaterThan(1);
      expect(reports.map(({ error }) => error)).toContain(fault);
      expect(reports[0]!.fields).toMatchObject({ key: 'default/after' });
      broken.mockRestore();
      await world.until(() => operator.getStatus().throttled === 0);
      await create('later');
      await world.until(() => handlers.calls.includes('create later'));
      expect(handlers.calls).toEqual(['create before', 'create after', 'create later']);
      expect(exit.exits).toEqual([]);
      expect(hooks).toEqual([]);
      await world.expectQuiet();
    },
  );

  it.each(throttled)('[TC-41] in $part end the process where objects are not to be put aside', async ({ install }) => {
    const started = await start({ queue: { throttle: [] } });
    const broken = install();
    onTestFinished(() => void broken.mockRestore());
    await started.create('after');
    await expectEnd(started, /^queue of widgets/);
    expect(started.logs.find({ message: 'Unrecoverable error in a worker' })[0]!.fields).toMatchObject({
      key: 'default/after',
    });
  });

  it('[TC-41] in a detached promise of a handler end the process and are told with the handler', async () => {
    // The test runner's own listener would take the rejection for the test's.
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    onTestFinished(() => {
      for (const listener of others) process.on('unhandledRejection', listener);
    });
    const started = await start();
    started.handlers.detached = ({ meta }) => {
      if (meta.name !== 'after') return;
      const detached = Promise.resolve().then(throwing);
      expect(detached).toBeInstanceOf(Promise);
    };
    await started.create('after');
    await expectEnd(
      started,
      /^handler WidgetHandlers\.ensure of widgets\.v1\.demo\.example default\/after \(unhandled rejection\)$/,
    );
    expect(process.listenerCount('unhandledRejection')).toBe(0);
  });

  it('[TC-41] that a handler calls fatal end the process too', async () => {
    const started = await start();
    started.handlers.detached = () => {
      throw new FatalError('The handler gives up for all.', { cause: fault });
    };
    await started.create('after');
    await expectEnd(started, /^handler WidgetHandlers\.ensure/);
  });
});
