import { HandlerContext, OnCreate, OnDelete, ResourceHandlers } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { namespaces, Widget } from '../../support/kinds.js';
import { eventsAbout, find, isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';

const finalizer = 'test.example.com/finalizer';

@ResourceHandlers(Widget)
class SeveralDeletions {
  readonly calls: string[] = [];
  /** What happens while the second delete handler runs. */
  meanwhile: () => Promise<unknown> = () => Promise.resolve();
  /** Finalizers on the server while the create handler runs. */
  look: () => Promise<readonly string[] | undefined> = () => Promise.resolve([]);
  onServer: readonly string[] | undefined;

  @OnCreate()
  async create(ctx: HandlerContext<Widget>): Promise<void> {
    this.calls.push(`create, ${String(ctx.meta.finalizers)}`);
    this.onServer = await this.look();
  }

  @OnDelete()
  first(): void {
    this.calls.push('first');
  }

  @OnDelete()
  async second(): Promise<void> {
    this.calls.push('second');
    await this.meanwhile();
  }

  @OnDelete({ labels: { special: 'yes' } })
  special(): void {
    this.calls.push('special');
  }
}

@ResourceHandlers(Widget)
class FailingDeletions {
  readonly calls: string[] = [];

  @OnDelete({ retries: 2, backoff: '200ms', labels: { failing: 'release' } })
  release(): void {
    this.calls.push('release');
    throw new Error('cannot let go');
  }

  @OnDelete({ retries: 2, backoff: '200ms', onGiveUp: 'hold', labels: { failing: 'hold' } })
  hold(): void {
    this.calls.push('hold');
    throw new Error('must not let go');
  }

  @OnDelete({ backoff: '1h', labels: { failing: 'forever' } })
  forever(): void {
    this.calls.push('forever');
    throw new Error('not yet');
  }
}

@ResourceHandlers(Widget)
class SlowCreation {
  readonly calls: string[] = [];

  @OnCreate()
  create(ctx: HandlerContext<Widget>): Promise<void> {
    this.calls.push('create begins');
    return new Promise((_resolve, reject) => {
      ctx.signal.addEventListener('abort', () => {
        this.calls.push('create aborted');
        reject(ctx.signal.reason as Error);
      });
    });
  }

  @OnDelete()
  remove(ctx: HandlerContext<Widget>): void {
    this.calls.push(`delete, ${ctx.signal.aborted ? 'aborted' : 'not aborted'}`);
  }
}

@ResourceHandlers(Widget)
class Generations {
  readonly calls: { readonly cause: string; readonly uid: string; readonly remembered: unknown }[] = [];

  @OnCreate()
  create(ctx: HandlerContext<Widget>): object {
    this.#note(ctx);
    ctx.memo.set('size', ctx.spec['size']);
    return { created: ctx.meta.uid };
  }

  @OnDelete()
  remove(ctx: HandlerContext<Widget>): void {
    this.#note(ctx);
  }

  #note(ctx: HandlerContext<Widget>): void {
    this.calls.push({ cause: ctx.cause, uid: ctx.meta.uid, remembered: ctx.memo.get('size') });
  }
}

@ResourceHandlers(Widget)
class Mourners {
  readonly calls: string[] = [];

  @OnCreate()
  create(): void {
    this.calls.push('create');
  }

  @OnDelete()
  remove(ctx: HandlerContext<Widget>): object {
    this.calls.push(`delete ${ctx.meta.name}`);
    // A namespace that ends takes no new events.
    ctx.event({ reason: 'Removed', message: 'removed with its namespace' });
    return { removed: true };
  }
}

/** Finalizers, delete handlers, and everything that can come between. */
export function deletionSuite(createWorld: () => Promise<World>): void {
  describe('deletion', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('the finalizer is there before any handler runs; each delete handler runs once; foreign finalizers stay', async () => {
      const world = await worlds.open();
      const ref = { name: 'held', namespace: world.namespace };
      const finalizersOf = async () => (await find(world.admin, Widget, ref))?.metadata.finalizers;
      const { module, logs } = await world.startOperator({ providers: [SeveralDeletions] });
      const handlers = module.get(SeveralDeletions);
      handlers.look = finalizersOf;
      handlers.meanwhile = () =>
        world.admin.patch(Widget, ref, {
          metadata: { finalizers: ['other.example/one', finalizer, 'other.example/two'] },
        });

      await world.admin.create(Widget, { metadata: { ...ref, finalizers: ['other.example/one'] }, spec: {} });
      await world.until(() => handlers.onServer !== undefined);
      expect(handlers.onServer).toEqual(['other.example/one', finalizer]);
      // A dying object takes no new finalizer, so that the second one comes before the deletion.
      await handlers.meanwhile();
      handlers.meanwhile = () =>
        world.admin.patch(Widget, ref, { metadata: { finalizers: [finalizer, 'other.example/two'] } });
      await world.admin.delete(Widget, ref);
      await world.until(async () => (await finalizersOf())?.includes(finalizer) === false);
      expect(await finalizersOf()).toEqual(['other.example/two']);
      await world.pass(1_000);
      expect(handlers.calls).toEqual([`create, other.example/one,${finalizer}`, 'first', 'second']);
      await world.admin.patch(Widget, ref, { metadata: { finalizers: null } });
      await world.until(() => isGone(world.admin, Widget, ref));
      expect(logs.find({ level: 'error' })).toEqual([]);
    });

    test('a delete handler that failed for good releases or holds the object; removing the finalizer by force ends it', async () => {
      const world = await worlds.open();
      const { namespace } = world;
      const { module, logs } = await world.startOperator({ providers: [FailingDeletions] });
      const { calls } = module.get(FailingDeletions);
      const modes = ['release', 'hold', 'forever'];
      const ref = (name: string) => ({ name, namespace });
      for (const failing of modes) {
        await world.admin.create(Widget, { metadata: { ...ref(failing), labels: { failing } }, spec: {} });
        await world.until(async () => {
          const object = await world.admin.get(Widget, ref(failing));
          return object.metadata.finalizers?.includes(finalizer) === true;
        });
        await world.admin.delete(Widget, ref(failing));
      }
      await world.until(() => isGone(world.admin, Widget, ref('release')));
      await world.until(async () =>
        (await eventsAbout(world, 'hold')).some(({ reason }) => reason === 'HandlerGaveUp'),
      );
      await world.until(() => calls.includes('forever'));
      const gaveUp = (await eventsAbout(world, 'release')).filter(({ reason }) => reason === 'HandlerGaveUp');
      expect(gaveUp).toMatchObject([{ type: 'Warning', note: 'release: cannot let go' }]);
      for (const name of ['hold', 'forever']) {
        expect((await world.admin.get(Widget, ref(name))).metadata.finalizers).toEqual([finalizer]);
        await world.admin.patch(Widget, ref(name), { metadata: { finalizers: null } });
        await world.until(() => isGone(world.admin, Widget, ref(name)));
      }
      await world.pass(1_000);
      expect(calls.toSorted()).toEqual(['forever', 'hold', 'hold', 'release', 'release']);
      const errors = logs.find({ level: 'error', message: 'Handler failed for good' });
      expect(errors).toHaveLength(2);
    });

    test('a deletion aborts the create handler at work, and then the delete handler runs', async () => {
      const world = await worlds.open();
      const ref = { name: 'short', namespace: world.namespace };
      const { module } = await world.startOperator({ providers: [SlowCreation] });
      const { calls } = module.get(SlowCreation);
      await world.admin.create(Widget, { metadata: ref, spec: {} });
      await world.until(() => calls.length === 1);
      await world.admin.delete(Widget, ref);
      await world.until(() => isGone(world.admin, Widget, ref));
      expect(calls).toEqual(['create begins', 'create aborted', 'delete, not aborted']);
    });

    test('the same name made again is another object', async () => {
      const world = await worlds.open();
      const ref = { name: 'phoenix', namespace: world.namespace };
      const { module } = await world.startOperator({ providers: [Generations] });
      const { calls } = module.get(Generations);
      const uids: string[] = [];
      for (const size of [1, 2, 3]) {
        const { metadata } = await world.admin.create(Widget, { metadata: ref, spec: { size } });
        uids.push(metadata.uid);
        await world.until(async () => (await world.admin.get(Widget, ref)).status?.['created'] === metadata.uid);
        if (size === 3) break;
        await world.admin.delete(Widget, ref);
        await world.until(() => isGone(world.admin, Widget, ref));
      }
      expect(calls).toEqual([
        { cause: 'create', uid: uids[0], remembered: undefined },
        { cause: 'delete', uid: uids[0], remembered: 1 },
        { cause: 'create', uid: uids[1], remembered: undefined },
        { cause: 'delete', uid: uids[1], remembered: 2 },
        { cause: 'create', uid: uids[2], remembered: undefined },
      ]);
    });

    test('a namespace goes with all its objects, each through its delete handler', async () => {
      const world = await worlds.open();
      const namespace = `${world.namespace}-doomed`;
      await world.admin.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      const { module, logs } = await world.startOperator({
        providers: [Mourners],
        operator: { namespaces: [namespace] },
      });
      const { calls } = module.get(Mourners);
      for (const name of ['a', 'b', 'c']) await world.admin.create(Widget, { metadata: { name, namespace }, spec: {} });
      await world.until(() => calls.length === 3);
      await world.admin.delete(namespaces, { name: namespace });
      await world.until(() => isGone(world.admin, namespaces, { name: namespace }));
      expect(calls.slice(3).toSorted()).toEqual(['delete a', 'delete b', 'delete c']);
      expect(logs.find({ level: 'error' })).toEqual([]);
    });

    test('nothing of this is written again in a quiet cluster', () => worlds.expectQuiet());
  });
}
