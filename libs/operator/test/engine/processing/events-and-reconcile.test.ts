import { describe, expect, it, vi } from 'vitest';
import { PermanentError } from '../../../src/errors/permanent.error.js';
import { ObjectMemory } from '../../../src/engine/processing/object-memory.js';
import { gate, on, ProcessingRig } from './rig.js';

describe('event handlers', () => {
  it('are told in order; what comes while one runs is merged, a deletion never', async () => {
    const open = gate();
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'one',
          triggers: [on.event()],
          run: ({ eventType }) => (eventType === 'ADDED' ? open.promise : undefined),
        },
        { id: 'two', triggers: [on.event()] },
      ],
    });
    await rig.create({ spec: 1 });
    await rig.change({ spec: 2 });
    await rig.change({ spec: 3 });
    await rig.delete();
    await rig.create({ uid: 'u2', spec: 4 });
    open.open();
    await rig.settle();
    expect(
      rig.calls.map(({ handler, cause, object }) => [handler, cause, object.metadata.uid, object['spec']]),
    ).toEqual([
      ['one', 'event ADDED', 'u1', 1],
      ['two', 'event ADDED', 'u1', 1],
      ['one', 'event DELETED', 'u1', 3],
      ['two', 'event DELETED', 'u1', 3],
      ['one', 'event ADDED', 'u2', 4],
      ['two', 'event ADDED', 'u2', 4],
    ]);
    expect(rig.server.requests).toEqual([]);
  });

  it('that fail are logged, not called again, and stop nobody', async () => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'fails',
          triggers: [on.event()],
          run: () => {
            throw new Error('no');
          },
        },
        { id: 'fine', triggers: [on.event()] },
      ],
    });
    await rig.create();
    await rig.advance(60_000);
    expect([rig.causes, rig.messages('error')]).toEqual([
      ['fails event ADDED', 'fine event ADDED'],
      ['Event handler failed; events are not repeated'],
    ]);
  });

  it('do not hear of own writes that show nothing foreign', async () => {
    const rig = new ProcessingRig({
      handlers: [
        { id: 'watch', triggers: [on.event()] },
        { id: 'ensure', triggers: [on.create()], run: () => ({ ok: true }) },
      ],
    });
    await rig.create();
    await rig.advance(1_000);
    expect(rig.causes).toEqual(['watch event ADDED', 'ensure create']);
  });
});

describe('level-based handlers', () => {
  it('run for each change, not for own writes; the framework writes nothing', async () => {
    const rig = new ProcessingRig({ handlers: [{ id: 'level', triggers: [on.reconcile()] }] });
    await rig.create();
    await rig.change({ status: { x: 1 } });
    await rig.advance(60_000);
    expect([rig.causes.length, rig.server.requests]).toEqual([2, []]);
  });

  it('run again when they asked to, when enqueued, and with the resync', async () => {
    let after: string | undefined = '5s';
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'level',
          triggers: [on.reconcile()],
          run: (context) => {
            if (after === '5s') context.enqueue({ delay: '1h' });
            const requeueAfter = after;
            after = undefined;
            return { requeueAfter };
          },
        },
      ],
    });
    await rig.create();
    await rig.advance(36_000_000);
    expect(rig.calls.map(({ at }) => at)).toEqual([0, 5_000, 3_600_000, 36_000_000]);
  });

  it('back off in memory, and rest after a permanent error until something changes', async () => {
    let calls = 0;
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'level',
          triggers: [on.reconcile()],
          run: () => {
            calls += 1;
            if (calls <= 3) throw new Error('no');
            if (calls === 4) throw new PermanentError('never');
          },
        },
      ],
    });
    await rig.create();
    await rig.advance(600_000);
    expect(rig.calls.map(({ at, retry }) => [at, retry])).toEqual([
      [0, 0],
      [1_000, 1],
      [3_000, 2],
      [7_000, 3],
    ]);
    await rig.change({ spec: 1 });
    expect(rig.calls).toHaveLength(5);
    expect(rig.server.requests).toEqual([]);
  });

  it('with a finalizer keep the dying object until a run ends without asking for another', async () => {
    let left = 2;
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'level',
          triggers: [on.reconcile({ finalizer: true })],
          run: ({ deleting }) => (deleting && (left -= 1) > 0 ? { requeueAfter: 1_000 } : undefined),
        },
      ],
    });
    await rig.create();
    await rig.delete();
    expect(rig.server.objects.size).toBe(1);
    await rig.advance(1_000);
    expect([rig.server.objects.size, rig.calls.length, rig.server.writes.map(({ what }) => what)]).toEqual([
      0,
      3,
      ['finalizers', 'finalizers'],
    ]);
  });
});

describe('what is kept in memory', () => {
  it('has a memo and a logger only once a handler asks for them, and one memo for all calls of an object', async () => {
    const memo = vi.spyOn(ObjectMemory.prototype, 'memo', 'get');
    let asks = false;
    const seen: unknown[] = [];
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'one',
          triggers: [on.event()],
          run: (context) => {
            if (asks) seen.push(context.memo, context.logger === context.logger);
          },
        },
      ],
    });
    await rig.create();
    expect(memo).not.toHaveBeenCalled();
    asks = true;
    await rig.change({ spec: 2 });
    await rig.change({ spec: 3 });
    expect(seen).toEqual([seen[0], true, seen[0], true]);
    expect(seen[2]).toBe(seen[0]);
    memo.mockRestore();
  });

  it('goes with the object, and does not grow with changes', async () => {
    const rig = new ProcessingRig({ handlers: [{ id: 'ensure', triggers: [on.create(), on.update()] }] });
    for (let round = 0; round < 50; round += 1) {
      await rig.create({ uid: `u${round}`, spec: round });
      await rig.change({ spec: -1 });
      await rig.delete();
    }
    expect([rig.queue.size, rig.processor.describe('ns/a')]).toEqual([0, {}]);
  });
});
