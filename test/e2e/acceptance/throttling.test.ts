import type { TestStage } from '@nestjs-operator/testing';
import {
  HandlerContext,
  OnCreate,
  OnUpdate,
  PermanentError,
  ResourceHandlers,
  TemporaryError,
  Timer,
} from 'nestjs-operator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SyncTimeoutError } from '../../../libs/operator/src/errors/sync-timeout.error.js';
import { Widget } from '../../support/kinds.js';
import { createScene, createStage, object, widgets, type Scene } from './support.js';

const seconds = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610];
const throttled = 'Processing an object failed; it is throttled';

let stage: TestStage;
let scene: Scene | undefined;

beforeEach(async () => {
  stage = await createStage();
});

afterEach(async () => {
  await scene?.close();
  await stage.close();
  scene = undefined;
});

@ResourceHandlers(Widget)
class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Widget>): { seen: unknown } {
    this.calls.push(`${ctx.cause} ${ctx.meta.name}`);
    return { seen: ctx.spec['size'] ?? 'nothing' };
  }
}

async function start(operator: Parameters<typeof createScene>[1]['operator'] = {}): Promise<Scene> {
  scene = await createScene(stage, { providers: [WidgetHandlers], operator });
  await stage.clock.during(scene.operator.whenSynced());
  await stage.settled();
  return scene;
}

function refuse(name: string): { remove(): void } {
  return stage.api.faults.add({
    match: { verb: 'patch', resource: 'widgets', name },
    do: { action: 'answer', status: 422, reason: 'Invalid', message: 'no such thing' },
  });
}

/** Virtual milliseconds of the PATCH requests for an object. */
function patchTimes(name: string, since = 0): number[] {
  const epoch = stage.clock.now() - stage.clock.monotonic();
  return stage.api.requests
    .filter((request) => request.verb === 'patch' && request.name === name)
    .map(({ at }) => at - epoch)
    .filter((at) => at >= since);
}

const gaps = (times: readonly number[]): number[] => times.slice(1).map((time, index) => time - times[index]!);

describe('errors of handlers', () => {
  const errors: Readonly<Record<string, () => Error>> = {
    arbitrary: () => new Error('disk full'),
    temporary: () => new TemporaryError('disk full', { delay: '5s' }),
    permanent: () => new PermanentError('disk full'),
  };

  for (const [mode, errorOf] of Object.entries(errors)) {
    test(`[AC-17] ${mode}: recorded on the object, ends no task, holds up no other object`, async () => {
      @ResourceHandlers(Widget)
      class FailingHandlers {
        readonly attempts: string[] = [];

        @OnCreate()
        ensure(ctx: HandlerContext<Widget>): void {
          this.attempts.push(`${ctx.meta.name} ${ctx.retry}`);
          if (ctx.spec['bad'] !== undefined) throw errorOf();
        }
      }

      scene = await createScene(stage, { providers: [FailingHandlers] });
      const { api, clock, exit, logs, operator, module } = scene;
      await clock.during(operator.whenSynced());
      await api.create(object('Widget', 'bad', { bad: 1 }));
      await scene.settled();
      const before = clock.monotonic();
      await api.create(object('Widget', 'good'));
      await scene.settled();
      expect(clock.monotonic()).toBe(before);
      const { attempts } = module.get(FailingHandlers);
      expect(attempts).toEqual(['bad 0', 'good 0']);

      const ref = { apiVersion: 'demo.example/v1', kind: 'Widget', name: 'bad', namespace: 'default' };
      const stored = await api.get(ref);
      const record = Object.entries(stored?.metadata.annotations ?? {}).find(([name]) =>
        name.startsWith('test.example.com/'),
      );
      const progress = (JSON.parse(record?.[1] ?? '{}') as { h?: { ensure?: { t?: { n: number; d: number } } } }).h
        ?.ensure;
      const due = mode === 'temporary' ? 5_000 : 1_000;
      if (mode === 'permanent') expect(progress?.t).toBeUndefined();
      else expect(progress?.t).toMatchObject({ n: 1, d: clock.now() + due });
      const events = await api.list({ apiVersion: 'events.k8s.io/v1', resource: 'events', namespace: 'default' });
      expect(
        events.map((event) => ({
          type: event['type'],
          reason: event['reason'],
          note: event['note'],
          about: (event['regarding'] as { uid?: unknown } | undefined)?.uid,
        })),
      ).toEqual([
        {
          type: 'Warning',
          reason: mode === 'permanent' ? 'HandlerGaveUp' : 'HandlerFailed',
          note: 'ensure: disk full',
          about: stored?.metadata.uid,
        },
      ]);

      await clock.advance(due - 1);
      expect(attempts).toEqual(['bad 0', 'good 0']);
      await clock.advance(60_000);
      if (mode === 'permanent') expect(attempts).toEqual(['bad 0', 'good 0']);
      else expect(attempts.slice(0, 4)).toEqual(['bad 0', 'good 0', 'bad 1', 'bad 2']);
      expect(operator.getStatus()).toMatchObject({ state: 'running', throttled: 0 });
      expect(operator.getStatus().tasks.map(({ state }) => state)).not.toContain('failed');
      expect(operator.getStatus().tasks.every(({ state }) => state === 'running')).toBe(true);
      expect(logs.find({ context: 'Supervisor', level: 'error' })).toEqual([]);
      expect([exit.code, exit.exits]).toEqual([undefined, []]);
    });
  }
});

describe('an object whose PATCH is refused', () => {
  test('[AC-18] is throttled by the steps up to 610 s, which stay; others go on; the first success resets them', async () => {
    const { api, clock, exit, logs, operator, module } = await start();
    const { calls } = module.get(WidgetHandlers);
    const fault = refuse('stuck');
    const begun = clock.monotonic();
    await api.create(object('Widget', 'stuck', { size: 1 }));
    await scene!.settled();
    const all = [...seconds, 610, 610].map((delay) => delay * 1_000);
    for (const delay of all) await clock.advance(delay);
    expect(gaps(patchTimes('stuck'))).toEqual(all);
    expect(patchTimes('stuck')[0]).toBe(begun);
    const records = logs.find({ level: 'error' });
    expect(records.map(({ context, message }) => `${context}: ${message}`)).toEqual(
      Array.from({ length: all.length + 1 }, () => `Worker: ${throttled}`),
    );
    expect(records.map((record) => logs.timeOf(record))).toEqual(patchTimes('stuck'));
    expect(records.map(({ fields }) => fields['delay'])).toEqual([...all, 610_000]);
    expect(records[0]!.fields).toMatchObject({ resource: widgets, key: 'default/stuck' });
    expect(records[0]!.error).toMatchObject({ code: 'OPERATOR_API', status: 422, verb: 'patch' });
    expect([exit.code, exit.exits]).toEqual([undefined, []]);
    expect(operator.getStatus()).toMatchObject({ state: 'running', throttled: 1, due: 0 });

    await api.create(object('Widget', 'other', { size: 2 }));
    const before = clock.monotonic();
    await scene!.settled();
    expect(clock.monotonic()).toBe(before);
    expect(calls).toContain('create other');
    const ref = { apiVersion: 'demo.example/v1', kind: 'Widget', namespace: 'default' };
    expect(await api.get({ ...ref, name: 'other' })).toMatchObject({ status: { seen: 2 } });

    fault.remove();
    await clock.advance(610_000);
    expect(await api.get({ ...ref, name: 'stuck' })).toMatchObject({ status: { seen: 1 } });
    expect(operator.getStatus().throttled).toBe(0);
    refuse('stuck');
    await clock.advance(5_000);
    const again = clock.monotonic();
    await api.patch({ ...ref, name: 'stuck' }, { spec: { size: 3 } });
    await scene!.settled();
    for (const delay of [1, 1, 2, 3]) await clock.advance(delay * 1_000);
    expect(gaps(patchTimes('stuck', again))).toEqual([1_000, 1_000, 2_000, 3_000]);
    expect(patchTimes('stuck', again)[0]).toBe(again);
  });

  test('[AC-19] is processed again by itself, and its handler that succeeded is not called again', async () => {
    const { api, clock, module } = await start();
    const { calls } = module.get(WidgetHandlers);
    const fault = refuse('stuck');
    await api.create(object('Widget', 'stuck', { size: 1 }));
    await scene!.settled();
    const { revision } = api.store;
    await clock.advance(60_000);
    expect(patchTimes('stuck').length).toBeGreaterThan(5);
    expect(calls).toEqual(['create stuck']);
    // Nothing has happened in the meantime that a watch would have told; the event about the throttling aside.
    const events = await api.list({ apiVersion: 'events.k8s.io/v1', resource: 'events', namespace: 'default' });
    expect(events).toHaveLength(1);
    expect(api.store.revision).toBe(revision);
    fault.remove();
    await clock.advance(40_000);
    expect(calls).toEqual(['create stuck']);
    expect(
      await api.get({ apiVersion: 'demo.example/v1', kind: 'Widget', namespace: 'default', name: 'stuck' }),
    ).toMatchObject({ status: { seen: 1 } });
    const written = patchTimes('stuck').length;
    await clock.advance(60_000);
    expect(patchTimes('stuck')).toHaveLength(written);
    expect(calls).toEqual(['create stuck']);
  });

  test('[AC-20] is sent no more than nine PATCH requests in the first minute', async () => {
    const { api, clock } = await start();
    refuse('stuck');
    const begun = clock.monotonic();
    await api.create(object('Widget', 'stuck', { size: 1 }));
    await scene!.settled();
    await clock.advance(60_000);
    const times = patchTimes('stuck', begun);
    expect(times.map((at) => (at - begun) / 1_000)).toEqual([0, 1, 2, 4, 7, 12, 20, 33, 54]);
  });
});

describe('LIST answered 503', () => {
  const failures = (): { remove(): void; readonly hits: number } =>
    stage.api.faults.add({
      match: { verb: ['list', 'watch'], resource: 'widgets' },
      do: { action: 'answer', status: 503, reason: 'ServiceUnavailable' },
    });
  const listTimes = (): number[] =>
    stage.api.requests
      .filter(({ verb, resource }) => (verb === 'list' || verb === 'watch') && resource === 'widgets')
      .map(({ at }) => at);
  const watchStatus = (): unknown => scene?.operator.getStatus().watches[0];
  const health = async (): Promise<unknown> => {
    const { liveness, readiness } = await scene!.operator.getHealth();
    return { live: liveness.ok, ready: readiness.reasons.map(({ reason }) => reason) };
  };

  for (const watchList of [false, true]) {
    const form = watchList ? 'as WatchList' : 'by pages';

    test(`[AC-21] ${form}: for less than the sync time-out it is retried, paced, shown, and no failure`, async () => {
      const fault = failures();
      scene = await createScene(stage, { providers: [WidgetHandlers], operator: { watching: { watchList } } });
      let synced = false;
      scene.operator.whenSynced().then(
        () => (synced = true),
        () => undefined,
      );
      await stage.clock.advance(1_000);
      expect(watchStatus()).toMatchObject({ resource: widgets, state: 'degraded', synced: false });
      expect((watchStatus() as { cause: string }).cause).toMatch(/503/);
      await stage.clock.advance(60_000);
      expect(watchStatus()).toMatchObject({ state: 'degraded', synced: false });
      expect(await health()).toEqual({ live: true, ready: ['not-synced'] });
      expect(synced).toBe(false);
      const waits = gaps(listTimes());
      expect(waits.length).toBeGreaterThanOrEqual(4);
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(800);
      expect(waits).toEqual(waits.toSorted((one, other) => one - other));
      expect(scene.logs.find({ level: 'warn', message: 'Watch interrupted, will be retried' })).toHaveLength(1);
      fault.remove();
      await stage.clock.advance(60_000);
      expect(synced).toBe(true);
      expect(watchStatus()).toMatchObject({ state: 'watching', synced: true, cause: undefined });
      expect(await health()).toEqual({ live: true, ready: [] });
      expect(scene.logs.find({ level: 'error' })).toEqual([]);
      expect(scene.logs.find({ level: 'info', message: 'Watch recovered' })).toHaveLength(1);
      expect(scene.operator.getStatus().state).toBe('running');
      expect(scene.exit.code).toBeUndefined();
    });

    test(`[AC-21] ${form}: for longer before the first sync, the operator ends with 1 and says why`, async () => {
      failures();
      scene = await createScene(stage, { providers: [WidgetHandlers], operator: { watching: { watchList } } });
      const failure = await scene.failure();
      expect(stage.clock.monotonic()).toBe(120_000);
      expect(failure.cause).toBeInstanceOf(SyncTimeoutError);
      expect((failure.cause as Error).message).toMatch(new RegExp(`${widgets}.*503`));
      expect([scene.exit.code, scene.exit.exits]).toEqual([1, [1]]);
    });

    test(`[AC-21] ${form}: after the first sync it is retried for as long as it takes, and shown`, async () => {
      await start({ watching: { watchList } });
      const { api, clock, logs, exit, operator, module } = scene!;
      const fault = failures();
      // The history is forgotten as well, so that a LIST is needed.
      await api.create(object('Widget', 'before'));
      await scene!.settled();
      api.compact();
      api.watches.cut({ resource: 'widgets', how: 'reset' });
      await clock.advance(3_600_000);
      expect(watchStatus()).toMatchObject({ state: 'degraded', synced: true });
      expect(await health()).toEqual({ live: true, ready: ['degraded'] });
      expect((watchStatus() as { cause: string }).cause).toMatch(/503/);
      expect(operator.getStatus().state).toBe('running');
      expect(logs.find({ level: 'error' })).toEqual([]);
      expect(exit.code).toBeUndefined();
      // Never less often than every 60 s.
      expect(fault.hits).toBeGreaterThanOrEqual(60);
      expect(fault.hits).toBeLessThanOrEqual(130);
      await api.create(object('Widget', 'meanwhile'));
      fault.remove();
      await clock.advance(60_000);
      expect(watchStatus()).toMatchObject({ state: 'watching', synced: true });
      expect(module.get(WidgetHandlers).calls).toContain('create meanwhile');
      expect(logs.find({ message: 'Watch recovered' })).toHaveLength(1);
    });
  }
});

describe('a timer whose PATCH is refused', () => {
  test('[AC-28] is told with key and handler, throttled, and goes on afterwards', async () => {
    const ticks: number[] = [];
    @ResourceHandlers(Widget)
    class TimedHandlers {
      @Timer({ interval: '10s', jitter: 0 })
      tick(ctx: HandlerContext<Widget>): { ticks: number } {
        ticks.push(ctx.now.getTime());
        return { ticks: ticks.length };
      }
    }
    scene = await createScene(stage, { providers: [TimedHandlers] });
    const { api, clock, exit, logs, operator } = scene;
    await clock.during(operator.whenSynced());
    await api.create(object('Widget', 'timed'));
    await scene.settled();
    expect(ticks).toHaveLength(1);

    const fault = refuse('timed');
    await clock.advance(10_000);
    const failed = ticks.length;
    expect(failed).toBe(2);
    expect(operator.getStatus()).toMatchObject({ state: 'running', throttled: 1 });
    await clock.advance(4_000);
    // Called again by nobody: what it wanted is sent again instead.
    expect(ticks).toHaveLength(failed);
    const records = logs.find({ level: 'error' });
    expect(records.length).toBeGreaterThanOrEqual(3);
    for (const { message, fields, error } of records) {
      expect(message).toBe(throttled);
      expect(fields).toMatchObject({ resource: widgets, key: 'default/timed', handlers: ['TimedHandlers.tick'] });
      expect(error).toMatchObject({ code: 'OPERATOR_API', status: 422, verb: 'patch' });
    }

    fault.remove();
    await clock.advance(60_000);
    const ref = { apiVersion: 'demo.example/v1', kind: 'Widget', namespace: 'default', name: 'timed' };
    expect(ticks.length).toBeGreaterThanOrEqual(failed + 4);
    expect(await api.get(ref)).toMatchObject({ status: { ticks: ticks.length } });
    expect(operator.getStatus()).toMatchObject({ state: 'running', throttled: 0 });
    expect([exit.code, exit.exits]).toEqual([undefined, []]);
  });
});
