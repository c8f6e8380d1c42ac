import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../src/index.js';
import { configMap, configMaps, server, widget, widgetDefinition, widgets } from './support/fixtures.js';
import { call } from './support/http.js';
import { seeded } from './support/seeded.js';

/** Writes bytes to the server and collects what comes back until it closes or `end` has been seen. */
function raw(api: ApiServer, bytes: string, end?: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(api.port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      received += chunk.toString();
      if (end !== undefined && received.includes(end)) socket.destroy();
    });
    socket.on('error', () => socket.destroy()); // However it ends: what counts is that the server lives on.
    socket.on('close', () => resolve(received));
  });
}

describe('a request that is broken', () => {
  it('is no HTTP: 400, and the connection is closed', async () => {
    const api = await server();
    expect(await raw(api, 'hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 Bad Request/);
    expect((await call(api.url, 'GET', '/healthz')).status).toBe(200);
  });

  it('has a path with an escape that is none: 400 in text, and the connection is closed', async () => {
    const api = await server();
    for (const path of ['/%', '/api/v1/namespaces/%zz/pods', '/version/%2']) {
      expect(await raw(api, `GET ${path}?x=%zz HTTP/1.1\r\nhost: x\r\n\r\n`)).toBe(
        'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request',
      );
    }
    expect(api.requests.length).toBe(0);
  });

  it.each([
    'http://[::bad/',
    '*',
    '//',
    '/%',
    '/api/v1/namespaces/%2e%2e/x',
    '/apis//v1/x',
    '/api/v1/namespaces//pods',
  ])('asks for %s: an answer all the same', async (path) => {
    const api = await server();
    const answer = await raw(api, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 (200|400|404) /);
  });

  it('ends in the middle of its body: nothing is written, nothing stays busy', async () => {
    const api = await server();
    const head = `POST ${configMaps} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"metadata":`;
    const before = api.store.revision;
    const socket = connect(api.port, '127.0.0.1', () => socket.write(head));
    while (api.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(api.activity.count).toBe(1);
    socket.destroy();
    await api.activity.whenIdle();
    expect([api.store.revision, api.requests.all()[0]!.status]).toEqual([before, undefined]);
  });

  it.each([1, 2, 3, 4, 121, 128])(
    'has content at random: always a Status, never an internal error (seed %i)',
    async (seed) => {
      const api = await server();
      const random = seeded(seed);
      const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
      const leaf = (): unknown =>
        pick<unknown>([null, true, 0, -1, 1.5, '', 'x', [], {}, '__proto__', 2 ** 60, [null], { a: null }]);
      const corrupt = (value: unknown): unknown => {
        if (random() < 0.08) return leaf();
        if (Array.isArray(value)) return value.map(corrupt);
        if (typeof value !== 'object' || value === null) return value;
        const entries = Object.entries(value).map(([key, member]) => [
          random() < 0.05 ? pick(['', 'x', 'a.b', '$patch']) : key,
          corrupt(member),
        ]);
        return Object.fromEntries(entries) as unknown;
      };
      const bodies = [
        widget('a', {
          metadata: {
            labels: { a: 'b' },
            finalizers: ['x.example/a'],
            ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }],
          },
          spec: { any: { a: 1 }, list: ['a'], map: { a: 1 } },
        }),
        configMap('a', { a: '1' }),
        [
          { op: 'add', path: '/spec/any', value: {} },
          { op: 'test', path: '/kind', value: 'Widget' },
          { op: 'move', from: '/spec', path: '/x' },
        ],
        structuredClone(widgetDefinition),
        { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Foreground', preconditions: { uid: 'x' } },
        {
          spec: { $patch: 'replace', $retainKeys: ['a'] },
          metadata: {
            '$deleteFromPrimitiveList/finalizers': ['a'],
            '$setElementOrder/ownerReferences': [{ uid: 'u' }],
          },
        },
      ];
      await api.create(widget('a'));
      await api.create(configMap('a'));
      for (let index = 0; index < 150; index++) {
        const path = pick([
          widgets,
          configMaps,
          `${widgets}/a`,
          `${configMaps}/a`,
          `${widgets}/a/status`,
          `${widgets}/a/scale`,
          '/api/v1/namespaces',
          '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        ]);
        const query = pick([
          '',
          '',
          '?dryRun=All',
          '?fieldValidation=Strict',
          '?limit=1',
          '?labelSelector=a%20in',
          '?resourceVersion=0',
        ]);
        const { status, text } = await call(api.url, pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), path + query, {
          body: corrupt(pick(bodies)),
          contentType: pick(['merge', 'json', 'strategic', 'application/json', 'application/yaml']),
        });
        // The definition itself may have been deleted.
        if (status === 404 && text === '404 page not found\n') continue;
        const answer = JSON.parse(text) as { kind: string; code?: number };
        expect(typeof answer.kind).toBe('string');
        if (status >= 400) expect(answer).toMatchObject({ kind: 'Status', code: status });
      }
    },
  );
});
