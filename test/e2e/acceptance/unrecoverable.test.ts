import { OperatorFailedError } from 'nestjs-operator';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { BrokenStreamError } from '../../../libs/operator/src/errors/broken-stream.error.js';
import { ObjectWriter } from '../../../libs/operator/src/engine/processing/object-writer.js';
import { ProcessingFailedError } from '../../../libs/operator/src/errors/processing-failed.error.js';
import { WatchFailedError } from '../../../libs/operator/src/errors/watch-failed.error.js';
import {
  breakWatch,
  brokenLines,
  errorEvent,
  queueFails,
  queueFaults,
  severalWorkersFail,
  watchInSync,
  workerFails,
  workerFailsBesideSlowHandler,
  type Crash,
} from './scenarios.js';
import { chainOf, gadgets, hooks, object, planted, widgets, type Scene } from './support.js';

const level1 = 'Unrecoverable error in a worker';
const level2 = 'Root task failed unrecoverably; the operator stops';
const level3 = 'Operator failed';

let scene: Scene | undefined;

afterEach(async () => {
  vi.restoreAllMocks();
  await scene?.close();
  await scene?.stage.close();
  scene = undefined;
});

function keep<T extends Crash>(crash: T): T {
  ({ scene } = crash);
  return crash;
}

/** Checks 1 to 3: the three levels of a failure of one object's processing, and the end of the process. */
async function expectWorkerCrash({ scene: crashed, boo, uids, failedAt }: Crash, key: string): Promise<void> {
  const { logs, exit, exitTimes, journal } = crashed;
  const failure = await crashed.failure();
  expect(exit.code).toBe(1);
  expect(exit.exits).toEqual([1]);
  // Exit timeout and grace: shutdown.crashDrain and shutdown.grace.
  expect(exitTimes[0]! - failedAt).toBeLessThanOrEqual(2_000 + 5_000);
  expect(journal.filter((entry) => hooks.includes(entry))).toEqual(hooks);
  expect(journal.indexOf('exit 1')).toBeGreaterThan(journal.indexOf('onApplicationShutdown'));

  const workers = logs.find({ level: 'error', context: 'Worker' });
  expect(workers).toHaveLength(1);
  expect(workers[0]).toMatchObject({ message: level1, fields: { resource: widgets, key, uid: uids[0] } });
  expect(workers[0]!.error).toBe(boo);
  expect(boo.stack).toContain('scenarios.ts');

  const supervisors = logs.find({ level: 'error', context: 'Supervisor' }).filter(({ message }) => message !== level3);
  expect(supervisors).toHaveLength(1);
  expect(supervisors[0]).toMatchObject({ message: level2, fields: { task: `queue of ${widgets}` } });
  const wrapper = supervisors[0]!.error as ProcessingFailedError;
  expect(wrapper).toBeInstanceOf(ProcessingFailedError);
  expect(wrapper.cause).toBe(boo);
  expect(wrapper.message).toBe(
    `Processing the changes of ${widgets} failed unrecoverably, so the operator stops. See the cause.`,
  );
  expect(chainOf(failure)).toEqual([failure, wrapper, boo]);
}

describe('a worker fails', () => {
  for (const attach of [false, true]) {
    const how = attach ? 'attached' : 'module only';

    test(`[AC-01] the application closes and the exit code is 1 in bounded time (${how})`, async () => {
      const crash = keep(await workerFails({ attach }));
      const { exit, exitTimes, journal, operator, api } = crash.scene;
      await crash.scene.failure();
      expect([exit.code, exit.exits]).toEqual([1, [1]]);
      expect(exitTimes[0]! - crash.failedAt).toBeLessThanOrEqual(2_000 + 5_000);
      expect(journal.filter((entry) => hooks.includes(entry))).toEqual(hooks);
      expect(journal.indexOf('exit 1')).toBeGreaterThan(journal.indexOf('onApplicationShutdown'));
      expect(operator.getStatus().state).toBe('failed');
      expect(api.watches.list()).toEqual([]);
    });
  }

  test('[AC-01] the application closes and the exit code is 1 in bounded time, also when a handler ignores its abort', async () => {
    const crash = keep(await workerFailsBesideSlowHandler(60_000, { deaf: true }));
    const { exit, exitTimes, journal } = crash.scene;
    await crash.scene.failure();
    expect([exit.code, exit.exits]).toEqual([1, [1]]);
    expect(exitTimes[0]! - crash.failedAt).toBe(2_000 + 5_000);
    expect(journal.filter((entry) => hooks.includes(entry))).toEqual(hooks);
  });

  test('[AC-02] the worker logs the error once, with its stack, the resource and the uid', async () => {
    const crash = keep(await workerFails());
    await crash.scene.failure();
    const records = crash.scene.logs.find({ level: 'error', context: 'Worker' });
    expect(records).toHaveLength(1);
    expect(records[0]!.message).toBe(level1);
    expect(records[0]!.fields).toEqual({ resource: widgets, key: 'default/bad', uid: crash.uids[0] });
    expect(records[0]!.error).toBe(crash.boo);
    expect((records[0]!.error as Error).stack).toMatch(/boo\n\s+at .*scenarios\.ts/);
  });

  test('[AC-03] the supervisor logs once which root task failed, with the same error as cause', async () => {
    const crash = keep(await workerFails());
    await crash.scene.failure();
    const records = crash.scene.logs
      .find({ level: 'error', context: 'Supervisor' })
      .filter(({ message }) => message !== level3);
    expect(records).toHaveLength(1);
    expect(records[0]!.message).toBe('Root task failed unrecoverably; the operator stops');
    expect(records[0]!.fields).toEqual({ task: `queue of ${widgets}` });
    const error = records[0]!.error as Error;
    expect(error).not.toBe(crash.boo);
    expect(error.cause).toBe(crash.boo);
    expect(error.message).toBe(
      `Processing the changes of ${widgets} failed unrecoverably, so the operator stops. See the cause.`,
    );
  });

  test('[AC-04] the last record and the rejection of done hold the whole chain', async () => {
    const crash = keep(await workerFails());
    const failure = await crash.scene.failure();
    const { logs, operator } = crash.scene;
    const last = logs.find({ level: 'error' }).at(-1)!;
    expect(last).toMatchObject({ context: 'Supervisor', message: level3, fields: { origin: `queue of ${widgets}` } });
    expect(last.error).toBe(failure);
    await expect(operator.done).rejects.toBe(failure);
    expect(failure).toBeInstanceOf(OperatorFailedError);
    const chain = chainOf(failure);
    expect(chain.map((link) => (link as Error).name)).toEqual([
      'OperatorFailedError',
      'ProcessingFailedError',
      'Error',
    ]);
    expect(chain.at(-1)).toBe(crash.boo);
    const after = logs.records.slice(logs.records.indexOf(last) + 1);
    expect(after, 'shutdown logs after the final error').toEqual([]);
  });

  test('[AC-05] the records come in the order of the stop', async () => {
    const crash = keep(await workerFails());
    await crash.scene.failure();
    const { journal } = crash.scene;
    const stops = [level1, level2, 'Task cancelled', 'Root tasks stopped', 'Hung tasks: none', level3];
    const found = journal.filter((entry) => stops.includes(entry));
    expect(found.filter((entry, index) => entry !== found[index - 1])).toEqual(stops);
    expect(found.filter((entry) => entry === 'Task cancelled').length).toBeGreaterThanOrEqual(5);
  });

  test('[AC-06] three that fail at once give three worker records and one of the supervisor, with the first as cause', async () => {
    const crash = keep(await severalWorkersFail());
    const failure = await crash.scene.failure();
    const { logs, exit } = crash.scene;
    const workers = logs.find({ level: 'error', context: 'Worker' });
    expect(workers.map(({ message }) => message)).toEqual([level1, level1, level1]);
    expect(new Set(workers.map((record) => logs.timeOf(record))).size).toBe(1);
    expect(workers.map(({ fields }) => String(fields['uid'])).toSorted()).toEqual(crash.uids.toSorted());
    for (const { fields, error } of workers) {
      expect(error).toBe(crash.boos.get(String(fields['key']).replace('default/', '')));
    }
    const supervisors = logs.find({ message: level2 });
    expect(supervisors).toHaveLength(1);
    expect((supervisors[0]!.error as Error).cause).toBe(workers[0]!.error);
    expect(chainOf(failure).at(-1)).toBe(workers[0]!.error);
    expect(logs.records.filter(({ level }) => level === 'error')).toHaveLength(5);
    expect(exit.exits).toEqual([1]);
  });

  test('[AC-07] the watch of another kind is aborted, says so once, and no event of it is processed any more', async () => {
    const crash = keep(await workerFailsBesideSlowHandler(1_500));
    const { logs, api, transport, clock, operator } = crash.scene;
    // The slow handler holds the drain open: were Gadgets still served, there would be time for it.
    expect(operator.getStatus().state).toBe('draining');
    expect(api.watches.list({ resource: 'gadgets' })).toEqual([]);
    expect(logs.cancelled.filter((task) => task === `watcher of ${gadgets}`)).toHaveLength(1);
    expect(crash.gadgetCalls).toEqual(['flaky 0']);
    transport.clear();
    await api.create(object('Gadget', 'late'));
    await api.patch(
      { apiVersion: 'demo.example/v1', kind: 'Gadget', name: 'flaky' },
      { spec: { flaky: 2, password: planted.spec } },
    );
    // A retry would have been due in the drain as well.
    await clock.advance(1_400);
    expect(operator.getStatus().state).toBe('draining');
    await crash.scene.failure();
    await clock.advance(60_000);
    expect(crash.gadgetCalls).toEqual(['flaky 0']);
    expect(transport.sent.filter(({ path }) => path.includes('gadgets'))).toEqual([]);
    expect(logs.cancelled.filter((task) => task === `watcher of ${gadgets}`)).toHaveLength(1);
    expect(logs.find({ level: 'debug', message: 'Task cancelled' }).map(({ context }) => context)).toContain(
      'Supervisor',
    );
  });

  test('[AC-09] a handler at work ends, and its outcome is written before the exit', async () => {
    const crash = keep(await workerFailsBesideSlowHandler(1_000));
    const { api, journal, logs, exitTimes, clock, transport } = crash.scene;
    transport.clear();
    await clock.advance(999);
    expect(transport.writes).toEqual([]);
    expect(exitTimes).toEqual([]);
    await crash.scene.failure();
    expect(crash.aborts).toEqual([]);
    expect(transport.writes.map(({ method, path, status }) => `${method} ${path.split('/').at(-1)} ${status}`)).toEqual(
      ['PATCH status 200', 'PATCH slow 200'],
    );
    const slow = await api.get({ apiVersion: 'demo.example/v1', kind: 'Widget', name: 'slow', namespace: 'default' });
    expect(slow).toMatchObject({ status: { done: true } });
    expect(exitTimes[0]! - crash.failedAt).toBe(1_000);
    expect(logs.find({ level: 'warn', context: 'Supervisor' })).toEqual([]);
    expect(journal.at(-1)).toBe('exit 1');
  });

  test('[AC-09] a handler that needs longer is aborted at the end of the drain, and a warning names the key', async () => {
    const crash = keep(await workerFailsBesideSlowHandler(10_000));
    const { logs, exit, transport } = crash.scene;
    transport.clear();
    await crash.scene.failure();
    expect(crash.aborts).toEqual([crash.failedAt + 2_000]);
    const warning = logs.only('Handlers still run at the end of the drain; they are aborted');
    expect(warning).toMatchObject({
      level: 'warn',
      context: 'Supervisor',
      fields: { handlers: [`handler SlowHandlers.work of ${widgets} default/slow`] },
    });
    expect(logs.timeOf(warning)).toBe(crash.failedAt + 2_000);
    expect(transport.writes).toEqual([]);
    expect(exit.exits).toEqual([1]);
  });

  test('[AC-09] a write that hangs is named by its key as well', async () => {
    const { write } = ObjectWriter.prototype;
    vi.spyOn(ObjectWriter.prototype, 'write').mockImplementation(function (this: ObjectWriter, ...args) {
      return args[0] === 'default/slow' ? new Promise(() => undefined) : write.apply(this, args);
    });
    const crash = keep(await workerFailsBesideSlowHandler(1_000));
    const { logs, exit, exitTimes } = crash.scene;
    await crash.scene.failure();
    const named = [`cycle of ${widgets} default/slow`];
    expect(logs.only('Handlers still run at the end of the drain; they are aborted').fields).toEqual({
      handlers: named,
    });
    expect(logs.only('Hung tasks: they ignore their signal and are left behind').fields).toEqual({ tasks: named });
    expect(exitTimes[0]! - crash.failedAt).toBe(2_000 + 5_000);
    expect(exit.exits).toEqual([1]);
  });
});

describe('a watch fails without a worker', () => {
  /** Level 2 and 3, no level 1, exit code 1. */
  async function expectWatchCrash(crashed: Scene): Promise<WatchFailedError> {
    const failure = await crashed.failure();
    const { logs, exit } = crashed;
    expect(logs.find({ level: 'error' }).map(({ context, message }) => `${context}: ${message}`)).toEqual([
      `Supervisor: ${level2}`,
      `Supervisor: ${level3}`,
    ]);
    const supervisor = logs.only(level2);
    expect(supervisor.fields).toEqual({ task: `watcher of ${widgets}` });
    const error = supervisor.error as WatchFailedError;
    expect(error).toBeInstanceOf(WatchFailedError);
    expect(error.message).toContain(widgets);
    expect(failure.cause).toBe(error);
    expect(logs.only(level3).error).toBe(failure);
    expect([exit.code, exit.exits]).toEqual([1, [1]]);
    return error;
  }

  test('[AC-10] the fifth ERROR event other than 410, 429 and 504 ends the operator, without a worker record', async () => {
    scene = await watchInSync();
    const { exit, logs, transport, clock } = scene;
    const begun = clock.monotonic();
    transport.clear();
    await breakWatch(scene, errorEvent(500), 4);
    await clock.advanceUntil(() => transport.lists('widgets').length === 4);
    expect(exit.code).toBeUndefined();
    expect(logs.find({ level: 'error' })).toEqual([]);
    await breakWatch(scene, errorEvent(500), 1);
    const { cause } = await expectWatchCrash(scene);
    expect(clock.monotonic() - begun).toBeLessThan(120_000);
    expect(cause).toMatchObject({ code: 'OPERATOR_API', status: 500, verb: 'watch' });
  });

  for (const code of [410, 429, 504]) {
    test(`goes on after any number of ERROR events ${code}`, async () => {
      scene = await watchInSync();
      await breakWatch(scene, errorEvent(code), 7);
      await scene.clock.during(scene.operator.whenSynced());
      expect(scene.exit.code).toBeUndefined();
      expect(scene.logs.find({ level: 'error' })).toEqual([]);
    });
  }

  for (const [what, line] of Object.entries(brokenLines)) {
    test(`[AC-11] the fifth broken line ends the operator, and the record shows the resource only: ${what}`, async () => {
      scene = await watchInSync();
      const { exit, logs } = scene;
      await breakWatch(scene, line, 4);
      expect(exit.code).toBeUndefined();
      expect(logs.find({ level: 'error' })).toEqual([]);
      await breakWatch(scene, line, 1);
      const error = await expectWatchCrash(scene);
      expect((error.cause as BrokenStreamError).message).toMatch(/widgets/);
      const text = chainOf(error)
        .map((link) => `${String(link)} ${JSON.stringify(link)}`)
        .join('\n');
      for (const secret of Object.values(planted)) expect(text).not.toContain(secret);
    });
  }
});

describe('the queue fails', () => {
  for (const [what, fault] of Object.entries(queueFaults)) {
    test(`[AC-12] ${what} is as fatal as the processing itself`, async () => {
      const crash = keep(await queueFails(fault));
      await expectWorkerCrash(crash, 'default/any');
    });
  }
});
