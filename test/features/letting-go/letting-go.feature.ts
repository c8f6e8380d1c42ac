import { afterAll, describe, expect, test } from 'vitest';
import { secrets, Widget } from '../../support/kinds.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { RunningOperator, World } from '../../support/world.js';
import { SecretHandlers, WidgetHandlers } from './operator.js';

const own = {
  secret: 'test.example.com/nestjs-operator.secrets',
  widget: 'test.example.com/nestjs-operator.widgets',
  finalizer: 'test.example.com/finalizer',
};

// The names of the objects that an operator has patched.
function patched({ transport }: RunningOperator): string[] {
  return [...new Set(transport.writes.filter(({ method }) => method === 'PATCH').map(({ path }) => nameIn(path)))];
}

function nameIn(path: string): string {
  return /\/secrets\/([^/?]+)/.exec(path)?.[1] ?? path;
}

/** Objects that nobody wants carry nothing of the operator. */
export function lettingGoFeature(createWorld: () => Promise<World>): void {
  describe('objects that no handler wants', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('[TC-26] are never written, and those that stop being wanted are left without a trace', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = (name: string) => ({ name, namespace });
      const names = Array.from({ length: 500 }, (_, index) => `secret-${index}`);
      const mine = names.slice(0, 5);
      const first = await world.startOperator({ providers: [SecretHandlers] });
      const { calls, ticks } = first.module.get(SecretHandlers);
      for (const name of names) {
        const labels = mine.includes(name) ? { mine: 'yes' } : { mine: 'no' };
        await admin.create(secrets, { metadata: { ...ref(name), labels }, stringData: { key: name } });
      }
      await world.until(() => calls.length === 5 && ticks.size === 5);
      await world.pass(2_000);
      expect(patched(first).toSorted()).toEqual(mine);

      const left = mine[0]!;
      await admin.patch(secrets, ref(left), { metadata: { labels: { mine: null } } });
      await world.until(async () => {
        const { annotations = {}, finalizers = [] } = (await admin.get(secrets, ref(left))).metadata;
        return annotations[own.secret] === undefined && !finalizers.includes(own.finalizer);
      });
      const { metadata } = await admin.get(secrets, ref(left));
      expect([metadata.annotations ?? {}, metadata.finalizers ?? []]).toEqual([{}, []]);
      const ticked = ticks.get(left);
      const others = ticks.get(mine[1]!)!;
      await world.until(() => ticks.get(mine[1]!)! > others + 1);
      expect(ticks.get(left)).toBe(ticked);

      const taken = names[5]!;
      await admin.patch(secrets, ref(taken), { metadata: { labels: { mine: 'yes' } } });
      await world.until(() => calls.length === 6 && ticks.has(taken));
      await world.pass(1_000);
      expect(calls.toSorted()).toEqual([...mine, taken].map((name) => `create ${name}`).toSorted());
      await first.close();

      const second = await world.startOperator({ providers: [SecretHandlers] });
      await world.pass(3_000);
      expect(patched(second)).toEqual([]);
      const { calls: later } = second.module.get(SecretHandlers);
      expect(later).toEqual([]);
      // A new one to this process: what it was is not known any more.
      await admin.patch(secrets, ref(left), { metadata: { labels: { mine: 'yes' } } });
      await world.until(() => later.length === 1);
      expect(later).toEqual([`create ${left}`]);
    });

    test('go on where they were when they come back to the same process', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'returns', namespace };
      const { module } = await world.startOperator({ providers: [WidgetHandlers] });
      const { calls } = module.get(WidgetHandlers);
      const record = async () => (await admin.get(Widget, ref)).metadata.annotations?.[own.widget];
      await admin.create(Widget, { metadata: { ...ref, labels: { mine: 'yes' } }, spec: { size: 1 } });
      await world.until(async () => (await record()) !== undefined);
      await admin.patch(Widget, ref, { metadata: { labels: { mine: null } } });
      await world.until(async () => (await record()) === undefined);
      await admin.patch(Widget, ref, { spec: { size: 2 } });
      await world.pass(1_000);
      expect(await record()).toBeUndefined();
      await admin.patch(Widget, ref, { metadata: { labels: { mine: 'yes' } } });
      await world.until(async () => calls.length === 2 && (await record()) !== undefined);
      expect(calls).toEqual(['create undefined 1', 'update 1 2']);

      await admin.patch(Widget, ref, { metadata: { labels: { mine: null } } });
      await world.until(async () => (await record()) === undefined);
      await admin.patch(Widget, ref, { metadata: { labels: { mine: 'yes' } } });
      await world.until(async () => (await record()) !== undefined);
      expect(calls).toHaveLength(2);
    });

    test('are others than those whose time has not come: a change that `when` holds back stays open across restarts', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'held', namespace };
      const first = await world.startOperator({ providers: [WidgetHandlers] });
      const { calls } = first.module.get(WidgetHandlers);
      await admin.create(Widget, { metadata: { ...ref, labels: { mine: 'yes' } }, spec: { size: 1 } });
      await world.until(() => calls.length === 1);
      await world.pass(1_000);
      await admin.patch(Widget, ref, { metadata: { annotations: { hold: 'x' } }, spec: { size: 2 } });
      await world.pass(2_000);
      expect((await admin.get(Widget, ref)).metadata.annotations?.[own.widget]).toBeDefined();
      await first.close();
      const second = await world.startOperator({ providers: [WidgetHandlers] });
      await world.pass(1_000);
      await admin.patch(Widget, ref, { metadata: { annotations: { hold: null } } });
      const { calls: later } = second.module.get(WidgetHandlers);
      await world.until(() => later.length === 1);
      expect(later).toEqual(['update 1 2']);
    });

    test('keep their record while a handler has something open on them', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'open', namespace };
      const { module } = await world.startOperator({ providers: [WidgetHandlers] });
      const { calls } = module.get(WidgetHandlers);
      const record = async () => (await admin.get(Widget, ref)).metadata.annotations?.[own.widget];
      await admin.create(Widget, { metadata: { ...ref, labels: { mine: 'later' } }, spec: {} });
      await world.until(async () => (await record()) !== undefined);
      await admin.patch(Widget, ref, { metadata: { labels: { mine: null } } });
      await world.pass(2_000);
      expect(await record()).toBeDefined();
      expect(calls).toEqual(['fails']);
    });

    test('nothing of this is written again in a quiet cluster', () => worlds.expectQuiet());
  });
}
