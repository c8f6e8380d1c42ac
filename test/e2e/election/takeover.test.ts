import 'reflect-metadata';
import {
  HandlerContext,
  KubeClient,
  LeadershipLostError,
  OnCleanup,
  OnCreate,
  OnResume,
  OnStartup,
  OnUpdate,
  ResourceHandlers,
} from 'nestjs-operator';
import { expect, it } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { openStage, second, startReplica, widget } from './two-replicas.js';

function handlers(calls: string[], replica: string) {
  @ResourceHandlers(Widget)
  class WidgetHandlers {
    @OnCreate() @OnUpdate() @OnResume() handle(ctx: HandlerContext<Widget>): void {
      calls.push(`${replica} ${ctx.cause} ${ctx.meta.name}`);
    }
  }
  return [WidgetHandlers];
}

it('one replica works, the other is warm; after a stop it follows at once, and resumes', async () => {
  const stage = await openStage();
  const calls: string[] = [];
  const a = await startReplica({ stage, identity: 'a', providers: handlers(calls, 'a') });
  await stage.settled();
  const b = await startReplica({ stage, identity: 'b', providers: handlers(calls, 'b') });
  await stage.clock.during(Promise.all([a.operator.whenSynced(), b.operator.whenSynced()]));
  await stage.api.create(widget('one'));
  await stage.clock.advance(5 * second);
  expect(calls).toEqual(['a create one']);
  expect(a.operator.getStatus().leadership).toMatchObject({
    state: 'leading',
    holder: 'a',
    lease: 'default/op.example.com',
  });
  expect(b.operator.getStatus()).toMatchObject({
    leadership: { state: 'standby', holder: 'a', identity: 'b' },
    objects: { 'widgets.v1.demo.example': 1 },
    queued: { 'widgets.v1.demo.example': 0 },
    due: 0,
  });
  await a.close();
  await stage.api.create(widget('two'));
  await stage.clock.advance(4 * second);
  expect(calls).toEqual(['a create one', 'b resume one', 'b create two']);
  expect(b.operator.getStatus().leadership).toMatchObject({ state: 'leading', holder: 'b' });
});

it('a leader whose writes do not arrive any more is followed within the lease time, and what it did not record is called again', async () => {
  const stage = await openStage();
  const calls: string[] = [];
  const a = await startReplica({ stage, identity: 'a', providers: handlers(calls, 'a') });
  await stage.settled();
  await startReplica({ stage, identity: 'b', providers: handlers(calls, 'b') });
  await stage.api.create(widget('one'));
  await stage.clock.advance(5 * second);
  // Nothing that the process sends arrives any more.
  stage.api.faults.add({
    match: { where: ({ method, path }) => method !== 'GET' && !path.includes('/leases') },
    do: { action: 'reset' },
  });
  const silent = stage.api.faults.add({ match: { resource: 'leases', verb: 'update' }, do: { action: 'reset' } });
  await stage.api.create(widget('two'));
  await stage.clock.advance(11 * second);
  expect(a.exit.code).toBe(1);
  stage.api.faults.clear();
  expect(silent.hits).toBeGreaterThan(1);
  await stage.clock.advance(8 * second);
  expect(calls).toEqual(expect.arrayContaining(['a create one', 'a create two', 'b resume one', 'b create two']));
  expect(calls.filter((call) => call === 'b create one')).toEqual([]);
});

it('without warm stores a standby asks for nothing but the lease, and is ready', async () => {
  const stage = await openStage();
  const calls: string[] = [];
  const a = await startReplica({ stage, identity: 'a', providers: handlers(calls, 'a') });
  await stage.settled();
  const election = { warmStandby: false };
  const b = await startReplica({ stage, identity: 'b', providers: handlers(calls, 'b'), election });
  await stage.clock.during(b.operator.whenSynced());
  await stage.clock.advance(5 * second);
  expect(b.operator.getStatus()).toMatchObject({ watches: [], objects: {}, leadership: { state: 'standby' } });
  expect((await b.operator.getHealth()).readiness).toEqual({ ok: true, reasons: [] });
  await stage.api.create(widget('one'));
  await stage.clock.advance(2 * second);
  await a.close();
  await stage.clock.advance(5 * second);
  expect(calls).toEqual(['a create one', 'b resume one']);
});

it('[TC-63] a lease that cannot be had for long is red on health, and told once', async () => {
  const stage = await openStage();
  const fault = stage.api.faults.add({
    match: { resource: 'leases' },
    do: { action: 'answer', status: 400, reason: 'BadRequest', message: 'parsing time "2026" as "2006"' },
  });
  const a = await startReplica({ stage, identity: 'a', providers: handlers([], 'a') });
  await stage.clock.advance(15 * second);
  const { readiness, liveness } = await a.operator.getHealth();
  expect(liveness.ok).toBe(true);
  expect(readiness).toMatchObject({ ok: false, reasons: [{ reason: 'lease-failing' }] });
  expect(a.logs.find({ level: 'warn' }).filter(({ message }) => message.includes('lease'))).toHaveLength(1);
  fault.remove();
  await stage.clock.advance(5 * second);
  expect((await a.operator.getHealth()).readiness.ok).toBe(true);
  expect(a.operator.getStatus().leadership).toMatchObject({ state: 'leading', failing: undefined });
});

it('what runs on every replica may write, and detached work of a handler may not once the lead is lost', async () => {
  const stage = await openStage();
  const errors: unknown[] = [];
  let write: () => Promise<void> = () => Promise.resolve();
  @ResourceHandlers(Widget)
  class Detached {
    constructor(private readonly client: KubeClient) {}

    @OnStartup() @OnCleanup() async everywhere(): Promise<void> {
      await this.client.patch(Widget, { name: 'one', namespace: 'default' }, { spec: { everywhere: true } });
    }

    @OnCreate() create(): void {
      const { promise, resolve } = Promise.withResolvers<void>();
      const work = promise.then(() =>
        this.client.patch(Widget, { name: 'one', namespace: 'default' }, { spec: { late: true } }),
      );
      write = async () => {
        resolve();
        await work.catch((error: unknown) => errors.push(error));
      };
    }
  }
  await stage.api.create(widget('one'));
  const a = await startReplica({ stage, identity: 'a', providers: [Detached], election: { onLost: 'standby' } });
  await stage.clock.advance(3 * second);
  await stage.api.patch(
    { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: 'default', name: 'op.example.com' },
    { spec: { holderIdentity: 'other', leaseDurationSeconds: 600 } },
  );
  await stage.clock.advance(3 * second);
  expect(a.operator.getStatus().leadership.state).toBe('standby');
  await write();
  expect(errors).toEqual([expect.any(LeadershipLostError)]);
  // The application itself is not under the lead.
  await a.client.patch(Widget, { name: 'one', namespace: 'default' }, { spec: { application: true } });
  const one = await stage.api.get({ apiVersion: 'demo.example/v1', kind: 'Widget', namespace: 'default', name: 'one' });
  expect(one).toHaveProperty('spec', { everywhere: true, application: true });
});
