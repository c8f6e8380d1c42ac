import { describe, expect, it } from 'vitest';
import type { ApiServer, WebhookFunction } from '../src/index.js';
import { RawReply, WebhookReceiver } from './conformance/webhook-receiver.js';
import { server, widget, widgets } from './support/fixtures.js';
import { call } from './support/http.js';
import { ManualClock } from './support/manual-clock.js';
import { gate, patching, register, responding } from './support/webhooks.js';

const post = (api: ApiServer, name = 'a'): ReturnType<typeof call> =>
  call(api.url, 'POST', widgets, { body: widget(name) });

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};

/** Answers after so many seconds of the server's clock. */
const after = (seconds: number): WebhookFunction =>
  responding(async (_request, { sleep }) => {
    await sleep(seconds * 1000);
    return patching({ op: 'add', path: '/metadata/labels', value: { late: String(seconds) } });
  });

describe('the time that webhooks may take', () => {
  it('runs on the clock of the server, which is idle meanwhile', async () => {
    const clock = new ManualClock();
    const api = await server({ clock, webhooks: { services: { 'hooks/hook': after(4) } } });
    await register(api, { timeoutSeconds: 5 });
    const timers = clock.timers;
    const created = post(api);
    await until(() => clock.timers === timers + 2 && api.activity.count === 0);
    clock.advance(3999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(api.store.count('example.com/widgets')).toBe(0);
    clock.advance(1);
    expect((await created).json.metadata.labels).toEqual({ late: '4' });
    expect(clock.timers).toBe(timers);
  });

  it.each([
    ['Fail', 500, /failed calling webhook .*: Post "https:.*\?timeout=5s": context deadline exceeded$/],
    ['Ignore', 201, undefined],
  ])('is over at the time-out: %s', async (failurePolicy, code, message) => {
    const clock = new ManualClock();
    const api = await server({ clock, webhooks: { services: { 'hooks/hook': after(6) } } });
    await register(api, { timeoutSeconds: 5, failurePolicy });
    const timers = clock.timers;
    const created = post(api);
    await until(() => clock.timers === timers + 2 && api.activity.count === 0);
    clock.advance(5000);
    const { status, json } = await created;
    expect(status).toBe(code);
    if (message === undefined) expect(json.metadata.labels).toBeUndefined();
    else expect(json.message).toMatch(message);
  });

  it('is over for all of them together after 34 seconds', async () => {
    const clock = new ManualClock();
    const services = { 'hooks/a': after(20), 'hooks/b': after(20) };
    const api = await server({ clock, webhooks: { services } });
    for (const name of ['a', 'b']) await register(api, { name, timeoutSeconds: 30, failurePolicy: 'Ignore' });
    const timers = clock.timers;
    const created = post(api);
    for (const step of [20_000, 13_999, 1]) {
      await until(() => clock.timers === timers + 2 && api.activity.count === 0);
      clock.advance(step);
    }
    expect((await created).json).toMatchObject({
      code: 504,
      reason: 'Timeout',
      message: 'Timeout: request did not complete within requested timeout - context deadline exceeded',
    });
  });

  it('stands still while a webhook is at work, but not for one that is stuck', async () => {
    const clock = new ManualClock();
    const asked = gate();
    const answer = gate();
    const askedInVain = gate();
    const stuck = gate();
    const api = await server({
      clock,
      webhooks: {
        services: {
          'hooks/work': responding(async () => {
            asked.open();
            await answer.passed;
            return {};
          }),
          'hooks/stuck': responding(async () => {
            askedInVain.open();
            await stuck.passed;
            return {};
          }),
        },
      },
    });
    await register(api, { name: 'work' });
    const created = post(api);
    await asked.passed;
    for (let turn = 0; turn < 200; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(api.activity.count, `turn ${turn}`).toBeGreaterThan(0);
    }
    answer.open();
    expect((await created).status).toBe(201);

    await register(api, { name: 'stuck', timeoutSeconds: 3 });
    const begun = performance.now();
    const failed = post(api, 'b');
    await askedInVain.passed;
    await api.activity.whenIdle();
    expect(performance.now() - begun).toBeGreaterThan(900);
    clock.advance(3000);
    expect((await failed).json.message).toMatch(/context deadline exceeded$/);
    stuck.open();
  });

  it('holds a pause that the webhook asks for', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const clock = new ManualClock();
      const api = await server({ clock });
      let busy = true;
      receiver.reply('/hook', ({ review }) =>
        busy
          ? new RawReply(429, 'later', { 'retry-after': '2' })
          : { ...review, response: { uid: review.request!['uid'], allowed: true } },
      );
      await register(api, { clientConfig: { url: `https://${receiver.host}/hook`, caBundle: receiver.caBundle } });
      const created = post(api);
      await until(() => receiver.has('/hook') && api.activity.count === 0);
      busy = false;
      clock.advance(2000);
      expect((await created).status).toBe(201);
      expect(receiver.take()).toHaveLength(2);
    } finally {
      await receiver.close();
    }
  });
});
