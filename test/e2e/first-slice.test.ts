import 'reflect-metadata';
import { createOperatorTestingModule } from '@nestjs-operator/testing';
import {
  CustomResource,
  HandlerContext,
  KubeObject,
  OnCreate,
  OnDelete,
  OnUpdate,
  ResourceHandlers,
} from 'nestjs-operator';
import { expect, test } from 'vitest';

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Namespaced' })
class Widget extends KubeObject<{ size: number }, { seen?: number }> {}

@ResourceHandlers(Widget)
class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Widget>): { seen: number } {
    this.calls.push(`${ctx.cause} ${ctx.spec.size}`);
    return { seen: ctx.spec.size };
  }

  @OnDelete()
  remove(ctx: HandlerContext<Widget>): void {
    this.calls.push(`delete ${ctx.meta.name}`);
  }
}

test('create, update and delete reach their handlers, each once', async () => {
  const t = await createOperatorTestingModule({ crds: [Widget], providers: [WidgetHandlers] });
  try {
    await t.settled();
    await t.api.create({
      apiVersion: 'demo.example/v1',
      kind: 'Widget',
      metadata: { name: 'a', namespace: 'default' },
      spec: { size: 1 },
    });
    await t.settled();
    await t.client.patch(Widget, { name: 'a', namespace: 'default' }, { spec: { size: 2 } });
    await t.settled();
    expect((await t.client.get(Widget, { name: 'a', namespace: 'default' })).status).toEqual({ seen: 2 });
    await t.client.delete(Widget, { name: 'a', namespace: 'default' });
    await t.settled();
    const { calls } = t.module.get(WidgetHandlers);
    expect(calls).toEqual(['create 1', 'update 2', 'delete a']);
    expect(await t.api.list({ apiVersion: 'demo.example/v1', kind: 'Widget' })).toEqual([]);
    expect(t.logs.find({ level: 'error' })).toEqual([]);
  } finally {
    await t.close();
  }
});
