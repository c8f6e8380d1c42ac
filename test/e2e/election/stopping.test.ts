import 'reflect-metadata';
import { FatalError, HandlerContext, OnCreate, ResourceHandlers } from 'nestjs-operator';
import { expect, it } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { openStage, second, startReplica, widget } from './two-replicas.js';

const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: 'default', name: 'op.example.com' };

@ResourceHandlers(Widget)
class WidgetHandlers {
  @OnCreate() async create(ctx: HandlerContext<Widget>): Promise<void> {
    if (ctx.meta.name === 'fatal') throw new FatalError('The outside world is gone.');
    // Deaf to its signal.
    if (ctx.meta.name === 'deaf') await new Promise(() => undefined);
  }
}

@ResourceHandlers(Widget)
class CalmHandlers {
  @OnCreate() create(): { by: string } {
    return { by: 'b' };
  }
}

it('after a fatal error the lease is released, and the standby leads at once', async () => {
  const stage = await openStage();
  const a = await startReplica({ stage, identity: 'a', providers: [WidgetHandlers] });
  await stage.settled();
  const b = await startReplica({ stage, identity: 'b', providers: [CalmHandlers] });
  await stage.clock.advance(3 * second);
  await stage.api.create(widget('fatal'));
  await stage.clock.advance(3 * second);
  expect(a.exit.code).toBe(1);
  expect(a.operator.getStatus().leadership.state).toBe('released');
  expect(b.operator.getStatus().leadership.state).toBe('leading');
});

it('with a handler that does not end the lease is renewed through the drain, and then left to run out', async () => {
  const stage = await openStage();
  const a = await startReplica({ stage, identity: 'a', providers: [WidgetHandlers] });
  await stage.settled();
  const b = await startReplica({ stage, identity: 'b', providers: [WidgetHandlers] });
  await stage.api.create(widget('deaf'));
  await stage.clock.advance(3 * second);
  const begun = stage.clock.monotonic();
  const stopped = a.operator.stop();
  // The drain takes 20 s, longer than a lease that nobody renews.
  await stage.clock.advance(19 * second);
  expect(await stage.api.get(lease)).toMatchObject({ spec: { holderIdentity: 'a' } });
  expect(b.operator.getStatus().leadership.state).toBe('standby');
  await stage.clock.during(stopped);
  expect(await stage.api.get(lease)).toMatchObject({ spec: { holderIdentity: 'a' } });
  expect(a.operator.getStatus().leadership.state).toBe('left');
  await stage.clock.advanceUntil(() => b.operator.getStatus().leadership.state === 'leading');
  expect(stage.clock.monotonic() - begun).toBeGreaterThan(30 * second);
});
