import type { RecordStoreName } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { StrictWidget, Widget } from '../../support/kinds.js';
import { eventsAbout, isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { RunningOperator, World } from '../../support/world.js';
import { HandlersWithStatus, StrictHandlers, TableOfRecords, WidgetHandlers } from './operator.js';

const annotation = 'test.example.com/nestjs-operator.widgets';
const stores: readonly RecordStoreName[] = ['annotations', 'status', 'both', 'table'];

interface Carrier {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly status?: Readonly<Record<string, unknown>>;
}

function placesOf({ metadata, status }: Carrier): string[] {
  return [
    ...(metadata.annotations?.[annotation] === undefined ? [] : ['annotations']),
    ...(status?.['nestjsOperator'] === undefined ? [] : ['status']),
  ];
}

/** Where records are kept: on the object in either place, in both, or in a store of the application. */
export function storesFeature(createWorld: () => Promise<World>): void {
  describe('stores of records', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test.each(stores)('in %s they survive a restart', async (store) => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'a', namespace };
      const table = new TableOfRecords();
      const operator = { persistence: { store, stores: { table } } };
      const first = await world.startOperator({ providers: [WidgetHandlers], operator });
      const { calls } = first.module.get(WidgetHandlers);
      await admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(async () => (await admin.get(Widget, ref)).status?.['size'] === 1);
      await admin.patch(Widget, ref, { spec: { size: 2 } });
      await world.until(async () => (await admin.get(Widget, ref)).status?.['size'] === 2);
      await world.pass(1_000);
      await first.close();
      expect(calls).toEqual(['create undefined 1', 'update 1 2']);
      const places = { annotations: ['annotations'], status: ['status'], both: ['annotations', 'status'], table: [] };
      expect(placesOf(await admin.get(Widget, ref))).toEqual(places[store as keyof typeof places]);
      expect(table.rows.size).toBe(store === 'table' ? 1 : 0);

      await admin.patch(Widget, ref, { spec: { size: 3 } });
      const second = await world.startOperator({ providers: [WidgetHandlers], operator });
      await world.until(async () => (await admin.get(Widget, ref)).status?.['size'] === 3);
      await world.pass(1_000);
      expect(second.module.get(WidgetHandlers).calls).toEqual(['update 2 3']);
      expect(second.logs.find({ level: 'error' })).toEqual([]);
      expect(second.logs.find({ level: 'warn', message: /drops/ })).toEqual([]);
    });

    test.each(stores)('[TC-23] in %s progress on an object with a strict schema is not lost', async (store) => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'strict', namespace };
      const operator = { persistence: { store, stores: { table: new TableOfRecords() } } };
      const { module, logs } = await world.startOperator({ providers: [StrictHandlers], operator });
      const { calls } = module.get(StrictHandlers);
      await admin.create(StrictWidget, { metadata: ref, spec: { size: 1 } });
      await world.until(async () => (await admin.get(StrictWidget, ref)).status?.message === 'done');
      await world.pass(10_000);
      expect(calls).toEqual(['first', 'second 0', 'second 1', 'second 2']);
      const dropped = logs.find({ level: 'warn', message: /drops records from the status/ });
      expect(dropped.map(({ fields }) => [fields['definition'], fields['field']])).toEqual(
        store === 'status' || store === 'both' ? [['strictwidgets.demo.example', 'status.nestjsOperator']] : [],
      );
      expect(logs.find({ level: 'error' })).toEqual([]);
    });

    test('two operators on one object keep to their own, in one place or in two', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'shared', namespace };
      const names = ['a.example', 'b.example', 'c.example'];
      const operators: RunningOperator[] = [];
      for (const name of names) {
        const persistence = { store: name === 'c.example' ? ('annotations' as const) : ('status' as const) };
        operators.push(await world.startOperator({ providers: [WidgetHandlers], operator: { name, persistence } }));
      }
      const follower = await world.startOperator({
        providers: [HandlersWithStatus],
        operator: { name: 'd.example' },
      });
      await admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(() => operators.every(({ module }) => module.get(WidgetHandlers).calls.length === 1));
      await world.pass(2_000);
      await admin.patch(Widget, ref, { spec: { size: 2 } });
      await world.until(() => operators.every(({ module }) => module.get(WidgetHandlers).calls.length === 2));
      await world.pass(5_000);
      for (const { module } of operators) {
        expect(module.get(WidgetHandlers).calls).toEqual(['create undefined 1', 'update 1 2']);
      }
      // What others keep in the status is no change of it.
      const { calls } = follower.module.get(HandlersWithStatus);
      for (const call of calls) expect(call).not.toContain('nestjsOperator');
      expect(calls.at(-1)).toBe('update {"size":2}');
      const object = await admin.get(Widget, ref);
      expect(Object.keys(object.status?.['nestjsOperator'] as object).toSorted()).toEqual([
        'a.example',
        'b.example',
        'd.example',
      ]);
      expect(Object.keys(object.metadata.annotations ?? {})).toEqual(['c.example/nestjs-operator.widgets']);
      expect(JSON.stringify(object).length).toBeLessThan(4_096);
    });

    test('a store that is away holds up its object, and nothing is done twice', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = { name: 'patient', namespace };
      const table = new TableOfRecords();
      const { module, logs } = await world.startOperator({
        providers: [WidgetHandlers],
        operator: { persistence: { store: 'table', stores: { table } }, queue: { throttle: ['200ms'] } },
      });
      const { calls } = module.get(WidgetHandlers);
      table.isAway = true;
      await admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.pass(1_000);
      expect(calls).toEqual([]);
      table.isAway = false;
      await world.until(() => calls.length === 1);
      await world.until(() => table.rows.size === 1);
      const errors = logs.find({ level: 'error', message: /it is throttled/ });
      expect(errors.length).toBeGreaterThan(1);
      expect((await eventsAbout(world, 'patient')).map(({ reason }) => reason)).toContain('ProcessingFailed');
      expect(calls).toEqual(['create undefined 1']);
    });

    test('a store of the application keeps nothing of objects that are gone', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const ref = (name: string) => ({ name, namespace });
      const table = new TableOfRecords();
      const spec = {
        providers: [WidgetHandlers],
        operator: { persistence: { store: 'table', stores: { table } } },
      };
      const first = await world.startOperator(spec);
      for (const name of ['stays', 'goes', 'goes-later']) {
        await admin.create(Widget, { metadata: ref(name), spec: { size: 1 } });
      }
      await world.until(() => table.rows.size === 3);
      await admin.delete(Widget, ref('goes'));
      await world.until(() => table.rows.size === 2);
      await first.close();
      await admin.delete(Widget, ref('goes-later'));
      await world.until(() => isGone(admin, Widget, ref('goes-later')));
      await world.startOperator(spec);
      await world.until(() => table.rows.size === 1);
      await world.pass(1_000);
      expect([...table.rows.values()].map(({ owner }) => owner.name)).toEqual(['stays']);
    });

    test('nothing of this is written again in a quiet cluster', () => worlds.expectQuiet());
  });
}
