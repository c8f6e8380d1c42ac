import 'reflect-metadata';
import { HandlerContext, OnField, OnResume, ResourceHandlers, OnCreate } from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import type { EmbeddedWorld } from '../../support/embedded-world.js';
import { Widget } from '../../support/kinds.js';
import { openWorld } from './open-world.js';

const create = (world: EmbeddedWorld, name: string, more: object = {}): Promise<unknown> =>
  world.stage.api.create({
    apiVersion: 'demo.example/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'default', ...more },
    spec: { n: 1 },
  });
const ref = (name: string) => ({ apiVersion: 'demo.example/v1', kind: 'Widget', name, namespace: 'default' });

describe('resuming', () => {
  it.each([
    { deleted: false, called: ['a', 'b'] },
    { deleted: true, called: ['a', 'b', 'dying'] },
  ])(
    '[TC-18] resume handlers run once per object and process, are retried, and skip dying objects unless asked (deleted: $deleted)',
    async ({ deleted, called }) => {
      const world = await openWorld();
      const { api, clock } = world.stage;
      const calls: { name: string; retry: number }[] = [];
      let failures = 0;

      @ResourceHandlers(Widget)
      class Resuming {
        @OnCreate()
        created(): void {}

        @OnResume({ deleted })
        resumed(ctx: HandlerContext<Widget>): void {
          calls.push({ name: ctx.meta.name, retry: ctx.retry });
          if (ctx.retry < failures) throw new Error('not yet');
        }
      }

      const names = ['a', 'b', 'dying'];
      for (const name of names)
        await create(world, name, name === 'dying' ? { finalizers: ['other.example.com/hold'] } : {});
      await api.delete(ref('dying'));
      // A former process has seen them: what is new is created, not resumed.
      const former = await world.startOperator({ providers: [Resuming] });
      await former.settled();
      await former.close();

      calls.length = 0;
      failures = 2;
      const { logs } = await world.startOperator({ providers: [Resuming] });
      await world.until(() => calls.length === 3 * called.length);
      for (let cut = 0; cut < 10; cut += 1) {
        expect(api.watches.cut({ how: 'reset', resource: 'widgets' })).toBe(1);
        await world.until(() => api.watches.list({ resource: 'widgets' }).length === 1, 120_000);
        await clock.advance(5_000);
      }
      const lists = (): number =>
        api.requests.filter(({ resource, query }) => resource === 'widgets' && query.has('sendInitialEvents')).length;
      const listed = lists();
      // So far from the resume point that the server answers 410, with a change in the gap.
      api.watches.cut({ how: 'reset', resource: 'widgets' });
      await api.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'unrelated', namespace: 'default' } });
      api.compact();
      await world.until(() => lists() === listed + 1, 300_000);
      await clock.advance(60_000);

      for (const name of names) {
        const expected = called.includes(name) ? [0, 1, 2] : [];
        expect(
          calls.filter((call) => call.name === name).map(({ retry }) => retry),
          name,
        ).toEqual(expected);
      }
      expect(logs.find({ message: 'Handler failed for good' })).toEqual([]);
      await world.expectQuiet();
      expect(calls).toHaveLength(3 * called.length);
    },
  );
});

describe('field handlers', () => {
  it('[TC-19] run exactly when the value at their path differs, with dots in keys, and tell missing from null', async () => {
    const world = await openWorld();
    const { api } = world.stage;
    const calls: { field: string; cause: string; old: unknown; new: unknown }[] = [];
    const note = (field: string, ctx: HandlerContext<Widget>): void => {
      calls.push({ field, cause: ctx.cause, old: ctx.old, new: ctx.new });
    };
    const owner = 'team.demo.example/owner';

    @ResourceHandlers(Widget)
    class Fields {
      @OnField({ field: ['metadata', 'annotations', owner] })
      owner(ctx: HandlerContext<Widget>): void {
        note('owner', ctx);
      }

      @OnField({ field: 'spec.a' })
      outer(ctx: HandlerContext<Widget>): void {
        note('spec.a', ctx);
      }

      @OnField({ field: 'spec.a.b' })
      inner(ctx: HandlerContext<Widget>): void {
        note('spec.a.b', ctx);
      }
    }

    const { settled } = await world.startOperator({ providers: [Fields] });
    /** The calls that one step leads to. */
    const after = async (step: Promise<unknown>): Promise<typeof calls> => {
      await step;
      await settled();
      await world.pass(5_000);
      return calls.splice(0);
    };
    const patch = (body: object): Promise<unknown> => api.patch(ref('w'), body);
    const put = async (spec: object): Promise<unknown> => {
      const found = (await api.get(ref('w')))!;
      return api.replace({ ...found, spec });
    };
    const update = { cause: 'update' };
    const [a, ab] = [{ field: 'spec.a' }, { field: 'spec.a.b' }];

    expect(await after(create(world, 'w'))).toEqual([]);
    // A value that comes into being.
    expect(await after(patch({ spec: { a: { x: 1, y: { p: 1, q: 2 } } } }))).toEqual([
      { ...a, ...update, old: undefined, new: { x: 1, y: { p: 1, q: 2 } } },
    ]);
    // Beside every path.
    expect(await after(patch({ spec: { c: 1 } }))).toEqual([]);
    // Equal, but for the order of keys.
    expect(await after(put({ c: 1, a: { y: { q: 2, p: 1 }, x: 1 }, n: 1 }))).toEqual([]);
    // One level below one path, at the other.
    expect(await after(patch({ spec: { a: { b: 1 } } }))).toEqual([
      { ...a, ...update, old: { x: 1, y: { p: 1, q: 2 } }, new: { x: 1, y: { p: 1, q: 2 }, b: 1 } },
      { ...ab, ...update, old: undefined, new: 1 },
    ]);
    // One level above both.
    expect(await after(put({ c: 1, n: 1 }))).toEqual([
      { ...a, ...update, old: { x: 1, y: { p: 1, q: 2 }, b: 1 }, new: undefined },
      { ...ab, ...update, old: 1, new: undefined },
    ]);
    expect(await after(patch({ metadata: { annotations: { [owner]: 'me' } } }))).toEqual([
      { field: 'owner', ...update, old: undefined, new: 'me' },
    ]);
    // Keys that a reader of dots would take for the same path, or for a part of it.
    expect(await after(patch({ metadata: { annotations: { team: '{"demo":1}' } } }))).toEqual([]);
    expect(await after(patch({ metadata: { annotations: { 'team.demo.example': 'x' } } }))).toEqual([]);
    expect(await after(patch({ metadata: { annotations: { [owner]: null } } }))).toEqual([
      { field: 'owner', ...update, old: 'me', new: undefined },
    ]);
    // Null is a value.
    expect(await after(put({ c: 1, a: { b: null }, n: 1 }))).toEqual([
      { ...a, ...update, old: undefined, new: { b: null } },
      { ...ab, ...update, old: undefined, new: null },
    ]);
    expect(await after(put({ c: 1, a: {}, n: 1 }))).toEqual([
      { ...a, ...update, old: { b: null }, new: {} },
      { ...ab, ...update, old: null, new: undefined },
    ]);
    await world.expectQuiet();
    expect(calls).toEqual([]);
  });
});
