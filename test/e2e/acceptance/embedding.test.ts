import { Injectable } from '@nestjs/common';
import { ProcessExit } from '../../../libs/operator/src/engine/ports/index.js';
import {
  FatalError,
  HandlerContext,
  OnCreate,
  OperatorFailedError,
  PermanentError,
  OnStartup,
  ResourceHandlers,
} from 'nestjs-operator';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { workerFails } from './scenarios.js';
import { chainOf, createScene, createStage, hooks, object, widgets, type Scene } from './support.js';

let scene: Scene | undefined;
let exitCode: typeof process.exitCode;

beforeEach(() => {
  exitCode = process.exitCode;
});

afterEach(async () => {
  await scene?.close();
  await scene?.stage.close();
  scene = undefined;
  vi.restoreAllMocks();
});

/** Another part of the application, with work of its own. */
@Injectable()
class ForeignService {
  ticks = 0;
  stopped = false;
  fails: unknown;

  async work(wait: (milliseconds: number) => Promise<void>): Promise<void> {
    try {
      while (!this.stopped) {
        await wait(1_000);
        this.ticks += 1;
      }
    } catch (error) {
      this.fails = error;
    }
  }

  onModuleDestroy(): void {
    this.stopped = true;
  }
}

function expectUntouchedProcess({ exit }: Scene): void {
  expect([exit.code, exit.exits]).toEqual([undefined, []]);
  expect(process.exitCode).toBe(exitCode);
}

describe("crash: 'reject'", () => {
  for (const attach of [false, true]) {
    test(`[AC-30] the process and the rest of the application are left alone, and done rejects with the chain (${attach ? 'attached' : 'module only'})`, async () => {
      const processExit = vi.spyOn(ProcessExit.prototype, 'exit');
      const crash = await workerFails({ attach, operator: { crash: 'reject' }, providers: [ForeignService] });
      scene = crash.scene;
      const { clock, operator, journal, module, logs, events, client, api } = scene;
      const foreign = module.get(ForeignService);
      const work = foreign.work((milliseconds) => new Promise((resolve) => clock.setTimer(milliseconds, resolve)));
      const failure = await scene.failure();
      await expect(operator.done).rejects.toBe(failure);
      const chain = chainOf(failure);
      expect(chain.map((link) => (link as Error).name)).toEqual([
        'OperatorFailedError',
        'ProcessingFailedError',
        'Error',
      ]);
      expect(chain.at(-1)).toBe(crash.boo);
      expect(logs.find({ level: 'error' }).map(({ message }) => message)).toEqual([
        'Unrecoverable error in a worker',
        'Root task failed unrecoverably; the operator stops',
        'Operator failed',
      ]);

      const ticks = foreign.ticks;
      await clock.advance(120_000);
      expectUntouchedProcess(scene);
      expect(processExit).not.toHaveBeenCalled();
      expect(foreign.ticks).toBe(ticks + 120);
      expect(foreign.fails).toBeUndefined();
      expect(journal.filter((entry) => hooks.includes(entry))).toEqual([]);
      expect(events.listenerCount('SIGTERM')).toBe(0);
      // The operator itself has ended, its watches included.
      expect(operator.getStatus().state).toBe('failed');
      expect(operator.getStatus().tasks.filter(({ state }) => state === 'running')).toEqual([]);
      expect(api.watches.list()).toEqual([]);
      // The application may use the client until it closes.
      expect((await client.get(Widget, { name: 'good', namespace: 'default' })).metadata.name).toBe('good');

      await clock.during(module.close());
      expect(journal.filter((entry) => hooks.includes(entry))).toEqual(hooks);
      await clock.during(work);
      expectUntouchedProcess(scene);
    });
  }

  test('[AC-30] a fatal error of a handler and a failed start reject in the same way', async () => {
    const fatal = new FatalError('the floor is lava');

    @ResourceHandlers(Widget)
    class FatalHandlers {
      @OnCreate()
      ensure(_ctx: HandlerContext<Widget>): void {
        throw fatal;
      }
    }

    const stage = await createStage([object('Widget', 'any')]);
    scene = await createScene(stage, { operator: { crash: 'reject' }, providers: [FatalHandlers] });
    const failure = await scene.failure();
    expect(failure).toBeInstanceOf(OperatorFailedError);
    expect(failure.cause).toBe(fatal);
    expect(failure.origin).toBe(`handler FatalHandlers.ensure of ${widgets} default/any`);
    await scene.clock.advance(60_000);
    expectUntouchedProcess(scene);
    expect(scene.journal.filter((entry) => hooks.includes(entry))).toEqual([]);
  });

  test('[AC-30] a start that fails rejects start() and done, and nothing else happens', async () => {
    const broken = new PermanentError('no database');

    @Injectable()
    class Database {
      @OnStartup()
      connect(): void {
        throw broken;
      }
    }

    const stage = await createStage();
    scene = await createScene(stage, { operator: { crash: 'reject', autoStart: false }, providers: [Database] });
    const rejection = await scene.clock.during(
      scene.operator.start().then(
        () => undefined,
        (error: unknown) => error,
      ),
    );
    expect((rejection as OperatorFailedError).cause).toBe(broken);
    expect(await scene.failure()).toBe(rejection);
    await scene.clock.advance(60_000);
    expectUntouchedProcess(scene);
    expect(scene.journal.filter((entry) => hooks.includes(entry))).toEqual([]);
  });

  test('stop() still closes the application', async () => {
    const stage = await createStage();
    scene = await createScene(stage, { operator: { crash: 'reject' } });
    await scene.clock.during(scene.operator.stop());
    expect(scene.journal.filter((entry) => hooks.includes(entry))).toEqual(hooks);
    expectUntouchedProcess(scene);
  });
});
