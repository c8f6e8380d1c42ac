import { connect } from 'node:net';
import { Agent, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../../src/index.js';
import { configMap, configMaps, server } from '../support/fixtures.js';
import { call, WatchStream } from '../support/http.js';
import { ManualClock } from '../support/manual-clock.js';

const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

const watchPath = (api: ApiServer): string => `${configMaps}?watch=1&resourceVersion=${api.store.revision}`;

describe('faults of requests', () => {
  it('answer in place of the server, with Retry-After, as Status or as text', async () => {
    const { url, faults } = await server();
    const fault = faults.add({
      match: { verb: 'list', resource: 'configmaps' },
      do: { action: 'answer', status: 503, retryAfter: 2 },
    });
    const status = await call(url, 'GET', configMaps);
    expect(status.headers['retry-after']).toBe('2');
    expect(status.json).toMatchObject({
      kind: 'Status',
      code: 503,
      reason: 'ServiceUnavailable',
      details: { retryAfterSeconds: 2 },
    });
    fault.remove();
    expect(fault.hits).toBe(1);
    faults.add({ do: { action: 'answer', status: 429, body: 'Too many requests, please try again later.' } });
    const text = await call(url, 'GET', configMaps);
    expect([text.status, text.text, text.headers['content-type']]).toEqual([
      429,
      'Too many requests, please try again later.',
      'text/plain; charset=utf-8',
    ]);
    faults.clear();
    expect((await call(url, 'GET', configMaps)).status).toBe(200);
  });

  it('hit the nth request on, and so many of them', async () => {
    const { url, faults } = await server();
    faults.add({ match: { nth: 2, times: 2 }, do: { action: 'answer', status: 500 } });
    const statuses: number[] = [];
    for (let index = 0; index < 5; index++) statuses.push((await call(url, 'GET', configMaps)).status);
    expect(statuses).toEqual([200, 500, 500, 200, 200]);
  });

  it('match by what a request is about', async () => {
    const { url, faults } = await server();
    const hit = async (method: string, path: string, body?: object): Promise<boolean> =>
      (await call(url, method, path, { body })).status === 418;
    const answer = { action: 'answer', status: 418 } as const;
    let fault = faults.add({
      match: { verb: ['create', 'patch'], resource: 'configmaps', namespace: 'default' },
      do: answer,
    });
    expect([
      await hit('POST', configMaps, {}),
      await hit('GET', configMaps),
      await hit('POST', '/api/v1/namespaces', {}),
    ]).toEqual([true, false, false]);
    fault.remove();
    fault = faults.add({ match: { resource: 'widgets.example.com', subresource: 'status', name: 'a' }, do: answer });
    const widgets = '/apis/example.com/v1/namespaces/default/widgets';
    expect([
      await hit('GET', `${widgets}/a/status`),
      await hit('GET', `${widgets}/a`),
      await hit('GET', `${widgets}/b/status`),
    ]).toEqual([true, false, false]);
    fault.remove();
    faults.add({ match: { path: '/apis', where: ({ query }) => query.get('x') === '1' }, do: answer });
    expect([await hit('GET', '/apis?x=1'), await hit('GET', '/apis'), await hit('GET', '/version?x=1')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('refuse numbers that make no sense', async () => {
    const { faults } = await server();
    expect(() => faults.add({ match: { nth: 0 }, do: { action: 'stall' } })).toThrow(RangeError);
    expect(() => faults.add({ do: { action: 'rechunk', bytes: 0 } })).toThrow(RangeError);
    expect(() => faults.add({ do: { action: 'delay', ms: -1 } })).toThrow(RangeError);
  });

  it('delay by the clock, without being busy meanwhile', async () => {
    const clock = new ManualClock();
    const { url, faults, activity } = await server({ clock });
    faults.add({ do: { action: 'delay', ms: 5000 } });
    const answer = call(url, 'GET', configMaps);
    await until(() => clock.timers > 0);
    expect(activity.count).toBe(0);
    clock.advance(5000);
    expect((await answer).status).toBe(200);
  });

  it('reset before and after the headers, cut after n bytes', async () => {
    const { url, faults } = await server();
    faults.add({ match: { times: 1 }, do: { action: 'reset' } });
    expect(await code(call(url, 'GET', configMaps))).toBe('ECONNRESET');
    faults.add({ match: { times: 1 }, do: { action: 'reset', when: 'afterHeaders' } });
    expect(await code(call(url, 'GET', configMaps))).toBe('ECONNRESET');
    faults.add({ match: { times: 1 }, do: { action: 'cut', afterBytes: 10 } });
    let received = '';
    const cut = await new Promise<string>((resolve) => {
      const outgoing = request(url + configMaps, { agent: false }, (response) => {
        response.on('data', (chunk: Buffer) => (received += chunk.toString()));
        response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      outgoing.end();
    });
    expect([cut, received]).toEqual(['ECONNRESET', '{"kind":"C']);
    expect((await call(url, 'GET', configMaps)).status).toBe(200);
  });

  it('lose the answer of a write that was applied', async () => {
    const api = await server();
    api.faults.add({ match: { verb: 'create' }, do: { action: 'loseAnswer' } });
    expect(await code(call(api.url, 'POST', configMaps, { body: configMap('a') }))).toBe('ECONNRESET');
    expect(await api.get({ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' })).toBeDefined();
  });

  it('stall: no answer, and the connection stays', async () => {
    const { url, faults, activity } = await server();
    faults.add({ match: { times: 1 }, do: { action: 'stall' } });
    let over = false;
    const outgoing = request(url + configMaps, { agent: false }, () => (over = true));
    outgoing.on('error', () => (over = true));
    outgoing.on('close', () => (over = true));
    outgoing.end();
    await until(() => activity.count === 0 && outgoing.socket?.readyState === 'open');
    expect((await call(url, 'GET', configMaps)).status).toBe(200);
    expect(over).toBe(false);
    outgoing.destroy();
  });

  it('serve old states: a list, an object, a watch', async () => {
    const api = await server();
    await api.create(configMap('a', { n: '1' }));
    const then = api.store.revision;
    await api.patch({ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }, { data: { n: '2' } });
    await api.create(configMap('b'));
    const fault = api.faults.add({ do: { action: 'stale', revision: then } });
    const list = await call(api.url, 'GET', configMaps);
    expect(list.json).toMatchObject({ metadata: { resourceVersion: String(then) }, items: [{ data: { n: '1' } }] });
    expect(list.json.items).toHaveLength(1);
    expect((await call(api.url, 'GET', `${configMaps}/a`)).json.data.n).toBe('1');
    expect((await call(api.url, 'GET', `${configMaps}/b`)).status).toBe(404);
    const watch = await WatchStream.open(api.url, `${configMaps}?watch=1&allowWatchBookmarks=1`);
    const lines = await watch.take(4);
    expect(lines.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK', 'MODIFIED', 'ADDED']);
    expect(lines[1]!.object.metadata.resourceVersion).toBe(String(then));
    fault.remove();
    expect((await call(api.url, 'GET', configMaps)).json.items).toHaveLength(2);
  });

  it('refuse connections and take them again on the same port', async () => {
    const { url, faults } = await server();
    const agent = new Agent({ keepAlive: true });
    const kept = (): Promise<string> =>
      code(
        new Promise((resolve, reject) => {
          const outgoing = request(url + configMaps, { agent }, (response) => response.resume().on('end', resolve));
          outgoing.on('error', reject);
          outgoing.end();
        }),
      );
    expect(await kept()).toBe('none');
    await faults.refuseConnections(true);
    expect(['ECONNREFUSED', 'ECONNRESET']).toContain(await kept());
    expect(await code(call(url, 'GET', configMaps))).toBe('ECONNREFUSED');
    await faults.refuseConnections(false);
    expect(await kept()).toBe('none');
    agent.destroy();
  });
});

describe('faults of watches', () => {
  it('end a stream after n events, stall it, cut it in mid-line', async () => {
    const api = await server();
    api.faults.add({ match: { verb: 'watch', times: 1 }, do: { action: 'endStream', afterEvents: 1 } });
    const ended = await WatchStream.open(api.url, watchPath(api));
    await until(() => api.watches.list().length === 1);
    await api.create(configMap('a'));
    expect((await ended.next()).object.metadata.name).toBe('a');
    expect(await ended.ended()).toBe('end');

    api.faults.add({ match: { verb: 'watch', times: 1 }, do: { action: 'stall', afterEvents: 1 } });
    const stalled = await WatchStream.open(api.url, watchPath(api));
    await until(() => api.watches.list().length === 1);
    await api.create(configMap('b'));
    await stalled.next();
    await api.create(configMap('c'));
    await call(api.url, 'GET', configMaps);
    expect([stalled.lines.length, stalled.over]).toEqual([1, undefined]);
    stalled.close();

    api.faults.add({ match: { verb: 'watch', times: 1 }, do: { action: 'cut', afterBytes: 40 } });
    const cut = await WatchStream.open(api.url, watchPath(api));
    await api.create(configMap('d'));
    expect(await cut.ended()).toBe('ECONNRESET');
    expect([cut.lines.length, Buffer.byteLength(cut.rest)]).toEqual([0, 40]);
  });

  it('send a stream in pieces of n bytes', async () => {
    const api = await server();
    api.faults.add({ match: { verb: 'watch' }, do: { action: 'rechunk', bytes: 1 } });
    const watch = await WatchStream.open(api.url, watchPath(api));
    await api.create(configMap('é'.normalize() === 'é' ? 'a' : 'b', { a: 'é👩‍🚀' }));
    const { object } = await watch.next();
    expect(object.data.a).toBe('é👩‍🚀');
    expect(watch.chunks.length).toBeGreaterThan(100);
  });

  it('delay events by the clock and keep their order', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    api.faults.add({ match: { verb: 'watch' }, do: { action: 'delayEvents', ms: 100 } });
    const watch = await WatchStream.open(api.url, watchPath(api));
    await until(() => api.watches.list().length === 1);
    await api.create(configMap('a'));
    clock.advance(50);
    await api.create(configMap('b'));
    await turn();
    expect(watch.lines).toHaveLength(0);
    clock.advance(50);
    expect((await watch.next()).object.metadata.name).toBe('a');
    clock.advance(50);
    expect((await watch.next()).object.metadata.name).toBe('b');
  });

  it('are done by hand to those that are open: end, reset, half a line, silence, a line of any content', async () => {
    const api = await server();
    const open = async (): Promise<WatchStream> => {
      const before = api.watches.list().length;
      const watch = await WatchStream.open(api.url, watchPath(api));
      await until(() => api.watches.list().length > before);
      return watch;
    };
    let watch = await open();
    expect(api.watches.list()).toMatchObject([
      { group: '', version: 'v1', resource: 'configmaps', namespace: 'default' },
    ]);
    expect(api.watches.cut({ how: 'end', resource: 'pods' })).toBe(0);
    expect(api.watches.cut({ how: 'end', resource: 'configmaps' })).toBe(1);
    expect(await watch.ended()).toBe('end');

    watch = await open();
    expect(api.watches.inject('{"type":"BOGUS","object":{"a":1}}')).toBe(1);
    expect(await watch.next()).toEqual({ type: 'BOGUS', object: { a: 1 } });
    api.watches.cut({ how: 'reset' });
    expect(await watch.ended()).toBe('ECONNRESET');

    watch = await open();
    api.watches.cut({ how: 'midline' });
    expect(await watch.ended()).toBe('ECONNRESET');
    expect(watch.rest).toMatch(/^\{"type":"MODIFIED","object":/);

    watch = await open();
    api.watches.cut({ how: 'stall' });
    await api.create(configMap('x'));
    await call(api.url, 'GET', configMaps);
    expect([watch.lines.length, watch.over]).toEqual([0, undefined]);
    watch.close();
  });

  it('end a reader that does not keep up', async () => {
    const api = await server();
    api.faults.add({ match: { verb: 'watch' }, do: { action: 'endSlowReader', bytes: 1024 * 1024 } });
    const socket = connect(api.port, '127.0.0.1');
    socket.write(`GET ${watchPath(api)} HTTP/1.1\r\nhost: x\r\n\r\n`);
    socket.on('error', () => undefined); // The reset is what is waited for below.
    await until(() => api.watches.list().length === 1);
    socket.pause();
    for (let index = 0; index < 60 && api.watches.list().length > 0; index++) {
      await api.create(configMap(`c${index}`, { a: 'x'.repeat(500_000) }));
      await turn();
    }
    expect(api.watches.list()).toEqual([]);
    socket.destroy();
  });

  it('going back to a snapshot resets watches and lowers the revision', async () => {
    const api = await server();
    const snapshot = api.snapshot();
    const watch = await WatchStream.open(api.url, watchPath(api));
    await until(() => api.watches.list().length === 1);
    await api.create(configMap('a'));
    await watch.next();
    const later = api.store.revision;
    api.restore(snapshot);
    expect(await watch.ended()).toBe('ECONNRESET');
    const { json } = await call(api.url, 'GET', configMaps);
    expect(json.items).toEqual([]);
    expect(Number(json.metadata.resourceVersion)).toBeLessThan(later);
  });
});
