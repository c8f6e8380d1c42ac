import type { PolicyRule } from '@nestjs-operator/testing/control-plane';
import {
  AccessMissingError,
  ApiError,
  HandlerContext,
  OnCreate,
  OnDelete,
  OnUpdate,
  ResourceHandlers,
} from 'nestjs-operator';
import type { OperatorModuleOptions } from 'nestjs-operator/internal';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { GrantingWorld } from '../../support/granting.js';
import { Widget } from '../../support/kinds.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { RunningOperator } from '../../support/world.js';

@ResourceHandlers(Widget)
class WidgetHandlers {
  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Widget>): object {
    return { seen: ctx.spec['size'] };
  }

  @OnDelete()
  remove(): void {}
}

const apiGroups = ['demo.example'];
const reading: PolicyRule = { apiGroups, resources: ['widgets'], verbs: ['list', 'watch', 'get'] };
const writing: PolicyRule = { apiGroups, resources: ['widgets'], verbs: ['patch'] };
const status: PolicyRule = { apiGroups, resources: ['widgets/status'], verbs: ['patch'] };
const events: PolicyRule = { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] };
const all = [reading, writing, status, events];

const widgets = 'widgets.v1.demo.example';

/** Operators that lack rights: before the start, from the start on, and by what is taken from them while they run. */
export function missingRightsSuite(createWorld: () => Promise<GrantingWorld>): void {
  describe('rights that an operator lacks', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    function start(world: GrantingWorld, operator: Partial<OperatorModuleOptions> = {}): Promise<RunningOperator> {
      return world.startOperator({
        providers: [WidgetHandlers],
        operator: {
          kubeConfig: world.kubeConfig,
          namespaces: [world.namespace, world.second],
          preflight: 'warn',
          // Short enough to see all of it end within a test.
          watching: { backoff: { initial: '250ms', cap: '2s' }, timeout: { min: '3s', max: '4s' } },
          queue: { throttle: ['1s', '2s'] },
          health: { degradedAfter: '1s' },
          ...operator,
        },
        synced: false,
      });
    }

    const lacking = ({ logs }: RunningOperator): AccessMissingError[] =>
      logs.find({ level: 'warn', message: 'The account lacks access' }).map(({ error }) => error as AccessMissingError);
    const reviewed = ({ logs }: RunningOperator): number => logs.find({ message: 'Access reviewed' }).length;

    const create = (world: GrantingWorld, namespace: string, name: string): Promise<unknown> =>
      world.admin.create(Widget, { metadata: { name, namespace }, spec: { size: 1 } });
    const handled =
      (world: GrantingWorld, namespace: string, name: string, size = 1) =>
      async (): Promise<boolean> =>
        (await world.admin.get(Widget, { name, namespace })).status?.['seen'] === size;

    test('what is missing is told at the start, with rules that are all that it takes', async () => {
      const world = await worlds.open();
      const { namespace, second } = world;
      await world.grant(namespace, all);
      await world.grant(second, [{ ...reading, verbs: ['list', 'watch'] }]);
      const first = await start(world);
      await world.until(() => lacking(first).length > 0);
      const [error] = lacking(first);
      expect(error?.code).toBe('OPERATOR_ACCESS_MISSING');
      const missing = error?.missing.map(({ resource, namespace: where, verbs, need }) => ({
        resource,
        where,
        verbs,
        need,
      }));
      expect(missing).toEqual([
        { resource: 'widgets.demo.example', where: second, verbs: ['get', 'patch'], need: 'always' },
        { resource: 'widgets.demo.example/status', where: second, verbs: ['patch'], need: 'sometimes' },
        { resource: 'events.events.k8s.io', where: second, verbs: ['create', 'patch'], need: 'sometimes' },
      ]);
      const [, yaml = ''] = error?.message.split(`Rules for a Role in namespace ${second}:\n`) ?? [];
      await world.grant(second, [{ ...reading, verbs: ['list', 'watch'] }, ...(parse(yaml) as PolicyRule[])]);
      const next = await start(world);
      await world.until(() => reviewed(next) > 0);
      expect(lacking(next)).toEqual([]);
      expect(lacking(first)).toHaveLength(1);
    });

    test('what it cannot do without ends the operator, if told so; the rest does not', async () => {
      const world = await worlds.open();
      const { namespace, second } = world;
      await world.grant(namespace, all);
      await world.grant(second, [reading, writing]);
      const tolerant = await start(world, { preflight: 'fail' });
      const { logs } = tolerant;
      await world.until(() => logs.find({ message: 'The account lacks access that it may not need' }).length > 0);
      expect(lacking(tolerant)).toEqual([]);
      expect(tolerant.exit.code).toBeUndefined();
      await world.grant(second, [reading]);
      const strict = await start(world, { preflight: 'fail' });
      await world.until(() => strict.exit.exits.length > 0, 20_000);
      const failure = (await strict.operator.done.catch((error: unknown) => error)) as Error;
      expect([strict.exit.code, (failure.cause as AccessMissingError).code]).toEqual([1, 'OPERATOR_ACCESS_MISSING']);
      expect((failure.cause as Error).message).toContain('widgets.demo.example');
    });

    test('nothing is asked when that is off', async () => {
      const world = await worlds.open();
      await world.grant(world.namespace, all);
      const { operator, transport } = await start(world, { preflight: 'off' });
      await world.until(() => operator.getStatus().watches.some(({ synced }) => synced));
      expect(transport.sent.filter(({ path }) => path.includes('authorization.k8s.io'))).toEqual([]);
    });

    test('[TC-55] missing rights are named, hold up only what they concern, and end when granted', async () => {
      const world = await worlds.open();
      const { namespace, second, admin } = world;
      await world.grant(namespace, all);
      const running = await start(world);
      const { operator, logs, transport, exit } = running;
      const reasons = async (): Promise<string[]> =>
        (await operator.getHealth()).readiness.reasons.map(({ reason, subject }) => `${reason} ${subject}`);
      const refusals = (message: string): ApiError[] =>
        logs
          .find({ message })
          .flatMap(({ error }) => (error instanceof ApiError && error.status === 403 ? [error] : []));

      // Rights for one of two namespaces: that one is served at once, the other one is named.
      await create(world, namespace, 'one');
      await create(world, second, 'waits');
      await world.until(handled(world, namespace, 'one'));
      await world.until(() => lacking(running).length > 0);
      expect(new Set(lacking(running)[0]?.missing.map((row) => row.namespace))).toEqual(new Set([second]));
      await world.until(async () => (await reasons()).length === 1);
      expect(await reasons()).toEqual([`not-synced ${widgets} in ${second}`]);
      expect((await operator.getHealth()).liveness.ok).toBe(true);
      const interrupted = logs.find({ level: 'warn', message: 'Watch interrupted, will be retried' });
      expect(interrupted.map(({ fields }) => [fields['resource'], fields['namespace'], fields['status']])).toEqual([
        [widgets, second, 403],
      ]);
      expect(interrupted[0]?.fields['verb']).toMatch(/^(list|watch)$/);
      transport.clear();
      await world.pass(6_000);
      const asked = transport.sent.filter(({ path }) => path.includes(`/namespaces/${second}/`));
      // Each wait is 1 to 2 times the cap of 2 s.
      expect(asked.length).toBeGreaterThanOrEqual(1);
      expect(asked.length).toBeLessThanOrEqual(5);

      // Granted: within one wait, which is twice the cap at most.
      await world.grant(second, all);
      await world.until(handled(world, second, 'waits'), 6_000);
      expect(await reasons()).toEqual([]);

      // Revoked while it runs: noticed when the server ends the watch.
      await world.grant(namespace, []);
      await world.until(async () => (await reasons()).includes(`degraded ${widgets} in ${namespace}`), 20_000);
      expect(await reasons()).toHaveLength(1);
      expect((await operator.getHealth()).liveness.ok).toBe(true);
      await create(world, second, 'meanwhile');
      await world.until(handled(world, second, 'meanwhile'));
      await admin.patch(Widget, { name: 'one', namespace }, { spec: { size: 2 } });
      await world.grant(namespace, all);
      await world.until(handled(world, namespace, 'one', 2), 6_000);
      await world.until(async () => (await reasons()).length === 0);

      // Without the right to patch, and then without that on the status: the object waits, and says for what.
      for (const [name, rules, path] of [
        ['unpatched', [reading, status, events], `/widgets/unpatched`],
        ['stateless', [reading, writing, events], `/widgets/stateless/status`],
      ] as const) {
        await world.grant(namespace, rules);
        // Rights take a moment to arrive everywhere.
        await world.pass(1_000);
        await create(world, namespace, name);
        const throttles = (): ApiError[] =>
          refusals('Processing an object failed; it is throttled').filter((error) => error.path.endsWith(path));
        await world.until(() => throttles().length > 0);
        expect(throttles()[0]).toMatchObject({ verb: 'patch', reason: 'Forbidden' });
        expect(throttles()[0]?.path).toContain(`/namespaces/${namespace}/`);
        await create(world, second, `beside-${name}`);
        await world.until(handled(world, second, `beside-${name}`));
        await world.pass(4_000);
        expect(throttles().length).toBeLessThanOrEqual(5);
        expect(await handled(world, namespace, name)()).toBe(false);
        await world.grant(namespace, all);
        await world.until(handled(world, namespace, name), 10_000);
      }
      expect(exit.code).toBeUndefined();
      expect(await reasons()).toEqual([]);
    });

    test('nothing of this is written again in a quiet cluster', () => worlds.expectQuiet());
  });
}
