import {
  ABSENT,
  HandlerContext,
  OnCreate,
  OnField,
  OnReconcile,
  OnResume,
  OnUpdate,
  OnWatchEvent,
  PRESENT,
  ResourceHandlers,
  type ReconcileResult,
} from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';

@ResourceHandlers(Widget)
class ResumingHandlers {
  readonly calls: string[] = [];

  /** Four decorators, one handler: one call per cause. */
  @OnCreate()
  @OnUpdate()
  @OnField({ field: 'spec.size' })
  @OnResume()
  stacked(ctx: HandlerContext<Widget>): void {
    this.calls.push(`${ctx.cause} ${ctx.meta.name}`);
  }

  @OnResume()
  attach(ctx: HandlerContext<Widget>): void {
    this.calls.push(`attach ${ctx.meta.name}`);
  }
}

const dotted = ['metadata', 'labels', 'demo.example/tier'];

@ResourceHandlers(Widget)
class FieldHandlers {
  readonly sizes: unknown[] = [];
  readonly tiers: unknown[] = [];
  readonly repaints: string[] = [];
  readonly diffs: unknown[] = [];

  @OnField({ field: 'spec.size' })
  size(ctx: HandlerContext<Widget>): void {
    this.sizes.push([ctx.cause, ctx.old, ctx.new]);
  }

  @OnField({ field: dotted })
  tier(ctx: HandlerContext<Widget>): void {
    this.tiers.push([ctx.old, ctx.new]);
  }

  @OnUpdate({ field: 'spec.color', old: 'red', new: 'blue' })
  repaint(ctx: HandlerContext<Widget>): void {
    this.repaints.push(`${String(ctx.old)} to ${String(ctx.new)}`);
  }

  @OnUpdate()
  whole(ctx: HandlerContext<Widget>): void {
    this.diffs.push(ctx.diff.map(({ operation, path }) => `${operation} ${path.join('/')}`));
  }
}

@ResourceHandlers(Widget)
class FilteringHandlers {
  readonly calls: string[] = [];

  @OnCreate({ labels: { tier: 'fast' } })
  literal(ctx: HandlerContext<Widget>): void {
    this.#note('literal', ctx);
  }

  @OnCreate({ labels: { tier: PRESENT, team: ABSENT } })
  presence(ctx: HandlerContext<Widget>): void {
    this.#note('presence', ctx);
  }

  @OnCreate({ labels: { tier: (value) => value?.startsWith('f') === true } })
  computed(ctx: HandlerContext<Widget>): void {
    this.#note('computed', ctx);
  }

  @OnCreate({ annotations: { 'demo.example/mode': 'test' } })
  annotated(ctx: HandlerContext<Widget>): void {
    this.#note('annotated', ctx);
  }

  @OnCreate({ when: ({ meta }) => meta.name === 'chosen' })
  when(ctx: HandlerContext<Widget>): void {
    this.#note('when', ctx);
  }

  @OnUpdate({ labels: { tier: 'slow' } })
  follow(ctx: HandlerContext<Widget>): void {
    this.#note('follow', ctx);
  }

  #note(handler: string, ctx: HandlerContext<Widget>): void {
    this.calls.push(`${handler} ${ctx.meta.name}`);
  }
}

@ResourceHandlers(Widget)
class WatchHandlers {
  readonly events: string[] = [];

  @OnWatchEvent()
  note(ctx: HandlerContext<Widget>): void {
    this.events.push(`${ctx.eventType} ${String(ctx.spec['size'])}`);
  }
}

@ResourceHandlers(Widget)
class ReconcilingHandlers {
  readonly calls: string[] = [];
  readonly #asked = new Set<string>();

  @OnReconcile({ finalizer: true })
  reconcile(ctx: HandlerContext<Widget>): ReconcileResult | undefined {
    const state = ctx.deleting ? 'deleting' : `size ${String(ctx.spec['size'])}`;
    const finalizers = (ctx.meta.finalizers ?? []).length;
    this.calls.push(`${state}, ${finalizers} finalizers`);
    if (this.#asked.has(state)) return undefined;
    this.#asked.add(state);
    return { requeueAfter: '1s' };
  }
}

@ResourceHandlers(Widget)
class CountingReconciler {
  calls = 0;
  readonly events: string[] = [];

  /** What it writes differs each time, so that taking its own write for a change would never end. */
  @OnReconcile()
  reconcile(ctx: HandlerContext<Widget>): ReconcileResult | undefined {
    this.calls += 1;
    ctx.patch.merge({ status: { calls: this.calls } });
    return this.calls === 1 ? { requeueAfter: '1s' } : undefined;
  }

  @OnWatchEvent()
  note(ctx: HandlerContext<Widget>): void {
    this.events.push(`${ctx.eventType} ${String(ctx.spec['size'])}`);
  }
}

/** What makes handlers run: causes, fields, filters, events and levels. */
export function handlersSuite(createWorld: () => Promise<World>): void {
  describe('what handlers are called for', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('a restart resumes what is handled, once; stacked decorators are one handler', async () => {
      const world = await worlds.open();
      const ref = (name: string) => ({ name, namespace: world.namespace });
      const first = await world.startOperator({ providers: [ResumingHandlers] });
      const before = first.module.get(ResumingHandlers).calls;
      await world.admin.create(Widget, { metadata: ref('steady'), spec: { size: 1 } });
      await world.admin.create(Widget, { metadata: ref('changed'), spec: { size: 1 } });
      await world.until(() => before.length === 2 && first.transport.writes.length === 2);
      expect(before.toSorted()).toEqual(['create changed', 'create steady']);
      await first.close();
      await world.admin.patch(Widget, ref('changed'), { spec: { size: 2 } });

      const second = await world.startOperator({ providers: [ResumingHandlers] });
      const { calls } = second.module.get(ResumingHandlers);
      await world.admin.create(Widget, { metadata: ref('fresh'), spec: { size: 1 } });
      await world.until(() => calls.length === 5);
      await world.admin.patch(Widget, ref('steady'), { spec: { size: 2 } });
      await world.until(() => calls.length === 6);
      expect(calls.toSorted()).toEqual(
        [
          'attach changed',
          'attach steady',
          'create fresh',
          'resume steady',
          'update changed',
          'update steady',
        ].toSorted(),
      );
      expect(second.logs.find({ level: 'error' })).toEqual([]);
    });

    test('field handlers get the old and the new value, also where keys have dots', async () => {
      const world = await worlds.open();
      const ref = { name: 'field', namespace: world.namespace };
      const { module } = await world.startOperator({ providers: [FieldHandlers] });
      const { sizes, tiers, repaints, diffs } = module.get(FieldHandlers);
      const patch = (fields: object): Promise<unknown> => world.admin.patch(Widget, ref, fields);

      await world.admin.create(Widget, { metadata: ref, spec: { size: 1, color: 'green' } });
      await world.until(() => sizes.length === 1);
      await patch({ spec: { size: 2 } });
      await world.until(() => diffs.length === 1 && sizes.length === 2);
      await patch({ metadata: { labels: { 'demo.example/tier': 'fast', other: 'x' } } });
      await world.until(() => diffs.length === 2 && tiers.length === 1);
      await patch({ spec: { color: 'red' } });
      await world.until(() => diffs.length === 3);
      await patch({ spec: { color: 'blue' } });
      await world.until(() => diffs.length === 4 && repaints.length === 1);
      await patch({ spec: { size: null }, metadata: { labels: { 'demo.example/tier': null } } });
      await world.until(() => diffs.length === 5 && sizes.length === 3 && tiers.length === 2);

      expect(sizes).toEqual([
        ['create', undefined, 1],
        ['update', 1, 2],
        ['update', 2, undefined],
      ]);
      expect(tiers).toEqual([
        [undefined, 'fast'],
        ['fast', undefined],
      ]);
      expect(repaints).toEqual(['red to blue']);
      expect(diffs[0]).toEqual(['change spec/size']);
    });

    test('labels, annotations and conditions of one’s own decide who is called', async () => {
      const world = await worlds.open();
      const { namespace } = world;
      const { module } = await world.startOperator({ providers: [FilteringHandlers] });
      const { calls } = module.get(FilteringHandlers);
      const create = (name: string, more: object): Promise<unknown> =>
        world.admin.create(Widget, { metadata: { name, namespace, ...more }, spec: {} });
      await create('fast', { labels: { tier: 'fast' } });
      await create('owned', { labels: { tier: 'fair', team: 'a' } });
      await create('marked', { annotations: { 'demo.example/mode': 'test' } });
      await create('chosen', {});
      await create('plain', { annotations: { 'demo.example/mode': 'live' } });
      await world.until(() => calls.length === 6);
      await world.admin.patch(Widget, { name: 'chosen', namespace }, { metadata: { labels: { tier: 'slow' } } });
      await world.admin.patch(Widget, { name: 'owned', namespace }, { spec: { size: 1 } });
      // With the label, its creation is due for one handler; the other takes what it sees as the state to compare with.
      await world.until(() => calls.includes('presence chosen'));
      await world.admin.patch(Widget, { name: 'chosen', namespace }, { spec: { size: 1 } });
      await world.until(() => calls.includes('follow chosen'));
      expect(calls.toSorted()).toEqual([
        'annotated marked',
        'computed fast',
        'computed owned',
        'follow chosen',
        'literal fast',
        'presence chosen',
        'presence fast',
        'when chosen',
      ]);
    });

    test('watch events come in order, up to DELETED, and nothing is written for them', async () => {
      const world = await worlds.open();
      const ref = { name: 'seen', namespace: world.namespace };
      const { module, transport } = await world.startOperator({ providers: [WatchHandlers] });
      const { events } = module.get(WatchHandlers);
      await world.admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(() => events.length === 1);
      await world.admin.patch(Widget, ref, { spec: { size: 2 } });
      await world.until(() => events.length === 2);
      await world.admin.patch(Widget, ref, { status: { seen: 1 } }, { subresource: 'status' });
      await world.until(() => events.length === 3);
      await world.admin.delete(Widget, ref);
      await world.until(() => events.length === 4);
      expect(events).toEqual(['ADDED 1', 'MODIFIED 2', 'MODIFIED 2', 'DELETED 2']);
      expect(transport.writes).toEqual([]);
    });

    test('@OnReconcile is called for levels and for the time it asks for, and writes its finalizer only', async () => {
      const world = await worlds.open();
      const ref = { name: 'level', namespace: world.namespace };
      const { module, transport } = await world.startOperator({ providers: [ReconcilingHandlers] });
      const { calls } = module.get(ReconcilingHandlers);
      await world.admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(() => calls.length === 2);
      await world.admin.patch(Widget, ref, { spec: { size: 2 } });
      await world.until(() => calls.length === 4);
      await world.admin.delete(Widget, ref);
      await world.until(() => isGone(world.admin, Widget, ref));
      expect(calls).toEqual([
        'size 1, 1 finalizers',
        'size 1, 1 finalizers',
        'size 2, 1 finalizers',
        'size 2, 1 finalizers',
        'deleting, 1 finalizers',
        'deleting, 1 finalizers',
      ]);
      expect(transport.writes.map(({ method, path }) => `${method} ${path.split('/').pop()}`)).toEqual([
        'PATCH level',
        'PATCH level',
      ]);
    });

    test('own writes are no change for @OnReconcile and @OnWatchEvent, however soon the watch shows them', async () => {
      const world = await worlds.open();
      const ref = { name: 'counting', namespace: world.namespace };
      const { module, transport } = await world.startOperator({ providers: [CountingReconciler] });
      const handlers = module.get(CountingReconciler);
      await world.admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(() => handlers.calls === 2);
      await world.pass(1_000);
      await world.admin.patch(Widget, ref, { spec: { size: 2 } });
      await world.until(() => handlers.calls === 3);
      await world.pass(1_000);
      expect((await world.admin.get(Widget, ref)).status).toEqual({ calls: 3 });
      expect(transport.writes).toHaveLength(3);
      expect(handlers.events).toEqual(['ADDED 1', 'MODIFIED 2']);
    });

    test('nothing of this is written again in a quiet cluster', () => worlds.expectQuiet());
  });
}
