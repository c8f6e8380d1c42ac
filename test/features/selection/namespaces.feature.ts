import { OPERATOR_CLOCK, type Clock, type StoredObject } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { Gadget, namespaces, Widget } from '../../support/kinds.js';
import { eventsAbout, isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { RunningOperator, World } from '../../support/world.js';
import { Careful, Counter } from './operator.js';

const watchedBy = ({ operator }: RunningOperator, plural: string): string[] =>
  operator
    .getStatus()
    .watches.filter(({ resource }) => resource.startsWith(`${plural}.`))
    .map(({ namespace }) => namespace ?? 'all')
    .toSorted();

/** Which namespaces an operator serves. */
export function namespacesFeature(createWorld: () => Promise<World>): void {
  describe('namespaces', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    async function createNamespace({ admin }: World, name: string): Promise<StoredObject> {
      return (await admin.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })) as StoredObject;
    }

    test('that are listed are watched one by one, and nobody asks for the others', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const running = await world.startOperator({ providers: [Counter], operator: { namespaces: [namespace] } });
      const { seen } = running.module.get(Counter);
      await createNamespace(world, `${namespace}-other`);
      await admin.create(Widget, { metadata: { name: 'elsewhere', namespace: `${namespace}-other` }, spec: {} });
      await admin.create(Widget, { metadata: { name: 'here', namespace }, spec: {} });
      await admin.create(Gadget, { metadata: { name: `gadget-of-${namespace}` }, spec: {} });
      const own = (): string[] => seen.filter((key) => key.includes(namespace));
      await world.until(() => own().length === 2);
      expect(own().toSorted()).toEqual([`gadget-of-${namespace}`, `${namespace}/here`].toSorted());
      expect(watchedBy(running, 'widgets')).toEqual([namespace]);
      expect(watchedBy(running, 'gadgets')).toEqual(['all']);
      expect(running.transport.sent.filter(({ path }) => path === '/api/v1/namespaces')).toEqual([]);
      await admin.delete(Gadget, { name: `gadget-of-${namespace}` });
      await admin.delete(namespaces, { name: `${namespace}-other` });
    });

    test('that fit patterns are served as they come and go, once each; kinds of the cluster always', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const [a, b, tests] = [`${namespace}-a`, `${namespace}-b`, `${namespace}-b-test`];
      const add = (name: string, where: string) =>
        admin.create(Widget, { metadata: { name, namespace: where }, spec: {} });
      await createNamespace(world, a);
      await add('early', a);
      const running = await world.startOperator({
        providers: [Counter],
        operator: { namespaces: [`${namespace}-*, !*-test`] },
      });
      const { seen } = running.module.get(Counter);
      const own = (): string[] => seen.filter((key) => key.includes(namespace)).toSorted();
      await world.until(() => own().length === 1);
      expect(watchedBy(running, 'widgets')).toEqual([a]);
      await createNamespace(world, tests);
      await createNamespace(world, b);
      await add('left-out', tests);
      await add('late', b);
      await admin.create(Gadget, { metadata: { name: `gadget-of-${namespace}` }, spec: {} });
      await world.until(() => own().length === 3);
      expect(own()).toEqual([`gadget-of-${namespace}`, `${a}/early`, `${b}/late`].toSorted());
      expect(watchedBy(running, 'widgets')).toEqual([a, b]);

      await admin.delete(namespaces, { name: b });
      await world.until(() => watchedBy(running, 'widgets').length === 1, 90_000);
      expect(await isGone(admin, namespaces, { name: b })).toBe(true);
      expect(running.operator.getStatus().tasks.filter(({ name }) => name.includes(` in ${b}`))).toEqual([]);

      await createNamespace(world, b);
      await add('late', b);
      await world.until(() => own().length === 4);
      expect(watchedBy(running, 'widgets')).toEqual([a, b]);
      expect(running.logs.find({ level: 'error' })).toEqual([]);
      await admin.delete(Gadget, { name: `gadget-of-${namespace}` });
      for (const name of [a, b, tests]) await admin.delete(namespaces, { name });
    });

    test('[TC-31] a dying namespace is served until it is gone: cleanups run, then its watch ends; a new one of its name is served', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const team = `${namespace}-team-a`;
      const names = Array.from({ length: 10 }, (_, index) => `widget-${index}`);
      await createNamespace(world, team);
      const running = await world.startOperator({
        providers: [Careful],
        operator: { namespaces: [`${namespace}-team-*`] },
      });
      const careful = running.module.get(Careful);
      careful.clock = running.module.get<Clock>(OPERATOR_CLOCK, { strict: false });
      const { calls, cleaned } = careful;
      for (const name of names) await admin.create(Widget, { metadata: { name, namespace: team }, spec: {} });
      await world.until(() => calls.length === names.length);

      await admin.delete(namespaces, { name: team });
      await world.until(() => isGone(admin, namespaces, { name: team }), 60_000);
      expect(cleaned.toSorted()).toEqual(names);
      // Each was called twice, as the first attempt asks for another one.
      expect(calls.filter((call) => call.startsWith('delete'))).toHaveLength(2 * names.length);
      await world.until(() => watchedBy(running, 'widgets').length === 0);
      expect(watchedBy(running, 'widgets')).toEqual([]);
      // Nothing new may be created there: the events of these calls are refused.
      expect(running.transport.sent.some(({ path, status }) => path.endsWith('/events') && status === 403)).toBe(true);
      expect(running.logs.find({ level: 'error' })).toEqual([]);

      await createNamespace(world, team);
      await admin.create(Widget, { metadata: { name: 'again', namespace: team }, spec: {} });
      await world.until(() => calls.includes('create again'));
      await world.until(async () => (await eventsAbout(world, 'again', team)).length > 0);
      expect(watchedBy(running, 'widgets')).toEqual([team]);
      await admin.delete(namespaces, { name: team });
      await world.until(() => isGone(admin, namespaces, { name: team }), 60_000);
    });

    test('nothing is written in a quiet cluster', () => worlds.expectQuiet());
  });
}
