import { Injectable, Logger } from '@nestjs/common';
import type { TestStage } from '@nestjs-operator/testing';
import { HandlerContext, OnCleanup, OnCreate, OnStartup, OperatorRef, ResourceHandlers } from 'nestjs-operator';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StderrOutput } from '../../../libs/operator/src/engine/ports/index.js';
import { ObjectWriter } from '../../../libs/operator/src/engine/processing/object-writer.js';
import { WorkQueue } from '../../../libs/operator/src/engine/queueing/work-queue.js';
import { EventRecorder } from '../../../libs/operator/src/engine/recorder/event-recorder.js';
import { StopDeadlineError } from '../../../libs/operator/src/errors/stop-deadline.error.js';
import { TaskEndedError } from '../../../libs/operator/src/errors/task-ended.error.js';
import { Reflector } from '../../../libs/operator/src/engine/watching/reflector.js';
import { WatchGuard } from '../../../libs/operator/src/engine/watching/watch-guard.js';
import { Gadget, Widget } from '../../support/kinds.js';
import { unthrottled, watchersOfTwoKinds, workerFails } from './scenarios.js';
import {
  chainOf,
  createScene,
  createStage,
  gadgets,
  hooks,
  object,
  sleep,
  widgets,
  type Scene,
  type SceneSpec,
} from './support.js';

const drainOver = 'Handlers still run at the end of the drain; they are aborted';
const hung = 'Hung tasks: they ignore their signal and are left behind';

let stage: TestStage;
let scene: Scene | undefined;

beforeEach(async () => {
  stage = await createStage();
});

afterEach(async () => {
  await scene?.close();
  await scene?.stage.close();
  await stage.close();
  scene = undefined;
  vi.restoreAllMocks();
});

/** Handlers of Widgets that take `spec.work` milliseconds, and obey their signal unless `spec.deaf` is set. */
function workers(aborts: number[] = []) {
  @ResourceHandlers(Widget)
  class WorkingHandlers {
    @OnCreate()
    async work(ctx: HandlerContext<Widget>): Promise<{ done: boolean }> {
      ctx.signal.addEventListener('abort', () => aborts.push(stage.clock.monotonic()));
      const deaf = ctx.spec['deaf'] !== undefined;
      await sleep(stage.clock, Number(ctx.spec['work'] ?? 0), deaf ? undefined : ctx.signal);
      return { done: true };
    }
  }

  @ResourceHandlers(Gadget)
  class GadgetHandlers {
    @OnCreate()
    ensure(): void {}
  }

  return [WorkingHandlers, GadgetHandlers];
}

async function start(spec: SceneSpec = {}): Promise<Scene> {
  scene = await createScene(stage, { providers: workers(), ...spec });
  await stage.clock.during(scene.operator.whenSynced());
  await stage.settled();
  return scene;
}

const expectedTasks = [
  'event recorder',
  'lookup of resources',
  `queue of ${gadgets}`,
  `queue of ${widgets}`,
  'watch guard',
  `watcher of ${gadgets}`,
  `watcher of ${widgets}`,
];

describe('a root task that ends though it should run forever', () => {
  const tasks = {
    [`watcher of ${widgets}`]: () =>
      vi.spyOn(Reflector.prototype, 'run').mockImplementationOnce(() => sleep(stage.clock, 5_000)),
    [`queue of ${widgets}`]: () =>
      vi.spyOn(WorkQueue.prototype, 'run').mockImplementationOnce(() => sleep(stage.clock, 5_000)),
    'event recorder': () =>
      vi.spyOn(EventRecorder.prototype, 'run').mockImplementationOnce(() => sleep(stage.clock, 5_000)),
    'watch guard': () => vi.spyOn(WatchGuard.prototype, 'run').mockImplementationOnce(() => sleep(stage.clock, 5_000)),
  };

  for (const [task, endEarly] of Object.entries(tasks)) {
    test(`[AC-14] ${task}: one warning, the operator stops, and the exit code is not zero`, async () => {
      endEarly();
      scene = await createScene(stage, { providers: workers() });
      await stage.clock.advance(4_999);
      expect(scene.operator.getStatus().state).toBe('running');
      await stage.clock.advance(1);
      const failure = await scene.failure();
      const { logs, exit, operator } = scene;
      expect(
        logs
          .find({ level: 'warn', context: 'Supervisor' })
          .map(({ context, message, fields }) => [context, message, fields]),
      ).toEqual([['Supervisor', 'Task finished unexpectedly', { task }]]);
      expect(operator.getStatus().state).toBe('failed');
      expect([exit.code, exit.exits]).toEqual([1, [1]]);
      expect(failure.cause).toBeInstanceOf(TaskEndedError);
      expect(failure.cause).toMatchObject({ task });
      expect(logs.cancelled).toEqual(expectedTasks.filter((other) => other !== task));
    });
  }
});

describe('a close in order', () => {
  const closings: Readonly<
    Record<
      string,
      { readonly attach: boolean; readonly exits: readonly number[]; close(running: Scene): Promise<void> }
    >
  > = {
    SIGTERM: {
      attach: true,
      exits: [0],
      async close(running) {
        running.events.send('SIGTERM');
        expect(await running.outcome()).toBeUndefined();
        await stage.clock.advance(0);
      },
    },
    'app.close()': { attach: true, exits: [], close: (running) => stage.clock.during(running.module.close()) },
    'app.close() of an application that only imports the module': {
      attach: false,
      exits: [],
      close: (running) => stage.clock.during(running.module.close()),
    },
    'OperatorRef.stop()': { attach: false, exits: [], close: (running) => stage.clock.during(running.operator.stop()) },
  };

  for (const [how, { attach, exits, close }] of Object.entries(closings)) {
    test(`[AC-15] ${how}: watches end as cancelled, without an error record, with code 0`, async () => {
      const { logs, exit, operator, journal, api } = await start({ attach });
      await api.create(object('Widget', 'working', { work: 3_000 }));
      await api.create(object('Widget', 'done'));
      await stage.clock.advance(2_000);
      await close(scene!);
      await stage.clock.advance(60_000);
      expect(logs.cancelled).toEqual(expectedTasks);
      expect(logs.find({ level: 'error' })).toEqual([]);
      expect(logs.find({ level: 'warn', context: 'Supervisor' })).toEqual([]);
      expect(logs.find({ message: 'Operator stopped' })).toHaveLength(1);
      await expect(operator.done).resolves.toBeUndefined();
      expect(operator.getStatus().watches.map(({ state }) => state)).toEqual(['stopped', 'stopped']);
      // An exit code that nobody sets is 0.
      expect(exit.code ?? 0).toBe(0);
      expect(exit.exits).toEqual(exits);
      expect(journal.filter((entry) => hooks.includes(entry))).toEqual(hooks);
      expect(api.watches.list()).toEqual([]);
    });
  }

  test('[AC-15] SIGTERM: handlers that have to be aborted are no failure either', async () => {
    const aborts: number[] = [];
    const { logs, exit, events, api, clock } = await start({ attach: true, providers: workers(aborts) });
    await api.create(object('Widget', 'working', { work: 60_000 }));
    await scene!.settled();
    const signalled = clock.monotonic();
    events.send('SIGTERM');
    expect(await scene!.outcome()).toBeUndefined();
    await clock.advance(60_000);
    expect(aborts).toEqual([signalled + 20_000]);
    expect(logs.find({ level: 'error' })).toEqual([]);
    expect(exit.exits).toEqual([0]);
  });

  test('[AC-15] SIGTERM: a handler that outlives the stop is no failure either', async () => {
    const { logs, exit, events, api, clock } = await start({ attach: true });
    await api.create(object('Widget', 'deaf', { work: 40_000, deaf: 1 }));
    await scene!.settled();
    events.send('SIGTERM');
    expect(await scene!.outcome()).toBeUndefined();
    await clock.advance(60_000);
    expect(logs.find({ level: 'error' })).toEqual([]);
    expect(exit.exits).toEqual([0]);
    expect(logs.only(hung).fields).toEqual({ tasks: [`handler WorkingHandlers.work of ${widgets} default/deaf`] });
  });
});

describe('a failure during a stop', () => {
  test('[AC-16] a worker that throws after SIGTERM is logged, the stop goes on, and the exit code is 1', async () => {
    const { logs, exit, events, api, clock, journal } = await start({ attach: true, operator: unthrottled });
    await api.create(object('Widget', 'late', { work: 3_000 }));
    await scene!.settled();
    api.faults.add({
      match: { verb: 'patch', resource: 'widgets', name: 'late' },
      do: { action: 'answer', status: 422 },
    });
    events.send('SIGTERM');
    await clock.advance(1_000);
    expect([exit.code, exit.exits]).toEqual([undefined, []]);
    const failure = await scene!.failure();
    const worker = logs.only('Unrecoverable error in a worker');
    expect(worker).toMatchObject({
      level: 'error',
      context: 'Worker',
      fields: { resource: widgets, key: 'default/late' },
    });
    expect(worker.error).toMatchObject({ code: 'OPERATOR_API', status: 422 });
    expect(chainOf(failure).at(-1)).toBe(worker.error);
    expect(logs.find({ message: 'Root tasks stopped' })).toHaveLength(1);
    expect(journal.filter((entry) => hooks.includes(entry))).toEqual(hooks);
    expect([exit.code, exit.exits]).toEqual([1, [1]]);
    expect(logs.find({ level: 'error' }).at(-1)!.message).toBe('Operator failed');
  });

  test('[AC-16] a worker that throws when its handler had to be aborted counts as well', async () => {
    const { logs, exit, events, api, clock } = await start({ attach: true, operator: unthrottled });
    await api.create(object('Widget', 'late', { work: 21_000, deaf: 1 }));
    await scene!.settled();
    events.send('SIGTERM');
    await clock.advance(20_500);
    api.faults.add({
      match: { verb: 'patch', resource: 'widgets', name: 'late' },
      do: { action: 'answer', status: 422 },
    });
    const failure = await scene!.failure();
    expect(chainOf(failure).at(-1)).toBe(logs.only('Unrecoverable error in a worker').error);
    expect([exit.code, exit.exits]).toEqual([1, [1]]);
  });

  test('[AC-16] a worker that throws while the application closes, its task long cancelled, counts as well', async () => {
    @Injectable()
    class SlowHook {
      async beforeApplicationShutdown(): Promise<void> {
        await sleep(stage.clock, 2_000);
      }
    }

    const { logs, exit, events, api, clock } = await start({
      attach: true,
      operator: unthrottled,
      providers: [SlowHook, ...workers()],
    });
    await api.create(object('Widget', 'late', { work: 23_000, deaf: 1 }));
    await scene!.settled();
    const boo = new Error('boo');
    vi.spyOn(ObjectWriter.prototype, 'write').mockRejectedValueOnce(boo);
    const signalled = clock.monotonic();
    events.send('SIGTERM');
    await clock.advance(22_900);
    expect(logs.find({ message: 'Root tasks stopped' })).toHaveLength(1);
    expect([exit.code, exit.exits]).toEqual([undefined, []]);
    const failure = await scene!.failure();
    expect(logs.only('Unrecoverable error in a worker').error).toBe(boo);
    expect(chainOf(failure).at(-1)).toBe(boo);
    expect([exit.code, exit.exits]).toEqual([1, [1]]);
    expect(clock.monotonic() - signalled).toBeLessThanOrEqual(25_000);
  });
});

describe('after a crash', () => {
  /** Clean-up handlers that note when they run, and what runs then. */
  function cleaners(outcome: () => void = () => undefined) {
    @Injectable()
    class Cleaner {
      readonly runs: string[] = [];

      constructor(private readonly operator: OperatorRef) {}

      @OnCleanup({ retries: 1 })
      clean(): void {
        const running = this.operator.getStatus().tasks.filter(({ state }) => state === 'running');
        this.runs.push(`clean, ${running.length} tasks run`);
        scene?.journal.push('clean');
        outcome();
      }
    }

    @Injectable()
    class SecondCleaner {
      @OnCleanup()
      cleanToo(): void {
        scene?.journal.push('cleanToo');
      }
    }

    return { Cleaner, SecondCleaner };
  }

  for (const attach of [false, true]) {
    test(`[AC-23] clean-up and shutdown hooks run once, after all root tasks (${attach ? 'attached' : 'module only'})`, async () => {
      const { Cleaner, SecondCleaner } = cleaners();
      const crash = await workerFails({ attach, providers: [Cleaner, SecondCleaner] });
      scene = crash.scene;
      const failure = await scene.failure();
      await scene.clock.advance(60_000);
      const order = [
        'Task cancelled',
        'Root tasks stopped',
        'clean',
        'cleanToo',
        ...hooks,
        'Operator failed',
        'exit 1',
      ];
      const seen = scene.journal.filter((entry) => order.includes(entry));
      expect(seen.filter((entry, index) => entry !== 'Task cancelled' || seen[index - 1] !== entry)).toEqual(order);
      expect(scene.module.get(Cleaner).runs).toEqual(['clean, 0 tasks run']);
      expect(chainOf(failure).at(-1)).toBe(crash.boo);
    });
  }

  test('[AC-23] a clean-up handler that fails is logged, hides nothing, and holds up nobody', async () => {
    const broken = new Error('the broom is gone');
    const { Cleaner, SecondCleaner } = cleaners(() => {
      throw broken;
    });
    const crash = await workerFails({ providers: [Cleaner, SecondCleaner] });
    scene = crash.scene;
    const failure = await scene.failure();
    const record = scene.logs.only('Clean-up handler failed');
    expect(record).toMatchObject({ level: 'error', fields: { handler: 'Cleaner.clean' } });
    expect(record.error).toBe(broken);
    expect(chainOf(failure).at(-1)).toBe(crash.boo);
    expect(chainOf(failure)).not.toContain(broken);
    const order = ['clean', 'cleanToo', ...hooks, 'Operator failed'];
    expect(scene.journal.filter((entry) => order.includes(entry))).toEqual(order);
    expect(scene.exit.exits).toEqual([1]);
  });

  test('[AC-23] a clean-up handler that fails until its time is over is logged with its own error', async () => {
    const broken = new Error('the broom is gone');

    @Injectable()
    class Cleaner {
      @OnCleanup()
      clean(): void {
        throw broken;
      }
    }

    const crash = await workerFails({ providers: [Cleaner] });
    scene = crash.scene;
    const failure = await scene.failure();
    expect(scene.logs.only('Clean-up handler failed').error).toBe(broken);
    expect(chainOf(failure).at(-1)).toBe(crash.boo);
    expect(scene.journal.filter((entry) => hooks.includes(entry))).toEqual(hooks);
    expect(scene.exitTimes[0]! - crash.failedAt).toBeLessThanOrEqual(25_000);
    expect(scene.exit.exits).toEqual([1]);
  });

  test('[AC-23] a shutdown hook that throws is logged and hides nothing', async () => {
    const broken = new Error('the hook is bent');

    @Injectable()
    class BentHook {
      beforeApplicationShutdown(): void {
        throw broken;
      }
    }

    // Nest tells of hooks that throw by itself.
    const told = vi.spyOn(Logger, 'error').mockReturnValue(undefined);
    const crash = await workerFails({ providers: [BentHook] });
    scene = crash.scene;
    const failure = await scene.failure();
    expect(told.mock.calls.map(([thrown]) => thrown)).toEqual([broken]);
    expect(chainOf(failure).at(-1)).toBe(crash.boo);
    expect(scene.journal.filter((entry) => hooks.includes(entry))).toEqual(hooks);
    expect(scene.exit.exits).toEqual([1]);
  });
});

describe('what ignores its signal', () => {
  test('[AC-24] a root task gets 5 s, is named in the log, and does not keep the process', async () => {
    vi.spyOn(EventRecorder.prototype, 'run').mockImplementationOnce(() => new Promise(() => undefined));
    const { logs, exit, exitTimes, events, clock } = await start({ attach: true });
    const begun = clock.monotonic();
    events.send('SIGTERM');
    expect(await scene!.outcome()).toBeUndefined();
    await clock.advance(0);
    const stopped = logs.only('Root tasks stopped');
    expect(logs.timeOf(stopped) - begun).toBe(5_000);
    expect(stopped.fields).toEqual({ hung: 1 });
    expect(logs.only(hung)).toMatchObject({ level: 'warn', fields: { tasks: ['task event recorder'] } });
    expect(exitTimes).toHaveLength(1);
    expect(exitTimes[0]! - begun).toBeLessThanOrEqual(25_000);
    expect(exit.exits).toEqual([0]);
  });

  test('[AC-24] the same after a crash, with a deaf handler beside it: each gets 5 s', async () => {
    vi.spyOn(EventRecorder.prototype, 'run').mockImplementationOnce(() => new Promise(() => undefined));
    const boo = new Error('boo');
    const { WidgetHandlers } = watchersOfTwoKinds(boo);
    const aborts: number[] = [];
    const { logs, exit, exitTimes, api, clock } = await start({
      operator: unthrottled,
      providers: [WidgetHandlers, ...workers(aborts)],
    });
    await api.create(object('Widget', 'slow', { work: 600_000, deaf: 1 }));
    await scene!.settled();
    const begun = clock.monotonic();
    await api.create(object('Widget', 'bad', { bad: 1 }));
    await scene!.failure();
    expect(logs.timeOf(logs.only(drainOver)) - begun).toBe(2_000);
    expect(aborts).toEqual([begun + 2_000]);
    expect(logs.timeOf(logs.only('Root tasks stopped')) - begun).toBe(2_000 + 5_000 + 5_000);
    expect(logs.only(hung).fields).toEqual({
      tasks: [`handler WorkingHandlers.work of ${widgets} default/slow`, 'task event recorder'],
    });
    expect(exit.exits).toEqual([1]);
    expect(exitTimes[0]! - begun).toBeLessThanOrEqual(25_000);
  });

  test('[AC-24] with shutdown.grace the time is another one', async () => {
    vi.spyOn(EventRecorder.prototype, 'run').mockImplementationOnce(() => new Promise(() => undefined));
    const { logs, events, clock } = await start({ attach: true, operator: { shutdown: { grace: '1s' } } });
    const begun = clock.monotonic();
    events.send('SIGTERM');
    await scene!.outcome();
    expect(logs.timeOf(logs.only('Root tasks stopped')) - begun).toBe(1_000);
  });
});

describe('a second signal', () => {
  for (const [first, second, code] of [
    ['SIGTERM', 'SIGTERM', 143],
    ['SIGTERM', 'SIGINT', 130],
    ['SIGINT', 'SIGTERM', 143],
    ['SIGINT', 'SIGINT', 130],
  ] as const) {
    test(`[AC-25] ${first}, then ${second}: the process ends at once with ${code}, one record, no uncaught exception`, async () => {
      const { logs, exit, exitTimes, events, api, clock } = await start({ attach: true });
      await api.create(object('Widget', 'slow', { work: 15_000 }));
      await scene!.settled();
      events.send(first);
      await clock.advance(1_000);
      expect(exit.exits).toEqual([]);
      const before = logs.records.length;
      events.send(second);
      expect(exit.exits).toEqual([code]);
      expect(exitTimes).toEqual([clock.monotonic()]);
      expect(
        logs.records.slice(before).map(({ level, context, message, fields }) => [level, context, message, fields]),
      ).toEqual([['warn', 'Signals', 'Second signal; the process ends at once', { signal: second, code }]]);
      expect(events.raised).toEqual([]);
      await scene!.outcome();
    });
  }

  test('[AC-25] during the stop after a crash as well', async () => {
    const boo = new Error('boo');
    const { WidgetHandlers } = watchersOfTwoKinds(boo);
    const { logs, exit, events, api, clock } = await start({
      attach: true,
      operator: unthrottled,
      providers: [WidgetHandlers, ...workers()],
    });
    await api.create(object('Widget', 'slow', { work: 600_000, deaf: 1 }));
    await api.create(object('Widget', 'bad', { bad: 1 }));
    await scene!.settled();
    expect(scene!.operator.getStatus().state).toBe('draining');
    events.send('SIGTERM');
    await clock.advance(1_000);
    events.send('SIGTERM');
    expect(exit.exits).toEqual([143]);
    expect(logs.find({ message: 'Second signal; the process ends at once' })).toHaveLength(1);
    await scene!.outcome();
  });
});

describe('the total deadline', () => {
  for (const how of ['a clean stop', 'a crash'] as const) {
    test(`[AC-26] ${how} that exceeds it ends the process with 1, whatever is still open`, async () => {
      const written: string[] = [];
      vi.spyOn(StderrOutput.prototype, 'write').mockImplementation((text) => void written.push(text));
      let release = (): void => undefined;

      @Injectable()
      class HangingHook {
        beforeApplicationShutdown(): Promise<void> {
          return new Promise((resolve) => {
            release = resolve;
          });
        }
      }

      const boo = new Error('boo');
      const { WidgetHandlers } = watchersOfTwoKinds(boo);
      const { logs, exit, exitTimes, events, api, clock, operator } = await start({
        attach: true,
        operator: unthrottled,
        providers: [HangingHook, WidgetHandlers],
      });
      const handle = setInterval(() => undefined, 60_000);
      const begun = clock.monotonic();
      if (how === 'a crash') await api.create(object('Widget', 'bad', { bad: 1 }));
      else events.send('SIGTERM');
      await scene!.settled();
      await clock.advance(24_999);
      expect(exit.exits).toEqual([]);
      await clock.advance(1);
      expect(exit.exits).toEqual([1]);
      expect(exitTimes[0]! - begun).toBe(25_000);
      expect(exit.code).toBe(1);
      const failure = await scene!.failure();
      expect(operator.getStatus().state).toBe('failed');
      expect(logs.find({ level: 'error' }).at(-1)).toMatchObject({ message: 'Operator failed', error: failure });
      if (how === 'a crash') expect(chainOf(failure).at(-1)).toBe(boo);
      else expect(failure.cause).toBeInstanceOf(StopDeadlineError);
      expect(written.join('')).toContain(how === 'a crash' ? 'Error: boo' : 'it hung in step "application"');
      clearInterval(handle);
      release();
    });
  }
});

describe('start-up that is cut short', () => {
  test('[AC-15] SIGTERM during the start is a stop in order', async () => {
    @Injectable()
    class SlowStart {
      @OnStartup()
      async prepare({ signal }: { readonly signal: AbortSignal }): Promise<void> {
        await sleep(stage.clock, 600_000, signal);
      }
    }

    scene = await createScene(stage, { attach: true, providers: [SlowStart, ...workers()] });
    await scene.settled();
    scene.events.send('SIGTERM');
    expect(await scene.outcome()).toBeUndefined();
    await stage.clock.advance(1_000);
    expect(scene.logs.find({ level: 'error' })).toEqual([]);
    expect(scene.exit.exits).toEqual([0]);
  });
});
