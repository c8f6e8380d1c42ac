import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/engine/client/api-client.js';
import { ApiError } from '../../../src/errors/api.error.js';
import { createLogger, type LogRecord } from '../../../src/engine/ports/index.js';
import { EventRecorder } from '../../../src/engine/recorder/event-recorder.js';
import { FakeClock } from '../client/fake-clock.js';
import { apiError } from '../processing/fake-server.js';
import { ticks } from '../queueing/support.js';
import { widget, type WidgetFields } from '../watching/support.js';

interface Body {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly [field: string]: unknown;
}

function rig(answer: (request: ApiRequest) => unknown = () => undefined, operator = 'op.example') {
  const clock = new FakeClock();
  const posted: Body[] = [];
  const patched: ApiRequest[] = [];
  const logs: LogRecord[] = [];
  let random = 0;
  const recorder = new EventRecorder({
    client: {
      request: async (request) => {
        if (request.verb === 'create') posted.push(request.body as Body);
        else patched.push(request);
        const result = answer(request);
        if (result instanceof Error) throw result;
        return { status: 201, body: {} as never, headers: {} };
      },
      stream: () => Promise.reject(new Error('no stream')),
    },
    operator,
    enabled: true,
    clock,
    random: { next: () => (random += 0.001) % 1 },
    logger: createLogger((record) => {
      if (record.level !== 'debug') logs.push(record);
    }),
  });
  const controller = new AbortController();
  const done = recorder.run(controller.signal);
  const post = async (fields: Partial<WidgetFields> = {}, message = 'text', reason = 'Reason'): Promise<void> => {
    recorder.post(widget({ version: 1, ...fields }), { reason, message });
    await ticks();
  };
  return {
    clock,
    posted,
    patched,
    counts: () => patched.map(({ body }) => (body as { series: { count: number } }).series.count),
    logs,
    recorder,
    controller,
    post,
    end: async () => {
      controller.abort();
      await done;
    },
  };
}

function terminating({ verb, path }: ApiRequest): ApiError {
  return new ApiError({
    verb,
    path,
    status: 403,
    reason: 'Forbidden',
    serverMessage: 'because it is being terminated',
    details: {
      kind: 'events',
      name: undefined,
      group: undefined,
      uid: undefined,
      causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }],
    },
    retryAfter: undefined,
  });
}

describe('EventRecorder', () => {
  it('posts what the server asks for', async () => {
    const { posted, post, end } = rig();
    await post();
    expect(posted[0]).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      metadata: { namespace: 'ns' },
      eventTime: '2030-01-01T00:00:00.000000Z',
      type: 'Normal',
      reason: 'Reason',
      action: 'Reason',
      note: 'text',
      regarding: { kind: 'Widget', name: 'a', namespace: 'ns', uid: 'u1' },
      reportingController: 'op.example',
    });
    await end();
  });

  it('makes valid names for objects whose names are not, and for long ones', async () => {
    const { posted, post, end } = rig();
    for (const name of ['system:Node..x', `${'a'.repeat(229)}-tail`, '::', 'plain']) await post({ name, uid: name });
    for (const { metadata } of posted) {
      expect(metadata.name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
      expect(metadata.name.length).toBeLessThanOrEqual(253);
    }
    expect(posted).toHaveLength(4);
    await end();
  });

  it('names a controller that is valid for long operator names too', async () => {
    const name = `${'a'.repeat(60)}.${'b'.repeat(10)}`;
    const { posted, post, end } = rig(undefined, name);
    await post();
    expect(posted[0]?.['reportingController']).toBe(`${name}/operator`);
    await end();
  });

  it('cuts long texts by bytes, without half characters', async () => {
    const { posted, post, end } = rig();
    await post({}, '😀'.repeat(400));
    const note = posted[0]?.['note'] as string;
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1_024);
    expect(note).toMatch(/^(😀)+…$/u);
    await end();
  });

  it('posts 25 events about an object at once, then one every five minutes; others have their own budget', async () => {
    const { posted, patched, post, clock, recorder, end } = rig();
    const kinds = ['A', 'B', 'C'];
    for (let n = 0; n < 30; n += 1) await post({}, `text ${n}`, kinds[n % 3]);
    expect([posted.length, recorder.lost]).toEqual([25, 5]);
    await post({ name: 'b', uid: 'b' });
    expect(posted).toHaveLength(26);
    clock.advance(300_000);
    await post({}, 'later', 'D');
    await post({}, 'too late', 'D');
    expect([posted.length, patched.length, recorder.lost]).toEqual([27, 0, 6]);
    await end();
  });

  it('makes one event of equal ones, with a count and the time of the last', async () => {
    const { posted, patched, counts, post, clock, end } = rig();
    await post();
    clock.advance(1_000);
    await post();
    await post();
    await post({}, 'another text');
    await post({ uid: 'u2' });
    expect(posted.map(({ note, regarding }) => [note, regarding])).toMatchObject([
      ['text', { uid: 'u1' }],
      ['another text', { uid: 'u1' }],
      ['text', { uid: 'u2' }],
    ]);
    expect(counts()).toEqual([2, 3]);
    expect(patched[0]).toMatchObject({
      verb: 'patch',
      patchType: 'merge',
      path: `/apis/events.k8s.io/v1/namespaces/ns/events/${posted[0]?.metadata.name}`,
      body: { series: { count: 2, lastObservedTime: '2030-01-01T00:00:01.000000Z' } },
    });
    await end();
  });

  it('sends one request for occurrences that come before their turn', async () => {
    const { posted, patched, recorder, end } = rig();
    for (let n = 0; n < 5; n += 1) recorder.post(widget({ version: 1 }), { reason: 'Reason', message: 'text' });
    await ticks();
    expect([posted.length, patched.length]).toEqual([1, 0]);
    expect(posted[0]).toMatchObject({ series: { count: 5 } });
    await end();
  });

  it('begins anew after ten minutes without repetition', async () => {
    const { posted, patched, post, clock, end } = rig();
    await post();
    clock.advance(599_999);
    await post();
    clock.advance(600_000);
    await post();
    expect([posted.length, patched.length]).toEqual([2, 1]);
    expect(posted[1]).not.toHaveProperty('series');
    await end();
  });

  it('posts an event again that the server has forgotten, with its count', async () => {
    const { posted, post, logs, end } = rig((request) =>
      request.verb === 'patch' ? apiError(404, request, 'NotFound') : undefined,
    );
    await post();
    await post();
    expect(posted).toHaveLength(2);
    expect(posted[1]).toMatchObject({ series: { count: 2 } });
    expect(posted[1]?.metadata.name).not.toBe(posted[0]?.metadata.name);
    expect(logs).toEqual([]);
    await end();
  });

  it('counts further texts as one event once ten of a kind were posted', async () => {
    const { posted, counts, post, end } = rig();
    for (let n = 0; n < 13; n += 1) await post({}, `text ${n}`);
    await post({}, 'text 3');
    expect(posted.map(({ note }) => note).slice(9)).toEqual(['text 9', '(with similar events) text 10']);
    expect(counts()).toEqual([2, 3, 2]);
    await post({}, 'text 0', 'OtherReason');
    expect(posted.at(-1)).toMatchObject({ reason: 'OtherReason', note: 'text 0' });
    await end();
  });

  it('sends the count of a series later when the budget is spent, with one request', async () => {
    const { posted, counts, post, clock, recorder, end } = rig();
    for (let n = 0; n < 40; n += 1) await post();
    expect([posted.length, counts().at(-1), recorder.lost, recorder.busy]).toEqual([1, 25, 0, false]);
    expect(clock.pending).toBe(1);
    clock.advance(299_999);
    await ticks();
    expect(counts().at(-1)).toBe(25);
    clock.advance(1);
    await ticks();
    expect(counts().slice(-2)).toEqual([25, 40]);
    expect(clock.pending).toBe(0);
    await end();
  });

  it('leaves no timer behind', async () => {
    const { post, clock, end } = rig();
    for (let n = 0; n < 40; n += 1) await post();
    await end();
    expect(clock.pending).toBe(0);
  });

  it('logs and counts what cannot be posted, missing rights once, and goes on', async () => {
    let status = 403;
    const { posted, post, logs, recorder, clock, end } = rig((request) =>
      status === 0 ? undefined : apiError(status, request),
    );
    let uid = 0;
    const another = (): Promise<void> => post({ uid: `u${(uid += 1)}` });
    const said = (): unknown[] => [logs.length, recorder.lost];
    await another();
    await another();
    expect(said()).toEqual([1, 2]);
    status = 500;
    await another();
    await another();
    expect(said()).toEqual([2, 4]);
    clock.advance(300_000);
    await another();
    expect(said()).toEqual([3, 5]);
    status = 0;
    await another();
    expect([...said(), posted.length, recorder.busy]).toEqual([3, 5, 6, false]);
    status = 403;
    await another();
    status = 500;
    await another();
    expect(said()).toEqual([4, 7]);
    await end();
  });

  it('does not warn of namespaces that are being deleted', async () => {
    const { post, logs, recorder, end } = rig((request) => terminating(request));
    await post();
    expect([logs, recorder.lost]).toEqual([[], 1]);
    await end();
  });

  it('takes a repeated request for done that finds its own event there', async () => {
    const { post, logs, recorder, end } = rig((request) => apiError(409, request, 'AlreadyExists'));
    await post();
    expect([logs, recorder.lost]).toEqual([[], 0]);
    await end();
  });

  it('leaves no listeners behind, however many events it waited for', async () => {
    const { post, controller, end } = rig();
    let listeners = 0;
    const { signal } = controller;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof add>) => ((listeners += 1), add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => ((listeners -= 1), remove(...args));
    for (let n = 0; n < 20; n += 1) await post({ uid: `u${n}` });
    expect(listeners).toBeLessThanOrEqual(1);
    await end();
  });
});
