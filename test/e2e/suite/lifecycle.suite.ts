import { HandlerContext, OnCreate, OnDelete, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Widget } from '../../support/kinds.js';
import type { World } from '../../support/world.js';

@ResourceHandlers(Widget)
class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Widget>): { seen: unknown } {
    this.calls.push(`${ctx.cause} ${String(ctx.spec['size'])}`);
    return { seen: ctx.spec['size'] };
  }

  @OnDelete()
  remove(ctx: HandlerContext<Widget>): void {
    this.calls.push(`delete ${ctx.meta.name}`);
  }
}

/** What every operator rests on: create, update and delete, each once, with the writes that they need and no more. */
export function lifecycleSuite(createWorld: () => Promise<World>): void {
  describe('life cycle of an object', () => {
    let world: World;
    beforeEach(async () => {
      world = await createWorld();
    });
    afterEach(() => world.close());

    test('create, update and delete reach their handlers, each once', async () => {
      const { module, transport, logs } = await world.startOperator({ providers: [WidgetHandlers] });
      const { calls } = module.get(WidgetHandlers);
      const ref = { name: 'a', namespace: world.namespace };
      const seen = async (): Promise<unknown> => (await world.admin.get(Widget, ref)).status?.['seen'];

      transport.clear();
      await world.admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(async () => (await seen()) === 1);
      await world.until(() => transport.writes.length === 3);
      expect(transport.writes.map(({ method, path }) => `${method} ${path.split('/').pop()}`)).toEqual([
        'PATCH a',
        'PATCH status',
        'PATCH a',
      ]);

      transport.clear();
      await world.admin.patch(Widget, ref, { spec: { size: 2 } });
      await world.until(async () => (await seen()) === 2);
      await world.until(() => transport.writes.length === 2);

      transport.clear();
      await world.admin.delete(Widget, ref);
      await world.until(async () => {
        const page = await world.admin.listPage(Widget, { namespace: world.namespace });
        return page.items.length === 0;
      });
      expect(transport.writes).toHaveLength(1);

      expect(calls).toEqual(['create 1', 'update 2', 'delete a']);
      expect(logs.find({ level: 'error' })).toEqual([]);
      await world.expectQuiet();
    });
  });
}
