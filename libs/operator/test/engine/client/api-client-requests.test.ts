import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/engine/client/api-client.js';
import { collectionPath, objectPath } from '../../../src/engine/client/api-path.js';
import { ApiError } from '../../../src/errors/api.error.js';
import { sendJson, statusBody } from './raw-server.js';
import { failureOf, kubeConfig, testClient } from './setup.js';
import { useServer } from './use-server.js';

const list: ApiRequest = { verb: 'list', path: '/api/v1/pods' };
const create: ApiRequest = { verb: 'create', path: '/api/v1/pods', body: {}, retry: 'write-once' };
const merge: ApiRequest = {
  verb: 'patch',
  patchType: 'merge',
  path: '/api/v1/pods/a',
  body: {},
  retry: 'write-once',
};

describe('API client', () => {
  const on = useServer();

  describe('requests and answers', () => {
    it('sends what was asked and gives back status, headers and body', async () => {
      const answered = await on.client.request({ ...list, query: { limit: 5, watch: false, gone: undefined } });
      expect(answered).toMatchObject({ status: 200, body: { ok: true } });
      expect(answered.headers['content-type']).toBe('application/json');
      const [seen] = on.server.requests;
      expect(seen).toMatchObject({ method: 'GET', url: '/api/v1/pods?limit=5&watch=false', body: '' });
      expect(seen!.headers['user-agent']).toBe('nestjs-operator');
      expect(seen!.headers['accept']).toBe('application/json');
      expect(seen!.headers['accept-encoding']).toBeUndefined();
      expect(seen!.headers['authorization']).toBeUndefined();
      expect(on.client.server).toBe(on.server.url);
      expect(on.client.namespace).toBe('here');
    });

    it.each([
      ['get', 'GET'],
      ['create', 'POST'],
      ['update', 'PUT'],
      ['delete', 'DELETE'],
      ['deletecollection', 'DELETE'],
    ] as const)('sends %s as %s', async (verb, method) => {
      await on.client.request({ verb, path: '/api/v1/pods' });
      expect(on.server.requests[0]!.method).toBe(method);
    });

    it.each([
      ['merge', 'application/merge-patch+json'],
      ['json', 'application/json-patch+json'],
      ['strategic', 'application/strategic-merge-patch+json'],
      ['apply', 'application/apply-patch+yaml'],
    ] as const)('names a %s patch %s', async (patchType, contentType) => {
      await on.client.request({ verb: 'patch', path: '/api/v1/pods/a', patchType, body: { a: 1 } });
      expect(on.server.requests[0]).toMatchObject({ method: 'PATCH', body: '{"a":1}' });
      expect(on.server.requests[0]!.headers['content-type']).toBe(contentType);
    });

    it('refuses a patch without a type before sending it', async () => {
      await expect(on.client.request({ verb: 'patch', path: '/x', body: {} })).rejects.toMatchObject({
        code: 'OPERATOR_INVALID_REQUEST',
      });
      expect(on.server.requests).toHaveLength(0);
    });

    it('adds the default field manager to writes that name none, and to nothing else', async () => {
      const { client } = testClient(on.clock, { kubeConfig: kubeConfig(on.server.url), fieldManager: 'me' });
      await client.request({ verb: 'create', path: '/a', body: {} });
      await client.request({ verb: 'update', path: '/a', body: {}, query: { fieldManager: 'you' } });
      await client.request({ verb: 'delete', path: '/a' });
      await client.request({ verb: 'get', path: '/a' });
      expect(on.server.requests.map((request) => request.url)).toEqual([
        '/a?fieldManager=me',
        '/a?fieldManager=you',
        '/a',
        '/a',
      ]);
      await client.close();
    });

    it('keeps the path of a server behind a gateway', async () => {
      const { client } = testClient(on.clock, { kubeConfig: kubeConfig(`${on.server.url}/k8s/clusters/one/`) });
      await client.request({ verb: 'get', path: '/api/v1' });
      expect(on.server.requests[0]!.url).toBe('/k8s/clusters/one/api/v1');
      await client.close();
    });

    it('carries odd content unharmed in both directions', async () => {
      const odd = {
        text: 'a\u2028b\u2029c \u{1F600} \u0000',
        'key.with/slash': null,
        big: 2 ** 53,
        long: 'x'.repeat(900_000),
      };
      on.answer = (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        // In pieces that cut characters in two.
        const bytes = Buffer.from(request.body);
        response.write(bytes.subarray(0, 11));
        setImmediate(() => response.end(bytes.subarray(11)));
      };
      const { body } = await on.client.request({ ...create, body: odd });
      expect(body).toEqual(odd);
    });

    it('loses digits of integers beyond 2^53 when it reads them, as any JSON.parse does, and none of a patch beside them', async () => {
      on.answer = (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(request.method === 'GET' ? '{"n":9007199254740993}' : request.body);
      };
      const read = await on.client.request<{ n: number }>({ verb: 'get', path: '/a' });
      expect(read.body.n).toBe(9007199254740992);
      await on.client.request({ ...merge, body: { metadata: { labels: { a: 'b' } } } });
      expect(on.server.requests[1]!.body).toBe('{"metadata":{"labels":{"a":"b"}}}');
    });

    it('gives text where the answer is no JSON, and nothing where it is empty', async () => {
      on.answer = (request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.end(request.url === '/livez' ? 'ok' : '');
      };
      expect((await on.client.request({ verb: 'get', path: '/livez' })).body).toBe('ok');
      expect((await on.client.request({ verb: 'get', path: '/empty' })).body).toBeUndefined();
    });

    it('fails on an answer that calls itself JSON and is not, without quoting it', async () => {
      on.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"token":"secret-thing');
      };
      const error = await failureOf(on.client.request({ ...list, retry: 'none' }));
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
      await on.client.request({ verb: 'get', path });
      expect(on.server.requests[0]!.url).toBe(expected);
    });

    it.each(['', '.', '..'])('%j is no name', (name) => {
      expect(() => objectPath(pods, { name })).toThrow(RangeError);
    });

    it('pass in selectors whatever their script', async () => {
      const labelSelector = 'größe in (klein,日本),a!=b&c';
      await on.client.request({ ...list, query: { labelSelector } });
      const url = new URL(on.server.requests[0]!.url, on.server.url);
      expect([...url.searchParams]).toEqual([['labelSelector', labelSelector]]);
    });
  });

  describe('errors', () => {
    it('carry what the Status says, without bodies, headers or the texts of causes', async () => {
      on.answer = (_request, response) => {
        const details = {
          name: 'a',
          group: 'g',
          kind: 'things',
          uid: 'u',
          causes: [{ reason: 'FieldValueInvalid', message: 'Invalid value: "s3cret"', field: 'spec.size' }],
        };
        sendJson(response, 422, statusBody(422, 'Invalid', 'things "a" is invalid', details), { 'x-secret': 'h1dden' });
      };
      const error = (await failureOf(on.client.request({ ...merge, body: { p: 'pr1vate' } }))) as ApiError;
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
      on.answer = (_request, response) => sendJson(response, code, statusBody(code, reason, 'm', details));
      const error = await failureOf(on.client.request({ ...list, retry: 'none' }));
      expect(error).toMatchObject({ status: code, reason, [helper]: true });
    });

    it('tell a conflict from a name that is taken', async () => {
      on.answer = (_request, response) => sendJson(response, 409, statusBody(409, 'AlreadyExists', 'm'));
      expect(await failureOf(on.client.request(create))).toMatchObject({ isConflict: false, isAlreadyExists: true });
    });

    it.each([
      ['text/plain', '404 page not found'],
      ['text/html', '<html>secret page</html>'],
      ['application/json', '{"kind":"Sta'],
      ['application/json', '{"kind":"Other","message":"secret page"}'],
      ['application/json', ''],
    ])('survive an answer of %s that is no Status: %s', async (contentType, body) => {
      on.answer = (_request, response) => {
        response.writeHead(404, { 'content-type': contentType });
        response.end(body);
      };
      const error = (await failureOf(on.client.request(list))) as ApiError;
      expect(error).toMatchObject({ code: 'OPERATOR_API', status: 404, reason: '', isNotFound: true });
      expect(error.message).not.toContain('secret page');
    });
  });
});
