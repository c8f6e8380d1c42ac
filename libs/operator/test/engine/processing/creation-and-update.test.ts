import { describe, expect, it } from 'vitest';
import { ABSENT } from '../../../src/engine/handling/handler-definition.js';
import { PermanentError } from '../../../src/errors/permanent.error.js';
import { TemporaryError } from '../../../src/errors/temporary.error.js';
import { gate, on, ProcessingRig, type TestHandler } from './rig.js';

const spec = (n: number): { spec: { n: number } } => ({ spec: { n } });

describe('causes', () => {
  it('calls for creation once per uid, with no old, and for updates with what was handled before', async () => {
    const rig = new ProcessingRig({ handlers: [{ id: 'ensure', triggers: [on.create(), on.update()] }] });
    await rig.create(spec(1));
    await rig.change(spec(2));
    await rig.advance(60_000);
    expect(rig.calls.map(({ cause, old, new: now }) => [cause, old, now])).toEqual([
      ['create', undefined, spec(1)],
      ['update', spec(1), spec(2)],
    ]);
    await rig.delete();
    await rig.create({ uid: 'u2', ...spec(2) });
    expect(rig.causes).toEqual(['ensure create', 'ensure update', 'ensure create']);
  });

  it('writes once for a creation, once more for a status, once for an update, and nothing when nothing is due', async () => {
    const rig = new ProcessingRig({
      handlers: [
        { id: 'one', triggers: [on.create(), on.update()] },
        { id: 'two', triggers: [on.create(), on.update()], run: () => ({ seen: true }) },
      ],
    });
    await rig.create(spec(1));
    expect(rig.server.writes.map(({ what }) => what)).toEqual(['status', 'object']);
    await rig.change(spec(2));
    expect(rig.server.writes.map(({ what }) => what)).toEqual(['status', 'object', 'object']);
    await rig.change({ status: { seen: true, other: 1 } });
    await rig.advance(600_000);
    expect(rig.server.requests).toHaveLength(3);
  });

  it('never writes to an object that no handler matches', async () => {
    const labels = { role: 'x' };
    const rig = new ProcessingRig({
      handlers: [
        { id: 'change', triggers: [on.create({ labels }), on.update({ labels })] },
        { id: 'remove', triggers: [on.delete({ filter: { labels } })] },
        { id: 'field', triggers: [{ on: 'field', filter: { field: ['spec', 'n'], labels } }] },
      ],
    });
    await rig.create(spec(1));
    await rig.change(spec(2));
    expect([rig.causes, rig.server.requests]).toEqual([[], []]);
    await rig.change({ metadata: { labels } });
    expect(rig.causes).toEqual(['change create', 'field create']);
  });

  it('takes the first sight as handled for a handler without a creation', async () => {
    const rig = new ProcessingRig({ handlers: [{ id: 'follow', triggers: [on.update()] }] });
    await rig.create(spec(1));
    expect([rig.causes, rig.server.writes.length]).toEqual([[], 1]);
    await rig.change(spec(2));
    expect(rig.calls.map(({ cause, old }) => [cause, old])).toEqual([['update', spec(1)]]);
  });

  it('takes for the first sight what its first cycle began with, however long the handlers before it take', async () => {
    const slow = gate();
    const rig = new ProcessingRig({
      handlers: [
        { id: 'slow', triggers: [on.create()], run: () => slow.promise },
        { id: 'follow', triggers: [on.update({ field: ['spec', 'n'] })] },
      ],
    });
    await rig.create(spec(1));
    await rig.change(spec(2));
    expect(rig.causes).toEqual(['slow create']);
    slow.open();
    await rig.advance(1_000);
    expect(rig.calls.slice(1).map(({ handler, cause, old, new: now }) => [handler, cause, old, now])).toEqual([
      ['follow', 'update', 1, 2],
    ]);
    expect(rig.server.writes.length).toBe(1);
  });

  it('keeps the first sight with the first record, for a process that comes after a crash', async () => {
    const slow = gate();
    const handlers: TestHandler[] = [
      { id: 'quick', triggers: [on.create()] },
      { id: 'slow', triggers: [on.create()], run: () => slow.promise },
      { id: 'renew', triggers: [on.update()] },
    ];
    const rig = new ProcessingRig({ handlers });
    await rig.create({ spec: { size: 1 } });
    await rig.advance(1_000);
    expect(rig.record).toBeDefined();
    await rig.change({ spec: { size: 2 } });
    const next = new ProcessingRig({
      handlers: handlers.map(({ id, triggers }) => ({ id, triggers })),
      server: rig.server,
    });
    await next.list();
    await next.advance(5_000);
    expect(next.causes).toEqual(['slow create', 'renew update']);
    slow.open();
  });

  it('keeps it with the first part of a handler that is done, too', async () => {
    const slow = gate();
    const handlers: TestHandler[] = [
      {
        id: 'planning',
        triggers: [on.create()],
        run: ({ parts }) => {
          parts.add('quick', () => undefined);
          parts.add('slow', () => slow.promise);
        },
      },
      { id: 'renew', triggers: [on.update()] },
    ];
    const rig = new ProcessingRig({ handlers });
    await rig.create({ spec: { size: 1 } });
    await rig.advance(1_000);
    expect(rig.record).toBeDefined();
    await rig.change({ spec: { size: 2 } });
    const next = new ProcessingRig({
      handlers: handlers.map(({ id, triggers }) => ({ id, triggers })),
      server: rig.server,
    });
    await next.list();
    await next.advance(5_000);
    expect(next.causes).toEqual(['planning create', 'renew update']);
    slow.open();
  });

  it('keeps the first sight of a cycle that has to begin again', async () => {
    const slow = gate();
    let stops = 0;
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'slow',
          triggers: [on.create()],
          run: () => {
            stops += 1;
            return stops === 1 ? slow.promise : undefined;
          },
        },
        { id: 'follow', triggers: [on.update({ field: ['spec', 'n'] })] },
      ],
    });
    await rig.create(spec(1));
    await rig.change(spec(2));
    slow.fail(new TemporaryError('later', { delay: '5s' }));
    await rig.advance(10_000);
    expect(rig.causes).toEqual(['slow create', 'follow update', 'slow create']);
  });

  it('calls for the part that a handler watches only, whatever else changes', async () => {
    const rig = new ProcessingRig({
      handlers: [
        { id: 'n', triggers: [on.update({ field: ['spec', 'n'] })] },
        { id: 'owner', triggers: [on.field('metadata', 'annotations', 'team.demo.example/owner')] },
        { id: 'phase', triggers: [on.field('status', 'phase')] },
        { id: 'whole', triggers: [on.update()] },
      ],
    });
    await rig.create({ spec: { n: 1, m: { b: 1, c: 2 } } });
    await rig.change({ spec: { m: { c: 2, b: 1 }, n: 1 } });
    expect(rig.causes).toEqual([]);
    await rig.change({ spec: { n: 1, m: {} } });
    expect(rig.causes).toEqual(['whole update']);
    const annotations = rig.object.metadata.annotations;
    await rig.change({ metadata: { annotations: { ...annotations, team: 'x' } } });
    expect(rig.causes.slice(1)).toEqual(['whole update']);
    await rig.change({ metadata: { annotations: { ...annotations, team: 'x', 'team.demo.example/owner': 'me' } } });
    expect(rig.causes.slice(2)).toEqual(['owner update', 'whole update']);
    await rig.change({ status: { phase: 'up' } });
    expect(rig.causes.slice(4)).toEqual(['phase update']);
    await rig.change({ spec: {}, status: { phase: null } });
    expect(rig.calls.slice(5).map(({ handler, old, new: now }) => [handler, old, now])).toEqual([
      ['n', 1, undefined],
      ['phase', 'up', null],
      ['whole', expect.anything(), expect.anything()],
    ]);
  });

  it('runs a method once that several of its triggers match', async () => {
    const rig = new ProcessingRig({
      handlers: [
        { id: 'all', triggers: [on.create(), on.update(), on.field('spec', 'n'), on.update({ field: ['spec'] })] },
      ],
    });
    await rig.create(spec(1));
    await rig.change(spec(2));
    expect(rig.causes).toEqual(['all create', 'all update']);
  });

  it('keeps a difference that labels hold back, and takes as handled one that the field conditions refuse', async () => {
    const rig = new ProcessingRig({
      handlers: [
        { id: 'labelled', triggers: [on.update({ field: ['spec', 'n'], labels: { on: 'yes' } })] },
        { id: 'becoming', triggers: [on.update({ field: ['spec', 'n'], new: 3 })] },
        { id: 'step', triggers: [on.update({ field: ['spec', 'n'], old: 2, new: 3 })] },
        { id: 'gone', triggers: [on.update({ field: ['spec', 'n'], value: ABSENT })] },
      ],
    });
    const labels = { on: 'no' };
    await rig.create({ ...spec(1), metadata: { labels: { on: 'yes' } } });
    await rig.change({ metadata: { ...rig.object.metadata, labels } });
    await rig.change(spec(3));
    await rig.change(spec(2));
    await rig.change(spec(3));
    expect(rig.calls.map(({ handler, old, new: now }) => [handler, old, now])).toEqual([
      ['becoming', 1, 3],
      ['becoming', 2, 3],
      ['step', 2, 3],
    ]);
    await rig.change({ metadata: { ...rig.object.metadata, labels: { on: 'yes' } } });
    await rig.change({ spec: {} });
    expect(rig.calls.slice(3).map(({ handler, old, new: now }) => [handler, old, now])).toEqual([
      ['labelled', 1, 3],
      ['labelled', 3, undefined],
      ['gone', 3, undefined],
    ]);
  });

  it('sees a change that comes while the handler runs as one more update with the last content', async () => {
    const first = gate();
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'slow',
          triggers: [on.create(), on.update()],
          run: async ({ cause, object }) => {
            if (cause === 'create') await first.promise;
            return { n: (object['spec'] as { n: number }).n };
          },
        },
      ],
    });
    await rig.create(spec(1));
    for (let n = 2; n <= 100; n += 1) await rig.change(spec(n));
    first.open();
    await rig.settle();
    expect(rig.calls.map(({ cause, old, new: now }) => [cause, old, now])).toEqual([
      ['create', undefined, spec(1)],
      ['update', spec(1), spec(100)],
    ]);
    expect(rig.object['status']).toEqual({ n: 100 });
  });

  it('counts what a handler changes itself through its patch as seen by it', async () => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'default',
          triggers: [on.create(), on.update()],
          run: ({ patch }) => {
            patch.merge({ metadata: { labels: { a: '1' } } });
            patch.update((object) => {
              (object as unknown as { spec: { extra: boolean } }).spec.extra = true;
            });
          },
        },
        { id: 'other', triggers: [on.update()] },
      ],
    });
    await rig.create(spec(1));
    await rig.advance(60_000);
    expect(rig.object).toMatchObject({ spec: { n: 1, extra: true }, metadata: { labels: { a: '1' } } });
    expect(rig.causes).toEqual(['default create', 'other update']);
  });
});

describe('retries', () => {
  it('backs off, counts attempts, gives up at the limit, and takes the difference as handled then', async () => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'fails',
          triggers: [on.create(), on.update()],
          policy: { retries: 3 },
          run: ({ cause }) => {
            if (cause === 'create') throw new Error('no');
          },
        },
      ],
    });
    await rig.create(spec(1));
    await rig.advance(600_000);
    expect(rig.calls.map(({ at, retry }) => [at, retry])).toEqual([
      [0, 0],
      [1_000, 1],
      [3_000, 2],
    ]);
    expect(rig.events.map(({ reason }) => reason)).toEqual(['HandlerFailed', 'HandlerGaveUp']);
    await rig.change(spec(2));
    expect(rig.causes.slice(3)).toEqual(['fails update']);
  });

  it('gives up at once when the next attempt could not begin in time', async () => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'fails',
          triggers: [on.create()],
          policy: { giveUpAfter: 2_500 },
          run: () => {
            throw new TemporaryError('later', { delay: 2_000 });
          },
        },
      ],
    });
    await rig.create();
    await rig.advance(100_000);
    expect(rig.calls.map(({ at }) => at)).toEqual([0, 2_000]);
    expect(rig.messages('error')).toEqual(['Handler failed for good']);
  });

  it('does not cut a back-off short for changes that the handler does not watch', async () => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'fails',
          triggers: [on.update({ field: ['spec', 'n'] })],
          run: () => {
            throw new TemporaryError('later', { delay: 20_000 });
          },
        },
        { id: 'other', triggers: [on.update()] },
      ],
    });
    await rig.create(spec(1));
    await rig.change(spec(2));
    for (let m = 1; m <= 5; m += 1) {
      await rig.advance(1_000);
      await rig.change({ spec: { n: 2, m } });
    }
    expect(rig.causes.filter((cause) => cause.startsWith('fails'))).toHaveLength(1);
    expect(rig.causes.filter((cause) => cause.startsWith('other'))).toHaveLength(6);
    await rig.advance(15_000);
    expect(rig.causes.filter((cause) => cause.startsWith('fails'))).toHaveLength(2);
  });

  it('runs a failing handler for a new difference at once, but not within the base delay, and counts anew', async () => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'fails',
          triggers: [on.create(), on.update()],
          policy: { retries: 3 },
          run: () => {
            throw new TemporaryError('later', { delay: 60_000 });
          },
        },
      ],
    });
    await rig.create(spec(1));
    await rig.advance(200);
    await rig.change(spec(2));
    await rig.change(spec(3));
    await rig.advance(10_000);
    await rig.change(spec(4));
    await rig.advance(1);
    expect(rig.calls.map(({ at, retry, new: now }) => [at, retry, now])).toEqual([
      [0, 0, spec(1)],
      [1_000, 0, spec(3)],
      [10_200, 0, spec(4)],
    ]);
  });

  it('calls again when a change that failed is taken back: the failed attempt may have left traces', async () => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'apply',
          triggers: [on.create(), on.update()],
          run: ({ object }) => {
            if ((object['spec'] as { n: number }).n === 2) throw new TemporaryError('no', { delay: 60_000 });
          },
        },
      ],
    });
    await rig.create(spec(1));
    await rig.change(spec(2));
    await rig.change(spec(1));
    await rig.advance(300_000);
    expect(rig.calls.map(({ cause, new: now, at }) => [cause, now, at])).toEqual([
      ['create', spec(1), 0],
      ['update', spec(2), 0],
      ['update', spec(1), 1_000],
    ]);
  });

  it('lets a failing handler hold back nobody, and tells a permanent error once', async () => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'never',
          triggers: [on.create()],
          run: ({ patch }) => {
            patch.merge({ status: { state: 'refused' } });
            throw new PermanentError('bad');
          },
        },
        { id: 'fine', triggers: [on.create()], run: () => ({ ok: true }) },
      ],
    });
    await rig.create();
    await rig.advance(100_000);
    expect(rig.causes).toEqual(['never create', 'fine create']);
    expect(rig.object['status']).toEqual({ state: 'refused', ok: true });
    expect(rig.server.writes.map(({ what }) => what)).toEqual(['status', 'object']);
    expect(rig.events).toMatchObject([{ type: 'Warning', reason: 'HandlerGaveUp' }]);
  });

  it('goes on with counts and times of before after a restart', async () => {
    const handlers = [
      {
        id: 'fails',
        triggers: [on.create()],
        policy: { retries: 3 },
        run: () => {
          throw new TemporaryError('later', { delay: 5_000 });
        },
      },
    ];
    const rig = new ProcessingRig({ handlers });
    await rig.create(spec(1));
    const next = new ProcessingRig({ handlers, server: rig.server });
    next.clock.advance(2_000);
    await next.list();
    await next.advance(60_000);
    expect(next.calls.map(({ at, retry }) => [at, retry])).toEqual([
      [5_000, 1],
      [10_000, 2],
    ]);
  });
});
