import { afterEach, describe, expect, test } from 'vitest';
import { FatalError } from '../../../src/errors/fatal.error.js';
import { PermanentError } from '../../../src/errors/permanent.error.js';
import { TemporaryError } from '../../../src/errors/temporary.error.js';
import type { HandlerContext } from '../../../src/engine/handling/handler-context.js';
import type { StoredObject } from '../../../src/engine/kube-object.js';
import { gate, on, ProcessingRig, type RigOptions } from '../processing/rig.js';
import { widget } from '../watching/support.js';

let rig: ProcessingRig;
const start = (options: RigOptions): ProcessingRig => (rig = new ProcessingRig(options));
afterEach(() => rig.stop());

type Context = HandlerContext<StoredObject>;

const finalizer = 'op.example/finalizer';
const matching = { labels: { on: 'yes' } };

/** Runs until it is told to stop, and notes what it was told. */
function polite(told: unknown[] = []): (context: Context) => Promise<void> {
  return async ({ stopped }) => {
    await stopped.wait();
    told.push(stopped.reason);
  };
}

/** Ends only when its signal is aborted. */
const signalled = ({ signal }: Context): Promise<void> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('a daemon', () => {
  test('starts once per object, after the finalizer is on it, and runs beside the other handlers', async () => {
    start({
      handlers: [
        { id: 'made', triggers: [on.create(), on.update()] },
        { id: 'live', triggers: [on.daemon()], run: polite() },
      ],
    });
    await rig.create({ spec: { size: 1 } });
    expect(rig.causes).toEqual(['made create', 'live daemon']);
    expect(rig.calls[1]?.object.metadata.finalizers).toEqual([finalizer]);
    await rig.change({ spec: { size: 2 } });
    expect(rig.causes).toEqual(['made create', 'live daemon', 'made update']);
    expect(rig.processor.daemons.size).toBe(1);
  });

  test('starts after its delay; for what was there at the start, spread over its jitter', async () => {
    start({ handlers: [{ id: 'live', triggers: [on.daemon({ initialDelay: 2_000, jitter: 4_000 })], run: polite() }] });
    rig.server.objects.set('ns/a', widget({ version: rig.server.nextVersion() }));
    await rig.list();
    await rig.create({ name: 'b', uid: 'u-b' });
    await rig.advance(10_000);
    expect(rig.calls.map(({ object, at }) => [object.metadata.name, at])).toEqual([
      ['b', 2_000],
      ['a', 4_000],
    ]);
  });

  test('sees the newest state of its object, and what it wants changed is sent while it runs', async () => {
    const { promise, open } = gate();
    const seen: unknown[] = [];
    start({
      handlers: [
        {
          id: 'live',
          triggers: [on.daemon()],
          run: async (context) => {
            seen.push(context.spec);
            await promise;
            seen.push(context.spec);
            context.patch.merge({ status: { phase: 'Seen' } } as object);
            context.patch.merge({ status: { twice: true } } as object);
            await context.stopped.wait();
          },
        },
      ],
    });
    await rig.create({ spec: { size: 1 } });
    await rig.change({ spec: { size: 2 } });
    open();
    await rig.settle();
    expect(seen).toEqual([{ size: 1 }, { size: 2 }]);
    expect(rig.object['status']).toEqual({ phase: 'Seen', twice: true });
    expect(rig.server.writes.map(({ what }) => what)).toEqual(['finalizers', 'status']);
  });

  test('is told of the deletion at once, though another handler of the object runs, and holds the object until its end', async () => {
    const busy = gate();
    const leaving = gate();
    const told: unknown[] = [];
    start({
      handlers: [
        { id: 'slow', triggers: [on.update()], run: () => busy.promise },
        {
          id: 'live',
          triggers: [on.daemon()],
          run: async (context) => {
            await polite(told)(context);
            await leaving.promise;
          },
        },
      ],
    });
    await rig.create({ spec: { size: 1 } });
    await rig.change({ spec: { size: 2 } });
    await rig.delete();
    expect(told).toEqual(['deleting']);
    busy.open();
    await rig.settle();
    expect(rig.object.metadata.finalizers).toEqual([finalizer]);
    leaving.open();
    await rig.settle();
    expect(rig.server.objects.get(rig.key)?.metadata.finalizers ?? []).toEqual([]);
    expect(rig.processor.daemons.size).toBe(0);
  });

  test('stops when its object stops to match, leaves no finalizer, and starts anew when it matches again', async () => {
    const told: unknown[] = [];
    start({ handlers: [{ id: 'live', triggers: [on.daemon({ filter: matching })], run: polite(told) }] });
    await rig.create({ metadata: { labels: { on: 'yes' } } });
    await rig.change({ metadata: { labels: { on: 'no' } } });
    expect(told).toEqual(['mismatch']);
    expect(rig.object.metadata.finalizers ?? []).toEqual([]);
    await rig.change({ metadata: { labels: { on: 'yes' } } });
    expect(rig.causes).toEqual(['live daemon', 'live daemon']);
    expect(rig.processor.daemons.size).toBe(1);
  });

  test('never runs twice: a new one waits until the old one has ended', async () => {
    const leaving = gate();
    start({
      handlers: [
        {
          id: 'live',
          triggers: [on.daemon({ filter: matching })],
          run: () => (rig.calls.length === 1 ? leaving.promise : undefined),
        },
      ],
    });
    await rig.create({ metadata: { labels: { on: 'yes' } } });
    await rig.change({ metadata: { labels: { on: 'no' } } });
    await rig.change({ metadata: { labels: { on: 'yes' } } });
    await rig.advance(10_000);
    expect(rig.calls).toHaveLength(1);
    leaving.open();
    await rig.settle();
    expect(rig.calls).toHaveLength(2);
  });

  test('stops while its object is paused, and when its object is gone without a finalizer', async () => {
    const told: unknown[] = [];
    start({ handlers: [{ id: 'live', triggers: [on.daemon({ finalizer: false })], run: polite(told) }] });
    await rig.create();
    await rig.change({ metadata: { annotations: { 'op.example/paused': 'yes' } } });
    expect(told).toEqual(['paused']);
    await rig.change({ metadata: { annotations: {} } });
    expect(rig.calls).toHaveLength(2);
    await rig.delete();
    expect(told).toEqual(['paused', 'gone']);
    expect(rig.server.writes).toEqual([]);
  });

  test('ends in stages: first told, then aborted, then left to itself', async () => {
    const log: string[] = [];
    const never = gate();
    start({
      handlers: [
        {
          id: 'deaf',
          triggers: [on.daemon({ cancellationBackoff: 3_000, cancellationTimeout: 5_000 })],
          run: ({ signal, stopped }) => {
            stopped.signal.addEventListener('abort', () => log.push(`told ${rig.clock.monotonic()}`));
            signal.addEventListener('abort', () => log.push(`aborted ${rig.clock.monotonic()}`));
            return never.promise;
          },
        },
      ],
    });
    await rig.create();
    await rig.delete();
    await rig.advance(7_999);
    expect(log).toEqual(['told 0', 'aborted 3000']);
    expect(rig.object.metadata.finalizers).toEqual([finalizer]);
    await rig.advance(1);
    expect(rig.server.objects.get(rig.key)?.metadata.finalizers ?? []).toEqual([]);
    expect(rig.messages('warn')).toContain('Daemon does not end; it holds its object no longer');
    never.open();
    await rig.settle();
    expect(rig.processor.daemons.size).toBe(0);
  });

  test('without a cancellation timeout is waited for, with a warning now and then', async () => {
    const never = gate();
    start({
      handlers: [{ id: 'deaf', triggers: [on.daemon({ cancellationPolling: 10_000 })], run: () => never.promise }],
    });
    await rig.create();
    await rig.delete();
    await rig.advance(30_000);
    expect(rig.object.metadata.finalizers).toEqual([finalizer]);
    const waits = rig.messages('warn').filter((message) => message === 'Daemon does not end; its object waits for it');
    expect(waits).toHaveLength(3);
    never.open();
    await rig.settle();
    expect(rig.server.objects.get(rig.key)?.metadata.finalizers ?? []).toEqual([]);
  });

  test('that returned is not called again for this object', async () => {
    start({ handlers: [{ id: 'once', triggers: [on.daemon({ filter: matching })], run: () => ({ done: true }) }] });
    await rig.create({ metadata: { labels: { on: 'yes' } }, spec: { size: 1 } });
    await rig.change({ spec: { size: 2 } });
    await rig.change({ metadata: { labels: { on: 'no' } } });
    await rig.change({ metadata: { labels: { on: 'yes' } } });
    await rig.advance(60_000);
    expect(rig.calls).toHaveLength(1);
    expect(rig.object['status']).toEqual({ done: true });
  });

  test('that returned is called again after a change, or after a pause, where it says so', async () => {
    start({
      handlers: [
        { id: 'changed', triggers: [on.daemon({ restart: 'onChange' })] },
        { id: 'always', triggers: [on.daemon({ restart: 'always' })], policy: { backoff: () => 4_000 } },
      ],
    });
    await rig.create({ spec: { size: 1 } });
    await rig.advance(9_000);
    expect(rig.causes).toEqual(['changed daemon', 'always daemon', 'always daemon', 'always daemon']);
    await rig.change({ spec: { size: 2 } });
    expect(rig.causes.slice(4)).toEqual(['changed daemon']);
  });

  test('is repeated after errors in memory, and given up for good', async () => {
    start({
      handlers: [
        {
          id: 'live',
          triggers: [on.daemon()],
          run: ({ retry }) => {
            if (retry === 0) throw new TemporaryError('not yet', { delay: 300 });
            if (retry === 1) throw new Error('nor now');
            throw new PermanentError('never');
          },
        },
      ],
    });
    await rig.create({ spec: { size: 1 } });
    await rig.advance(60_000);
    expect(rig.calls.map(({ at, retry }) => [at, retry])).toEqual([
      [0, 0],
      [300, 1],
      [2_300, 2],
    ]);
    expect(rig.events.map(({ reason }) => reason)).toEqual(['HandlerFailed', 'HandlerGaveUp']);
    await rig.change({ spec: { size: 2 } });
    expect(rig.calls).toHaveLength(3);
    await rig.delete();
    expect(rig.server.objects.get(rig.key)?.metadata.finalizers ?? []).toEqual([]);
  });

  test('ends the operator with a FatalError', async () => {
    start({
      handlers: [
        {
          id: 'live',
          triggers: [on.daemon()],
          run: () => {
            throw new FatalError('the end');
          },
        },
      ],
    });
    await rig.create();
    expect(rig.fatals).toHaveLength(1);
  });

  test('is told that the operator exits, and its last patch is written', async () => {
    start({
      handlers: [
        {
          id: 'live',
          triggers: [on.daemon({ cancellationBackoff: 5_000 })],
          run: async ({ stopped, patch }) => {
            await stopped.wait();
            patch.merge({ status: { left: stopped.reason } } as object);
          },
        },
        { id: 'aborted', triggers: [on.daemon()], run: signalled },
      ],
    });
    await rig.create();
    rig.beginStop();
    await rig.settle();
    expect(rig.object['status']).toEqual({ left: 'exiting' });
    await rig.processor.daemons.ended();
    expect(rig.messages('error')).toEqual([]);
  });

  test('is no handler that is stuck, however long it runs', async () => {
    start({ handlers: [{ id: 'live', triggers: [on.daemon()], run: polite() }] });
    await rig.create();
    await rig.advance(24 * 3_600_000);
    expect(rig.runner.stuck).toBe(0);
    expect(rig.messages('warn')).toEqual([]);
  });

  test('tells its root task of an error that is none of the handler', async () => {
    start({ handlers: [{ id: 'live', triggers: [on.daemon()], run: polite() }] });
    const failed = expect(rig.processor.daemons.run(new AbortController().signal)).rejects.toThrow(
      'a defect of the framework',
    );
    rig.runner.run = () => Promise.reject(new Error('a defect of the framework'));
    await rig.create();
    await failed;
  });
});
