import { HandlerContext, OnCreate, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { vi } from 'vitest';
import { DueHeap } from '../../../libs/operator/src/engine/queueing/due-heap.js';
import { SlotPool } from '../../../libs/operator/src/engine/queueing/slot-pool.js';
import { Gadget, Widget } from '../../support/kinds.js';
import { createScene, createStage, object, planted, sleep, type Scene, type SceneSpec } from './support.js';

/** What went wrong, and where. */
export interface Crash {
  readonly scene: Scene;
  readonly boo: Error;
  /** The uids of the objects whose processing failed. */
  readonly uids: readonly string[];
  /** Virtual milliseconds. */
  readonly failedAt: number;
}

/** Without a throttle, whatever goes wrong with an object outside of its handlers is unrecoverable. */
export const unthrottled = { queue: { throttle: [] } } as const;

export async function createSceneWith(objects: readonly ReturnType<typeof object>[], spec: SceneSpec): Promise<Scene> {
  return createScene(await createStage(objects), spec);
}

async function uidOf(scene: Scene, name: string, kind: 'Widget' | 'Gadget' = 'Widget'): Promise<string> {
  const found = await scene.api.get({
    apiVersion: 'demo.example/v1',
    kind,
    name,
    ...(kind === 'Widget' ? { namespace: 'default' } : {}),
  });
  return String(found?.metadata.uid);
}

/** Handlers of Widgets whose filter throws for those with `spec.bad`, and of Gadgets. */
export function watchersOfTwoKinds(boo: Error | ((name: string) => Error)) {
  const errorOf = typeof boo === 'function' ? boo : (): Error => boo;

  @ResourceHandlers(Widget)
  class WidgetHandlers {
    readonly calls: string[] = [];

    @OnCreate({
      when: ({ object: { spec }, meta }) => {
        if ((spec as { readonly bad?: unknown } | undefined)?.bad !== undefined) throw errorOf(meta.name);
        return meta.name !== 'slow';
      },
    })
    ensure(ctx: HandlerContext<Widget>): void {
      this.calls.push(ctx.meta.name);
    }
  }

  @ResourceHandlers(Gadget)
  class GadgetHandlers {
    readonly calls: string[] = [];

    @OnCreate()
    @OnUpdate()
    ensure(ctx: HandlerContext<Gadget>): void {
      this.calls.push(`${ctx.meta.name} ${ctx.retry}`);
      if (ctx.spec?.['flaky'] !== undefined) throw new Error('not yet');
    }
  }

  return { WidgetHandlers, GadgetHandlers };
}

/** Checks 1 to 5 and 8: two kinds are watched, one object of the first cannot be processed. */
export async function workerFails(spec: SceneSpec = {}): Promise<Crash> {
  const boo = new Error('boo');
  const { WidgetHandlers, GadgetHandlers } = watchersOfTwoKinds(boo);
  const scene = await createSceneWith([object('Widget', 'good'), object('Gadget', 'other')], {
    ...spec,
    operator: { ...unthrottled, ...spec.operator },
    providers: [WidgetHandlers, GadgetHandlers, ...(spec.providers ?? [])],
  });
  // Not whenSynced: a resource that is waited for keeps it waiting.
  const watched = (resource: string): boolean => scene.api.watches.list({ resource }).length === 1;
  await scene.clock.advanceUntil(() => watched('widgets') && watched('gadgets'));
  await scene.settled();
  const failedAt = scene.clock.monotonic();
  await scene.api.create(object('Widget', 'bad', { bad: 1 }));
  return { scene, boo, uids: [await uidOf(scene, 'bad')], failedAt };
}

/** Check 6: three objects of the first list cannot be processed. */
export async function severalWorkersFail(): Promise<Crash & { readonly boos: ReadonlyMap<string, Error> }> {
  const boos = new Map(['one', 'two', 'three'].map((name) => [name, new Error(`boo ${name}`)]));
  const { WidgetHandlers } = watchersOfTwoKinds((name) => boos.get(name)!);
  const scene = await createSceneWith(
    [...boos.keys()].map((name) => object('Widget', name, { bad: 1 })),
    { operator: unthrottled, providers: [WidgetHandlers] },
  );
  const uids = await Promise.all([...boos.keys()].map((name) => uidOf(scene, name)));
  return { scene, boo: [...boos.values()][0]!, boos, uids, failedAt: scene.clock.monotonic() };
}

/**
 * Checks 7 and 9: while another object cannot be processed, the handler of `slow` is at work for `duration`. `deaf`: it
 * ignores its signal.
 */
export async function workerFailsBesideSlowHandler(
  duration: number,
  { deaf = false }: { readonly deaf?: boolean } = {},
): Promise<Crash & { readonly aborts: number[]; readonly gadgetCalls: readonly string[] }> {
  const boo = new Error('boo');
  const { WidgetHandlers, GadgetHandlers } = watchersOfTwoKinds(boo);
  const stage = await createStage();
  const { clock } = stage;
  const aborts: number[] = [];

  @ResourceHandlers(Widget)
  class SlowHandlers {
    @OnCreate({ when: ({ meta }) => meta.name === 'slow' })
    async work(ctx: HandlerContext<Widget>): Promise<{ done: boolean; secret: string }> {
      ctx.signal.addEventListener('abort', () => aborts.push(clock.monotonic()));
      await sleep(clock, duration, deaf ? undefined : ctx.signal);
      return { done: true, secret: planted.status };
    }
  }

  const scene = await createScene(stage, {
    operator: unthrottled,
    providers: [WidgetHandlers, GadgetHandlers, SlowHandlers],
  });
  await clock.during(scene.operator.whenSynced());
  await scene.api.create(object('Gadget', 'flaky', { flaky: 1 }));
  await scene.api.create(object('Widget', 'slow'));
  await scene.settled();
  const failedAt = clock.monotonic();
  await scene.api.create(object('Widget', 'bad', { bad: 1 }));
  await scene.settled();
  const gadgetCalls = scene.module.get(GadgetHandlers).calls;
  return { scene, boo, uids: [await uidOf(scene, 'bad')], failedAt, aborts, gadgetCalls };
}

/** An ERROR event as it is sent for whatever is not 410. */
export const errorEvent = (code: number): string =>
  JSON.stringify({
    type: 'ERROR',
    object: {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'InternalError',
      message: 'etcd had an accident',
      code,
    },
  });

/** An event of an object that nobody can identify, and lines that are no events at all. */
export const brokenLines = {
  'an object without a name': JSON.stringify({
    type: 'MODIFIED',
    object: { ...object('Widget', 'nameless'), metadata: { uid: 'u', resourceVersion: '99999' } },
  }),
  'an object without a uid': JSON.stringify({
    type: 'MODIFIED',
    object: { ...object('Widget', 'odd'), metadata: { name: 'odd', namespace: 'default', resourceVersion: '99999' } },
  }),
  'half a line of JSON': `{"type":"MODIFIED","object":{"spec":{"password":"${planted.spec}"`,
  'text of a proxy': `<html>${planted.token} ${planted.annotation}</html>`,
} as const;

/** A watch of Widgets that is in sync, with Gadgets beside it. */
export async function watchInSync(): Promise<Scene> {
  const { WidgetHandlers, GadgetHandlers } = watchersOfTwoKinds(new Error('unused'));
  const scene = await createSceneWith([object('Widget', 'good'), object('Gadget', 'other')], {
    providers: [WidgetHandlers, GadgetHandlers],
  });
  await scene.clock.during(scene.operator.whenSynced());
  await scene.settled();
  return scene;
}

/** Sends the line into the watch of Widgets whenever it is in sync, so many times. */
export async function breakWatch(scene: Scene, line: string, times: number): Promise<void> {
  const { api, clock } = scene;
  const inSync = (): boolean =>
    api.watches.list({ resource: 'widgets' }).length === 1 &&
    scene.operator.getStatus().watches.find(({ resource }) => resource === 'widgets.v1.demo.example')?.state ===
      'watching';
  for (let count = 0; count < times; count += 1) {
    await clock.advanceUntil(inSync, 60_000);
    api.watches.inject(line, { resource: 'widgets' });
    await scene.settled();
  }
}

/** Check 12: where the queue itself fails once the object `bad` is in it. */
export const queueFaults: Readonly<Record<string, (boo: Error) => void>> = {
  'taking a key from the queue': (boo) => {
    vi.spyOn(SlotPool.prototype, 'take').mockImplementationOnce(() => {
      throw boo;
    });
  },
  'giving back the slot after a cycle': (boo) => {
    vi.spyOn(SlotPool.prototype, 'release').mockImplementationOnce(() => {
      throw boo;
    });
  },
  'planning the next run after a cycle': (boo) => {
    vi.spyOn(DueHeap.prototype, 'put').mockImplementationOnce(() => {
      throw boo;
    });
  },
};

export async function queueFails(fault: (boo: Error) => void): Promise<Crash> {
  const boo = new Error('boo');
  const { WidgetHandlers, GadgetHandlers } = watchersOfTwoKinds(boo);
  const scene = await createSceneWith([], { providers: [WidgetHandlers, GadgetHandlers] });
  await scene.clock.during(scene.operator.whenSynced());
  await scene.settled();
  fault(boo);
  const failedAt = scene.clock.monotonic();
  await scene.api.create(object('Widget', 'any'));
  return { scene, boo, uids: [await uidOf(scene, 'any')], failedAt };
}
