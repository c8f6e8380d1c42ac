import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '@nestjs-operator/testing';
import { startControlPlane, type ControlPlane } from '@nestjs-operator/testing/control-plane';
import {
  ApiError,
  defineIndex,
  HandlerContext,
  InjectIndex,
  ObjectIndex,
  OnCreate,
  OnDelete,
  OnUpdate,
  OnWatchEvent,
  OperatorModule,
  ResourceHandlers,
  type IndexView,
} from 'nestjs-operator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../e2e/trials/seeded-random.js';
import { Widget } from '../support/kinds.js';
import { createRealWorld } from '../support/real-world.js';
import type { World } from '../support/world.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Ten minutes among the other cluster tests; `npm run soak` takes an hour. */
const minutes = Number(process.env['SOAK_MINUTES'] ?? 10);
const compareEvery = 10_000;
const names = Array.from({ length: 100 }, (_, index) => `w${index}`);

const UIDS = defineIndex<string, string>('uids');

@ResourceHandlers(Widget)
class SoakHandlers {
  /** The fold of all watch events. */
  readonly told = new Map<string, string>();
  calls = 0;

  constructor(@InjectIndex(UIDS) readonly uids: IndexView<string, string>) {}

  @ObjectIndex(UIDS)
  index(ctx: HandlerContext<Widget>): Array<readonly [string, string]> {
    return [[ctx.meta.name, ctx.meta.uid]];
  }

  @OnCreate()
  @OnUpdate({ field: 'spec' })
  ensure(ctx: HandlerContext<Widget>): object {
    this.calls += 1;
    return { seen: ctx.spec['n'] };
  }

  @OnDelete()
  remove(): void {
    this.calls += 1;
  }

  @OnWatchEvent()
  see(ctx: HandlerContext<Widget>): void {
    if (ctx.eventType === 'DELETED') this.told.delete(ctx.meta.name);
    else this.told.set(ctx.meta.name, `${ctx.meta.uid} ${String(ctx.spec['n'])}`);
  }
}

interface Sample {
  readonly heap: number;
  readonly sockets: number;
  readonly listeners: number;
}

function sample(): Sample {
  collectGarbage();
  return {
    heap: process.memoryUsage().heapUsed,
    sockets: process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
}

const highest = (samples: readonly Sample[], of: keyof Sample): number => Math.max(...samples.map((each) => each[of]));
const lowest = (samples: readonly Sample[], of: keyof Sample): number => Math.min(...samples.map((each) => each[of]));

let plane: ControlPlane;
let world: World;
beforeAll(async () => {
  // Watches end after seconds in place of half an hour: what usually takes weeks happens in minutes.
  plane = await startControlPlane({ apiServerArgs: ['--min-request-timeout=3'] });
  world = await createRealWorld(plane);
});
afterAll(async () => {
  await world?.close();
  await plane?.stop();
});

/** Writes at random until it is told to pause. */
async function writeAtRandom(random: () => number, isOver: () => boolean): Promise<void> {
  const { admin, namespace } = world;
  while (!isOver()) {
    const ref = { name: names[Math.floor(random() * names.length)]!, namespace };
    const draw = random();
    try {
      if (draw < 0.4) await admin.create(Widget, { metadata: ref, spec: { n: 0 } });
      else if (draw < 0.7) await admin.patch(Widget, ref, { spec: { n: Math.floor(random() * 1_000) } });
      else if (draw < 0.8)
        await admin.patch(Widget, ref, { metadata: { labels: { draw: String(Math.floor(draw * 1_000)) } } });
      else await admin.delete(Widget, ref);
    } catch (error) {
      // What is there already, is gone, or is on its way out: the draw knows nothing of it.
      if (!(error instanceof ApiError && (error.isAlreadyExists || error.isNotFound || error.isConflict))) throw error;
    }
    await world.pass(100 + random() * 200);
  }
}

test(
  `[FS-40] the store stays equal to a quorum list under random writes and short watches, and nothing grows, for ${minutes} minutes`,
  { timeout: (minutes + 3) * 60_000 },
  async () => {
    const { admin, namespace } = world;
    const running = await world.startOperator({
      imports: [OperatorModule.forFeature({ indexes: [UIDS] })],
      providers: [SoakHandlers],
      operator: { watching: { timeout: { min: '3s', max: '6s' } } },
    });
    const { module, operator, transport, logs, exit } = running;
    const handlers = module.get(SoakHandlers);
    const random = seededRandom(40);
    const samples: Sample[] = [];
    let streams = 0;
    const end = performance.now() + minutes * 60_000;
    while (performance.now() < end) {
      const over = performance.now() + compareEvery;
      await Promise.all([1, 2].map(() => writeAtRandom(random, () => performance.now() >= over)));
      // The writers rest, and the operator has nothing left to do: now both must be the same.
      await eventually(
        async () => {
          const { items } = await admin.listPage(Widget, { namespace });
          const listed = items.map(({ metadata }) => `${metadata.name} ${metadata.uid}`).toSorted();
          expect(operator.getStatus().due).toBe(0);
          expect(operator.getStatus().objects).toEqual({ 'widgets.v1.demo.example': items.length });
          expect([...handlers.uids].flatMap(([name, uids]) => uids.map((uid) => `${name} ${uid}`)).toSorted()).toEqual(
            listed,
          );
          expect([...handlers.told].map(([name, told]) => `${name} ${told}`).toSorted()).toEqual(
            items.map(({ metadata, spec }) => `${metadata.name} ${metadata.uid} ${String(spec['n'])}`).toSorted(),
          );
          for (const { status, spec } of items) expect(status?.['seen']).toBe(spec['n']);
        },
        { timeout: 30_000 },
      );
      streams += transport.watches('widgets').length;
      expect(logs.find({ level: 'error' })).toEqual([]);
      transport.clear();
      logs.clear();
      samples.push(sample());
    }
    expect(exit.exits).toEqual([]);
    expect(handlers.calls).toBeGreaterThan(minutes * 60);
    expect(streams).toBeGreaterThan(minutes * 6);

    // Of the two halves after the first quarter, the later one holds no more than the earlier one.
    const settled = samples.slice(Math.floor(samples.length / 4));
    const middle = Math.floor(settled.length / 2);
    const [earlier, later] = [settled.slice(0, middle), settled.slice(middle)];
    expect(earlier.length).toBeGreaterThan(1);
    expect(lowest(later, 'heap') - lowest(earlier, 'heap'), 'bytes').toBeLessThan(3_000_000);
    expect(highest(later, 'sockets')).toBeLessThanOrEqual(highest(earlier, 'sockets') + 2);
    expect(highest(later, 'listeners')).toBeLessThanOrEqual(highest(earlier, 'listeners'));
  },
);
