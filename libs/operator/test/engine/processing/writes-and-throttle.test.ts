import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../../src/engine/defaults.js';
import { ProcessingFailedError } from '../../../src/errors/processing-failed.error.js';
import { apiError } from './fake-server.js';
import { gate, on, ProcessingRig, type TestHandler } from './rig.js';

const both: readonly TestHandler[] = [{ id: 'ensure', triggers: [on.create(), on.update()] }];

describe('outcomes', () => {
  it('go out together, the status first, and never wait longer than 1 s for others', async () => {
    const slow = gate();
    const rig = new ProcessingRig({
      handlers: [
        { id: 'quick', triggers: [on.create()] },
        { id: 'slow', triggers: [on.create()], run: () => slow.promise.then(() => ({ slow: true })) },
        { id: 'last', triggers: [on.create()], run: () => ({ last: true }) },
      ],
    });
    await rig.create();
    await rig.advance(999);
    expect(rig.server.writes).toEqual([]);
    await rig.advance(1);
    expect(rig.record).toMatchObject({ h: { slow: { o: 1 }, last: { o: 1 } } });
    slow.open();
    await rig.settle();
    expect(rig.server.writes.map(({ what }) => what)).toEqual(['object', 'status', 'object']);
    expect(rig.object['status']).toEqual({ slow: true, last: true });
  });

  it('survive a write that fails: nothing runs again that succeeded, and they are sent before anything else', async () => {
    const rig = new ProcessingRig({ handlers: both });
    let failures = 3;
    rig.server.intercept((request) => ((failures -= 1) >= 0 ? apiError(500, request) : undefined));
    await rig.create();
    await rig.advance(3_999);
    expect([rig.causes, rig.record]).toEqual([['ensure create'], undefined]);
    await rig.advance(1);
    expect([rig.causes, rig.record?.['v']]).toEqual([['ensure create'], 1]);
    expect(rig.server.requests).toHaveLength(4);
  });

  it('survive a write that fails beside a running call, together with the outcome of that call', async () => {
    const slow = gate();
    const rig = new ProcessingRig({
      handlers: [
        { id: 'quick', triggers: [on.create()] },
        { id: 'slow', triggers: [on.create()], run: () => slow.promise },
        { id: 'last', triggers: [on.create()] },
      ],
    });
    let failures = 1;
    rig.server.intercept((request) => ((failures -= 1) >= 0 ? apiError(503, request) : undefined));
    await rig.create();
    await rig.advance(1_000);
    slow.open();
    await rig.advance(10_000);
    expect(rig.causes).toEqual(['quick create', 'slow create', 'last create']);
    expect(rig.record).not.toHaveProperty('h');
  });

  it('that the server refuses give way to what the handler makes of the next change', async () => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'size',
          triggers: [on.create(), on.update()],
          run: ({ object }) => ({ size: (object['spec'] as { size: string }).size }),
        },
      ],
    });
    rig.server.intercept((request) =>
      request.path.endsWith('/status') && JSON.stringify(request.body).includes('bad')
        ? apiError(422, request)
        : undefined,
    );
    await rig.create({ spec: { size: 'bad' } });
    await rig.advance(60_000);
    expect(rig.causes).toEqual(['size create']);
    await rig.change({ spec: { size: 'good' } });
    await rig.advance(60_000);
    expect([rig.causes, rig.object['status']]).toEqual([['size create', 'size update'], { size: 'good' }]);
  });

  it('are bound to the uid: a successor of the same name is never written to', async () => {
    const hold = gate();
    const rig = new ProcessingRig({
      handlers: [{ id: 'ensure', triggers: [on.create()], run: () => hold.promise.then(() => ({ of: 'first' })) }],
    });
    const first = await rig.create();
    rig.server.objects.set('ns/a', {
      ...first,
      metadata: { ...first.metadata, uid: 'u2', resourceVersion: rig.server.nextVersion() },
    });
    hold.open();
    await rig.advance(5_000);
    expect(rig.object).not.toHaveProperty('status');
    expect(rig.record).toBeUndefined();
    expect([rig.messages('error'), rig.messages('debug')]).toEqual([[], ['Object is gone; nothing more is written']]);
  });

  it('of patch functions are computed anew when others write meanwhile, three times at most', async () => {
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'add',
          triggers: [on.create()],
          run: ({ patch }) =>
            patch.update((object) => {
              const target = object as unknown as { spec: { list: number[] } };
              target.spec.list = [...target.spec.list, 99];
            }),
        },
      ],
    });
    let writes = 4;
    rig.server.intercept(async ({ verb }) => {
      const list = (rig.object['spec'] as { list: number[] }).list;
      if (verb === 'patch' && (writes -= 1) >= 0)
        await rig.change({ spec: { list: [...list, writes] } }, { silent: true });
    });
    await rig.create({ spec: { list: [] } });
    expect(rig.server.writes).toHaveLength(3);
    await rig.advance(1_000);
    expect(rig.object['spec']).toEqual({ list: [3, 2, 1, 0, 99] });
    expect(rig.causes).toEqual(['add create']);
    expect(rig.messages('error')).toEqual([]);
  });

  it('that cannot be put on the object are failures of the handler', async () => {
    let bad = true;
    const rig = new ProcessingRig({
      handlers: [
        {
          id: 'odd',
          triggers: [on.create()],
          run: ({ patch }) => {
            if (bad)
              patch.update(() => {
                throw new Error('in the function');
              });
          },
        },
        { id: 'cyclic', triggers: [on.create()], run: () => (bad ? { big: 1n } : { at: new Date(0) }) },
      ],
    });
    await rig.create();
    expect(rig.messages('error')).toEqual([
      'Handler failed and will be called again',
      'Handler failed and will be called again',
    ]);
    bad = false;
    await rig.advance(1_000);
    expect(rig.object['status']).toEqual({ at: '1970-01-01T00:00:00.000Z' });
    expect(rig.causes).toHaveLength(4);
  });

  it('are not lost, nor repeated, when the stop cuts the cycle short', async () => {
    const rig = new ProcessingRig({ handlers: both, config: { queue: { ...defaultConfig.queue, throttle: [] } } });
    const open = gate();
    rig.server.intercept(async ({ signal }) => {
      await open.promise;
      signal?.throwIfAborted();
    });
    await rig.create();
    rig.beginStop();
    rig.endRequests();
    open.open();
    await rig.settle();
    expect([rig.messages('error'), rig.queue.running]).toEqual([[], 0]);
    await rig.stop();
  });
});

describe('throttle', () => {
  const broken = (rig: ProcessingRig): { remove(): void } => rig.server.intercept((request) => apiError(500, request));

  it('waits 1,1,2,3,5,8 … 610 s for one object, and others go on', async () => {
    const rig = new ProcessingRig({ handlers: both });
    const times: number[] = [];
    rig.server.intercept((request) => {
      if (!request.path.endsWith('/a')) return undefined;
      times.push(rig.clock.monotonic() / 1_000);
      return apiError(500, request);
    });
    await rig.create();
    await rig.create({ name: 'b', uid: 'b' });
    expect(rig.processor.throttled).toBe(1);
    await rig.advance(3_000_000);
    const waits = times.slice(1).map((time, index) => time - (times[index] as number));
    expect(waits.slice(0, 17)).toEqual(
      [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 610, 610].slice(0, waits.length),
    );
    expect(waits.length).toBeGreaterThan(15);
    expect(rig.causes).toEqual(['ensure create', 'ensure create']);
    expect(rig.events.map(({ reason }) => reason)).toEqual(['ProcessingFailed']);
  });

  it('is ended once by a deletion mark', async () => {
    const rig = new ProcessingRig({ handlers: [...both, { id: 'remove', triggers: [on.delete()] }] });
    await rig.create();
    const fault = broken(rig);
    await rig.change({ spec: { n: 1 } });
    await rig.advance(200_000);
    const before = rig.server.requests.length;
    await rig.delete();
    expect(rig.server.requests.length).toBeGreaterThan(before);
    const after = rig.server.requests.length;
    await rig.change({ metadata: { labels: { x: 'y' } } });
    await rig.advance(10_000);
    expect(rig.server.requests).toHaveLength(after);
    fault.remove();
    await rig.advance(700_000);
    expect([rig.causes.at(-1), rig.server.objects.size]).toEqual(['remove delete', 0]);
  });

  it('is ended by a changed essence when 30 s have passed, and by nothing else', async () => {
    const rig = new ProcessingRig({ handlers: both });
    await rig.create();
    const fault = broken(rig);
    await rig.change({ spec: { n: 1 } });
    await rig.advance(232_000);
    fault.remove();
    const sent = rig.server.requests.length;
    await rig.change({ status: { foreign: true } });
    await rig.advance(40_000);
    expect(rig.server.requests).toHaveLength(sent);
    await rig.change({ spec: { n: 2 } });
    expect(rig.server.requests.length).toBeGreaterThan(sent);
    expect(rig.calls.at(-1)?.new).toEqual({ spec: { n: 2 } });
  });

  it('holds for a filter that throws, for that object alone', async () => {
    const rig = new ProcessingRig({
      handlers: [
        { id: 'told', triggers: [on.event()] },
        {
          id: 'typed',
          triggers: [
            on.create({ when: ({ object }) => (object['spec'] as { n: { valueOf(): number } }).n.valueOf() > 0 }),
          ],
        },
        {
          id: 'leaving',
          triggers: [
            on.event({ when: ({ object }) => (object['spec'] as { n: { valueOf(): number } }).n.valueOf() > 0 }),
          ],
        },
      ],
    });
    await rig.create({ spec: {} });
    await rig.create({ name: 'b', uid: 'b', spec: { n: 1 } });
    expect(rig.causes).toEqual(
      ['told event ADDED', 'typed create', 'leaving event ADDED'].toSorted(
        (a, b) => (a.startsWith('typed') ? 1 : 0) - (b.startsWith('typed') ? 1 : 0),
      ),
    );
    await rig.delete();
    await rig.advance(10_000);
    expect(rig.messages('error')).toContain('A deletion could not be told to event handlers');
    expect(rig.queue.running).toBe(0);
    rig.store.observe(
      'MODIFIED',
      { ...(rig.server.objects.get('ns/b') as never as object), spec: { n: 2 } } as never,
      undefined,
    );
    await rig.stop();
  });

  it('switched off makes the error unrecoverable', async () => {
    const rig = new ProcessingRig({ handlers: both, config: { queue: { ...defaultConfig.queue, throttle: [] } } });
    broken(rig);
    await rig.create();
    await expect(rig.stopped).rejects.toBeInstanceOf(ProcessingFailedError);
  });
});
