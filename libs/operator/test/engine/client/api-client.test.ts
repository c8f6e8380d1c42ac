import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/errors/api.error.js';
import { ClientClosedError } from '../../../src/errors/client-closed.error.js';
import { NetworkError } from '../../../src/errors/network.error.js';
import { RequestTimeoutError } from '../../../src/errors/request-timeout.error.js';
import type { ApiRequest } from '../../../src/engine/client/api-client.js';
import { collectionPath, objectPath } from '../../../src/engine/client/api-path.js';
import { FakeClock } from './fake-clock.js';
import type { Answerer } from './raw-server.js';
import { RawServer, sendJson, statusBody } from './raw-server.js';
import { failureOf, kubeConfig, runOnClock, testClient, until } from './setup.js';
import type { TestClient } from './setup.js';

const list: ApiRequest = { verb: 'list', path: '/api/v1/pods' };
const create: ApiRequest = { verb: 'create', path: '/api/v1/pods', body: {}, retry: 'write-once' };
const merge: ApiRequest = {
  verb: 'patch',
  patchType: 'merge',
  path: '/api/v1/pods/a',
  body: {},
  retry: 'write-once',
};

describe('API client over plain HTTP', () => {
  let clock: FakeClock;
  let server: RawServer;
  let answer: Answerer;
  let test: TestClient;
  let times: number[];

  beforeEach(async () => {
    clock = new FakeClock();
    times = [];
    answer = (_request, response) => sendJson(response, 200, { ok: true });
    server = await new RawServer((...args) => {
      times.push(clock.monotonic());
      return answer(...args);
    }).listen();
    test = testClient(clock, { kubeConfig: kubeConfig(server.url) });
  });

  afterEach(async () => {
    await test.client.close();
    await until(() => server.open.size === 0);
    await server.close();
    expect(clock.pending).toBe(0);
    expect(test.client.inFlight).toBe(0);
  });

  const run = <T>(work: Promise<T>): Promise<T> => runOnClock(work, clock, test.client);

  describe('requests and answers', () => {
    it('sends what was asked and gives back status, headers and body', async () => {
      const answered = await test.client.request({ ...list, query: { limit: 5, watch: false, gone: undefined } });
      expect(answered).toMatchObject({ status: 200, body: { ok: true } });
      expect(answered.headers['content-type']).toBe('application/json');
      const [seen] = server.requests;
      expect(seen).toMatchObject({ method: 'GET', url: '/api/v1/pods?limit=5&watch=false', body: '' });
      expect(seen!.headers['user-agent']).toBe('nestjs-operator');
      expect(seen!.headers['accept']).toBe('application/json');
      expect(seen!.headers['accept-encoding']).toBeUndefined();
      expect(seen!.headers['authorization']).toBeUndefined();
      expect(test.client.server).toBe(server.url);
      expect(test.client.namespace).toBe('here');
    });

    it.each([
      ['get', 'GET'],
      ['create', 'POST'],
      ['update', 'PUT'],
      ['delete', 'DELETE'],
      ['deletecollection', 'DELETE'],
    ] as const)('sends %s as %s', async (verb, method) => {
      await test.client.request({ verb, path: '/api/v1/pods' });
      expect(server.requests[0]!.method).toBe(method);
    });

    it.each([
      ['merge', 'application/merge-patch+json'],
      ['json', 'application/json-patch+json'],
      ['strategic', 'application/strategic-merge-patch+json'],
      ['apply', 'application/apply-patch+yaml'],
    ] as const)('names a %s patch %s', async (patchType, contentType) => {
      await test.client.request({ verb: 'patch', path: '/api/v1/pods/a', patchType, body: { a: 1 } });
      expect(server.requests[0]).toMatchObject({ method: 'PATCH', body: '{"a":1}' });
      expect(server.requests[0]!.headers['content-type']).toBe(contentType);
    });

    it('refuses a patch without a type before sending it', async () => {
      await expect(test.client.request({ verb: 'patch', path: '/x', body: {} })).rejects.toMatchObject({
        code: 'OPERATOR_INVALID_REQUEST',
      });
      expect(server.requests).toHaveLength(0);
    });

    it('adds the default field manager to writes that name none, and to nothing else', async () => {
      const { client } = testClient(clock, { kubeConfig: kubeConfig(server.url), fieldManager: 'me' });
      await client.request({ verb: 'create', path: '/a', body: {} });
      await client.request({ verb: 'update', path: '/a', body: {}, query: { fieldManager: 'you' } });
      await client.request({ verb: 'delete', path: '/a' });
      await client.request({ verb: 'get', path: '/a' });
      expect(server.requests.map((request) => request.url)).toEqual([
        '/a?fieldManager=me',
        '/a?fieldManager=you',
        '/a',
        '/a',
      ]);
      await client.close();
    });

    it('keeps the path of a server behind a gateway', async () => {
      const { client } = testClient(clock, { kubeConfig: kubeConfig(`${server.url}/k8s/clusters/one/`) });
      await client.request({ verb: 'get', path: '/api/v1' });
      expect(server.requests[0]!.url).toBe('/k8s/clusters/one/api/v1');
      await client.close();
    });

    it('carries odd content unharmed in both directions', async () => {
      const odd = {
        text: 'a\u2028b\u2029c \u{1F600} \u0000',
        'key.with/slash': null,
        big: 2 ** 53,
        long: 'x'.repeat(900_000),
      };
      answer = (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        // In pieces that cut characters in two.
        const bytes = Buffer.from(request.body);
        response.write(bytes.subarray(0, 11));
        setImmediate(() => response.end(bytes.subarray(11)));
      };
      const { body } = await test.client.request({ ...create, body: odd });
      expect(body).toEqual(odd);
    });

    it('loses digits of integers beyond 2^53 when it reads them, as any JSON.parse does, and none of a patch beside them', async () => {
      answer = (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(request.method === 'GET' ? '{"n":9007199254740993}' : request.body);
      };
      const read = await test.client.request<{ n: number }>({ verb: 'get', path: '/a' });
      expect(read.body.n).toBe(9007199254740992);
      await test.client.request({ ...merge, body: { metadata: { labels: { a: 'b' } } } });
      expect(server.requests[1]!.body).toBe('{"metadata":{"labels":{"a":"b"}}}');
    });

    it('gives text where the answer is no JSON, and nothing where it is empty', async () => {
      answer = (request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.end(request.url === '/livez' ? 'ok' : '');
      };
      expect((await test.client.request({ verb: 'get', path: '/livez' })).body).toBe('ok');
      expect((await test.client.request({ verb: 'get', path: '/empty' })).body).toBeUndefined();
    });

    it('fails on an answer that calls itself JSON and is not, without quoting it', async () => {
      answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"token":"secret-thing');
      };
      const error = await failureOf(test.client.request({ ...list, retry: 'none' }));
      expect(error).toMatchObject({ code: 'OPERATOR_NETWORK', systemCode: 'INVALID_JSON' });
      expect(String((error as Error).stack)).not.toContain('secret-thing');
    });
  });

  describe('names', () => {
    const pods = { group: '', version: 'v1', plural: 'pods' };
    const roles = { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'roles' };

    it.each([
      [collectionPath(pods), '/api/v1/pods'],
      [collectionPath(pods, 'ns'), '/api/v1/namespaces/ns/pods'],
      [collectionPath(roles, ''), '/apis/rbac.authorization.k8s.io/v1/roles'],
      [objectPath(pods, { namespace: 'ns', name: 'a', subresource: 'status' }), '/api/v1/namespaces/ns/pods/a/status'],
      [objectPath(roles, { name: 'MyRole:Sub' }), '/apis/rbac.authorization.k8s.io/v1/roles/MyRole%3ASub'],
      [objectPath(roles, { name: 'A%b/ü?#' }), '/apis/rbac.authorization.k8s.io/v1/roles/A%25b%2F%C3%BC%3F%23'],
      [objectPath(pods, { name: 'a', subresource: 'proxy/x y' }), '/api/v1/pods/a/proxy/x%20y'],
    ])('become paths that keep their case and bytes: %s', async (path, expected) => {
      expect(path).toBe(expected);
      await test.client.request({ verb: 'get', path });
      expect(server.requests[0]!.url).toBe(expected);
    });

    it.each(['', '.', '..'])('%j is no name', (name) => {
      expect(() => objectPath(pods, { name })).toThrow(RangeError);
    });

    it('pass in selectors whatever their script', async () => {
      const labelSelector = 'größe in (klein,日本),a!=b&c';
      await test.client.request({ ...list, query: { labelSelector } });
      const url = new URL(server.requests[0]!.url, server.url);
      expect([...url.searchParams]).toEqual([['labelSelector', labelSelector]]);
    });
  });

  describe('errors', () => {
    it('carry what the Status says, without bodies, headers or the texts of causes', async () => {
      answer = (_request, response) => {
        const details = {
          name: 'a',
          group: 'g',
          kind: 'things',
          uid: 'u',
          causes: [{ reason: 'FieldValueInvalid', message: 'Invalid value: "s3cret"', field: 'spec.size' }],
        };
        sendJson(response, 422, statusBody(422, 'Invalid', 'things "a" is invalid', details), { 'x-secret': 'h1dden' });
      };
      const error = (await failureOf(test.client.request({ ...merge, body: { p: 'pr1vate' } }))) as ApiError;
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({
        code: 'OPERATOR_API',
        name: 'ApiError',
        verb: 'patch',
        path: '/api/v1/pods/a',
        status: 422,
        reason: 'Invalid',
        serverMessage: 'things "a" is invalid',
        isInvalid: true,
        details: {
          name: 'a',
          group: 'g',
          kind: 'things',
          uid: 'u',
          causes: [{ reason: 'FieldValueInvalid', field: 'spec.size' }],
        },
      });
      expect(error.message).toBe('patch /api/v1/pods/a was answered 422 Invalid: things "a" is invalid');
      expect(`${JSON.stringify(error)}${error.stack}`).not.toMatch(/s3cret|h1dden|pr1vate/);
    });

    it.each([
      [404, 'NotFound', {}, 'isNotFound'],
      [409, 'Conflict', {}, 'isConflict'],
      [409, 'AlreadyExists', {}, 'isAlreadyExists'],
      [410, 'Expired', {}, 'isGone'],
      [410, 'Gone', {}, 'isGone'],
      [401, 'Unauthorized', {}, 'isUnauthorized'],
      [403, 'Forbidden', {}, 'isForbidden'],
      [403, 'Forbidden', { causes: [{ reason: 'NamespaceTerminating' }] }, 'isNamespaceTerminating'],
      [429, 'TooManyRequests', {}, 'isTooManyRequests'],
      [504, 'Timeout', { causes: [{ reason: 'ResourceVersionTooLarge' }] }, 'isTooLargeResourceVersion'],
    ] as const)('%i %s %j is told by %s', async (code, reason, details, helper) => {
      answer = (_request, response) => sendJson(response, code, statusBody(code, reason, 'm', details));
      const error = await failureOf(test.client.request({ ...list, retry: 'none' }));
      expect(error).toMatchObject({ status: code, reason, [helper]: true });
    });

    it('tell a conflict from a name that is taken', async () => {
      answer = (_request, response) => sendJson(response, 409, statusBody(409, 'AlreadyExists', 'm'));
      expect(await failureOf(test.client.request(create))).toMatchObject({ isConflict: false, isAlreadyExists: true });
    });

    it.each([
      ['text/plain', '404 page not found'],
      ['text/html', '<html>secret page</html>'],
      ['application/json', '{"kind":"Sta'],
      ['application/json', '{"kind":"Other","message":"secret page"}'],
      ['application/json', ''],
    ])('survive an answer of %s that is no Status: %s', async (contentType, body) => {
      answer = (_request, response) => {
        response.writeHead(404, { 'content-type': contentType });
        response.end(body);
      };
      const error = (await failureOf(test.client.request(list))) as ApiError;
      expect(error).toMatchObject({ code: 'OPERATOR_API', status: 404, reason: '', isNotFound: true });
      expect(error.message).not.toContain('secret page');
    });
  });

  describe('repetition of reads', () => {
    it('comes after exactly the configured delays, and ends with the last error', async () => {
      answer = (_request, response, index) => sendJson(response, 500, statusBody(500, 'InternalError', `no ${index}`));
      const error = await failureOf(run(test.client.request(list)));
      expect(error).toMatchObject({ code: 'OPERATOR_API', status: 500, serverMessage: 'no 8' });
      expect(times).toEqual([0, 1, 2, 4, 7, 12, 20, 33, 54].map((seconds) => seconds * 1000));
    });

    it.each([408, 429, 500, 502, 503, 504])('happens on %i', async (status) => {
      answer = (_request, response, index) => sendJson(response, index === 0 ? status : 200, {});
      await expect(run(test.client.request(list))).resolves.toMatchObject({ status: 200 });
      expect(times).toEqual([0, 1000]);
    });

    it.each([400, 403, 404, 405, 409, 410, 422])('does not happen on %i', async (status) => {
      answer = (_request, response) => sendJson(response, status, {});
      expect(await failureOf(run(test.client.request(list)))).toMatchObject({ status });
      expect(times).toEqual([0]);
    });

    it('does not happen for a resource version that the server has not reached', async () => {
      answer = (_request, response) =>
        sendJson(response, 504, statusBody(504, 'Timeout', 'Too large resource version: 9, current: 1'));
      expect(await failureOf(run(test.client.request(list)))).toMatchObject({ isTooLargeResourceVersion: true });
      expect(times).toEqual([0]);
    });

    it.each([
      ['seconds', () => ({ 'retry-after': '7' }), {}, 7000],
      ['a date', () => ({ 'retry-after': new Date(clock.now() + 9000).toUTCString() }), {}, 9000],
      ['a date in the past', () => ({ 'retry-after': new Date(clock.now() - 9000).toUTCString() }), {}, 1000],
      ['the Status', () => ({}), { retryAfterSeconds: 4 }, 4000],
      ['less than the delay', () => ({ 'retry-after': '0' }), {}, 1000],
      ['nonsense', () => ({ 'retry-after': 'soon' }), {}, 1000],
    ])('waits for a Retry-After given as %s', async (_title, headers, details, expected) => {
      answer = (_request, response, index) => {
        if (index > 0) sendJson(response, 200, {});
        else sendJson(response, 429, statusBody(429, 'TooManyRequests', 'm', details), headers());
      };
      await run(test.client.request(list));
      expect(times).toEqual([0, expected]);
    });

    it('happens on a connection that breaks before the headers, and in the middle of the body', async () => {
      answer = (_request, response, index) => {
        if (index === 0) response.destroy();
        else if (index === 1) {
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
          response.write('{"a":');
          setImmediate(() => response.destroy());
        } else sendJson(response, 200, { ok: true });
      };
      await expect(run(test.client.request(list))).resolves.toMatchObject({ body: { ok: true } });
      expect(times).toEqual([0, 1000, 2000]);
    });

    it('starts from the beginning for each request', async () => {
      answer = (_request, response, index) => sendJson(response, index % 3 === 2 ? 200 : 503, {});
      await run(test.client.request(list));
      await run(test.client.request(list));
      expect(times).toEqual([0, 1000, 2000, 2000, 3000, 4000]);
    });

    it('is logged at debug level without query or body', async () => {
      answer = (_request, response, index) => sendJson(response, index === 0 ? 503 : 200, {});
      await run(test.client.request({ ...list, query: { labelSelector: 'hidden' } }));
      expect(test.logs).toHaveLength(1);
      expect(test.logs[0]).toMatchObject({
        level: 'debug',
        context: 'ApiClient',
        message: 'Request failed; trying again',
        fields: { verb: 'list', path: '/api/v1/pods', repeats: 0, delay: 1000 },
      });
    });
  });

  describe('repetition of writes', () => {
    it('does not happen by default', async () => {
      answer = (_request, response) => void response.destroy();
      const error = await failureOf(run(test.client.request({ verb: 'create', path: '/a', body: {} })));
      expect(error).toMatchObject({ code: 'OPERATOR_NETWORK', mayHaveReachedServer: true });
      expect(times).toEqual([0]);
    });

    it('happens at once, and once, when the connection breaks', async () => {
      answer = (_request, response) => void response.destroy();
      expect(await failureOf(run(test.client.request(merge)))).toBeInstanceOf(NetworkError);
      expect(times).toEqual([0, 0]);
    });

    it('happens after a Retry-After of one second, not after a longer one', async () => {
      answer = (_request, response, index) => sendJson(response, 429, {}, { 'retry-after': index === 0 ? '1' : '0' });
      expect(await failureOf(run(test.client.request(merge)))).toMatchObject({ status: 429 });
      expect(times).toEqual([0, 1000]);
      answer = (_request, response) => sendJson(response, 429, {}, { 'retry-after': '2' });
      expect(await failureOf(run(test.client.request(merge)))).toMatchObject({ status: 429, retryAfter: 2000 });
      expect(times).toEqual([0, 1000, 1000]);
    });

    it('does not happen on a failure without Retry-After, nor after the time limit', async () => {
      answer = (_request, response) => sendJson(response, 500, {});
      expect(await failureOf(run(test.client.request(merge)))).toMatchObject({ status: 500 });
      answer = () => {};
      expect(await failureOf(expireFirst(test.client.request({ ...merge, timeout: 50 })))).toBeInstanceOf(
        RequestTimeoutError,
      );
      expect(times).toHaveLength(2);
    });

    it('never happens to a create that may have reached the server', async () => {
      answer = (_request, response) => void response.destroy();
      expect(await failureOf(run(test.client.request(create)))).toMatchObject({ mayHaveReachedServer: true });
      answer = (_request, response) => sendJson(response, 429, {}, { 'retry-after': '0' });
      expect(await failureOf(run(test.client.request(create)))).toMatchObject({ status: 429 });
      expect(times).toHaveLength(2);
    });

    it('happens to a create that certainly did not reach it', async () => {
      const port = server.port;
      await server.close();
      const work = test.client.request(create);
      await until(() => clock.next === 1000 && test.client.inFlight === 0);
      await server.listen(port);
      await expect(run(work)).resolves.toMatchObject({ status: 200 });
      expect(times).toEqual([1000]);
    });
  });

  /** Lets the first deadline pass although the request is in flight. */
  async function expireFirst<T>(work: Promise<T>): Promise<T> {
    const seen = server.requests.length;
    await until(() => server.requests.length > seen);
    clock.advance(clock.next!);
    return work;
  }

  describe('time limits and aborts', () => {
    it('end a request that is not answered, on the clock', async () => {
      answer = () => {};
      const work = failureOf(test.client.request({ ...list, retry: 'none' }));
      await until(() => server.requests.length === 1);
      clock.advance(29_999);
      expect(test.client.inFlight).toBe(1);
      clock.advance(1);
      const error = await work;
      expect(error).toBeInstanceOf(RequestTimeoutError);
      expect(error).toMatchObject({
        code: 'OPERATOR_REQUEST_TIMEOUT',
        verb: 'list',
        path: '/api/v1/pods',
        timeout: 30_000,
      });
      await until(() => server.open.size === 0);
    });

    it('cover the body', async () => {
      answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"a":');
      };
      const work = failureOf(test.client.request({ ...list, retry: 'none', timeout: 500 }));
      await until(() => server.requests.length === 1);
      clock.advance(500);
      expect(await work).toMatchObject({ code: 'OPERATOR_REQUEST_TIMEOUT', timeout: 500 });
      await until(() => server.open.size === 0);
    });

    it('cover a stream until its headers, and not its body', async () => {
      answer = () => {};
      const late = failureOf(test.client.stream({ ...list, verb: 'watch' }));
      await until(() => server.requests.length === 1);
      expect(test.client.inFlight).toBe(1);
      clock.advance(30_000);
      expect(await late).toBeInstanceOf(RequestTimeoutError);

      answer = (_request, response) => {
        response.writeHead(200);
        response.flushHeaders();
      };
      const stream = await test.client.stream({ ...list, verb: 'watch' });
      expect(test.client.inFlight).toBe(0);
      expect(clock.pending).toBe(0);
      clock.advance(3_600_000);
      stream.close();
    });

    it('start over with each attempt', async () => {
      answer = (_request, response, index) => {
        if (index > 0) sendJson(response, 200, {});
      };
      const work = test.client.request({ ...list, timeout: 5000 });
      await expireFirst(Promise.resolve());
      await run(work);
      expect(times).toEqual([0, 6000]);
    });

    it('an abort before sending sends nothing, and rejects with its reason', async () => {
      const reason = new Error('mine');
      const signal = AbortSignal.abort(reason);
      expect(await failureOf(test.client.request({ ...list, signal }))).toBe(reason);
      expect(await failureOf(test.client.stream({ ...list, signal }))).toBe(reason);
      expect(server.requests).toHaveLength(0);
    });

    it('an abort while waiting for the answer, its body or the next attempt rejects with its reason', async () => {
      for (const step of ['headers', 'body', 'pause'] as const) {
        const reason = { step };
        const abort = new AbortController();
        answer = (_request, response) => {
          if (step === 'pause') sendJson(response, 503, {});
          if (step !== 'body') return;
          response.writeHead(200);
          response.write('{');
        };
        const seen = server.requests.length;
        const work = failureOf(test.client.request({ ...list, signal: abort.signal }));
        await until(() => server.requests.length > seen && (step !== 'pause' || test.client.inFlight === 0));
        abort.abort(reason);
        expect(await work).toBe(reason);
      }
      expect(clock.pending).toBe(0);
    });

    it('an abort ends an open stream with its reason', async () => {
      answer = (_request, response) => {
        response.writeHead(200);
        response.write('one');
      };
      const abort = new AbortController();
      const reason = new Error('enough');
      const stream = await test.client.stream({ ...list, verb: 'watch', signal: abort.signal });
      const read = async (): Promise<void> => {
        for await (const chunk of stream.chunks) {
          expect(Buffer.from(chunk).toString()).toBe('one');
          abort.abort(reason);
        }
      };
      expect(await failureOf(read())).toBe(reason);
      await until(() => server.open.size === 0);
    });
  });

  describe('streams', () => {
    const watch: ApiRequest = { verb: 'watch', path: '/api/v1/pods', query: { watch: true } };

    async function read(chunks: AsyncIterable<Uint8Array>): Promise<string> {
      let text = '';
      for await (const chunk of chunks) text += Buffer.from(chunk).toString();
      return text;
    }

    it('give the bytes until the end', async () => {
      answer = (_request, response) => {
        response.writeHead(200, { 'x-a': 'b' });
        response.write('one');
        setImmediate(() => response.end('two'));
      };
      const stream = await test.client.stream(watch);
      expect(stream).toMatchObject({ status: 200, headers: { 'x-a': 'b' } });
      expect(await read(stream.chunks)).toBe('onetwo');
    });

    it('reject with the Status of a failure, and are never repeated', async () => {
      answer = (_request, response) => sendJson(response, 410, statusBody(410, 'Expired', 'too old'));
      expect(await failureOf(run(test.client.stream(watch)))).toMatchObject({ status: 410, isGone: true });
      answer = (_request, response) => sendJson(response, 503, {});
      expect(await failureOf(run(test.client.stream(watch)))).toMatchObject({ status: 503 });
      expect(times).toHaveLength(2);
    });

    it('throw a NetworkError when the connection breaks', async () => {
      answer = (_request, response) => {
        response.writeHead(200);
        response.write('one');
        setImmediate(() => response.destroy());
      };
      const stream = await test.client.stream(watch);
      expect(await failureOf(read(stream.chunks))).toMatchObject({ code: 'OPERATOR_NETWORK', path: '/api/v1/pods' });
    });

    it('end quietly when they are closed, at any time and more than once', async () => {
      answer = (_request, response) => {
        response.writeHead(200);
        response.write('one');
      };
      const unread = await test.client.stream(watch);
      unread.close();
      unread.close();
      expect(await read(unread.chunks)).toBe('');
      const open = await test.client.stream(watch);
      const text = read(open.chunks);
      setImmediate(() => open.close());
      expect(['', 'one']).toContain(await text);
      await until(() => server.open.size === 0);
    });

    it('free their connection when the reader leaves', async () => {
      answer = (_request, response) => {
        response.writeHead(200);
        response.write('one');
      };
      const stream = await test.client.stream(watch);
      for await (const chunk of stream.chunks) {
        expect(chunk.length).toBe(3);
        break;
      }
      await until(() => server.open.size === 0);
    });
  });

  describe('connections', () => {
    it('are reused: 200 requests in a row use one', async () => {
      for (let index = 0; index < 200; index++) await test.client.request(list);
      expect(server.requests).toHaveLength(200);
      expect(server.connections).toBe(1);
    });

    it('are apart for watches, requests and lease', async () => {
      answer = (request, response) => {
        if (request.url === '/w') {
          response.writeHead(200);
          response.flushHeaders();
        } else sendJson(response, 200, {});
      };
      const stream = await test.client.stream({ verb: 'watch', path: '/w' });
      await test.client.request({ verb: 'get', path: '/r' });
      await test.client.request({ verb: 'get', path: '/l', pool: 'lease' });
      await test.client.request({ verb: 'get', path: '/r' });
      expect(server.connections).toBe(3);
      stream.close();
    });

    it('for requests are bounded, those for watches are not', async () => {
      const held: (() => void)[] = [];
      answer = (_request, response) => {
        held.push(() => sendJson(response, 200, {}));
      };
      const work = Array.from({ length: 100 }, () => test.client.request(list));
      await until(() => held.length === 64);
      expect(test.client.inFlight).toBe(100);
      for (let done = 0; done < 100; done++) {
        await until(() => held.length > 0);
        held.shift()!();
      }
      await Promise.all(work);
      expect(server.connections).toBe(64);

      answer = (_request, response) => {
        response.writeHead(200);
        response.flushHeaders();
      };
      const streams = await Promise.all(
        Array.from({ length: 80 }, () => test.client.stream({ verb: 'watch', path: '/w' })),
      );
      expect(server.connections).toBe(144);
      for (const stream of streams) stream.close();
    });

    it('end with the client, which ends what is in progress', async () => {
      answer = (request, response) => {
        if (request.url.startsWith('/w')) {
          response.writeHead(200);
          response.write('x');
        }
        if (request.url.startsWith('/p')) sendJson(response, 503, {});
      };
      const stream = await test.client.stream({ verb: 'watch', path: '/w' });
      const reading = failureOf(
        (async () => {
          for await (const chunk of stream.chunks) expect(chunk.length).toBe(1);
        })(),
      );
      const waiting = failureOf(test.client.request({ verb: 'get', path: '/a' }));
      const pausing = failureOf(test.client.request({ verb: 'get', path: '/p' }));
      await until(() => server.requests.length === 3 && test.client.inFlight === 1);
      await Promise.all([test.client.close(), test.client.close()]);
      for (const error of [await reading, await waiting, await pausing])
        expect(error).toBeInstanceOf(ClientClosedError);
      await until(() => server.open.size === 0);
      expect(await failureOf(test.client.request(list))).toMatchObject({ code: 'OPERATOR_CLIENT_CLOSED' });
      expect(await failureOf(test.client.stream(list))).toMatchObject({ code: 'OPERATOR_CLIENT_CLOSED' });
    });
  });
});

describe('API client and a server that cannot be reached', () => {
  it('says what to do when nothing listens', async () => {
    const clock = new FakeClock();
    const server = await new RawServer(() => {}).listen();
    const url = server.url;
    await server.close();
    const { client } = testClient(clock, { kubeConfig: kubeConfig(url) });
    const error = await failureOf(client.request({ ...list, retry: 'none' }));
    expect(error).toMatchObject({
      code: 'OPERATOR_NETWORK',
      systemCode: 'ECONNREFUSED',
      mayHaveReachedServer: false,
    });
    expect((error as Error).message).toContain(`list /api/v1/pods on ${url}: the server could not be reached`);
    await client.close();
  });

  it('says when a name cannot be resolved', async () => {
    const { client } = testClient(new FakeClock(), { kubeConfig: kubeConfig('http://no-such-host.invalid') });
    const error = await failureOf(client.request({ ...list, retry: 'none' }));
    expect(error).toMatchObject({ code: 'OPERATOR_NETWORK', mayHaveReachedServer: false });
    expect(['ENOTFOUND', 'EAI_AGAIN']).toContain((error as NetworkError).systemCode);
    await client.close();
  });

  it('goes through an HTTP proxy', async () => {
    const server = await new RawServer((_request, response) => sendJson(response, 200, { via: 'proxy' })).listen();
    const seen: string[] = [];
    const sockets = new Set<Socket>();
    // Forwards bytes to the real server, whatever the first line says.
    const proxy = createServer((socket) => {
      const upstream = connect(server.port, '127.0.0.1');
      for (const end of [socket, upstream]) {
        sockets.add(end);
        end.on('error', () => end.destroy());
      }
      socket.on('data', (data) => {
        seen.push(data.toString().split('\r\n')[0]!);
        upstream.write(data);
      });
      upstream.pipe(socket);
    });
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { client } = testClient(new FakeClock(), {
      kubeConfig: kubeConfig('http://api.example:8080', {}, { 'proxy-url': proxyUrl }),
    });
    expect((await client.request(list)).body).toEqual({ via: 'proxy' });
    expect(seen[0]).toBe('GET http://api.example:8080/api/v1/pods HTTP/1.1');
    await client.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      proxy.close(resolve);
    });
    await server.close();
  });
});
