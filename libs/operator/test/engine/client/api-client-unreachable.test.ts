import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/engine/client/api-client.js';
import { NetworkError } from '../../../src/errors/network.error.js';
import { FakeClock } from './fake-clock.js';
import { RawServer, sendJson } from './raw-server.js';
import { failureOf, kubeConfig, testClient } from './setup.js';

const list: ApiRequest = { verb: 'list', path: '/api/v1/pods' };

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
