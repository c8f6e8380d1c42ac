import type { KubeConfigSource, StoredObject } from 'nestjs-operator';
import { HandlerContext, OnCreate, OnDelete, OperatorModule, releaseOperator, ResourceHandlers } from 'nestjs-operator';
import { Module } from '@nestjs/common';
import { afterAll, describe, expect, test } from 'vitest';
import { TableOfRecords } from '../stores/operator.js';
import { BareWidget, Widget } from '../../support/kinds.js';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';

@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnDelete()
  handle(ctx: HandlerContext<Widget>): void {
    this.calls.push(`${ctx.cause} ${ctx.meta.name}`);
  }
}

@ResourceHandlers(BareWidget)
export class BareWidgetHandlers {
  @OnCreate()
  handle(): void {}
}

/** Finalizers and records go from all objects when an operator is uninstalled. */
export function releaseFeature(
  createWorld: () => Promise<World>,
  kubeConfigOf: (world: World) => KubeConfigSource,
): void {
  describe('an operator that is uninstalled', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('leaves nothing of its own, and what is of others', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const providers = [WidgetHandlers, BareWidgetHandlers];
      const running = await world.startOperator({ providers, operator: { name: 'old.example' } });
      const ref = (name: string) => ({ name, namespace });
      const theirs = { finalizers: ['other.example/keep'], annotations: { 'other.example/note': 'theirs' } };
      await admin.create(Widget, { metadata: { ...ref('a'), ...theirs }, spec: {} });
      await admin.create(Widget, { metadata: ref('dying'), spec: {} });
      await admin.create(BareWidget, { metadata: ref('bare'), spec: {} });
      const { calls } = running.module.get(WidgetHandlers);
      await world.until(() => calls.length === 2);
      await world.pass(1_000);
      await running.close();
      await admin.delete(Widget, ref('dying'));
      expect(calls).toEqual(['create a', 'create dying']);

      @Module({
        imports: [
          OperatorModule.forRoot({
            name: 'new.example',
            formerNames: ['old.example'],
            namespaces: [namespace],
            kubeConfig: kubeConfigOf(world),
          }),
        ],
        providers,
      })
      class UninstalledModule {}
      const report = await releaseOperator(UninstalledModule, { logger: false });
      expect(report.map(({ resource, released, failed }) => [resource, released, failed])).toEqual([
        ['widgets.v1.demo.example', 2, []],
        ['barewidgets.v1.demo.example', 1, []],
      ]);
      const { metadata } = await admin.get(Widget, ref('a'));
      expect(metadata.finalizers).toEqual(theirs.finalizers);
      expect(metadata.annotations).toEqual(theirs.annotations);
      expect(ownTraces(await admin.get(BareWidget, ref('bare')))).toEqual([]);
      await world.until(() => isGone(admin, Widget, ref('dying')));

      const again = await releaseOperator(UninstalledModule, { logger: false });
      expect(again.map(({ released }) => released)).toEqual([0, 0]);
      await admin.patch(Widget, ref('a'), { metadata: { finalizers: null } });
    });

    test('takes its records out of the status and of a store of the application', async () => {
      for (const store of ['status', 'table']) {
        const world = await worlds.open();
        const { admin, namespace } = world;
        const table = new TableOfRecords();
        const operator = { name: 'old.example', persistence: { store, stores: { table } } };
        const ref = { name: 'kept', namespace };
        const running = await world.startOperator({ providers: [WidgetHandlers], operator });
        await admin.create(Widget, { metadata: ref, spec: {}, status: { phase: 'New' } });
        const { calls } = running.module.get(WidgetHandlers);
        await world.until(() => calls.length === 1);
        await world.pass(1_000);
        await running.close();
        const recorded = JSON.stringify((await admin.get(Widget, ref)).status ?? {}).includes('old.example');
        expect([recorded, table.rows.size]).toEqual(store === 'status' ? [true, 0] : [false, 1]);

        @Module({
          imports: [OperatorModule.forRoot({ ...operator, namespaces: [namespace], kubeConfig: kubeConfigOf(world) })],
          providers: [WidgetHandlers],
        })
        class StoredModule {}
        const report = await releaseOperator(StoredModule, { logger: false });
        expect(report.map(({ released, failed }) => [released, failed])).toEqual([[1, []]]);
        const object = await admin.get(Widget, ref);
        expect(ownTraces(object)).toEqual([]);
        expect(JSON.stringify(object.status ?? {})).not.toContain('old.example');
        expect(table.rows.size).toBe(0);
        expect((await releaseOperator(StoredModule, { logger: false })).map(({ released }) => released)).toEqual([0]);
      }
    });
  });
}

function ownTraces({ metadata }: Pick<StoredObject, 'metadata'>): string[] {
  return [...Object.keys(metadata.annotations ?? {}), ...(metadata.finalizers ?? [])].filter((name) =>
    /^(?:old|new)\.example\//.test(name),
  );
}
