import 'reflect-metadata';
import { HandlerContext, OnCreate, OnResume, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { expect, it } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { openStage, second, startReplica, widget } from './two-replicas.js';

function handlers(calls: string[], replica: string) {
  @ResourceHandlers(Widget)
  class WidgetHandlers {
    @OnCreate() @OnUpdate() @OnResume() handle(ctx: HandlerContext<Widget>): void {
      calls.push(`${replica} ${ctx.cause} ${ctx.meta.name}`);
    }
  }
  return [WidgetHandlers];
}

it('one replica works, the other is warm; after a stop it follows at once, and resumes', async () => {
  const stage = await openStage();
  const calls: string[] = [];
  const a = await startReplica({ stage, identity: 'a', providers: handlers(calls, 'a') });
  await stage.settled();
  const b = await startReplica({ stage, identity: 'b', providers: handlers(calls, 'b') });
  await stage.clock.during(Promise.all([a.operator.whenSynced(), b.operator.whenSynced()]));
  await stage.api.create(widget('one'));
  await stage.clock.advance(5 * second);
  expect(calls).toEqual(['a create one']);
  expect(a.operator.getStatus().leadership).toMatchObject({
    state: 'leading',
    holder: 'a',
    lease: 'default/op.example.com',
  });
  expect(b.operator.getStatus()).toMatchObject({
    leadership: { state: 'standby', holder: 'a', identity: 'b' },
    objects: { 'widgets.v1.demo.example': 1 },
    queued: { 'widgets.v1.demo.example': 0 },
    due: 0,
  });
  await a.close();
  await stage.api.create(widget('two'));
  await stage.clock.advance(4 * second);
  expect(calls).toEqual(['a create one', 'b resume one', 'b create two']);
  expect(b.operator.getStatus().leadership).toMatchObject({ state: 'leading', holder: 'b' });
});
