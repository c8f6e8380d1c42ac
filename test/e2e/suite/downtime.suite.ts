import { HandlerContext, OnCreate, OnDelete, OnUpdate, OnWatchEvent, ResourceHandlers } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { BareWidget, Widget } from '../../support/kinds.js';
import { eventsAbout, isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { RunningOperator, World } from '../../support/world.js';

/** Keeps a finalizer. */
@ResourceHandlers(Widget)
class FinalizedHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Widget>): object {
    this.calls.push(`${ctx.cause} ${ctx.meta.name} ${String(ctx.spec['size'])}`);
    return { seen: ctx.spec['size'] };
  }

  @OnUpdate({ field: 'spec.color' })
  paint(ctx: HandlerContext<Widget>): void {
    this.calls.push(`paint ${ctx.meta.name} ${String(ctx.old)} ${String(ctx.new)}`);
  }

  @OnDelete()
  remove(ctx: HandlerContext<Widget>): void {
    this.calls.push(`delete ${ctx.meta.name} ${String(ctx.spec['size'])}`);
  }
}

/** Keeps none. */
@ResourceHandlers(BareWidget)
class PlainHandlers {
  readonly calls: string[] = [];
  readonly events: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<BareWidget>): object {
    this.calls.push(`${ctx.cause} ${ctx.meta.name} ${String(ctx.spec['size'])}`);
    return { seen: ctx.spec['size'] };
  }

  @OnDelete({ optional: true })
  remove(ctx: HandlerContext<BareWidget>): void {
    this.calls.push(`delete ${ctx.meta.name}`);
  }

  @OnWatchEvent()
  note(ctx: HandlerContext<BareWidget>): void {
    this.events.push(`${ctx.eventType} ${ctx.meta.name}`);
  }
}

@ResourceHandlers(Widget)
class CountingHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Widget>): void {
    this.calls.push(`${ctx.cause} ${ctx.meta.name}`);
  }
}

@ResourceHandlers(Widget)
class SharingHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Widget>): void {
    this.calls.push(`${ctx.cause} ${String(ctx.spec['size'])}`);
  }

  @OnDelete()
  remove(): void {
    this.calls.push('delete');
  }
}

const annotation = 'test.example.com/nestjs-operator.widgets';

/** What was handled is kept on the object: across restarts, away from other objects, beside other operators. */
export function downtimeSuite(createWorld: () => Promise<World>): void {
  describe('what an operator finds when it comes back', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('runs exactly what is due: objects made, changed and deleted meanwhile, with and without a finalizer', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = (name: string) => ({ name, namespace });
      const kinds = [Widget, BareWidget] as const;
      const start = (): Promise<RunningOperator> =>
        world.startOperator({ providers: [FinalizedHandlers, PlainHandlers] });
      const names = ['steady', 'changed', 'touched', 'deleted', 'changed-and-deleted'];

      const first = await start();
      for (const kind of kinds) {
        for (const name of names) await admin.create(kind, { metadata: ref(name), spec: { size: 1, color: 'red' } });
      }
      for (const kind of kinds) {
        for (const name of names) {
          await world.until(async () => {
            const { metadata, status } = await admin.get(kind, ref(name));
            return status?.['seen'] === 1 && metadata.annotations !== undefined;
          });
        }
      }
      await first.close();

      for (const kind of kinds) {
        await admin.create(kind, { metadata: ref('made'), spec: { size: 1 } });
        await admin.patch(kind, ref('changed'), { spec: { size: 2, color: 'blue' } });
        await admin.patch(kind, ref('changed'), { spec: { size: 3 } });
        // There and back again: nothing to handle.
        await admin.patch(kind, ref('touched'), { spec: { size: 2 } });
        await admin.patch(kind, ref('touched'), { spec: { size: 1 } });
        await admin.patch(kind, ref('changed-and-deleted'), { spec: { size: 2 } });
        for (const name of ['deleted', 'changed-and-deleted']) await admin.delete(kind, ref(name));
        await admin.create(kind, { metadata: ref('made-and-deleted'), spec: { size: 1 } });
        await admin.delete(kind, ref('made-and-deleted'));
      }

      const second = await start();
      const finalized = second.module.get(FinalizedHandlers).calls;
      const plain = second.module.get(PlainHandlers);
      for (const kind of kinds) {
        await world.until(async () => (await admin.get(kind, ref('made'))).status?.['seen'] === 1);
        await world.until(async () => (await admin.get(kind, ref('changed'))).status?.['seen'] === 3);
      }
      for (const name of ['deleted', 'changed-and-deleted']) {
        await world.until(() => isGone(admin, Widget, ref(name)));
      }
      await world.pass(1_000);
      expect(finalized.toSorted()).toEqual([
        'create made 1',
        'delete changed-and-deleted 2',
        'delete deleted 1',
        'paint changed red blue',
        'update changed 3',
      ]);
      expect(plain.calls.toSorted()).toEqual(['create made 1', 'update changed 3']);
      expect(new Set(plain.events.map((event) => event.split(' ')[1]))).toEqual(
        new Set(['steady', 'changed', 'touched', 'made']),
      );
      expect(second.logs.find({ level: 'error' })).toEqual([]);
    });

    test('a record that was copied with its object is not the copy’s', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const { module } = await world.startOperator({ providers: [CountingHandlers] });
      const { calls } = module.get(CountingHandlers);
      await admin.create(Widget, { metadata: { name: 'model', namespace }, spec: { size: 1 } });
      await world.until(async () => {
        const { metadata } = await admin.get(Widget, { name: 'model', namespace });
        return metadata.annotations?.[annotation] !== undefined;
      });
      const { metadata, spec } = await admin.get(Widget, { name: 'model', namespace });
      const { annotations } = metadata;
      const copy = await admin.create(Widget, { metadata: { name: 'copy', namespace, annotations }, spec });
      await world.until(async () => {
        const { metadata: own } = await admin.get(Widget, { name: 'copy', namespace });
        return own.annotations?.[annotation]?.includes(copy.metadata.uid) === true;
      });
      expect(calls).toEqual(['create model', 'create copy']);
    });

    test('a record that somebody strips is written back, at most twice a minute, and no handler runs for it', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'stripped', namespace };
      const { module, transport } = await world.startOperator({ providers: [CountingHandlers] });
      const { calls } = module.get(CountingHandlers);
      const record = async (): Promise<string | undefined> =>
        (await admin.get(Widget, ref)).metadata.annotations?.[annotation];
      const strip = (): Promise<unknown> => admin.patch(Widget, ref, { metadata: { annotations: null } });
      await admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(async () => (await record()) !== undefined);
      const written = await record();

      transport.clear();
      await strip();
      await world.until(async () => (await record()) !== undefined);
      expect(await record()).toBe(written);
      expect(transport.writes).toHaveLength(1);
      for (let times = 0; times < 3; times += 1) {
        await strip();
        await world.pass(200);
      }
      expect(transport.writes).toHaveLength(1);
      expect(await record()).toBeUndefined();
      await world.until(async () => (await record()) !== undefined, 40_000);
      expect(transport.writes).toHaveLength(2);
      expect(calls).toEqual(['create stripped']);
      // The second time is counted.
      const told = async () =>
        (await eventsAbout(world, ref.name))
          .filter(({ reason }) => reason === 'RecordRemoved')
          .map(({ series }) => series?.count ?? 1);
      await world.until(async () => (await told()).join() === '2');
      expect(await told()).toEqual([2]);
    });

    test('two operators on the same objects do not disturb each other', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'shared', namespace };
      const names = ['one.example.com', 'two.example.com'];
      const operators: RunningOperator[] = [];
      for (const name of names) {
        operators.push(await world.startOperator({ providers: [SharingHandlers], operator: { name } }));
      }
      const calls = (): readonly string[][] => operators.map(({ module }) => module.get(SharingHandlers).calls);
      const everyone = (count: number) => () => calls().every(({ length }) => length === count);
      await admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(everyone(1));
      await world.until(async () => {
        const { annotations = {} } = (await admin.get(Widget, ref)).metadata;
        return names.every((name) => annotations[`${name}/nestjs-operator.widgets`] !== undefined);
      });
      expect((await admin.get(Widget, ref)).metadata.finalizers?.toSorted()).toEqual(
        names.map((name) => `${name}/finalizer`),
      );
      await admin.patch(Widget, ref, { spec: { size: 2 } });
      await world.until(everyone(2));
      await world.pass(1_000);
      // Finalizer and record at the creation, the record at the update.
      for (const { transport } of operators)
        expect(transport.writes.filter(({ status }) => status === 200)).toHaveLength(3);
      await admin.delete(Widget, ref);
      await world.until(() => isGone(admin, Widget, ref));
      expect(calls()).toEqual([
        ['create 1', 'update 2', 'delete'],
        ['create 1', 'update 2', 'delete'],
      ]);
      for (const { logs } of operators) expect(logs.find({ level: 'error' })).toEqual([]);
    });

    test('nothing of this is written again in a quiet cluster', () => worlds.expectQuiet());
  });
}
