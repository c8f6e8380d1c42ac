import { noElection } from '../../../src/engine/leaderelection/leadership-status.js';
import { afterEach, describe, expect, it } from 'vitest';
import { judgeHealth, type HealthFacts, type OperatorHealth } from '../../../src/engine/health/operator-health.js';
import { HealthRoutes } from '../../../src/engine/health/health-routes.js';
import { HealthServer } from '../../../src/engine/health/health-server.js';
import { createLogger, type LogRecord } from '../../../src/engine/ports/index.js';
import { HealthServerError } from '../../../src/errors/health-server.error.js';

const facts: HealthFacts = {
  status: {
    state: 'running',
    tasks: [],
    watches: [
      {
        resource: 'widgets.v1.demo.example',
        namespace: 'team-a',
        state: 'degraded',
        since: Date.UTC(2030, 0, 1),
        synced: true,
        cause: 'list of widgets\nanswered 503',
        lastEventAt: 40_000,
        degradedFor: 12_300,
      },
    ],
    objects: {},
    queued: {},
    due: 0,
    running: 1,
    stuck: 0,
    capacity: 50,
    throttled: 2,
    found: true,
    paused: false,
    leadership: noElection,
  },
  eventLoop: { lag: 3, worst: 70, late: 0 },
  probes: [
    { id: 'disk', fails: 'none', ok: true, value: { free: 5 }, at: 1 },
    { id: 'mail', fails: 'none', ok: false, error: 'no route', at: 1 },
  ],
  limits: { degradedAfter: 10_000, maxLag: 5_000 },
  now: 50_000,
};

const servers: HealthServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(getHealth: () => Promise<OperatorHealth> = () => Promise.resolve(judgeHealth(facts)), port = 0) {
  const records: LogRecord[] = [];
  const routes = new HealthRoutes();
  const server = new HealthServer({
    config: { port, host: '127.0.0.1', paths: { liveness: '/livez', readiness: '/readyz' } },
    routes,
    getHealth,
    logger: createLogger((record) => records.push(record)),
  });
  await server.listen();
  servers.push(server);
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  return { server, routes, records, ask };
}

describe('HealthServer', () => {
  it('answers with a status and a word, and the names of the reasons against it', async () => {
    const { ask } = await serve();
    expect(await ask('/livez')).toMatchObject({ status: 200, body: 'ok\n' });
    const ready = await ask('/readyz');
    expect(ready).toMatchObject({ status: 503, body: 'not ok: degraded\n' });
    expect(ready.headers.get('cache-control')).toBe('no-store');
  });

  it('tells everything line by line, and no line of a message can pass for one of its own', async () => {
    const { ask } = await serve();
    const { status, body } = await ask('/readyz?verbose');
    expect(status).toBe(503);
    expect(body.split('\n')).toEqual([
      'not ok: degraded',
      '[+] state: running',
      '[+] liveness',
      '[-] readiness: degraded (widgets.v1.demo.example in team-a): It has been out of sync for 12 s: list of widgets answered 503.',
      '[-] watch widgets.v1.demo.example in team-a: degraded since 2030-01-01T00:00:00.000Z, last event 10 s ago, out of sync for 12 s: list of widgets answered 503',
      '[+] handlers: 1 running, 0 stuck of 50',
      '[+] objects: 2 throttled',
      '[+] event loop: 3 ms late, 70 ms at worst',
      '[+] probe disk: {"free":5}',
      '[-] probe mail: no route',
      '',
    ]);
  });

  it('tells everything as JSON to whoever asks for it', async () => {
    const { ask } = await serve();
    const expected = JSON.parse(JSON.stringify(judgeHealth(facts))) as unknown;
    const byQuery = await ask('/livez?format=json');
    expect(byQuery.status).toBe(200);
    expect(JSON.parse(byQuery.body)).toEqual(expected);
    const byHeader = await ask('/readyz', { headers: { accept: 'application/json' } });
    expect([byHeader.status, JSON.parse(byHeader.body)]).toEqual([503, expected]);
    expect(byHeader.headers.get('content-type')).toBe('application/json');
  });

  it('answers HEAD without a body, and nothing but GET and HEAD', async () => {
    const { ask } = await serve();
    expect(await ask('/livez', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    const post = await ask('/livez', { method: 'POST', body: 'x' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('says at any other path what there is', async () => {
    const { ask, routes } = await serve();
    const remove = routes.add('/metrics', () => Promise.resolve({ status: 200, type: 'text/plain', body: 'up 1\n' }));
    expect(await ask('/nothing')).toMatchObject({
      status: 404,
      body: 'Nothing here. There is: /livez, /readyz, /metrics\n',
    });
    expect(await ask('//')).toMatchObject({ status: 404 });
    expect(await ask('/metrics?x=1')).toMatchObject({ status: 200, body: 'up 1\n' });
    remove();
    expect(await ask('/metrics')).toMatchObject({ status: 404 });
  });

  it('logs and counts what goes wrong, and goes on', async () => {
    const { ask, records, server } = await serve(() => Promise.reject(new Error('no health')));
    expect(await ask('/livez')).toMatchObject({ status: 500, body: 'The answer could not be made.\n' });
    await ask('/readyz');
    expect(server.failures).toBe(2);
    const warnings = records.filter(({ level }) => level === 'warn');
    expect(warnings.map(({ message, fields }) => [message, fields])).toEqual([
      ['The health server has a problem', { where: '/livez', failures: 1 }],
      ['The health server has a problem', { where: '/readyz', failures: 2 }],
    ]);
  });

  it('says that its port is taken', async () => {
    const { server } = await serve();
    const failure = await serve(undefined, server.port).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(HealthServerError);
    expect(failure).toMatchObject({ code: 'OPERATOR_HEALTH_SERVER', cause: { code: 'EADDRINUSE' } });
    expect((failure as Error).message).toContain(`port ${server.port} of 127.0.0.1`);
  });

  it('serves until its signal is aborted, whoever is connected', async () => {
    const asked = Promise.withResolvers<void>();
    const { server, ask } = await serve(() => {
      asked.resolve();
      return new Promise(() => undefined);
    });
    servers.length = 0;
    const stop = new AbortController();
    const end = server.run(stop.signal);
    const hanging = ask('/livez').catch(() => 'cut off');
    await asked.promise;
    stop.abort();
    await end;
    expect(await hanging).toBe('cut off');
    expect(server.port).toBeUndefined();
  });
});
