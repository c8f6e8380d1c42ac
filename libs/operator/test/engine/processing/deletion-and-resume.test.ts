import { describe, expect, it } from 'vitest';
import { FatalError } from '../../../src/errors/fatal.error.js';
import { PermanentError } from '../../../src/errors/permanent.error.js';
import { TemporaryError } from '../../../src/errors/temporary.error.js';
import { widget } from '../watching/support.js';
import { apiError } from './fake-server.js';
import { gate, on, ProcessingRig } from './rig.js';

const finalizer = 'op.example/finalizer';

describe('finalizer', () => {
  it('is on the server before any handler runs, and costs one write', async () => {
    let seen: readonly string[] | undefined;
    const rig = new ProcessingRig({
      handlers: [
        { id: 'remove', triggers: [on.delete()] },
        { id: 'make', triggers: [on.create()], run: () => void (seen = rig.object.metadata.finalizers) },
      ],
    });
    await rig.create();
    expect(seen).toEqual([finalizer]);
    expect(rig.server.writes.map(({ what }) => what)).toEqual(['finalizers', 'object']);
    await rig.delete();
    expect(rig.causes).toEqual(['make create', 'remove delete']);
    expect(rig.server.writes.slice(2).map(({ what }) => what)).toEqual(['finalizers']);
    expect(rig.server.objects.size).toBe(0);
  });

  it('is not put where only optional handlers want it, and goes when no handler needs it any more', async () => {
    const rig = new ProcessingRig({
      handlers: [
        { id: 'optional', triggers: [on.delete({ optional: true })] },
        { id: 'labelled', triggers: [on.delete({ filter: { labels: { keep: 'yes' } } })] },
      ],
    });
    await rig.create();
    expect(rig.server.requests).toEqual([]);
    await rig.change({ metadata: { labels: { keep: 'yes' } } });
    expect(rig.object.metadata.finalizers).toEqual([finalizer]);
    await rig.change({ metadata: { labels: {}, finalizers: [finalizer, 'other/one'] } });
    expect(rig.object.metadata.finalizers).toEqual(['other/one']);
    expect(rig.causes).toEqual([]);
  });

  it('of a former name is taken over, and released', async () => {
    const rig = new ProcessingRig({
      config: { formerNames: ['old.example'] },
      handlers: [{ id: 'remove', triggers: [on.delete()] }],
    });
    await rig.create({ metadata: { finalizers: ['old.example/finalizer', 'other/one'] } });
    expect(rig.object.metadata.finalizers).toEqual(['other/one', finalizer]);
    await rig.change({ metadata: { deletionTimestamp: 'now', finalizers: ['old.example/finalizer', 'other/one'] } });
    expect(rig.causes).toEqual(['remove delete']);
    expect(rig.object.metadata.finalizers).toEqual(['other/one']);
  });

  it('is set beside those that others put there meanwhile', async () => {
    const rig = new ProcessingRig({ handlers: [{ id: 'remove', triggers: [on.delete()] }] });
    const intruder = rig.server.intercept(async ({ verb }) => {
      if (verb !== 'patch') return;
      intruder.remove();
      await rig.change({ metadata: { finalizers: ['other/one'] } }, { silent: true });
    });
    await rig.create();
    expect(rig.object.metadata.finalizers).toEqual(['other/one', finalizer]);
  });
});

describe('deletion', () => {
  it('replaces what was being retried, and keeps the object until every delete handler is done', async () => {
    let tries = 0;
    const rig = new ProcessingRig({
      handlers: [
        { id: 'c1', triggers: [on.create()] },
        {
          id: 'c2',
          triggers: [on.create()],
          run: () => {
            throw new TemporaryError('later', { delay: 5_000 });
          },
        },
        { id: 'd1', triggers: [on.delete()] },
        {
          id: 'd2',
          triggers: [on.delete()],
          run: () => {
            if ((tries += 1) === 1) throw new TemporaryError('once more', { delay: 3_000 });
          },
        },
      ],
    });
    await rig.create();
    await rig.advance(2_000);
    await rig.delete();
    expect(rig.server.objects.size).toBe(1);
    await rig.advance(10_000);
    expect(rig.causes).toEqual(['c1 create', 'c2 create', 'd1 delete', 'd2 delete', 'd2 delete']);
    expect(rig.server.objects.size).toBe(0);
    await rig.advance(100_000);
    expect([rig.causes.length, rig.queue.size]).toEqual([5, 0]);
  });

  it('aborts a running call of another cause, but never a delete handler', async () => {
    const reasons: unknown[] = [];
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'make',
          triggers: [on.create()],
          run: ({ signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => {
                reasons.push(signal.reason);
                reject(signal.reason as Error);
              });
            }),
        },
        {
          id: 'remove',
          triggers: [on.delete()],
          run: async ({ signal }) => {
            await rig.change({ spec: { n: 9 } }, { settle: false });
            reasons.push(signal.aborted);
          },
        },
      ],
    });
    await rig.create();
    await rig.delete();
    expect(reasons).toMatchObject([{ code: 'OPERATOR_OBJECT_SUPERSEDED' }, false]);
    expect(rig.causes).toEqual(['make create', 'remove delete']);
    expect([rig.server.objects.size, rig.messages('warn'), rig.messages('error')]).toEqual([0, [], []]);
  });

  it('releases after a final failure with a warning, or holds if asked to', async () => {
    const run = (): never => {
      throw new PermanentError('cannot');
    };
    const releasing = new ProcessingRig({ handlers: [{ id: 'remove', triggers: [on.delete()], run }] });
    await releasing.create();
    await releasing.delete();
    expect([releasing.server.objects.size, releasing.events.map(({ reason }) => reason)]).toEqual([
      0,
      ['HandlerGaveUp'],
    ]);
    const handlers = [{ id: 'remove', triggers: [on.delete({ onGiveUp: 'hold' as const })], run }];
    const holding = new ProcessingRig({ handlers });
    await holding.create();
    await holding.delete();
    await holding.advance(100_000);
    expect([holding.causes, holding.object.metadata.finalizers]).toEqual([['remove delete'], [finalizer]]);
    const next = new ProcessingRig({ handlers, server: holding.server });
    await next.list();
    expect([next.causes, next.object.metadata.finalizers]).toEqual([[], [finalizer]]);
  });

  it('runs nothing on an object that is dying without our finalizer', async () => {
    const rig = new ProcessingRig({
      handlers: [{ id: 'all', triggers: [on.create(), on.update(), on.delete({ optional: true })] }],
    });
    await rig.create({ metadata: { deletionTimestamp: 'now', finalizers: ['other/one'] } });
    await rig.advance(10_000);
    expect([rig.causes, rig.server.requests]).toEqual([[], []]);
  });

  it('does not run a delete handler again whose finalizer could not be removed at once', async () => {
    const rig = new ProcessingRig({
      handlers: [{ id: 'remove', triggers: [on.delete()], run: () => ({ done: true }) }],
    });
    await rig.create();
    let failures = 3;
    rig.server.intercept((request) => {
      if (request.patchType === 'json' && (failures -= 1) >= 0) return apiError(500, request);
      return undefined;
    });
    await rig.delete();
    await rig.advance(20_000);
    expect([rig.causes, rig.server.objects.size]).toEqual([['remove delete'], 0]);
  });

  it('is not held up by a patch that the server refuses', async () => {
    const rig = new ProcessingRig({
      handlers: [
        { id: 'make', triggers: [on.create()], run: () => ({ bad: 'value' }) },
        { id: 'remove', triggers: [on.delete()] },
      ],
    });
    rig.server.intercept((request) => (request.path.endsWith('/status') ? apiError(422, request) : undefined));
    await rig.create();
    await rig.advance(10_000);
    expect(rig.causes).toEqual(['make create']);
    await rig.delete();
    expect([rig.causes, rig.server.objects.size]).toEqual([['make create', 'remove delete'], 0]);
  });

  it('calls nobody for an object that vanished', async () => {
    const rig = new ProcessingRig({ handlers: [{ id: 'make', triggers: [on.create(), on.update()] }] });
    const open = gate();
    rig.server.intercept(async ({ verb }) => (verb === 'patch' ? open.promise : undefined));
    await rig.create();
    rig.server.objects.clear();
    open.open();
    await rig.advance(10_000);
    expect([rig.causes, rig.queue.size, rig.messages('error')]).toEqual([['make create'], 0, []]);
    expect(rig.store.get('ns/a')).toBeUndefined();
  });
});

describe('resume', () => {
  const existing = (rig: ProcessingRig, name: string, metadata = {}): void => {
    rig.server.objects.set(`ns/${name}`, widget({ name, uid: name, version: rig.server.nextVersion(), metadata }));
  };

  it('runs once per object of the first list, is retried, and skips the dying unless asked', async () => {
    let failures = 4;
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'back',
          triggers: [on.resume()],
          run: () => {
            if ((failures -= 1) >= 0) throw new Error('no');
          },
        },
        { id: 'always', triggers: [on.resume({ deleted: true })] },
      ],
    });
    existing(rig, 'a');
    existing(rig, 'b');
    existing(rig, 'c', { deletionTimestamp: 'now', finalizers: ['other/one'] });
    await rig.list();
    await rig.advance(10_000);
    await rig.change({ metadata: { labels: { x: 'y' } } });
    await rig.list();
    await rig.create({ name: 'late', uid: 'late' });
    const of = (handler: string): string[] =>
      rig.calls.filter((call) => call.handler === handler).map(({ object }) => object.metadata.name);
    expect(of('back').toSorted()).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
    expect(of('always').toSorted()).toEqual(['a', 'b', 'c']);
    expect(rig.server.requests).toEqual([]);
  });

  it('is added to update and to nothing, never to a creation; a method matched by both runs once, as update', async () => {
    const handlers = [{ id: 'both', triggers: [on.create(), on.update(), on.resume()] }];
    const first = new ProcessingRig({ handlers });
    existing(first, 'a');
    await first.list();
    expect(first.causes).toEqual(['both create']);
    const second = new ProcessingRig({ handlers, server: first.server });
    await second.list();
    expect(second.causes).toEqual(['both resume']);
    await second.change({ spec: { n: 2 } }, { silent: true });
    const third = new ProcessingRig({ handlers, server: first.server });
    await third.list();
    await third.advance(10_000);
    expect(third.causes).toEqual(['both update']);
  });
});

describe('fatal errors', () => {
  it('end the operator after the outcomes of others were sent, and are not handled', async () => {
    const rig = new ProcessingRig({
      handlers: [
        { id: 'first', triggers: [on.create()], run: () => ({ first: 'done' }) },
        {
          id: 'fatal',
          triggers: [on.create()],
          run: () => {
            throw new FatalError('end');
          },
        },
        { id: 'later', triggers: [on.create()] },
      ],
    });
    await rig.create();
    await rig.advance(10_000);
    expect([rig.fatals.length, rig.causes]).toEqual([1, ['first create', 'fatal create']]);
    expect(rig.object['status']).toEqual({ first: 'done' });
    expect(rig.record).toMatchObject({ h: { fatal: { o: 1 }, later: { o: 1 } } });
  });
});
