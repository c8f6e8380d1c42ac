import 'reflect-metadata';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import {
  HandlerContext,
  OnCleanup,
  OnCreate,
  OnProbe,
  OnStartup,
  ResourceHandlers,
  type OperatorHealth,
  type OperatorModuleOptions,
} from 'nestjs-operator';
import { afterEach, describe, expect, it } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { createScene, createStage, object, sleep, widgets, type Scene, type SceneSpec } from '../acceptance/support.js';

const health = { port: 0, host: '127.0.0.1' };
const open: Array<{ close(): Promise<void> }> = [];

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

async function scene(spec: SceneSpec, objects: readonly ReturnType<typeof object>[] = []): Promise<Scene> {
  const stage = await createStage(objects);
  open.push(stage);
  const operator: Partial<OperatorModuleOptions> = { health, ...spec.operator };
  const made = await createScene(stage, { ...spec, operator });
  open.push(made);
  return made;
}

/** `undefined` where nobody listens. */
async function ask(
  port: number | undefined,
  path: string,
): Promise<{ readonly status: number; readonly body: string } | undefined> {
  if (port === undefined) return undefined;
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, body: (await response.text()).trim() };
  } catch (error) {
    if ((error as { cause?: { code?: string } }).cause?.code !== 'ECONNREFUSED') throw error;
    return undefined;
  }
}

async function both(port: number | undefined): Promise<string[]> {
  const answers = [await ask(port, '/livez'), await ask(port, '/readyz')];
  return answers.map((answer) => (answer === undefined ? 'nobody' : `${answer.status} ${answer.body}`));
}

@ResourceHandlers(Widget)
class WidgetHandlers {
  @OnCreate()
  ensure(): void {}
}

describe('health of an application context', () => {
  it('is served from before the start-up handlers on, and is ready with the first sync', async () => {
    const begin = Promise.withResolvers<void>();
    class Connection {
      @OnStartup()
      connect(): Promise<void> {
        return begin.promise;
      }
    }
    const { operator, clock } = await scene({ providers: [WidgetHandlers, Connection] });
    await clock.advanceUntil(() => operator.healthPort !== undefined);
    const { healthPort: port } = operator;
    expect(await both(port)).toEqual(['200 ok', '503 not ok: starting']);
    begin.resolve();
    await clock.during(operator.whenSynced());
    expect(await both(port)).toEqual(['200 ok', '200 ok']);
    const answer = await ask(port, '/readyz?format=json');
    const seen = JSON.parse(answer?.body ?? '') as OperatorHealth;
    expect(seen.watches).toMatchObject([{ resource: widgets, state: 'watching', synced: true }]);
    expect(seen).toEqual(JSON.parse(JSON.stringify({ ...(await operator.getHealth()), eventLoop: seen.eventLoop })));
  });

  it('is not ready from the first moment of a stop on, and alive until its end', async () => {
    const seen: Record<string, string[]> = {};
    const working = Promise.withResolvers<void>();
    class Cleaner {
      @OnCleanup()
      async clean(): Promise<void> {
        seen['clean-up'] = await both(port);
      }
      async onApplicationShutdown(): Promise<void> {
        seen['application'] = await both(port);
      }
    }
    @ResourceHandlers(Widget)
    class Slow {
      @OnCreate()
      async ensure(): Promise<void> {
        working.resolve();
        await sleep(made.clock, 5_000);
        seen['drain'] = await both(port);
      }
    }
    const made = await scene({ providers: [Cleaner, Slow] }, [object('Widget', 'one')]);
    const { operator, clock } = made;
    await clock.during(operator.whenSynced());
    const port = operator.healthPort;
    await clock.during(working.promise);
    const stopped = operator.stop();
    expect(await both(port)).toEqual(['200 ok', '503 not ok: stopping']);
    await clock.during(stopped);
    const stopping = ['200 ok', '503 not ok: stopping'];
    expect(seen).toEqual({ drain: stopping, 'clean-up': stopping, application: stopping });
    expect(await both(port)).toEqual(['nobody', 'nobody']);
    expect(operator.healthPort).toBeUndefined();
    const ends = made.journal.filter((entry) => entry === 'onApplicationShutdown' || entry === 'Operator stopped');
    expect(ends).toEqual(['onApplicationShutdown', 'Operator stopped']);
  });

  it('[AC-08] ends after a crash as well, with one record that it was cancelled', async () => {
    @ResourceHandlers(Widget)
    class Fatal {
      @OnCreate()
      ensure(ctx: HandlerContext<Widget>): void {
        ctx.fatal(new Error('boo'));
      }
    }
    const made = await scene({ providers: [Fatal] }, [object('Widget', 'one')]);
    await made.clock.advanceUntil(() => made.operator.healthPort !== undefined);
    const port = made.operator.healthPort;
    await made.failure();
    expect(made.logs.cancelled.filter((task) => task === 'health server')).toEqual(['health server']);
    expect(made.logs.find({ message: 'Task finished unexpectedly' })).toEqual([]);
    expect(await both(port)).toEqual(['nobody', 'nobody']);
  });

  it('a port that is taken fails the start, before anything is asked of the cluster', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise((resolve) => other.close(() => resolve())) });
    const { port } = other.address() as AddressInfo;
    const made = await scene({ providers: [WidgetHandlers], operator: { health: { ...health, port } } });
    const failure = await made.failure();
    expect(failure.cause).toMatchObject({ code: 'OPERATOR_HEALTH_SERVER' });
    expect(made.exit.code).toBe(1);
    expect(made.transport.sent).toEqual([]);
  });

  it('does not end with a client that misbehaves', async () => {
    const { operator, clock, logs } = await scene({ providers: [WidgetHandlers] });
    await clock.during(operator.whenSynced());
    const { healthPort: port = 0 } = operator;
    for (const bytes of ['\0\0\0', 'GET /livez HTTP/1.1\r\nHost: x\r\n', 'NONSENSE / HTTP/9\r\n\r\n']) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
        socket.on('error', () => resolve()).on('close', () => resolve());
        socket.resume();
      });
    }
    expect(await both(port)).toEqual(['200 ok', '200 ok']);
    expect(logs.find({ level: 'error' })).toEqual([]);
  });

  it('degrades with a watch that the server cuts and refuses, tells why, and recovers', async () => {
    const { operator, clock, stage } = await scene({ providers: [WidgetHandlers] });
    await clock.during(operator.whenSynced());
    const port = operator.healthPort;
    const outage = stage.api.faults.add({ match: { resource: 'widgets' }, do: { action: 'answer', status: 503 } });
    stage.api.watches.cut({ how: 'reset' });
    await clock.advance(5_000);
    expect(await both(port)).toEqual(['200 ok', '200 ok']);
    expect((await operator.getHealth()).watches).toMatchObject([{ state: 'degraded', synced: true }]);
    await clock.advance(10_000);
    expect(await both(port)).toEqual(['200 ok', '503 not ok: degraded']);
    const { readiness, watches } = await operator.getHealth();
    expect(readiness.reasons).toMatchObject([{ reason: 'degraded', subject: widgets }]);
    expect(watches[0]?.cause).toMatch(/503/);
    expect(watches[0]?.degradedFor).toBeGreaterThanOrEqual(10_000);
    expect(watches[0]?.lastEventAge).toBeGreaterThanOrEqual(10_000);
    outage.remove();
    await clock.advanceUntil(async () => (await operator.getHealth()).readiness.ok);
    expect(await both(port)).toEqual(['200 ok', '200 ok']);
  });

  it('is not alive when as many handlers are stuck as may run', async () => {
    @ResourceHandlers(Widget)
    class Stuck {
      @OnCreate()
      ensure(): Promise<void> {
        return new Promise(() => undefined);
      }
    }
    const made = await scene(
      { providers: [Stuck], operator: { queue: { concurrency: { perResource: 2, total: 2 }, stuckAfter: '1m' } } },
      [object('Widget', 'one'), object('Widget', 'two'), object('Widget', 'three')],
    );
    const { operator, clock } = made;
    await clock.advanceUntil(() => operator.getStatus().running === 2);
    await clock.advance(59_000);
    expect(await both(operator.healthPort)).toEqual(['200 ok', '200 ok']);
    await clock.advance(2_000);
    expect(await both(operator.healthPort)).toEqual(['503 not ok: handlers-stuck', '200 ok']);
    expect((await operator.getHealth()).handlers).toEqual({ running: 3, stuck: 2, limit: 2 });
  });

  it('shows what probes say, and lets one that fails speak against what it names', async () => {
    let broken = false;
    class Probes {
      @OnProbe({ fails: 'none' })
      backlog(): object {
        return { waiting: 3 };
      }

      @OnProbe({ id: 'disk', maxAge: '5s' })
      checkDisk(): void {
        if (broken) throw new Error('disk is full');
      }

      @OnProbe({ fails: 'liveness', maxAge: '5s' })
      lock(): void {
        if (broken) throw new Error('lock is lost');
      }
    }
    const { operator, clock, logs } = await scene({ providers: [WidgetHandlers, Probes] });
    await clock.during(operator.whenSynced());
    expect(await both(operator.healthPort)).toEqual(['200 ok', '200 ok']);
    broken = true;
    expect(await both(operator.healthPort)).toEqual(['200 ok', '200 ok']);
    await clock.advance(5_000);
    expect(await both(operator.healthPort)).toEqual(['503 not ok: probe-failed', '503 not ok: probe-failed']);
    expect((await operator.getHealth()).probes).toMatchObject([
      { id: 'backlog', ok: true, value: { waiting: 3 } },
      { id: 'disk', ok: false, fails: 'readiness', error: 'disk is full' },
      { id: 'lock', ok: false, fails: 'liveness', error: 'lock is lost' },
    ]);
    expect(logs.find({ level: 'warn', message: 'Probe failed' })).toHaveLength(2);
  });

  it('is told without a server, too, also before the start', async () => {
    const stage = await createStage();
    open.push(stage);
    const made = await createScene(stage, { providers: [WidgetHandlers], operator: { autoStart: false } });
    open.push(made);
    const { operator } = made;
    expect(await operator.getHealth()).toMatchObject({
      state: 'idle',
      liveness: { ok: true },
      readiness: { ok: false, reasons: [{ reason: 'not-started' }] },
    });
    expect(operator.healthPort).toBeUndefined();
  });
});
