import type { PolicyRule } from '@nestjs-operator/testing/control-plane';
import { afterAll, describe, test, type ExpectStatic, type TestContext } from 'vitest';
import type { GrantingWorld } from '../../support/granting.js';
import { configMaps, definition, StrictWidget, Widget } from '../../support/kinds.js';
import { eventsAbout, isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';
import {
  CountingHandlers,
  EchoHandlers,
  FinalizedHandlers,
  InvalidHandlers,
  Returner,
  ReturnerHandlers,
  Straggler,
  StragglerHandlers,
  WidgetHandlers,
} from './fault-scenarios.operators.js';

const definitions = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions' };

async function install(world: World, plural: string, kind: string): Promise<void> {
  const wanted = definition({ plural, kind });
  await world.admin.create(wanted);
  await world.until(async () => {
    const { status } = (await world.admin.get(definitions, wanted.metadata)) as {
      readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
    };
    return status?.conditions?.some(({ type, status: met }) => type === 'Established' && met === 'True') === true;
  });
}

/** The uid that the record on the object is for. */
const recordedFor = ({ metadata }: Widget): string | undefined => {
  const record = metadata.annotations?.['test.example.com/nestjs-operator.widgets'];
  return record === undefined ? undefined : (JSON.parse(record) as { readonly uid: string }).uid;
};

const limit = 240_000;

/** Fault scenarios that need no more of a world than that it is one. On a real control plane they wait side by side. */
export function faultScenariosSuite(createWorld: () => Promise<GrantingWorld>): void {
  const each = (title: string, run: (world: GrantingWorld, expect: ExpectStatic) => Promise<void>): void =>
    test(title, { timeout: 2 * limit }, async ({ expect }: TestContext) => {
      await run(await worlds.open(), expect);
    });
  const worlds = new OpenWorlds(createWorld);

  describe('faults that an operator lives through', { concurrent: true }, () => {
    afterAll(() => worlds.close());

    each(
      '[FS-14] rights that are taken and given back degrade the watch, end nothing, and nothing is missed',
      async (world, expect) => {
        const { admin, namespace } = world;
        const rules: PolicyRule[] = [
          { apiGroups: ['demo.example'], resources: ['widgets'], verbs: ['list', 'watch', 'get', 'patch'] },
          { apiGroups: ['demo.example'], resources: ['widgets/status'], verbs: ['patch'] },
          { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
        ];
        await world.grant(namespace, rules);
        const { module, operator, exit, logs } = await world.startOperator({
          providers: [FinalizedHandlers],
          // So that the watch ends, and has to ask for its rights again.
          operator: {
            namespaces: [namespace],
            kubeConfig: world.kubeConfig,
            watching: { timeout: { min: '5s', max: '5s' } },
          },
        });
        const { calls } = module.get(FinalizedHandlers);
        for (const name of ['changed', 'deleted'])
          await admin.create(Widget, { metadata: { name, namespace }, spec: { size: 1 } });
        await world.until(() => calls.length === 2);
        await world.until(async () => (await admin.get(Widget, { name: 'deleted', namespace })).status?.['seen'] === 1);

        await world.grant(namespace, []);
        await world.until(() => operator.getStatus().watches[0]?.state === 'degraded');
        const { since, cause } = operator.getStatus().watches[0]!;
        expect(cause).toContain('403');
        await admin.create(Widget, { metadata: { name: 'made', namespace }, spec: { size: 1 } });
        await admin.patch(Widget, { name: 'changed', namespace }, { spec: { size: 2 } });
        await admin.delete(Widget, { name: 'deleted', namespace });
        const told = () => logs.find({ level: 'warn', message: 'Watch interrupted, will be retried' }).length;
        await world.pass(120_000);
        expect(operator.getStatus().watches).toMatchObject([{ state: 'degraded', since, synced: true }]);
        expect([exit.code, operator.getStatus().state]).toEqual([undefined, 'running']);
        expect(told()).toBe(1);

        await world.grant(namespace, rules);
        await world.until(() => operator.getStatus().watches[0]?.state === 'watching', limit);
        await world.until(() => isGone(admin, Widget, { name: 'deleted', namespace }), limit);
        await world.until(() => calls.length === 5, limit);
        expect(calls.slice(2).toSorted()).toEqual(['create made 1', 'delete deleted 1', 'update changed 2']);
        expect(logs.find({ message: 'Watch recovered' })).toHaveLength(1);
        expect(told()).toBe(1);
        expect(exit.code).toBeUndefined();
      },
    );

    each('[FS-15] a definition that is applied 20 s after the start is waited for', async (world, expect) => {
      const { admin, namespace } = world;
      const { module, operator, exit, logs } = await world.startOperator({
        providers: [StragglerHandlers],
        operator: { namespaces: [namespace] },
        synced: false,
      });
      const { calls } = module.get(StragglerHandlers);
      await world.pass(20_000);
      expect(operator.getStatus().state).toBe('running');
      await install(world, 'stragglers', 'Straggler');
      await admin.create(Straggler, { metadata: { name: 'a', namespace }, spec: { size: 1 } });
      await world.until(() => calls.length === 1);
      await operator.whenSynced();
      expect(calls).toEqual(['create a 1']);
      expect(exit.code).toBeUndefined();
      expect(logs.find({ level: 'error' })).toEqual([]);
      await admin.delete(definitions, { name: 'stragglers.demo.example' });
    });

    each(
      '[FS-16] a definition that is deleted and comes back leads to no loop over old keys; new objects are new',
      async (world, expect) => {
        const { admin, namespace } = world;
        const ref = { name: 'a', namespace };
        const seen = (size: number) => async () => (await admin.get(Returner, ref)).status?.['seen'] === size;
        await install(world, 'returners', 'Returner');
        const { module, operator, exit, logs, transport } = await world.startOperator({
          providers: [ReturnerHandlers],
          operator: { namespaces: [namespace] },
        });
        const { calls } = module.get(ReturnerHandlers);
        const { metadata } = await admin.create(Returner, { metadata: ref, spec: { size: 1 } });
        await world.until(seen(1));
        const name = 'returners.demo.example';
        await admin.delete(definitions, { name });
        // With their finalizer, objects hold their definition until they were handled.
        await world.until(() => isGone(admin, definitions, { name }));
        expect(calls).toEqual(['create a 1', 'delete a 1']);
        await world.until(() => operator.getStatus().watches[0]?.state === 'kind-gone');
        expect(operator.getStatus().objects).toEqual({ 'returners.v1.demo.example': 0 });
        transport.clear();
        await world.pass(5_000);
        expect(transport.sent.filter(({ path }) => path.includes('/returners'))).toEqual([]);

        await install(world, 'returners', 'Returner');
        const second = await admin.create(Returner, { metadata: ref, spec: { size: 1 } });
        expect(second.metadata.uid).not.toBe(metadata.uid);
        await world.until(seen(1));
        expect(calls).toEqual(['create a 1', 'delete a 1', 'create a 1']);
        expect(exit.code).toBeUndefined();
        expect(logs.find({ level: 'error' })).toEqual([]);
        await admin.delete(Returner, ref);
        await world.until(() => isGone(admin, Returner, ref));
        await admin.delete(definitions, { name });
      },
    );

    each(
      '[FS-17] one unreadable object among ten is counted and named, the others are handled, and nothing relists',
      async (world, expect) => {
        const { admin, namespace } = world;
        const names = Array.from({ length: 10 }, (_, index) => `w${index}`);
        for (const name of [...names, 'bad']) {
          await admin.create(Widget, { metadata: { name, namespace }, spec: { size: name === 'bad' ? 'x' : 1 } });
        }
        const { module, operator, exit, logs, transport } = await world.startOperator({
          providers: [WidgetHandlers],
          operator: {
            namespaces: [namespace],
            watching: {
              keep: (object) => {
                const { size } = (object as unknown as { spec: { size: unknown } }).spec;
                if (typeof size !== 'number') throw new TypeError('spec.size is not a number');
                return object;
              },
            },
          },
        });
        const { calls } = module.get(WidgetHandlers);
        await world.until(() => calls.length === 10);
        await world.pass(10_000);
        expect(calls.toSorted()).toEqual(names.map((name) => `create ${name} 1`).toSorted());
        const reports = logs.find({ level: 'error' });
        expect(reports).toHaveLength(1);
        expect(reports[0]).toMatchObject({ message: 'State of an object left out: the transform failed' });
        expect(JSON.stringify(reports[0]?.fields)).toContain('bad');
        expect(transport.lists('widgets')).toHaveLength(1);
        expect(operator.getStatus().watches).toMatchObject([{ state: 'watching', synced: true }]);
        expect(exit.code).toBeUndefined();
      },
    );

    each(
      '[FS-21] deletions while the operator is down are handled at the start where there is a finalizer; else no phantom is left',
      async (world, expect) => {
        const { admin, namespace } = world;
        const operator = { namespaces: [namespace] };
        const first = await world.startOperator({ providers: [FinalizedHandlers], operator });
        const { metadata: owner } = await admin.create(Widget, {
          metadata: { name: 'held', namespace },
          spec: { size: 1 },
        });
        await world.until(async () => (await admin.get(Widget, { name: 'held', namespace })).status?.['seen'] === 1);
        await first.close();
        const plain = { ...operator, name: 'plain.example.com' };
        const second = await world.startOperator({ providers: [WidgetHandlers], operator: plain });
        const { metadata: free } = await admin.create(Widget, {
          metadata: { name: 'free', namespace },
          spec: { size: 1 },
        });
        await world.until(async () => (await admin.get(Widget, { name: 'free', namespace })).status?.['seen'] === 1);
        await second.close();
        for (const { name, uid } of [owner, free]) {
          await admin.create(configMaps, {
            metadata: {
              name: `child-of-${name}`,
              namespace,
              ownerReferences: [{ apiVersion: 'demo.example/v1', kind: 'Widget', name, uid: uid as string }],
            },
          });
          await admin.delete(Widget, { name, namespace });
        }
        await world.until(() => isGone(admin, Widget, { name: 'free', namespace }));

        const third = await world.startOperator({ providers: [FinalizedHandlers], operator });
        const fourth = await world.startOperator({ providers: [WidgetHandlers], operator: plain });
        await world.until(() => isGone(admin, Widget, { name: 'held', namespace }));
        for (const { name } of [owner, free]) {
          await world.until(() => isGone(admin, configMaps, { name: `child-of-${name}`, namespace }), limit);
        }
        await world.pass(2_000);
        expect(third.module.get(FinalizedHandlers).calls).toEqual(['delete held 1']);
        expect(fourth.module.get(WidgetHandlers).calls).toEqual([]);
        for (const running of [third, fourth]) {
          expect(running.operator.getStatus().objects).toEqual({ 'widgets.v1.demo.example': 0 });
          expect(running.logs.find({ level: 'error' })).toEqual([]);
        }
      },
    );

    each('[FS-22] deleted and created again under one name in a gap: nothing is passed on', async (world, expect) => {
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const running = await world.startOperator({
        providers: [WidgetHandlers],
        operator: { namespaces: [namespace], watching: { timeout: { min: '5s', max: '5s' } } },
      });
      const { calls } = running.module.get(WidgetHandlers);
      const { metadata: before } = await admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(async () => recordedFor(await admin.get(Widget, ref)) === before.uid);
      // No stream comes about until the gap is over.
      let refused = 0;
      running.transport.beforeSending = ({ query }) => {
        if (query.get('watch') !== 'true') return undefined;
        refused += 1;
        return Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
      };
      await world.until(() => refused > 0);
      await admin.delete(Widget, ref);
      const { metadata: after } = await admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      running.transport.beforeSending = () => undefined;
      await world.until(() => calls.length === 2);
      // Alike in every field, and another object all the same.
      expect(calls).toEqual(['create a 1', 'create a 1']);
      await world.until(async () => recordedFor(await admin.get(Widget, ref)) === after.uid);
      expect(after.uid).not.toBe(before.uid);
    });

    each(
      '[FS-27] conflicts on every second write are solved by reading again, without error records and lost updates',
      async (world, expect) => {
        const { admin, namespace } = world;
        const ref = { name: 'a', namespace };
        const running = await world.startOperator({
          providers: [CountingHandlers],
          operator: { namespaces: [namespace] },
        });
        const { calls } = running.module.get(CountingHandlers);
        let writes = 0;
        let theirs = 0;
        running.transport.beforeSending = ({ method, path }) => {
          if (method !== 'PATCH' || !path.endsWith('/status')) return undefined;
          writes += 1;
          if (writes % 2 === 0) return undefined;
          theirs += 1;
          return admin.patch(Widget, ref, { status: { theirs } }, { subresource: 'status' } as never);
        };
        await admin.create(Widget, { metadata: ref, spec: { size: 0 } });
        for (let size = 1; size <= 5; size += 1) {
          await world.until(async () => (await admin.get(Widget, ref)).status?.['ours'] === size);
          await admin.patch(Widget, ref, { spec: { size } });
        }
        await world.until(async () => (await admin.get(Widget, ref)).status?.['ours'] === 6);
        expect(calls).toHaveLength(6);
        expect(theirs).toBeGreaterThanOrEqual(6);
        expect((await admin.get(Widget, ref)).status).toEqual({ ours: 6, theirs });
        // A conflict is told as 422 where a test of a JSON patch fails.
        expect(running.transport.sent.filter(({ status }) => status === 409 || status === 422).length).toBe(theirs);
        expect(running.logs.find({ level: 'error' })).toEqual([]);
        expect(running.logs.find({ level: 'warn' })).toEqual([]);
      },
    );

    each(
      '[FS-28] a write that the schema refuses throttles its object, with one Warning event',
      async (world, expect) => {
        const { admin, namespace } = world;
        const { module, operator, exit, logs } = await world.startOperator({
          providers: [InvalidHandlers],
          operator: { namespaces: [namespace] },
        });
        const { calls } = module.get(InvalidHandlers);
        await admin.create(StrictWidget, { metadata: { name: 'bad', namespace }, spec: { color: 'red' } });
        await admin.create(StrictWidget, { metadata: { name: 'good', namespace }, spec: { color: 'blue' } });
        await world.pass(15_000);
        expect(operator.getStatus().throttled).toBe(1);
        // 1, 1, 2, 3, 5 s apart, the handler not called again for them.
        const reports = logs.find({ level: 'error', message: 'Processing an object failed; it is throttled' });
        expect(reports.map(({ fields }) => Math.round(Number(fields['delay']) / 1_000)).slice(0, 5)).toEqual([
          1, 1, 2, 3, 5,
        ]);
        expect(calls.toSorted()).toEqual(['create bad', 'create good']);
        await world.until(async () => (await eventsAbout(world, 'bad')).length > 0);
        const posted = await eventsAbout(world, 'bad');
        expect(posted.map(({ type, reason, series }) => [type, reason, series?.count ?? 1])).toEqual([
          ['Warning', 'ProcessingFailed', 1],
        ]);
        expect(exit.code).toBeUndefined();

        // A change is dealt with at once, and mends it.
        await admin.patch(StrictWidget, { name: 'bad', namespace }, { spec: { color: 'green' } });
        await world.until(async () => (await admin.get(StrictWidget, { name: 'bad', namespace })).spec.size === 7);
        expect(calls.toSorted()).toEqual(['create bad', 'create good', 'update bad']);
        await world.until(() => operator.getStatus().throttled === 0);
      },
    );

    each(
      '[FS-35] a handler that writes the status of its own object is not called by its own echo',
      async (world, expect) => {
        const { admin, namespace } = world;
        const ref = { name: 'a', namespace };
        const running = await world.startOperator({ providers: [EchoHandlers], operator: { namespaces: [namespace] } });
        const { calls, events } = running.module.get(EchoHandlers);
        await admin.create(Widget, { metadata: ref, spec: { size: 1 } });
        await world.until(async () => (await admin.get(Widget, ref)).status?.['seen'] === 1);
        await admin.patch(Widget, ref, { spec: { size: 2 } });
        await world.until(async () => (await admin.get(Widget, ref)).status?.['seen'] === 2);
        const { generation } = (await admin.get(Widget, ref)).metadata as { readonly generation?: number };
        await world.pass(10_000);
        expect(calls).toEqual(['create a 1', 'update a 2']);
        expect((await admin.get(Widget, ref)).metadata).toMatchObject({ generation });
        // What the operator wrote itself is no news either.
        expect(events).toEqual(['ADDED a', 'MODIFIED a']);
      },
    );
  });
}
