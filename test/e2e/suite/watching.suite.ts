import { CustomResource, HandlerContext, KubeObject, OnCreate, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { definition, Widget } from '../../support/kinds.js';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';

type Open = Record<string, unknown>;

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Latecomer', plural: 'latecomers', scope: 'Namespaced' })
class Latecomer extends KubeObject<Open, Open> {}

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Passenger', plural: 'passengers', scope: 'Namespaced' })
class Passenger extends KubeObject<Open, Open> {}

@ResourceHandlers(Latecomer)
class LatecomerHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Latecomer>): void {
    this.calls.push(`${ctx.cause} ${ctx.meta.name}`);
  }
}

@ResourceHandlers(Passenger)
class PassengerHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Passenger>): object {
    this.calls.push(`${ctx.cause} ${ctx.meta.name} ${String(ctx.spec['size'])}`);
    return { seen: ctx.spec['size'] };
  }
}

@ResourceHandlers(Widget)
class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  ensure(ctx: HandlerContext<Widget>): void {
    this.calls.push(`${ctx.cause} ${ctx.meta.name}`);
  }
}

interface InstalledDefinition {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const definitions = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions' };

async function install(world: World, plural: string, kind: string): Promise<void> {
  const wanted = definition({ plural, kind });
  await world.admin.create(wanted);
  await world.until(async () => {
    const { status } = (await world.admin.get(definitions, wanted.metadata)) as InstalledDefinition;
    return status?.conditions?.some(({ type, status: met }) => type === 'Established' && met === 'True') === true;
  });
}

/** Kinds that come and go under a running operator. */
export function watchingSuite(createWorld: () => Promise<World>): void {
  describe('kinds that come and go', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('a kind that is installed after the start is served from then on; others do not wait for it', async () => {
      const world = await worlds.open();
      const { namespace } = world;
      const { module, operator, exit } = await world.startOperator({
        providers: [LatecomerHandlers, WidgetHandlers],
        operator: { watching: { missingKind: 'wait' } },
        synced: false,
      });
      const { calls } = module.get(LatecomerHandlers);
      const others = module.get(WidgetHandlers).calls;
      await world.admin.create(Widget, { metadata: { name: 'early', namespace }, spec: {} });
      await world.until(() => others.length === 1);
      await install(world, 'latecomers', 'Latecomer');
      await world.admin.create(Latecomer, { metadata: { name: 'first', namespace }, spec: { size: 1 } });
      await world.until(() => calls.length === 1);
      await world.admin.patch(Latecomer, { name: 'first', namespace }, { spec: { size: 2 } });
      await world.until(() => calls.length === 2);
      expect(calls).toEqual(['create first', 'update first']);
      expect(others).toEqual(['create early']);
      expect(operator.getStatus().watches.map(({ synced }) => synced)).toEqual([true, true]);
      expect(exit.code).toBeUndefined();
    });

    test('a kind that goes and comes back is watched again, its new objects are new ones', async () => {
      const world = await worlds.open();
      const { namespace } = world;
      const ref = { name: 'returning', namespace };
      const create = async (size: number): Promise<void> => {
        await world.admin.create(Passenger, { metadata: ref, spec: { size } });
      };
      const handled = (size: number) => async () => (await world.admin.get(Passenger, ref)).status?.['seen'] === size;
      await install(world, 'passengers', 'Passenger');
      const { module, operator, exit, transport } = await world.startOperator({ providers: [PassengerHandlers] });
      const { calls } = module.get(PassengerHandlers);
      await create(1);
      await world.until(handled(1));

      const name = 'passengers.demo.example';
      await world.admin.delete(definitions, { name });
      await world.until(() => isGone(world.admin, definitions, { name }));
      await world.until(() => operator.getStatus().watches[0]?.state === 'kind-gone');
      expect(operator.getStatus().objects).toEqual({ 'passengers.v1.demo.example': 0 });
      transport.clear();
      await world.pass(3_000);
      expect(transport.watches('passengers')).toEqual([]);

      await install(world, 'passengers', 'Passenger');
      await create(2);
      await world.until(handled(2));
      await world.admin.patch(Passenger, ref, { spec: { size: 3 } });
      await world.until(handled(3));
      expect(calls).toEqual(['create returning 1', 'create returning 2', 'update returning 3']);
      expect(exit.code).toBeUndefined();
    });

    test('nothing of this is written again in a quiet cluster', () => worlds.expectQuiet());
  });
}
