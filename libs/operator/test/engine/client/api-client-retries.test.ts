import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/engine/client/api-client.js';
import { NetworkError } from '../../../src/errors/network.error.js';
import { RequestTimeoutError } from '../../../src/errors/request-timeout.error.js';
import { sendJson, statusBody } from './raw-server.js';
import { failureOf, until } from './setup.js';
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

describe('API client: repetition', () => {
  const on = useServer();

  describe('repetition of reads', () => {
    it('comes after exactly the configured delays, and ends with the last error', async () => {
      on.answer = (_request, response, index) =>
        sendJson(response, 500, statusBody(500, 'InternalError', `no ${index}`));
      const error = await failureOf(on.run(on.client.request(list)));
      expect(error).toMatchObject({ code: 'OPERATOR_API', status: 500, serverMessage: 'no 8' });
      expect(on.times).toEqual([0, 1, 2, 4, 7, 12, 20, 33, 54].map((seconds) => seconds * 1000));
    });

    it.each([408, 429, 500, 502, 503, 504])('happens on %i', async (status) => {
      on.answer = (_request, response, index) => sendJson(response, index === 0 ? status : 200, {});
      await expect(on.run(on.client.request(list))).resolves.toMatchObject({ status: 200 });
      expect(on.times).toEqual([0, 1000]);
    });

    it.each([400, 403, 404, 405, 409, 410, 422])('does not happen on %i', async (status) => {
      on.answer = (_request, response) => sendJson(response, status, {});
      expect(await failureOf(on.run(on.client.request(list)))).toMatchObject({ status });
      expect(on.times).toEqual([0]);
    });

    it('does not happen for a resource version that the server has not reached', async () => {
      on.answer = (_request, response) =>
        sendJson(response, 504, statusBody(504, 'Timeout', 'Too large resource version: 9, current: 1'));
      expect(await failureOf(on.run(on.client.request(list)))).toMatchObject({ isTooLargeResourceVersion: true });
      expect(on.times).toEqual([0]);
    });

    it.each([
      ['seconds', () => ({ 'retry-after': '7' }), {}, 7000],
      ['a date', () => ({ 'retry-after': new Date(on.clock.now() + 9000).toUTCString() }), {}, 9000],
      ['a date in the past', () => ({ 'retry-after': new Date(on.clock.now() - 9000).toUTCString() }), {}, 1000],
      ['the Status', () => ({}), { retryAfterSeconds: 4 }, 4000],
      ['less than the delay', () => ({ 'retry-after': '0' }), {}, 1000],
      ['nonsense', () => ({ 'retry-after': 'soon' }), {}, 1000],
    ])('waits for a Retry-After given as %s', async (_title, headers, details, expected) => {
      on.answer = (_request, response, index) => {
        if (index > 0) sendJson(response, 200, {});
        else sendJson(response, 429, statusBody(429, 'TooManyRequests', 'm', details), headers());
      };
      await on.run(on.client.request(list));
      expect(on.times).toEqual([0, expected]);
    });

    it('happens on a connection that breaks before the headers, and in the middle of the body', async () => {
      on.answer = (_request, response, index) => {
        if (index === 0) response.destroy();
        else if (index === 1) {
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
          response.write('{"a":');
          setImmediate(() => response.destroy());
        } else sendJson(response, 200, { ok: true });
      };
      await expect(on.run(on.client.request(list))).resolves.toMatchObject({ body: { ok: true } });
      expect(on.times).toEqual([0, 1000, 2000]);
    });

    it('starts from the beginning for each request', async () => {
      on.answer = (_request, response, index) => sendJson(response, index % 3 === 2 ? 200 : 503, {});
      await on.run(on.client.request(list));
      await on.run(on.client.request(list));
      expect(on.times).toEqual([0, 1000, 2000, 2000, 3000, 4000]);
    });

    it('is logged at debug level without query or body', async () => {
      on.answer = (_request, response, index) => sendJson(response, index === 0 ? 503 : 200, {});
      await on.run(on.client.request({ ...list, query: { labelSelector: 'hidden' } }));
      expect(on.logs).toHaveLength(1);
      expect(on.logs[0]).toMatchObject({
        level: 'debug',
        context: 'ApiClient',
        message: 'Request failed; trying again',
        fields: { verb: 'list', path: '/api/v1/pods', repeats: 0, delay: 1000 },
      });
    });
  });

  describe('repetition of writes', () => {
    it('does not happen by default', async () => {
      on.answer = (_request, response) => void response.destroy();
      const error = await failureOf(on.run(on.client.request({ verb: 'create', path: '/a', body: {} })));
      expect(error).toMatchObject({ code: 'OPERATOR_NETWORK', mayHaveReachedServer: true });
      expect(on.times).toEqual([0]);
    });

    it('happens at once, and once, when the connection breaks', async () => {
      on.answer = (_request, response) => void response.destroy();
      expect(await failureOf(on.run(on.client.request(merge)))).toBeInstanceOf(NetworkError);
      expect(on.times).toEqual([0, 0]);
    });

    it('happens after a Retry-After of one second, not after a longer one', async () => {
      on.answer = (_request, response, index) =>
        sendJson(response, 429, {}, { 'retry-after': index === 0 ? '1' : '0' });
      expect(await failureOf(on.run(on.client.request(merge)))).toMatchObject({ status: 429 });
      expect(on.times).toEqual([0, 1000]);
      on.answer = (_request, response) => sendJson(response, 429, {}, { 'retry-after': '2' });
      expect(await failureOf(on.run(on.client.request(merge)))).toMatchObject({ status: 429, retryAfter: 2000 });
      expect(on.times).toEqual([0, 1000, 1000]);
    });

    it('does not happen on a failure without Retry-After, nor after the time limit', async () => {
      on.answer = (_request, response) => sendJson(response, 500, {});
      expect(await failureOf(on.run(on.client.request(merge)))).toMatchObject({ status: 500 });
      on.answer = () => {};
      expect(await failureOf(on.expireFirst(on.client.request({ ...merge, timeout: 50 })))).toBeInstanceOf(
        RequestTimeoutError,
      );
      expect(on.times).toHaveLength(2);
    });

    it('never happens to a create that may have reached the server', async () => {
      on.answer = (_request, response) => void response.destroy();
      expect(await failureOf(on.run(on.client.request(create)))).toMatchObject({ mayHaveReachedServer: true });
      on.answer = (_request, response) => sendJson(response, 429, {}, { 'retry-after': '0' });
      expect(await failureOf(on.run(on.client.request(create)))).toMatchObject({ status: 429 });
      expect(on.times).toHaveLength(2);
    });

    it('happens to a create that certainly did not reach it', async () => {
      const port = on.server.port;
      await on.server.close();
      const work = on.client.request(create);
      await until(() => on.clock.next === 1000 && on.client.inFlight === 0);
      await on.server.listen(port);
      await expect(on.run(work)).resolves.toMatchObject({ status: 200 });
      expect(on.times).toEqual([1000]);
    });
  });
});
