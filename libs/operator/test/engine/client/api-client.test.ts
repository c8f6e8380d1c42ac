import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from './fake-clock.js';
import type { Answerer } from './raw-server.js';
import { RawServer, sendJson, statusBody } from './raw-server.js';
import { kubeConfig, runOnClock, testClient, until } from './setup.js';
import type { TestClient } from './setup.js';

describe('API client over plain HTTP', () => {
  let clock: FakeClock;
  let server: RawServer;
  let answer: Answerer;
  let test: TestClient;

  beforeEach(async () => {
    clock = new FakeClock();
    answer = (_request, response) => sendJson(response, 200, { ok: true });
    server = await new RawServer((...args) => answer(...args)).listen();
    test = testClient(clock, { kubeConfig: kubeConfig(server.url) });
  });

  afterEach(async () => {
    await test.client.close();
    await until(() => server.open.size === 0);
    await server.close();
    expect(clock.pending).toBe(0);
    expect(test.client.inFlight).toBe(0);
  });

  it('sends a request and gives back status, headers and body', async () => {
    const answered = await test.client.request({
      verb: 'get',
      path: '/api/v1/pods',
      query: { limit: 5, gone: undefined },
    });
    expect(answered.status).toBe(200);
    expect(answered.body).toEqual({ ok: true });
    expect(answered.headers['content-type']).toBe('application/json');
    expect(server.requests[0]!.url).toBe('/api/v1/pods?limit=5');
    expect(server.requests[0]!.headers['user-agent']).toBe('nestjs-operator');
    expect(server.requests[0]!.headers['accept-encoding']).toBeUndefined();
  });

  it('repeats a failed read after exactly the configured delays', async () => {
    const times: number[] = [];
    answer = (_request, response) => {
      times.push(clock.monotonic());
      sendJson(response, 500, statusBody(500, 'InternalError', 'no'));
    };
    const work = runOnClock(test.client.request({ verb: 'list', path: '/api/v1/pods' }), clock, test.client);
    await expect(work).rejects.toMatchObject({ code: 'OPERATOR_API', status: 500 });
    expect(times).toEqual([0, 1, 2, 4, 7, 12, 20, 33, 54].map((seconds) => seconds * 1000));
  });

  it('streams chunks until the end', async () => {
    answer = (_request, response) => {
      response.writeHead(200);
      response.write('one');
      setImmediate(() => response.end('two'));
    };
    const stream = await test.client.stream({ verb: 'watch', path: '/api/v1/pods', query: { watch: true } });
    expect(test.client.inFlight).toBe(0);
    let text = '';
    for await (const chunk of stream.chunks) text += Buffer.from(chunk).toString();
    expect(text).toBe('onetwo');
  });
});
