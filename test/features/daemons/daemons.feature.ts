import { afterAll, describe, expect, test } from 'vitest';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import { expectWaits } from '../../support/timing.js';
import { Widget } from '../../support/widget.js';
import type { World } from '../../support/world.js';
import { Companion, Guard } from './operator.js';

/** A long call per object, which runs beside its other handlers and is told when to stop. */
export function daemonsFeature(createWorld: () => Promise<World>): void {
  describe('daemons', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('one is repeated after a failure, sees the newest state, and is not called again when it has returned', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const { module } = await world.startOperator({ providers: [Companion] });
      const { notes } = module.get(Companion);
      const message = async () => (await admin.get(Widget, ref)).status?.['message'];
      await admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(async () => (await message()) === 'failed 1 times');
      await world.until(() => notes.length === 4);
      await admin.patch(Widget, ref, { spec: { size: 2 } });
      await world.until(async () => (await message()) === 'done');
      await admin.patch(Widget, ref, { spec: { size: 3 } });
      await world.pass(3_000);
      expect(notes.map(({ what }) => what)).toEqual([
        'attempt 0',
        'attempt 1',
        'attempt 2',
        'looks in, size 1',
        'looks in, size 2',
        'looks in, size 2',
      ]);
      expectWaits(
        world,
        notes.map(({ at }) => at),
        [1_000, 1_000, 0, 2_000, 2_000],
      );
      // Done with it, the operator does not hold it back.
      await admin.delete(Widget, ref);
      await world.until(() => isGone(admin, Widget, ref));
    });

    test('one stops when its object does not match any more, and begins again when it does', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const { module } = await world.startOperator({ providers: [Guard] });
      const { calls } = module.get(Guard);
      const mark = (value: string | null) =>
        admin.patch(Widget, ref, { metadata: { annotations: { 'demo.example/guarded': value } } });
      await admin.create(Widget, { metadata: ref, spec: {} });
      await world.pass(1_000);
      expect(calls).toEqual([]);
      await mark('yes');
      await world.until(() => calls.length === 1);
      await mark(null);
      await world.until(() => calls.length === 3);
      await mark('yes');
      await world.until(() => calls.length === 4);
      expect(calls).toEqual(['guards a', 'is told to stop: mismatch', 'ends', 'guards a']);
    });

    test('an object that is being deleted waits for it, in good order', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const { module, logs } = await world.startOperator({ providers: [Guard] });
      const { calls } = module.get(Guard);
      await admin.create(Widget, {
        metadata: { ...ref, annotations: { 'demo.example/guarded': 'yes' } },
        spec: {},
      });
      await world.until(() => calls.length === 1);
      expect((await admin.get(Widget, ref)).metadata.finalizers).toEqual(['test.example.com/finalizer']);
      await admin.delete(Widget, ref);
      await world.until(() => calls.length === 2);
      expect(await isGone(admin, Widget, ref)).toBe(false);
      await world.until(() => isGone(admin, Widget, ref));
      expect(calls).toEqual(['guards a', 'is told to stop: deleting', 'ends']);
      expect(logs.find({ level: 'warn', message: /Daemon/ })).toEqual([]);
    });

    test('one is told when the operator stops, and begins again in the next process', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const providers = [Guard];
      const first = await world.startOperator({ providers });
      await admin.create(Widget, {
        metadata: { ...ref, annotations: { 'demo.example/guarded': 'yes' } },
        spec: {},
      });
      await world.until(() => first.module.get(Guard).calls.length === 1);
      await first.close();
      expect(first.module.get(Guard).calls).toEqual(['guards a', 'is told to stop: exiting', 'ends']);
      expect(await isGone(admin, Widget, ref)).toBe(false);
      const second = await world.startOperator({ providers });
      await world.until(() => second.module.get(Guard).calls.length === 1);
    });
  });
}
