import { OPERATOR_CLOCK, type Clock } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { RunningOperator, World } from '../../support/world.js';
import { build, changeDefinition, define, gears, levers, machineVersion, undefine } from './machines.js';
import { LeverHandlers, MachineHandlers } from './operator.js';

const watched = ({ operator }: RunningOperator): string[] =>
  operator
    .getStatus()
    .watches.map(({ resource, namespace }) => `${resource} in ${namespace ?? 'all'}`)
    .toSorted();

/** Kinds that appear, change and go while the operator runs. */
export function changesFeature(createWorld: () => Promise<World>): void {
  describe('kinds that change', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('are served as they come, and ended when they go, as often as that happens', async () => {
      const world = await worlds.open();
      const running = await world.startOperator({ providers: [MachineHandlers] });
      const { calls } = running.module.get(MachineHandlers);
      expect(watched(running)).toEqual([]);
      for (let round = 1; round <= 2; round += 1) {
        calls.length = 0;
        await define(world, gears);
        await define(world, levers);
        await build(world, gears, 'wheel');
        await build(world, levers, 'handle');
        await world.until(() => calls.length === 4);
        expect(calls.toSorted()).toEqual(['create gears wheel', 'create levers handle', 'run handle', 'run wheel']);
        await undefine(world, gears);
        await world.until(() => running.operator.getStatus().watches.length === 1);
        await world.until(() => calls.length === 6);
        expect(calls.slice(4).toSorted()).toEqual(['DELETED gears wheel', 'stop wheel: gone']);
        expect(running.operator.getStatus().tasks.filter(({ name }) => name.includes('gears'))).toEqual([]);
        await undefine(world, levers);
        await world.until(() => running.operator.getStatus().watches.length === 0);
        await world.until(() => calls.length === 8);
      }
      expect(running.exit.code).toBeUndefined();
      expect(running.logs.find({ level: 'error' })).toEqual([]);
    });

    test('in their version are served in the new one, without running creation again', async () => {
      const world = await worlds.open();
      const old = { ...levers, versions: ['v1beta1'] };
      await define(world, old);
      await build(world, old, 'handle', 'v1beta1');
      const running = await world.startOperator({ providers: [LeverHandlers] });
      const { calls } = running.module.get(LeverHandlers);
      await world.until(() => calls.length === 2);
      await world.pass(1_000);

      await changeDefinition(world.admin, levers, {
        spec: { versions: [machineVersion('v1beta1', false), machineVersion('v1', true)] },
      });
      await world.until(() => watched(running).some((watch) => watch.startsWith('levers.v1.select.example')));
      await world.until(() => calls.length === 4);
      expect(calls.slice(2)).toEqual(['stop v1beta1: replaced', 'run v1']);
      const ref = { name: 'handle', namespace: world.namespace };
      await world.admin.patch({ apiVersion: 'select.example/v1', kind: 'Lever' }, ref, { spec: { length: 2 } });
      await world.until(() => calls.length === 5);
      await world.pass(1_000);
      expect(calls.filter((call) => !call.startsWith('run') && !call.startsWith('stop'))).toEqual([
        'create v1beta1',
        'update v1',
      ]);
      expect(running.operator.getStatus().watches).toHaveLength(1);
      expect(running.logs.find({ level: 'error' })).toEqual([]);
      await running.close();
      await undefine(world, levers);
    });

    test('in their scope are served in the new one', async () => {
      const world = await worlds.open();
      await define(world, levers);
      await build(world, levers, 'namespaced');
      const running = await world.startOperator({
        providers: [LeverHandlers],
        operator: { namespaces: [world.namespace] },
      });
      const { calls } = running.module.get(LeverHandlers);
      await world.until(() => calls.includes('create v1'));
      expect(watched(running)).toEqual([`levers.v1.select.example in ${world.namespace}`]);
      await undefine(world, levers);
      const wide = { ...levers, scope: 'Cluster' as const };
      await define(world, wide);
      await build(world, wide, 'of-the-cluster');
      await world.until(() => calls.filter((call) => call === 'create v1').length === 2);
      expect(watched(running)).toEqual(['levers.v1.select.example in all']);
      expect(running.exit.code).toBeUndefined();
      await running.close();
      await undefine(world, wide);
    });

    test('end no call that is at work, and begin anew only after it', async () => {
      const world = await worlds.open();
      const old = { ...levers, versions: ['v1beta1'] };
      await define(world, old);
      const running = await world.startOperator({ providers: [LeverHandlers] });
      const handlers = running.module.get(LeverHandlers);
      const { calls } = handlers;
      const clock = running.module.get<Clock>(OPERATOR_CLOCK, { strict: false });
      const { promise: busy, resolve: release } = Promise.withResolvers<void>();
      handlers.busy = busy;
      await build(world, old, 'handle', 'v1beta1');
      await world.until(() => calls.includes('create v1beta1'));
      await changeDefinition(world.admin, levers, {
        spec: { versions: [machineVersion('v1beta1', false), machineVersion('v1', true)] },
      });
      await world.until(() => calls.includes('stop v1beta1: replaced') || clock.monotonic() > 10_000);
      await world.pass(3_000);
      expect(watched(running)[0]).toMatch(/^levers\.v1beta1\./);
      handlers.busy = undefined;
      release();
      await world.until(() => watched(running)[0]?.startsWith('levers.v1.') === true);
      await world.pass(2_000);
      expect(calls.filter((call) => call.startsWith('create'))).toEqual(['create v1beta1']);
      expect(running.logs.find({ level: 'error' })).toEqual([]);
      await running.close();
      await undefine(world, levers);
    });

    test('are waited for without asking again and again', async () => {
      const world = await worlds.open();
      const running = await world.startOperator({
        providers: [LeverHandlers],
        operator: { watching: { missingKind: 'wait' } },
        synced: false,
      });
      const { calls } = running.module.get(LeverHandlers);
      await world.until(() => running.transport.watches('customresourcedefinitions').length > 0);
      await world.pass(10_000);
      running.transport.clear();
      await world.pass(20_000);
      // Others define kinds on a cluster that is shared, and each definition is news.
      const news = world.kind === 'real' ? ['/api', '/apis'] : [];
      const asked = running.transport.sent.filter(({ path }) => !news.includes(path));
      expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
      await define(world, levers);
      await build(world, levers, 'late');
      await world.until(() => calls.includes('create v1'));
      await running.close();
      await undefine(world, levers);
    });

    test('nothing is written in a quiet cluster', () => worlds.expectQuiet());
  });
}
