import { afterEach, describe, expect, test } from 'vitest';
import { FatalError } from '../../../src/errors/fatal.error.js';
import { PermanentError } from '../../../src/errors/permanent.error.js';
import { TemporaryError } from '../../../src/errors/temporary.error.js';
import { widget } from '../watching/support.js';
import { gate, on, ProcessingRig, type RigOptions } from './rig.js';

let rig: ProcessingRig;
const start = (options: RigOptions): ProcessingRig => (rig = new ProcessingRig(options));
afterEach(() => rig.stop());

const times = (): number[] => rig.calls.map(({ at }) => at);
const minute = 60_000;

describe('a timer', () => {
  test('is called at once, and then each interval after the end of the last call', async () => {
    const { promise, open } = gate();
    start({
      handlers: [
        {
          id: 'tick',
          triggers: [on.timer({ interval: 1_000 })],
          run: () => (rig.calls.length === 2 ? promise : undefined),
        },
      ],
    });
    await rig.create();
    await rig.advance(1_500);
    open();
    await rig.advance(2_000);
    expect(times()).toEqual([0, 1_000, 2_500, 3_500]);
    expect(rig.server.writes).toEqual([]);
  });

  test('that is sharp keeps to its grid and leaves out what a long call missed', async () => {
    const { promise, open } = gate();
    start({
      handlers: [
        {
          id: 'tick',
          triggers: [on.timer({ interval: 1_000, sharp: true })],
          run: () => (rig.calls.length === 2 ? promise : undefined),
        },
      ],
    });
    await rig.create();
    await rig.advance(3_300);
    open();
    await rig.advance(2_000);
    expect(times()).toEqual([0, 1_000, 4_000, 5_000]);
  });

  test('waits for its initial delay, given or computed', async () => {
    start({
      handlers: [
        { id: 'given', triggers: [on.timer({ initialDelay: 2_000 })] },
        { id: 'computed', triggers: [on.timer({ initialDelay: ({ meta }) => meta.name.length * 1_000 })] },
      ],
    });
    await rig.create();
    await rig.advance(minute);
    expect(rig.calls.map(({ handler, at }) => [handler, at])).toEqual([
      ['computed', 1_000],
      ['given', 2_000],
    ]);
  });

  test('spreads its first calls for what was there at the start', async () => {
    start({ handlers: [{ id: 'tick', triggers: [on.timer({ interval: minute, jitter: 10_000 })] }] });
    rig.server.objects.set('ns/a', widget({ version: rig.server.nextVersion() }));
    await rig.list();
    await rig.advance(20_000);
    // The rig's chance is always one half.
    expect(times()).toEqual([5_000]);
    await rig.create({ name: 'b', uid: 'u-b' });
    expect(times()).toEqual([5_000, 20_000]);
  });

  test('that is idle waits until nothing essential has changed, own writes and statuses aside', async () => {
    start({
      handlers: [{ id: 'idle', triggers: [on.timer({ interval: 3_000, idle: 5_000 })], run: () => ({ seen: 1 }) }],
    });
    await rig.create({ spec: { size: 1 } });
    await rig.advance(4_000);
    await rig.change({ spec: { size: 2 } });
    await rig.advance(4_000);
    await rig.change({ status: { foreign: true } });
    expect(times()).toEqual([]);
    await rig.advance(1_000);
    expect(times()).toEqual([9_000]);
    await rig.advance(3_000);
    expect(times()).toEqual([9_000, 12_000]);
  });

  test('that is idle without an interval is called once after each change', async () => {
    start({ handlers: [{ id: 'idle', triggers: [on.timer({ idle: 5_000 })] }] });
    await rig.create({ spec: { size: 1 } });
    await rig.advance(minute);
    expect(times()).toEqual([5_000]);
    await rig.change({ spec: { size: 2 } });
    await rig.advance(minute);
    expect(times()).toEqual([5_000, minute + 5_000]);
  });

  test('without interval and idle is called once', async () => {
    start({ handlers: [{ id: 'once', triggers: [on.timer({ initialDelay: 1_000 })] }] });
    await rig.create({ spec: { size: 1 } });
    await rig.advance(minute);
    await rig.change({ spec: { size: 2 } });
    await rig.advance(minute);
    expect(times()).toEqual([1_000]);
  });

  test('writes what it returns into the status, with the outcomes of the other handlers', async () => {
    start({
      handlers: [
        { id: 'made', triggers: [on.create()], run: () => ({ made: true }) },
        { id: 'tick', triggers: [on.timer({ interval: 1_000 })], run: () => ({ ticks: rig.calls.length }) },
      ],
    });
    await rig.create();
    expect(rig.object['status']).toEqual({ made: true, ticks: 2 });
    // The status, and the record of the creation.
    expect(rig.server.writes).toHaveLength(2);
    await rig.advance(1_000);
    expect(rig.object['status']).toEqual({ made: true, ticks: 3 });
    expect(rig.server.writes).toHaveLength(3);
  });

  test('repeats a failed attempt after the delay of its error, whatever its interval', async () => {
    start({
      handlers: [
        {
          id: 'tick',
          triggers: [on.timer({ interval: minute })],
          run: ({ retry }) => {
            if (retry === 0) throw new TemporaryError('not yet', { delay: 300 });
            if (retry === 1) throw new Error('nor now');
          },
        },
      ],
    });
    await rig.create();
    await rig.advance(minute + 10_000);
    expect(rig.calls.map(({ at, retry }) => [at, retry]).slice(0, 3)).toEqual([
      [0, 0],
      [300, 1],
      [2_300, 2],
    ]);
    expect(times()[3]).toBe(2_300 + minute);
  });

  test('that failed for good is called again when the object changes', async () => {
    start({
      handlers: [
        {
          id: 'tick',
          triggers: [on.timer({ interval: 1_000 })],
          run: ({ spec }) => {
            if ((spec as { size: number }).size === 1) throw new PermanentError('too small');
          },
        },
      ],
    });
    await rig.create({ spec: { size: 1 } });
    await rig.advance(minute);
    await rig.change({ status: { foreign: true } });
    expect(times()).toEqual([0]);
    expect(rig.events.map(({ reason }) => reason)).toEqual(['HandlerGaveUp']);
    await rig.change({ spec: { size: 2 } });
    await rig.advance(1_000);
    expect(times()).toEqual([0, minute, minute + 1_000]);
  });

  test('gives up after its retries', async () => {
    start({
      handlers: [
        {
          id: 'tick',
          triggers: [on.timer({ interval: 1_000 })],
          policy: { retries: 2, backoff: () => 100 },
          run: () => {
            throw new Error('no');
          },
        },
      ],
    });
    await rig.create();
    await rig.advance(minute);
    expect(times()).toEqual([0, 100]);
  });

  test('ignores errors where it is told to', async () => {
    start({
      handlers: [
        {
          id: 'tick',
          triggers: [on.timer({ interval: 1_000 })],
          policy: { errors: 'ignored' },
          run: () => {
            throw new Error('no matter');
          },
        },
      ],
    });
    await rig.create();
    await rig.advance(2_000);
    expect(times()).toEqual([0, 1_000, 2_000]);
  });

  test('ends the operator with a FatalError, and calls nobody after it', async () => {
    start({
      handlers: [
        {
          id: 'tick',
          triggers: [on.timer()],
          run: () => {
            throw new FatalError('the end');
          },
        },
        { id: 'next', triggers: [on.timer()] },
      ],
    });
    await rig.create();
    expect(rig.fatals).toHaveLength(1);
    expect(rig.causes).toEqual(['tick timer']);
  });

  test('never runs beside another handler of its object, and others of theirs go on', async () => {
    const { promise, open } = gate();
    start({
      handlers: [
        { id: 'slow', triggers: [on.update()], run: ({ meta }) => (meta.name === 'a' ? promise : undefined) },
        { id: 'tick', triggers: [on.timer({ interval: 1_000 })] },
      ],
    });
    await rig.create({ spec: { size: 1 } });
    await rig.create({ name: 'b', uid: 'u-b' });
    await rig.change({ spec: { size: 2 } });
    await rig.advance(5_000);
    const ticks = (name: string): number =>
      rig.calls.filter(({ handler, object }) => handler === 'tick' && object.metadata.name === name).length;
    expect(ticks('a')).toBe(1);
    expect(ticks('b')).toBe(6);
    open();
    await rig.settle();
    expect(ticks('a')).toBe(2);
  });

  test('stops when the object stops to match, and begins anew when it matches again', async () => {
    start({
      handlers: [
        { id: 'tick', triggers: [on.timer({ interval: 1_000, initialDelay: 500, filter: { labels: { on: 'yes' } } })] },
      ],
    });
    await rig.create({ metadata: { labels: { on: 'yes' } } });
    await rig.advance(1_600);
    await rig.change({ metadata: { labels: { on: 'no' } } });
    await rig.advance(10_000);
    expect(times()).toEqual([500, 1_500]);
    await rig.change({ metadata: { labels: { on: 'yes' } } });
    await rig.advance(1_000);
    expect(times()).toEqual([500, 1_500, 12_100]);
  });

  test.each([
    ['mismatch', { metadata: { labels: {} } }],
    ['paused', { metadata: { annotations: { 'op.example/paused': 'true' } } }],
    ['deleting', { metadata: { deletionTimestamp: '2030-01-01T00:00:10Z' } }],
  ])('has its signal aborted: %s', async (because, change) => {
    const reasons: unknown[] = [];
    start({
      handlers: [
        {
          id: 'tick',
          triggers: [on.timer({ interval: 1_000, filter: { labels: { on: 'yes' } } })],
          run: ({ signal }) =>
            new Promise<void>((resolve) => {
              signal.addEventListener('abort', () => {
                reasons.push(signal.reason);
                resolve();
              });
            }),
        },
      ],
    });
    await rig.create({ metadata: { labels: { on: 'yes' }, finalizers: ['other.example/keep'] } });
    await rig.change(change);
    await rig.advance(5_000);
    expect(reasons).toMatchObject([{ code: 'OPERATOR_OBJECT_SUPERSEDED', because }]);
    expect(rig.calls).toHaveLength(1);
  });

  test('asks for no finalizer unless told to', async () => {
    start({ handlers: [{ id: 'tick', triggers: [on.timer({ interval: 1_000 })] }] });
    await rig.create();
    expect(rig.object.metadata.finalizers).toBeUndefined();
    await rig.stop();

    start({ handlers: [{ id: 'tick', triggers: [on.timer({ interval: 1_000, finalizer: true })] }] });
    await rig.create();
    expect(rig.object.metadata.finalizers).toEqual(['op.example/finalizer']);
    await rig.delete();
    expect(rig.server.objects.get(rig.key)?.metadata.finalizers ?? []).toEqual([]);
  });
});

describe('a paused object', () => {
  const paused = { metadata: { annotations: { 'op.example/paused': 'true' } } };

  test('has no handler called but those of events, keeps its finalizer, and is taken up where it was left', async () => {
    start({
      handlers: [
        { id: 'made', triggers: [on.create(), on.update(), on.delete()] },
        { id: 'seen', triggers: [on.event()] },
        { id: 'level', triggers: [on.reconcile()] },
        { id: 'tick', triggers: [on.timer({ interval: 1_000 })] },
      ],
    });
    await rig.create({ spec: { size: 1 } });
    rig.calls.length = 0;
    await rig.change(paused);
    await rig.change({ spec: { size: 2 } });
    await rig.advance(5_000);
    expect(rig.causes).toEqual(['seen event MODIFIED', 'seen event MODIFIED']);
    await rig.change({ metadata: { annotations: { 'op.example/paused': 'false' } } });
    expect(rig.causes.slice(2)).toEqual(['seen event MODIFIED', 'made update', 'level reconcile', 'tick timer']);
    expect(rig.calls.find(({ handler }) => handler === 'made')?.new).toEqual({ spec: { size: 2 } });

    rig.calls.length = 0;
    await rig.change(paused);
    await rig.delete();
    await rig.advance(5_000);
    expect(rig.causes).toEqual(['seen event MODIFIED', 'seen event MODIFIED']);
    expect(rig.object.metadata.finalizers).toEqual(['op.example/finalizer']);
  });

  test('that was paused before it was seen is created when it is let go', async () => {
    start({ handlers: [{ id: 'made', triggers: [on.create()] }] });
    await rig.create({ metadata: { annotations: { 'op.example/paused': '' } } });
    expect(rig.causes).toEqual([]);
    expect(rig.server.writes).toEqual([]);
    await rig.change({ metadata: { annotations: {} } });
    expect(rig.causes).toEqual(['made create']);
  });
});

describe('the annotation reconcile-at', () => {
  const request = (value: string): Record<string, unknown> => ({
    metadata: { annotations: { 'op.example/reconcile-at': value } },
  });

  test('is no change to handlers, and calls at once what waits for a time', async () => {
    let failing = true;
    start({
      handlers: [
        {
          id: 'made',
          triggers: [on.create(), on.update()],
          policy: { backoff: () => minute },
          run: () => {
            if (failing) throw new Error('not yet');
          },
        },
        { id: 'level', triggers: [on.reconcile()] },
        { id: 'tick', triggers: [on.timer({ interval: minute })] },
      ],
    });
    await rig.create();
    rig.calls.length = 0;
    await rig.advance(1_000);
    await rig.change(request('1'));
    expect(rig.causes).toEqual(['made create', 'level reconcile', 'tick timer']);
    // Each time once: the failed attempt waits again.
    await rig.advance(1_000);
    expect(rig.calls).toHaveLength(3);
    failing = false;
    await rig.change(request('2'));
    expect(rig.causes.slice(3)).toEqual(['made create', 'level reconcile', 'tick timer']);
    rig.calls.length = 0;
    await rig.change(request('3'));
    expect(rig.causes).toEqual(['level reconcile', 'tick timer']);
  });
});
