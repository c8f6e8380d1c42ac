import { HandlerContext, OnCreate, OnUpdate, PermanentError, ResourceHandlers, TemporaryError } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { eventsAbout } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';

@ResourceHandlers(Widget)
class PatchingHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  count(ctx: HandlerContext<Widget>): void {
    this.calls.push(`${ctx.cause} ${String(ctx.spec['size'])}`);
    ctx.patch.merge({ metadata: { labels: { 'demo.example/counted': 'yes' } }, status: { phase: 'Counted' } });
    ctx.patch.update((object) => {
      object.spec['count'] = Number(object.spec['count'] ?? 0) + 1;
    });
    ctx.event({ reason: 'Counted', message: `counted up for size ${String(ctx.spec['size'])}`, action: 'Count' });
  }
}

@ResourceHandlers(Widget)
class FailingHandlers {
  readonly attempts: Record<string, { readonly retry: number; readonly runtime: number }[]> = {};
  readonly reasons: unknown[] = [];

  @OnCreate()
  later(ctx: HandlerContext<Widget>): object {
    this.#note('later', ctx);
    if (ctx.retry === 0) throw new TemporaryError('come back later', { delay: '1500ms' });
    return { later: 'done' };
  }

  @OnCreate()
  never(ctx: HandlerContext<Widget>): void {
    this.#note('never', ctx);
    ctx.patch.merge({ status: { refused: true } });
    throw new PermanentError('the colour is no colour');
  }

  @OnCreate({ retries: 3, backoff: '200ms' })
  thrice(ctx: HandlerContext<Widget>): void {
    this.#note('thrice', ctx);
    throw new Error('no luck');
  }

  @OnCreate({ timeout: '400ms', retries: 1 })
  slow(ctx: HandlerContext<Widget>): Promise<void> {
    this.#note('slow', ctx);
    return new Promise((_resolve, reject) => {
      ctx.signal.addEventListener('abort', () => {
        this.reasons.push(ctx.signal.reason);
        reject(ctx.signal.reason as Error);
      });
    });
  }

  #note(handler: string, { retry, runtime }: HandlerContext<Widget>): void {
    (this.attempts[handler] ??= []).push({ retry, runtime });
  }
}

/** What comes of a handler call: patches, events, results and errors. */
export function outcomesSuite(createWorld: () => Promise<World>): void {
  describe('what comes of a handler call', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test('patches meet a concurrent writer and lose nothing; the event is posted', async () => {
      const world = await worlds.open();
      const ref = { name: 'counted', namespace: world.namespace };
      const { module, transport, logs } = await world.startOperator({ providers: [PatchingHandlers] });
      const { calls } = module.get(PatchingHandlers);
      let others = 0;
      transport.beforeSending = ({ method, body }) => {
        if (method !== 'PATCH' || !JSON.stringify(body).includes('"count"')) return undefined;
        others += 1;
        return others === 1 ? world.admin.patch(Widget, ref, { spec: { other: 'theirs', count: 10 } }) : undefined;
      };
      const { metadata } = await world.admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(async () => {
        const { spec, status } = await world.admin.get(Widget, ref);
        return spec['count'] === 12 && status?.['phase'] === 'Counted';
      });
      const object = await world.admin.get(Widget, ref);
      expect(object.spec).toEqual({ size: 1, other: 'theirs', count: 12 });
      expect(object.metadata.labels).toEqual({ 'demo.example/counted': 'yes' });
      // The other's change is one that the handler has not seen; its own counting is none.
      expect(calls).toEqual(['create 1', 'update 1']);
      expect(transport.sent.filter(({ status }) => status === 409)).toHaveLength(1);
      await world.until(async () => (await eventsAbout(world, ref.name)).length >= 1);
      const [event] = await eventsAbout(world, ref.name);
      expect(event).toMatchObject({
        type: 'Normal',
        reason: 'Counted',
        action: 'Count',
        note: 'counted up for size 1',
        reportingController: 'test.example.com',
        regarding: { kind: 'Widget', name: ref.name, uid: metadata.uid },
      });
      expect(logs.find({ level: 'error' })).toEqual([]);
    });

    test('errors: one attempt later, none, a limited number, and cut short', async () => {
      const world = await worlds.open();
      const ref = { name: 'failing', namespace: world.namespace };
      const { module } = await world.startOperator({ providers: [FailingHandlers] });
      const { attempts, reasons } = module.get(FailingHandlers);
      await world.admin.create(Widget, { metadata: ref, spec: { size: 1 } });
      await world.until(async () => (await world.admin.get(Widget, ref)).status?.['later'] === 'done');
      await world.until(async () => {
        const found = await eventsAbout(world, ref.name);
        return found.filter(({ reason }) => reason === 'HandlerGaveUp').length === 3;
      });
      expect((await world.admin.get(Widget, ref)).status).toEqual({ refused: true, later: 'done' });

      expect(attempts['later']?.map(({ retry }) => retry)).toEqual([0, 1]);
      expect(attempts['later']?.[1]?.runtime).toBeGreaterThanOrEqual(1_500);
      expect(attempts['later']?.[1]?.runtime).toBeLessThan(4_000);
      expect(attempts['never']).toHaveLength(1);
      expect(attempts['thrice']?.map(({ retry }) => retry)).toEqual([0, 1, 2]);
      expect(attempts['slow']).toHaveLength(1);
      expect(reasons).toHaveLength(1);

      const posted = (await eventsAbout(world, ref.name)).map(({ type, reason, note }) => `${type} ${reason}: ${note}`);
      expect(posted.toSorted()).toEqual([
        expect.stringMatching(/^Warning HandlerFailed: later: come back later$/),
        expect.stringMatching(/^Warning HandlerFailed: thrice: no luck$/),
        expect.stringMatching(/^Warning HandlerGaveUp: never: the colour is no colour$/),
        expect.stringMatching(/^Warning HandlerGaveUp: slow: /),
        expect.stringMatching(/^Warning HandlerGaveUp: thrice: no luck$/),
      ]);
    });

    test('nothing of this is written again in a quiet cluster', () => worlds.expectQuiet());
  });
}
