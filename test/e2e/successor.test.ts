import 'reflect-metadata';
import { HandlerContext, OnCreate, ResourceHandlers } from 'nestjs-operator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEmbeddedWorld, type EmbeddedWorld } from '../support/embedded-world.js';
import { Widget } from '../support/kinds.js';

const gate = { open: Promise.resolve(), calls: [] as string[] };

@ResourceHandlers(Widget)
class Slow {
  @OnCreate()
  async ensure(ctx: HandlerContext<Widget>) {
    const life = String(ctx.spec['life']);
    gate.calls.push(life);
    if (life === 'first') await gate.open;
    return { seen: life };
  }
}

let world: EmbeddedWorld;
beforeEach(async () => {
  world = await createEmbeddedWorld();
});
afterEach(() => world.close());

test('what a handler did for an object never lands on another one that has taken its name', async () => {
  const release = Promise.withResolvers<void>();
  gate.open = release.promise;
  const { transport } = await world.startOperator({ providers: [Slow] });
  const ref = { name: 'a', namespace: world.namespace };
  await world.admin.create(Widget, { metadata: ref, spec: { life: 'first' } });
  await world.until(() => gate.calls.length === 1);

  // The operator hears of it only later.
  const late = world.stage.api.faults.add({
    match: { resource: 'widgets' },
    do: { action: 'delayEvents', ms: 10_000 },
  });
  world.stage.api.watches.cut({ how: 'end', resource: 'widgets' });
  await world.stage.settled();
  await world.admin.delete(Widget, ref);
  await world.admin.create(Widget, { metadata: ref, spec: { life: 'second' } });
  transport.clear();
  release.resolve();
  await world.stage.settled();

  const statusWrites = () => transport.writes.filter(({ path }) => path.endsWith('/status'));
  expect(statusWrites().map(({ status }) => status)).toEqual([422]);
  expect(transport.writes).toHaveLength(1);
  expect((await world.admin.get(Widget, ref)).status).toBeUndefined();

  late.remove();
  await world.until(async () => (await world.admin.get(Widget, ref)).status?.['seen'] === 'second');
  expect(gate.calls).toEqual(['first', 'second']);
  await world.expectQuiet();
});
