import { afterAll, describe, expect, test } from 'vitest';
import { configMaps, namespaces, Widget } from '../../support/kinds.js';
import { eventsAbout, find, isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { RunningOperator, World } from '../../support/world.js';
import { FailingDeletions, ParentHandlers, StubbornDeletions, ThreeDeletions, WaitingCreation } from './operator.js';

const finalizer = 'test.example.com/finalizer';
const forceRelease = 'test.example.com/force-release';

// Requests of an operator that take its finalizer away.
function releases({ transport }: RunningOperator): number[] {
  return transport.writes.flatMap(({ body }, index) => {
    const operations = Array.isArray(body) ? (body as Array<{ op: string; path: string; value?: unknown }>) : [];
    const released = operations.some(
      ({ op, path, value }) =>
        op !== 'test' && path === '/metadata/finalizers' && !(value as string[]).includes(finalizer),
    );
    return released ? [index] : [];
  });
}

async function untilGuarded(world: World, name: string): Promise<void> {
  await world.until(async () => {
    const { metadata } = await world.admin.get(Widget, { name, namespace: world.namespace });
    return metadata.finalizers?.includes(finalizer) === true;
  });
}

const reasonsFor = async (world: World, name: string, namespace?: string): Promise<string[]> =>
  (await eventsAbout(world, name, namespace)).map(({ reason }) => reason);

/** Everything that can come between the deletion of an object and its end. */
export function deletionFaultsFeature(createWorld: () => Promise<World>): void {
  describe('the deletion of an object', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test.each([{ restart: false }, { restart: true }])(
      '[TC-28] waits for every delete handler, in order (with a restart between: $restart)',
      async ({ restart }) => {
        const world = await worlds.open();
        const ref = { name: 'three', namespace: world.namespace };
        const first = await world.startOperator({ providers: [ThreeDeletions] });
        const { calls, work } = first.module.get(ThreeDeletions);
        await world.admin.create(Widget, { metadata: ref, spec: {} });
        await untilGuarded(world, 'three');
        await world.admin.delete(Widget, ref);
        await world.until(() => calls.length === 2);
        work.resolve();
        await world.until(() => calls.length === 3);
        await world.pass(200);
        expect(calls).toEqual(['quick', 'twice 0', 'optional']);
        expect((await world.admin.get(Widget, ref)).metadata.finalizers).toEqual([finalizer]);
        expect(releases(first)).toEqual([]);
        let last = first;
        if (restart) {
          await first.close();
          last = await world.startOperator({ providers: [ThreeDeletions] });
        }
        await world.until(() => isGone(world.admin, Widget, ref));
        const later = restart ? last.module.get(ThreeDeletions).calls : calls.slice(3);
        expect(later).toEqual(['twice 1']);
        // The last of all writes, events aside.
        const patches = last.transport.writes.filter(({ method }) => method === 'PATCH').length;
        expect(patches).toBeGreaterThan(0);
        expect(releases(last)).toHaveLength(1);
        expect(
          last.transport.writes.filter(({ method }, index) => method === 'PATCH' && index > releases(last)[0]!),
        ).toEqual([]);
      },
    );

    test('[TC-32] each way in which a delete handler can fail has its end, and a finished one does not run again', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { module, logs } = await world.startOperator({ providers: [FailingDeletions] });
      const handlers = module.get(FailingDeletions);
      const { calls } = handlers;
      const ref = (name: string) => ({ name, namespace });
      const ways = ['plainly', 'temporarily', 'permanently', 'and-holds', 'in-time', 'not'];
      for (const name of ways) {
        await admin.create(Widget, { metadata: { ...ref(name), labels: { fails: name } }, spec: {} });
        await untilGuarded(world, name);
        await admin.delete(Widget, ref(name));
      }
      const of = (name: string): string[] => calls.filter((call) => call.startsWith(name));

      for (const name of ['plainly', 'temporarily', 'permanently', 'in-time']) {
        await world.until(() => isGone(admin, Widget, ref(name)));
      }
      expect(of('plainly')).toEqual(['plainly 0', 'plainly 1', 'plainly 2']);
      expect(of('temporarily')).toEqual(['temporarily 0', 'temporarily 1']);
      expect(of('permanently')).toEqual(['permanently']);
      expect(of('in-time')).toEqual(['in-time', 'in-time']);
      await world.pass(1_000);
      expect(await reasonsFor(world, 'plainly')).toEqual(['HandlerFailed']);
      expect(await reasonsFor(world, 'temporarily')).toEqual(['HandlerFailed']);
      expect(await reasonsFor(world, 'permanently')).toEqual(['HandlerGaveUp']);
      expect((await reasonsFor(world, 'in-time')).toSorted()).toEqual(['HandlerFailed', 'HandlerGaveUp']);

      // Held until somebody decides; whatever changes on it meanwhile.
      expect(await reasonsFor(world, 'and-holds')).toEqual(['HandlerGaveUp']);
      await admin.patch(Widget, ref('and-holds'), { metadata: { labels: { changed: 'yes' } }, spec: { size: 2 } });
      await world.pass(1_000);
      expect((await admin.get(Widget, ref('and-holds'))).metadata.finalizers).toEqual([finalizer]);
      expect(of('and-holds')).toEqual(['and-holds']);
      await admin.patch(Widget, ref('and-holds'), { metadata: { finalizers: null } });
      await world.until(() => isGone(admin, Widget, ref('and-holds')));

      await world.until(() => calls.includes('second'));
      await admin.patch(Widget, ref('not'), { metadata: { labels: { changed: 'yes' } } });
      await world.pass(1_000);
      handlers.slow.resolve();
      await world.until(() => isGone(admin, Widget, ref('not')));
      await world.pass(500);
      expect(calls.filter((call) => call === 'first' || call === 'second')).toEqual(['first', 'second']);
      expect(logs.find({ message: 'Handler failed for good' })).toHaveLength(3);
    });

    test('is let go by an annotation, whatever holds it, and only what is ours goes', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { module, logs } = await world.startOperator({ providers: [StubbornDeletions] });
      const { calls } = module.get(StubbornDeletions);
      const ref = (name: string) => ({ name, namespace });
      const ways = ['retries', 'holds', 'runs', 'paused'];
      for (const name of ways) {
        const annotations: Record<string, string> = name === 'paused' ? { 'test.example.com/paused': 'true' } : {};
        const finalizers = name === 'paused' ? [finalizer, 'other.example/keep'] : ['other.example/keep'];
        await admin.create(Widget, {
          metadata: { ...ref(name), labels: { stubborn: name }, annotations, finalizers },
          spec: {},
        });
        await untilGuarded(world, name);
      }
      // On a living object it says nothing yet.
      await admin.patch(Widget, ref('runs'), { metadata: { annotations: { [forceRelease]: 'true' } } });
      await world.pass(1_000);
      expect((await admin.get(Widget, ref('runs'))).metadata.finalizers).toContain(finalizer);
      await admin.patch(Widget, ref('runs'), { metadata: { annotations: { [forceRelease]: null } } });

      for (const name of ways) await admin.delete(Widget, ref(name));
      await world.until(() => calls.length === 3);
      await world.pass(1_000);
      for (const name of ways) {
        expect((await admin.get(Widget, ref(name))).metadata.finalizers, name).toContain(finalizer);
        await admin.patch(Widget, ref(name), { metadata: { annotations: { [forceRelease]: 'true' } } });
        await world.until(async () => !(await admin.get(Widget, ref(name))).metadata.finalizers?.includes(finalizer));
        expect((await admin.get(Widget, ref(name))).metadata.finalizers, name).toEqual(['other.example/keep']);
        await world.until(async () => (await reasonsFor(world, name)).includes('ReleasedByForce'));
      }
      await world.pass(1_000);
      expect(calls.toSorted()).toEqual(['holds', 'retries', 'runs']);
      expect(logs.find({ level: 'warn', message: /released by force/ })).toHaveLength(ways.length);
      for (const name of ways) await admin.patch(Widget, ref(name), { metadata: { finalizers: null } });
    });

    test('that is over before its handler is, is told to that handler, and nothing is written any more', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const running = await world.startOperator({ providers: [WaitingCreation] });
      const { calls } = running.module.get(WaitingCreation);
      const ref = { name: 'vanishes', namespace };
      await admin.create(Widget, { metadata: ref, spec: {} });
      await world.until(() => calls.length === 1);
      running.transport.clear();
      await admin.delete(Widget, ref);
      await world.until(() => calls.length === 2);
      await world.pass(1_000);
      expect(calls).toEqual(['begins vanishes', 'aborted: gone']);
      expect(running.transport.writes.filter(({ method }) => method === 'PATCH')).toEqual([]);
      expect(running.logs.find({ level: 'error' })).toEqual([]);

      // A namesake is another object.
      await admin.create(Widget, { metadata: ref, spec: {} });
      await world.until(() => calls.length === 3);
      await admin.delete(Widget, ref);
      await world.until(() => calls.length === 4);
    });

    test.each(['Foreground', 'Orphan', 'Background'] as const)(
      'with propagation %s runs the delete handlers, and the children go or stay as asked',
      async (propagation) => {
        const world = await worlds.open();
        const { admin, namespace } = world;
        const { module, logs } = await world.startOperator({ providers: [ParentHandlers] });
        const { calls } = module.get(ParentHandlers);
        const ref = { name: propagation.toLowerCase(), namespace };
        const child = { name: `${ref.name}-owned`, namespace };
        const { metadata } = await admin.create(Widget, { metadata: ref, spec: {} });
        await world.until(() => calls.includes(`created ${ref.name}`));
        const owner = { apiVersion: 'demo.example/v1', kind: 'Widget', name: ref.name, uid: metadata.uid };
        await admin.create(configMaps, {
          metadata: { ...child, ownerReferences: [{ ...owner, blockOwnerDeletion: true }] },
        });
        await world.pass(500);
        await admin.delete(Widget, ref, { propagationPolicy: propagation });
        await world.until(() => isGone(admin, Widget, ref));
        expect(calls).toEqual([`created ${ref.name}`, `deleted ${ref.name} 0`, `deleted ${ref.name} 1`]);
        if (propagation === 'Orphan') {
          await world.pass(2_000);
          expect((await admin.get(configMaps, child)).metadata.ownerReferences ?? []).toEqual([]);
        } else await world.until(() => isGone(admin, configMaps, child));
        expect(logs.find({ level: 'error', message: /throttled/ })).toEqual([]);
      },
    );

    test('with its namespace ends work on children there, which are refused', async () => {
      const world = await worlds.open();
      const { admin } = world;
      const namespace = `${world.namespace}-ends`;
      await admin.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      // Keeps the namespace, as a busy controller of somebody else would.
      const keeper = { name: 'keeper', namespace };
      await admin.create(configMaps, { metadata: { ...keeper, finalizers: ['other.example/keep'] } });
      const { module, logs } = await world.startOperator({
        providers: [ParentHandlers],
        operator: { namespaces: [namespace] },
      });
      const { calls } = module.get(ParentHandlers);
      // Its child cannot be created as long as there is another one of that name.
      await admin.create(configMaps, {
        metadata: { name: 'late-child', namespace, finalizers: ['other.example/keep'] },
      });
      await admin.create(Widget, { metadata: { name: 'late', namespace }, spec: {} });
      await world.until(() => calls.filter((call) => call === 'refused late: 409').length > 1);
      await admin.delete(namespaces, { name: namespace });
      await world.until(() => isGone(admin, Widget, { name: 'late', namespace }));
      const ended = calls.indexOf('deleted late 0');
      expect(calls.slice(ended)).toEqual(['deleted late 0', 'deleted late 1']);
      for (const name of ['keeper', 'late-child']) {
        if ((await find(admin, configMaps, { name, namespace })) === undefined) continue;
        await admin.patch(configMaps, { name, namespace }, { metadata: { finalizers: null } });
      }
      await world.until(() => isGone(admin, namespaces, { name: namespace }));
      expect(logs.find({ level: 'error', message: /throttled/ })).toEqual([]);
    });

    test('nothing of this is written again in a quiet cluster', () => worlds.expectQuiet());
  });
}
