import { HandlerContext, OnCreate, OnDelete, OnReconcile, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { BareWidget, Widget } from '../../support/kinds.js';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { SentRequest } from '../../support/recording-transport.js';
import type { RunningOperator, World } from '../../support/world.js';

@ResourceHandlers(Widget)
class SilentHandlers {
  @OnCreate()
  @OnUpdate()
  first(): void {}

  /** However many handlers: their outcomes go out together. */
  @OnCreate()
  @OnUpdate()
  second(): void {}
}

@ResourceHandlers(Widget)
class ReportingHandlers {
  @OnCreate()
  @OnUpdate()
  first(ctx: HandlerContext<Widget>): object {
    return { seen: ctx.spec['size'] };
  }

  @OnCreate()
  @OnUpdate()
  second(): object {
    return { constant: true };
  }
}

@ResourceHandlers(BareWidget)
class BareReportingHandlers {
  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<BareWidget>): object {
    return { seen: ctx.spec['size'] };
  }
}

@ResourceHandlers(Widget)
class RemovingHandlers {
  @OnDelete()
  clean(): void {}

  @OnDelete()
  unlink(): void {}
}

@ResourceHandlers(Widget)
class LevelHandlers {
  readonly seen: unknown[] = [];

  @OnReconcile()
  reconcile(ctx: HandlerContext<Widget>): void {
    this.seen.push(ctx.spec['size']);
  }
}

/** The time after which nothing more is expected. */
const calm = 3_000;

/** What each step of an object's life costs: every request that the operator sends about it. */
interface Costs {
  readonly create: readonly string[];
  readonly update: readonly string[];
  /** A change that leads to the same status. */
  readonly relabel: readonly string[];
  readonly delete: readonly string[];
}

const record = 'PATCH object';
const status = 'PATCH object/status (JSON patch)';
const finalizer = 'PATCH object (JSON patch)';

const cases: readonly {
  readonly what: string;
  readonly kind: typeof Widget | typeof BareWidget;
  readonly providers: readonly (new () => unknown)[];
  readonly costs: Costs;
}[] = [
  {
    what: 'nothing but a record',
    kind: Widget,
    providers: [SilentHandlers],
    costs: { create: [record], update: [record], relabel: [record], delete: [] },
  },
  {
    what: 'a finalizer',
    kind: Widget,
    providers: [SilentHandlers, RemovingHandlers],
    costs: { create: [finalizer, record], update: [record], relabel: [record], delete: [finalizer] },
  },
  {
    what: 'a status',
    kind: Widget,
    providers: [ReportingHandlers],
    costs: { create: [status, record], update: [status, record], relabel: [record], delete: [] },
  },
  {
    what: 'a finalizer and a status',
    kind: Widget,
    providers: [ReportingHandlers, RemovingHandlers],
    costs: { create: [finalizer, status, record], update: [status, record], relabel: [record], delete: [finalizer] },
  },
  {
    what: 'a status that has no subresource',
    kind: BareWidget,
    providers: [BareReportingHandlers],
    costs: { create: [record], update: [record], relabel: [record], delete: [] },
  },
];

/** Everything sent since the list was cleared; a watch that came to its end in the meantime says nothing about objects. */
function requestsOf({ transport }: RunningOperator, name: string): string[] {
  return transport.sent
    .filter(({ method, path, query }) => !(method === 'GET' && query.has('watch')) && !path.endsWith('/events'))
    .map((request) => describeRequest(request, name));
}

function describeRequest({ method, path, contentType }: SentRequest, name: string): string {
  const json = contentType === 'application/json-patch+json' ? ' (JSON patch)' : '';
  const about = path.slice(path.lastIndexOf(`/${name}`) + 1).replace(name, 'object');
  return `${method} ${about}${json}`;
}

/** How many requests an object costs: no more than the writes that its handlers need, and no reads. */
export function requestsSuite(createWorld: () => Promise<World>): void {
  describe('requests of an operator', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test.each(cases)('are the fewest for $what', async ({ kind, providers, costs }) => {
      const world = await worlds.open();
      const running = await world.startOperator({ providers: [...providers] });
      const ref = { name: 'counted', namespace: world.namespace };
      const steps: Record<keyof Costs, () => Promise<unknown>> = {
        create: () => world.admin.create(kind, { metadata: ref, spec: { size: 1 } }),
        update: () => world.admin.patch(kind, ref, { spec: { size: 2 } }),
        relabel: () => world.admin.patch(kind, ref, { metadata: { labels: { team: 'a' } } }),
        delete: async () => {
          await world.admin.delete(kind, ref);
          await world.until(() => isGone(world.admin, kind, ref));
        },
      };
      for (const [step, act] of Object.entries(steps) as [keyof Costs, () => Promise<unknown>][]) {
        running.transport.clear();
        await act();
        await world.until(() => requestsOf(running, ref.name).length >= costs[step].length);
        await world.pass(calm);
        expect(requestsOf(running, ref.name), step).toEqual(costs[step]);
        expect(
          running.transport.sent.every(({ status: answer }) => answer === undefined || answer < 300),
          step,
        ).toBe(true);
      }
    });

    test('are none for @OnReconcile', async () => {
      const world = await worlds.open();
      const running = await world.startOperator({ providers: [LevelHandlers] });
      const { seen } = running.module.get(LevelHandlers);
      const ref = { name: 'level', namespace: world.namespace };
      running.transport.clear();
      await world.admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(() => seen.length === 1);
      await world.admin.patch(Widget, ref, { spec: { size: 2 } });
      await world.until(() => seen.length === 2);
      await world.admin.delete(Widget, ref);
      await world.until(() => isGone(world.admin, Widget, ref));
      await world.pass(calm);
      expect(seen.slice(0, 2)).toEqual([1, 2]);
      expect(requestsOf(running, ref.name)).toEqual([]);
    });

    test('are none when nothing changes', () => worlds.expectQuiet());
  });
}
