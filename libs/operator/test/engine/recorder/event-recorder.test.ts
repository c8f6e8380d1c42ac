import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/engine/client/api-client.js';
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
  const logs: LogRecord[] = [];
  let random = 0;
  const recorder = new EventRecorder({
    client: {
      request: async (request) => {
        posted.push(request.body as Body);
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
    logger: createLogger((record) => logs.push(record)),
  });
  const controller = new AbortController();
  const done = recorder.run(controller.signal);
  const post = async (fields: Partial<WidgetFields> = {}, message = 'text'): Promise<void> => {
    recorder.post(widget({ version: 1, ...fields }), { reason: 'Reason', message });
    await ticks();
  };
  return {
    clock,
    posted,
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
    for (const name of ['system:Node..x', `${'a'.repeat(229)}-tail`, '::', 'plain']) await post({ name });
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
    const { posted, post, clock, recorder, end } = rig();
    for (let n = 0; n < 30; n += 1) await post();
    expect([posted.length, recorder.lost]).toEqual([25, 5]);
    await post({ name: 'b', uid: 'b' });
    expect(posted).toHaveLength(26);
    clock.advance(300_000);
    await post();
    await post();
    expect(posted).toHaveLength(27);
    await end();
  });

  it('logs and counts what cannot be posted, missing rights once, and goes on', async () => {
    let status = 403;
    const { posted, post, logs, recorder, end } = rig((request) =>
      status === 0 ? undefined : apiError(status, request),
    );
    await post();
    await post();
    expect([logs.length, recorder.lost]).toEqual([1, 2]);
    status = 500;
    await post();
    status = 0;
    await post();
    expect([logs.length, recorder.lost, posted.length, recorder.busy]).toEqual([2, 3, 4, false]);
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
