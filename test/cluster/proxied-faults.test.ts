import 'reflect-metadata';
import { startFaultProxy, type FaultProxy } from '@nestjs-operator/testing';
import { HandlerContext, OnCreate, OnUpdate, ResourceHandlers, type KubeConfigSource } from 'nestjs-operator';
import { afterAll, describe, test, type ExpectStatic } from 'vitest';
import { Widget } from '../support/kinds.js';
import { OpenWorlds } from '../support/open-worlds.js';
import { createRealWorld } from '../support/real-world.js';
import type { World } from '../support/world.js';
import { sharedControlPlane } from './control-plane.js';

@ResourceHandlers(Widget)
class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Widget>): object {
    this.calls.push(`${ctx.cause} ${ctx.meta.name} ${String(ctx.spec['n'])}`);
    return { seen: ctx.spec['n'] };
  }
}

const worlds = new OpenWorlds(createRealWorld);
const proxies: FaultProxy[] = [];
afterAll(async () => {
  await worlds.close();
  for (const proxy of proxies) await proxy.close();
});

interface Proxied {
  readonly world: World;
  readonly proxy: FaultProxy;
  /** Of the proxy. */
  readonly kubeConfig: KubeConfigSource;
}

async function open(): Promise<Proxied> {
  const plane = sharedControlPlane();
  const proxy = await startFaultProxy(plane.url);
  proxies.push(proxy);
  const kubeConfig = plane.kubeConfig();
  kubeConfig.clusters[0]!.cluster.server = `https://127.0.0.1:${proxy.port}`;
  return { world: await worlds.open(), proxy, kubeConfig };
}

/** They wait for minutes: side by side. */
const each = (title: string, run: (proxied: Proxied, expect: ExpectStatic) => Promise<void>): void =>
  test.concurrent(title, { timeout: 600_000 }, async ({ expect }) => run(await open(), expect));

const patchN = ({ admin, namespace }: World, name: string, n: number): Promise<unknown> =>
  admin.patch(Widget, { name, namespace }, { spec: { n } });

async function createWidgets({ admin, namespace }: World, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `w${index}`);
  for (const name of names) await admin.create(Widget, { metadata: { name, namespace }, spec: { n: 0 } });
  return names;
}

describe('faults between an operator and a real server', () => {
  each(
    '[FS-01] a reset in mid-stream is resumed from the last version, without a list',
    async ({ world, proxy, kubeConfig }, expect) => {
      const names = await createWidgets(world, 100);
      const { module, operator, transport, logs } = await world.startOperator({
        providers: [WidgetHandlers],
        operator: { kubeConfig, namespaces: [world.namespace] },
      });
      const { calls } = module.get(WidgetHandlers);
      await world.until(() => calls.length === 100 && operator.getStatus().due === 0);
      await world.pass(1_000);
      calls.length = 0;
      transport.clear();

      await proxy.refuse();
      const changed = names.slice(0, 5);
      for (const name of changed) await patchN(world, name, 1);
      await world.pass(500);
      await proxy.accept();
      await world.until(() => calls.length === 5);
      await world.pass(3_000);
      expect(calls.toSorted()).toEqual(changed.map((name) => `update ${name} 1`));
      const resumed = transport.watches('widgets').filter(({ status }) => status === 200);
      expect(resumed).toHaveLength(1);
      expect(Number(resumed[0]!.query.get('resourceVersion'))).toBeGreaterThan(0);
      expect(transport.lists('widgets')).toEqual([]);
      expect(logs.find({ level: 'error' })).toEqual([]);
      expect(operator.getStatus().watches).toMatchObject([{ state: 'watching' }]);
    },
  );

  each(
    '[FS-08] a half-open connection is noticed by the silence limit, and the watch shows since when nothing came',
    async ({ world, proxy, kubeConfig }, expect) => {
      await createWidgets(world, 1);
      const { module, operator, transport, logs } = await world.startOperator({
        providers: [WidgetHandlers],
        operator: { kubeConfig, namespaces: [world.namespace] },
      });
      const { calls } = module.get(WidgetHandlers);
      await world.until(() => calls.length === 1 && operator.getStatus().due === 0);
      await world.pass(1_000);
      transport.clear();
      proxy.hold();
      const heldAt = Date.now();
      await patchN(world, 'w0', 1);
      await world.pass(60_000);
      // Nothing is known of it yet, but how long nothing has come.
      expect(calls).toHaveLength(1);
      const [watch] = operator.getStatus().watches;
      expect(watch?.lastEventAt).toBeLessThanOrEqual(heldAt);
      await world.until(() => operator.getStatus().watches[0]?.state === 'degraded', 60_000);
      expect(Date.now() - heldAt).toBeLessThanOrEqual(90_000);
      proxy.release();
      await world.until(() => calls.length === 2, 60_000);
      expect(calls).toEqual(['create w0 0', 'update w0 1']);
      expect(transport.lists('widgets')).toEqual([]);
      expect(logs.find({ level: 'error' })).toEqual([]);
    },
  );

  each(
    '[FS-07] five minutes without a server leave the operator alive; then there is one list per watch at most',
    async ({ world, proxy, kubeConfig }, expect) => {
      const names = await createWidgets(world, 50);
      const { module, operator, transport, exit } = await world.startOperator({
        providers: [WidgetHandlers],
        operator: { kubeConfig, namespaces: [world.namespace] },
      });
      const { calls } = module.get(WidgetHandlers);
      await world.until(() => calls.length === 50 && operator.getStatus().due === 0);
      await world.pass(1_000);
      for (const name of names) await patchN(world, name, 1);
      await proxy.refuse();
      transport.clear();
      for (let minute = 0; minute < 5; minute += 1) {
        await world.pass(60_000);
        const { liveness, readiness } = await operator.getHealth();
        expect([liveness.ok, readiness.ok]).toEqual([true, false]);
        expect(operator.getStatus()).toMatchObject({ state: 'running', watches: [{ state: 'degraded' }] });
      }
      await patchN(world, 'w0', 2);
      await proxy.accept();
      await world.until(() => calls.includes('update w0 2'), 90_000);
      await world.until(() => operator.getStatus().watches[0]?.state === 'watching', 90_000);
      await world.pass(5_000);
      for (const name of names.slice(1)) expect(calls.filter((call) => call === `update ${name} 1`)).toHaveLength(1);
      expect(transport.lists('widgets').filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      expect((await operator.getHealth()).readiness.ok).toBe(true);
      expect(exit.code).toBeUndefined();
    },
  );

  each('[FS-07] a leader whose lease is lost meanwhile ends with 1', async ({ world, proxy, kubeConfig }, expect) => {
    await createWidgets(world, 1);
    const { module, exit, operator } = await world.startOperator({
      providers: [WidgetHandlers],
      operator: {
        kubeConfig,
        namespaces: [world.namespace],
        leaderElection: { enabled: true, namespace: world.namespace },
      },
    });
    await world.until(() => module.get(WidgetHandlers).calls.length === 1);
    await proxy.refuse();
    await world.until(() => exit.exits.length > 0);
    expect(exit.exits).toEqual([1]);
    await expect(operator.done).rejects.toThrow();
  });
});
