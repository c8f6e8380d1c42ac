import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/engine/client/api-client.js';
import { ClientClosedError } from '../../../src/errors/client-closed.error.js';
import { RequestTimeoutError } from '../../../src/errors/request-timeout.error.js';
import { sendJson, statusBody } from './raw-server.js';
import { failureOf, until } from './setup.js';
import { useServer } from './use-server.js';

const list: ApiRequest = { verb: 'list', path: '/api/v1/pods' };

describe('API client: time limits, streams and connections', () => {
  const on = useServer();

  describe('time limits and aborts', () => {
    it('end a request that is not answered, on the clock', async () => {
      on.answer = () => {};
      const work = failureOf(on.client.request({ ...list, retry: 'none' }));
      await until(() => on.server.requests.length === 1);
      on.clock.advance(29_999);
      expect(on.client.inFlight).toBe(1);
      on.clock.advance(1);
      const error = await work;
      expect(error).toBeInstanceOf(RequestTimeoutError);
      expect(error).toMatchObject({
        code: 'OPERATOR_REQUEST_TIMEOUT',
        verb: 'list',
        path: '/api/v1/pods',
        timeout: 30_000,
      });
      await until(() => on.server.open.size === 0);
    });

    it('cover the body', async () => {
      on.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"a":');
      };
      const work = failureOf(on.client.request({ ...list, retry: 'none', timeout: 500 }));
      await until(() => on.server.requests.length === 1);
      on.clock.advance(500);
      expect(await work).toMatchObject({ code: 'OPERATOR_REQUEST_TIMEOUT', timeout: 500 });
      await until(() => on.server.open.size === 0);
    });

    it('cover a stream until its headers, and not its body', async () => {
      on.answer = () => {};
      const late = failureOf(on.client.stream({ ...list, verb: 'watch' }));
      await until(() => on.server.requests.length === 1);
      expect(on.client.inFlight).toBe(1);
      on.clock.advance(30_000);
      expect(await late).toBeInstanceOf(RequestTimeoutError);

      on.answer = (_request, response) => {
        response.writeHead(200);
        response.flushHeaders();
      };
      const stream = await on.client.stream({ ...list, verb: 'watch' });
      expect(on.client.inFlight).toBe(0);
      expect(on.clock.pending).toBe(0);
      on.clock.advance(3_600_000);
      stream.close();
    });

    it('start over with each attempt', async () => {
      on.answer = (_request, response, index) => {
        if (index > 0) sendJson(response, 200, {});
      };
      const work = on.client.request({ ...list, timeout: 5000 });
      await on.expireFirst(Promise.resolve());
      await on.run(work);
      expect(on.times).toEqual([0, 6000]);
    });

    it('an abort before sending sends nothing, and rejects with its reason', async () => {
      const reason = new Error('mine');
      const signal = AbortSignal.abort(reason);
      expect(await failureOf(on.client.request({ ...list, signal }))).toBe(reason);
      expect(await failureOf(on.client.stream({ ...list, signal }))).toBe(reason);
      expect(on.server.requests).toHaveLength(0);
    });

    it('an abort while waiting for the answer, its body or the next attempt rejects with its reason', async () => {
      for (const step of ['headers', 'body', 'pause'] as const) {
        const reason = { step };
        const abort = new AbortController();
        on.answer = (_request, response) => {
          if (step === 'pause') sendJson(response, 503, {});
          if (step !== 'body') return;
          response.writeHead(200);
          response.write('{');
        };
        const seen = on.server.requests.length;
        const work = failureOf(on.client.request({ ...list, signal: abort.signal }));
        await until(() => on.server.requests.length > seen && (step !== 'pause' || on.client.inFlight === 0));
        abort.abort(reason);
        expect(await work).toBe(reason);
      }
      expect(on.clock.pending).toBe(0);
    });

    it('an abort ends an open stream with its reason', async () => {
      on.answer = (_request, response) => {
        response.writeHead(200);
        response.write('one');
      };
      const abort = new AbortController();
      const reason = new Error('enough');
      const stream = await on.client.stream({ ...list, verb: 'watch', signal: abort.signal });
      const read = async (): Promise<void> => {
        for await (const chunk of stream.chunks) {
          expect(Buffer.from(chunk).toString()).toBe('one');
          abort.abort(reason);
        }
      };
      expect(await failureOf(read())).toBe(reason);
      await until(() => on.server.open.size === 0);
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
      on.answer = (_request, response) => {
        response.writeHead(200, { 'x-a': 'b' });
        response.write('one');
        setImmediate(() => response.end('two'));
      };
      const stream = await on.client.stream(watch);
      expect(stream).toMatchObject({ status: 200, headers: { 'x-a': 'b' } });
      expect(await read(stream.chunks)).toBe('onetwo');
    });

    it('reject with the Status of a failure, and are never repeated', async () => {
      on.answer = (_request, response) => sendJson(response, 410, statusBody(410, 'Expired', 'too old'));
      expect(await failureOf(on.run(on.client.stream(watch)))).toMatchObject({ status: 410, isGone: true });
      on.answer = (_request, response) => sendJson(response, 503, {});
      expect(await failureOf(on.run(on.client.stream(watch)))).toMatchObject({ status: 503 });
      expect(on.times).toHaveLength(2);
    });

    it('throw a NetworkError when the connection breaks', async () => {
      on.answer = (_request, response) => {
        response.writeHead(200);
        response.write('one');
        setImmediate(() => response.destroy());
      };
      const stream = await on.client.stream(watch);
      expect(await failureOf(read(stream.chunks))).toMatchObject({ code: 'OPERATOR_NETWORK', path: '/api/v1/pods' });
    });

    it('end quietly when they are closed, at any time and more than once', async () => {
      on.answer = (_request, response) => {
        response.writeHead(200);
        response.write('one');
      };
      const unread = await on.client.stream(watch);
      unread.close();
      unread.close();
      expect(await read(unread.chunks)).toBe('');
      const open = await on.client.stream(watch);
      const text = read(open.chunks);
      setImmediate(() => open.close());
      expect(['', 'one']).toContain(await text);
      await until(() => on.server.open.size === 0);
    });

    it('free their connection when the reader leaves', async () => {
      on.answer = (_request, response) => {
        response.writeHead(200);
        response.write('one');
      };
      const stream = await on.client.stream(watch);
      for await (const chunk of stream.chunks) {
        expect(chunk.length).toBe(3);
        break;
      }
      await until(() => on.server.open.size === 0);
    });
  });

  describe('connections', () => {
    it('are reused: 200 requests in a row use one', async () => {
      for (let index = 0; index < 200; index++) await on.client.request(list);
      expect(on.server.requests).toHaveLength(200);
      expect(on.server.connections).toBe(1);
    });

    it('are apart for watches, requests and lease', async () => {
      on.answer = (request, response) => {
        if (request.url === '/w') {
          response.writeHead(200);
          response.flushHeaders();
        } else sendJson(response, 200, {});
      };
      const stream = await on.client.stream({ verb: 'watch', path: '/w' });
      await on.client.request({ verb: 'get', path: '/r' });
      await on.client.request({ verb: 'get', path: '/l', pool: 'lease' });
      await on.client.request({ verb: 'get', path: '/r' });
      expect(on.server.connections).toBe(3);
      stream.close();
    });

    it('for requests are bounded, those for watches are not', async () => {
      const held: (() => void)[] = [];
      on.answer = (_request, response) => {
        held.push(() => sendJson(response, 200, {}));
      };
      const work = Array.from({ length: 100 }, () => on.client.request(list));
      await until(() => held.length === 64);
      expect(on.client.inFlight).toBe(100);
      for (let done = 0; done < 100; done++) {
        await until(() => held.length > 0);
        held.shift()!();
      }
      await Promise.all(work);
      expect(on.server.connections).toBe(64);

      on.answer = (_request, response) => {
        response.writeHead(200);
        response.flushHeaders();
      };
      const streams = await Promise.all(
        Array.from({ length: 80 }, () => on.client.stream({ verb: 'watch', path: '/w' })),
      );
      expect(on.server.connections).toBe(144);
      for (const stream of streams) stream.close();
    });

    it('end with the client, which ends what is in progress', async () => {
      on.answer = (request, response) => {
        if (request.url.startsWith('/w')) {
          response.writeHead(200);
          response.write('x');
        }
        if (request.url.startsWith('/p')) sendJson(response, 503, {});
      };
      const stream = await on.client.stream({ verb: 'watch', path: '/w' });
      const reading = failureOf(
        (async () => {
          for await (const chunk of stream.chunks) expect(chunk.length).toBe(1);
        })(),
      );
      const waiting = failureOf(on.client.request({ verb: 'get', path: '/a' }));
      const pausing = failureOf(on.client.request({ verb: 'get', path: '/p' }));
      await until(() => on.server.requests.length === 3 && on.client.inFlight === 1);
      await Promise.all([on.client.close(), on.client.close()]);
      for (const error of [await reading, await waiting, await pausing])
        expect(error).toBeInstanceOf(ClientClosedError);
      await until(() => on.server.open.size === 0);
      expect(await failureOf(on.client.request(list))).toMatchObject({ code: 'OPERATOR_CLIENT_CLOSED' });
      expect(await failureOf(on.client.stream(list))).toMatchObject({ code: 'OPERATOR_CLIENT_CLOSED' });
    });
  });
});
