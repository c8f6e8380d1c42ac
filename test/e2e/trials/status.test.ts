import 'reflect-metadata';
import { HandlerContext, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import { BareWidget, definition, Widget } from '../../support/kinds.js';
import { openWorld } from './open-world.js';

/** Changes everything that a handler can, in one go. */
function change(ctx: HandlerContext<Widget> | HandlerContext<BareWidget>): object {
  const n = Number(ctx.spec['n']);
  ctx.patch.merge({
    metadata: { labels: { size: `n${n}` }, annotations: { 'team.example.com/seen': String(n) } },
    status: { old: null, list: [n, n + 1] },
  });
  return { result: n };
}

@ResourceHandlers(Widget)
class WidgetHandlers {
  @OnUpdate({ field: 'spec.n' })
  change(ctx: HandlerContext<Widget>): object {
    return change(ctx);
  }
}

@ResourceHandlers(BareWidget)
class BareWidgetHandlers {
  @OnUpdate({ field: 'spec.n' })
  change(ctx: HandlerContext<BareWidget>): object {
    return change(ctx);
  }
}

describe('status', () => {
  it('[TC-49] is written where it belongs, with and without the subresource, also when that changes while running', async () => {
    const world = await openWorld();
    const { api } = world.stage;
    const { transport, logs, settled, exit } = await world.startOperator({
      providers: [WidgetHandlers, BareWidgetHandlers],
    });
    const refOf = (kind: string) => ({ apiVersion: 'demo.example/v1', kind, name: 'a', namespace: 'default' });
    const bare = refOf('BareWidget');
    const full = refOf('Widget');
    for (const ref of [bare, full]) {
      await api.create({
        ...ref,
        metadata: { name: 'a', namespace: 'default' },
        spec: { n: 1 },
        status: { old: 'here', keep: true },
      });
      await api
        .patch(ref, { status: { old: 'here', keep: true } }, { subresource: 'status' })
        .catch((error: unknown) => {
          if (ref.kind === 'Widget') throw error;
        });
    }
    await settled();

    let n = 1;
    const changed = async (ref: typeof bare): Promise<string[]> => {
      transport.clear();
      n += 1;
      await api.patch(ref, { spec: { n } });
      const generation = (await api.get(ref))?.metadata.generation;
      await settled();
      await world.pass(5_000);
      const object = (await api.get(ref))!;
      expect(object.metadata.labels).toEqual({ size: `n${n}` });
      expect(object.metadata.annotations).toMatchObject({ 'team.example.com/seen': String(n) });
      expect(object['status']).toEqual({ keep: true, list: [n, n + 1], result: n });
      if (ref === full) expect(object.metadata.generation).toBe(generation);
      return transport.writes.map(({ method, path }) => `${method} ${path.split('/').slice(-2).join('/')}`);
    };

    expect(await changed(full)).toEqual(['PATCH a/status', 'PATCH widgets/a']);
    expect(await changed(bare)).toEqual(['PATCH barewidgets/a']);

    const put = (status: boolean): Promise<unknown> =>
      api.patch(
        { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'barewidgets.demo.example' },
        { spec: definition({ plural: 'barewidgets', kind: 'BareWidget', status }).spec },
      );
    await put(true);
    await world.pass(10_000);
    expect(await changed(bare)).toContain('PATCH a/status');
    expect(await changed(bare)).toEqual(['PATCH a/status', 'PATCH barewidgets/a']);
    await put(false);
    await world.pass(10_000);
    await changed(bare);
    expect(await changed(bare)).toEqual(['PATCH barewidgets/a']);

    const warnings = [...logs.find({ level: 'warn' }), ...logs.find({ level: 'error' })].map(({ message }) => message);
    // Told by every module that no application owns.
    expect(warnings.filter((message) => !message.startsWith('Nobody handles SIGTERM'))).toEqual([]);
    expect(exit.exits).toEqual([]);
    await world.expectQuiet();
  });
});
