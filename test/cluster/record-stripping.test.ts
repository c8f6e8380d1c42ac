import 'reflect-metadata';
import { HandlerContext, OnCreate, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { expect, it, onTestFinished } from 'vitest';
import { Widget } from '../support/kinds.js';
import { eventsAbout } from '../support/looking.js';
import { createRealWorld } from '../support/real-world.js';

const record = 'test.example.com/nestjs-operator.widgets';

@ResourceHandlers(Widget)
class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure({ cause }: HandlerContext<Widget>): void {
    this.calls.push(cause);
  }
}

it('[TC-24] a warning names the field managers beside us when one of them strips the record', async () => {
  const world = await createRealWorld();
  onTestFinished(() => world.close());
  const { admin, namespace } = world;
  const ref = { name: 'stripped', namespace };
  const { module, logs } = await world.startOperator({ providers: [WidgetHandlers] });
  const { calls } = module.get(WidgetHandlers);
  const annotations = async (): Promise<Record<string, string>> => ({
    ...(await admin.get(Widget, ref)).metadata.annotations,
  });
  await admin.create(Widget, { metadata: ref, spec: { size: 1 } }, { fieldManager: 'deployer' });
  await world.until(async () => (await annotations())[record] !== undefined);

  // Times of field managers are whole seconds.
  await world.pass(2_000);
  // It puts the object with the annotations that it knows of, and no others.
  const { metadata, ...rest } = await admin.get(Widget, ref);
  const declared = { 'app.demo.example/declared': 'yes' };
  await admin.replace(
    Widget,
    { ...rest, metadata: { ...metadata, annotations: declared } },
    { fieldManager: 'stripper' },
  );
  await world.until(async () => (await eventsAbout(world, ref.name)).some(({ reason }) => reason === 'RecordRemoved'));
  const [told] = (await eventsAbout(world, ref.name)).filter(({ reason }) => reason === 'RecordRemoved');
  expect(told?.note).toContain('Field managers that write to this object: stripper, deployer.');
  const [warning] = logs.find({ level: 'warn', message: /record of an object was removed/ });
  expect(warning?.fields).toMatchObject({ name: ref.name, managers: ['stripper', 'deployer'] });

  await world.until(async () => (await annotations())[record] !== undefined);
  expect(await annotations()).toMatchObject(declared);
  // Its annotation is a change; the missing record is none.
  expect(calls).toEqual(['create', 'update']);
  await world.expectQuiet();
});
