import type { RequestRecord } from '@nestjs-operator/apiserver';
import { HandlerContext, OnCreate, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { expect } from 'vitest';
import type { EmbeddedWorld } from '../../support/embedded-world.js';
import { Widget } from '../../support/kinds.js';

@ResourceHandlers(Widget)
export class WidgetCalls {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  note(ctx: HandlerContext<Widget>): void {
    this.calls.push(`${ctx.cause} ${ctx.meta.name} ${String(ctx.spec['n'])}`);
  }
}

export const widget = (name: string, n: number): object => ({
  apiVersion: 'demo.example/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec: { n },
});
export const ref = (name: string) => ({ apiVersion: 'demo.example/v1', kind: 'Widget', name, namespace: 'default' });
/** Written in the store itself: what the test does must not suffer from the faults that it makes. */
export const setN = ({ stage: { api } }: EmbeddedWorld, name: string, n: number): Promise<unknown> =>
  api.patch(ref(name), { spec: { n } });
export const createWidget = ({ stage: { api } }: EmbeddedWorld, name: string, n: number): Promise<unknown> =>
  api.create(widget(name, n) as Record<string, unknown>);

/** Requests for the collection of widgets, oldest first. */
export const requests = ({ stage: { api } }: EmbeddedWorld, verb: 'watch' | 'list'): RequestRecord[] =>
  api.requests.filter((record) => record.verb === verb && record.resource === 'widgets');

export async function startWithOne(
  world: EmbeddedWorld,
  operator: Parameters<EmbeddedWorld['startOperator']>[0]['operator'] = {},
) {
  const running = await world.startOperator({ providers: [WidgetCalls], operator });
  const { calls } = running.module.get(WidgetCalls);
  await createWidget(world, 'a', 1);
  await world.until(() => calls.length === 1);
  await running.settled();
  expect(calls).toEqual(['create a 1']);
  return { ...running, calls };
}
