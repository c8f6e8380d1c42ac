import type { PolicyRule } from '@nestjs-operator/testing/control-plane';
import { HandlerContext, OnCreate, OnDelete, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import type { AccountWorld } from '../../support/accounts.js';
import { Widget } from '../../support/kinds.js';
import { eventsAbout, isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { RunningOperator } from '../../support/world.js';

@ResourceHandlers(Widget)
class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  create(ctx: HandlerContext<Widget>): object {
    this.calls.push(ctx.cause);
    ctx.event({ reason: 'Created', message: 'seen for the first time' });
    return { seen: ctx.spec['size'] };
  }

  @OnUpdate({ field: 'spec.size' })
  update(ctx: HandlerContext<Widget>): object {
    this.calls.push(ctx.cause);
    ctx.patch.update((object) => {
      object.spec['rounded'] = Math.round(Number(object.spec['size']));
    });
    return { seen: ctx.spec['size'] };
  }

  @OnDelete()
  remove(ctx: HandlerContext<Widget>): void {
    this.calls.push(ctx.cause);
  }
}

/** All that an operator needs for one resource. `get` is for reading again after a conflict, or a lost answer. */
const widgets: PolicyRule = {
  apiGroups: ['demo.example'],
  resources: ['widgets'],
  verbs: ['list', 'watch', 'get', 'patch'],
};
const status: PolicyRule = { apiGroups: ['demo.example'], resources: ['widgets/status'], verbs: ['patch'] };
const events: PolicyRule = { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] };

/** Operators that run with as few rights as possible, or with fewer. */
export function rightsSuite(createWorld: () => Promise<AccountWorld>): void {
  describe('rights of an operator', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    async function start(
      world: AccountWorld,
      rules: readonly PolicyRule[],
      namespaces: readonly string[] = [world.namespace],
    ): Promise<RunningOperator> {
      const kubeConfig = await world.account(rules);
      return world.startOperator({
        providers: [WidgetHandlers],
        operator: { kubeConfig, namespaces, watching: { syncTimeout: '4s' } },
        synced: false,
      });
    }

    async function liveThrough(world: AccountWorld, name: string): Promise<void> {
      const { admin, namespace } = world;
      const ref = { name, namespace };
      const seen = async () => (await admin.get(Widget, ref)).status?.['seen'];
      await admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(async () => (await seen()) === 1);
      await admin.patch(Widget, ref, { spec: { size: 2.4 } });
      await world.until(async () => (await seen()) === 2.4);
      await world.until(async () => (await admin.get(Widget, ref)).spec['rounded'] === 2);
      await admin.delete(Widget, ref);
      await world.until(() => isGone(admin, Widget, ref));
    }

    test('list, watch, get and patch on the resource, patch on its status, create and patch on events are enough', async () => {
      const world = await worlds.open();
      const { module, transport, logs } = await start(world, [widgets, status, events]);
      const { calls } = module.get(WidgetHandlers);
      let overtaken = false;
      transport.beforeSending = ({ method, body }) => {
        if (method !== 'PATCH' || !JSON.stringify(body).includes('rounded') || overtaken) return undefined;
        overtaken = true;
        const ref = { name: 'modest', namespace: world.namespace };
        return world.admin.patch(Widget, ref, { metadata: { labels: { meanwhile: 'yes' } } });
      };
      await liveThrough(world, 'modest');
      expect(calls).toEqual(['create', 'update', 'delete']);
      await world.until(async () => (await eventsAbout(world, 'modest')).length === 1);
      expect(transport.sent.filter(({ status: answer }) => answer === 403)).toEqual([]);
      expect(logs.find({ level: 'error' })).toEqual([]);
      // Somebody was quicker once, so that the object had to be read again.
      expect(transport.sent.map(({ status: answer }) => answer)).toContain(409);
      expect(transport.sent.some(({ method, path }) => method === 'GET' && path.endsWith('/widgets/modest'))).toBe(
        true,
      );
    });

    test('without the right to post events, one warning says so, and nothing else suffers', async () => {
      const world = await worlds.open();
      const { module, logs } = await start(world, [widgets, status]);
      await liveThrough(world, 'first');
      await liveThrough(world, 'second');
      await world.until(() => logs.find({ message: 'A Kubernetes event could not be posted' }).length > 0);
      await world.pass(500);
      expect(logs.find({ level: 'warn', message: 'A Kubernetes event could not be posted' })).toHaveLength(1);
      expect(logs.find({ level: 'error' })).toEqual([]);
      expect(module.get(WidgetHandlers).calls).toHaveLength(6);
      expect(await eventsAbout(world, 'first')).toEqual([]);
    });

    test('[FS-13] without the right to watch, the operator ends and says which rule is missing', async () => {
      const world = await worlds.open();
      const running = await start(world, [{ ...widgets, verbs: ['get', 'patch'] }, status, events]);
      const { exit, logs, operator } = running;
      await world.until(() => exit.exits.length > 0, 20_000);
      expect([exit.code, exit.exits]).toEqual([1, [1]]);
      const failure = await operator.done.catch((error: unknown) => error);
      const cause = (failure as Error).cause as Error;
      expect(cause).toMatchObject({ code: 'OPERATOR_SYNC_TIMEOUT' });
      const rows = cause.message.split('\n').slice(1);
      expect(rows[0]?.trim().split(/\s+/)).toEqual(['RESOURCE', 'NAMESPACE', 'VERB', 'STATUS', 'MISSING']);
      expect(rows.slice(1).map((row) => row.trim().split(/\s{2,}/))).toEqual([
        [
          'widgets.v1.demo.example',
          world.namespace,
          expect.stringMatching(/^(list|watch)$/),
          '403',
          `rule { apiGroups: ["demo.example"], resources: ["widgets"], verbs: ["list", "watch"] } in a Role in namespace ${world.namespace}`,
        ],
      ]);
      expect(logs.find({ level: 'error' }).at(-1)?.error).toBe(failure);
    });

    test('one refused namespace among several is degraded, and the others are served', async () => {
      const world = await worlds.open();
      const { operator, module, exit, logs } = await start(
        world,
        [widgets, status, events],
        [world.namespace, 'kube-system'],
      );
      await liveThrough(world, 'served');
      await world.pass(6_000);
      await liveThrough(world, 'served-later');
      expect(module.get(WidgetHandlers).calls).toHaveLength(6);
      const watches = operator.getStatus().watches.map(({ namespace, synced }) => ({ namespace, synced }));
      expect(watches).toEqual([
        { namespace: world.namespace, synced: true },
        { namespace: 'kube-system', synced: false },
      ]);
      expect(exit.code).toBeUndefined();
      expect(logs.find({ level: 'warn' }).some(({ fields }) => fields['namespace'] === 'kube-system')).toBe(true);
    });

    test('patterns of namespaces need the right to list and watch namespaces; without it, the operator ends and says so', async () => {
      const world = await worlds.open();
      const { exit, operator } = await start(world, [widgets, status, events], [`${world.namespace},kube-*`]);
      await world.until(() => exit.exits.length > 0, 20_000);
      const failure = (await operator.done.catch((error: unknown) => error)) as Error;
      expect(failure.cause).toMatchObject({ code: 'OPERATOR_SYNC_TIMEOUT' });
      expect((failure.cause as Error).message).toContain(
        'rule { apiGroups: [""], resources: ["namespaces"], verbs: ["list", "watch"] } in a ClusterRole',
      );
    });

    test('nothing of this is written again in a quiet cluster', () => worlds.expectQuiet());
  });
}
