import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KeyPair } from './certificates.js';
import { TestAuthority } from './certificates.js';
import { FakeClock } from './fake-clock.js';
import { RawServer, sendJson } from './raw-server.js';
import { failureOf, kubeConfig, testClient, until } from './setup.js';
import type { TestClient } from './setup.js';

const request = { verb: 'get', path: '/api', retry: 'none' } as const;

describe('TLS and client certificates', () => {
  let authority: TestAuthority;
  let ca: string;
  let serverPair: KeyPair;
  let alice: KeyPair;
  let bob: KeyPair;
  let server: RawServer;
  let clock: FakeClock;
  const clients: TestClient[] = [];

  beforeAll(async () => {
    authority = await TestAuthority.create();
    ca = await authority.certificate;
    [serverPair, alice, bob] = [
      await authority.issue('server', 'IP:127.0.0.1,DNS:api.example'),
      await authority.issue('alice'),
      await authority.issue('bob'),
    ];
  });

  afterAll(() => authority.remove());

  beforeEach(async () => {
    clock = new FakeClock();
    server = await new RawServer(
      (seen, response) => {
        const subject = (seen.socket as TLSSocket).getPeerCertificate().subject as { CN?: string } | undefined;
        sendJson(response, 200, { user: subject?.CN ?? 'nobody' });
      },
      { ...serverPair, ca, requestCert: true, rejectUnauthorized: false },
    ).listen();
  });

  afterEach(async () => {
    for (const { client } of clients.splice(0)) await client.close();
    await until(() => server.open.size === 0);
    await server.close();
  });

  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  function connectWith(user: object, cluster: object, url = server.url): TestClient {
    const test = testClient(clock, { kubeConfig: kubeConfig(url, user, cluster) });
    clients.push(test);
    return test;
  }

  async function userOf(test: TestClient): Promise<unknown> {
    return ((await test.client.request(request)).body as { user: unknown }).user;
  }

  it('authenticates with a certificate that stands in the kubeconfig', async () => {
    const user = { 'client-certificate-data': base64(alice.cert), 'client-key-data': base64(alice.key) };
    expect(await userOf(connectWith(user, { 'certificate-authority-data': base64(ca) }))).toBe('alice');
  });

  it('reads certificates from files, and takes up replaced ones within a minute', async () => {
    const cert = join(authority.folder, 'user.crt');
    const key = join(authority.folder, 'user.key');
    const write = async (pair: KeyPair): Promise<void> => {
      await writeFile(cert, pair.cert);
      await writeFile(key, pair.key);
    };
    await write(alice);
    const user = { 'client-certificate': cert, 'client-key': key };
    const test = connectWith(user, { 'certificate-authority': authority.caFile });
    expect(await userOf(test)).toBe('alice');
    await write(bob);
    clock.advance(59_999);
    expect(await userOf(test)).toBe('alice');
    clock.advance(1);
    expect(await userOf(test)).toBe('bob');
    expect(server.connections).toBe(2);
    await until(() => server.open.size === 1);
  });

  it('keeps the connection when files are read again and say the same', async () => {
    const test = connectWith({}, { 'certificate-authority': authority.caFile });
    await userOf(test);
    clock.advance(60_000);
    expect(await userOf(test)).toBe('nobody');
    expect(server.connections).toBe(1);
  });

  it('refuses a server that the CA did not sign, says so, and did not send anything', async () => {
    const error = await failureOf(connectWith({ token: 't' }, {}).client.request(request));
    expect(error).toMatchObject({ code: 'OPERATOR_NETWORK', mayHaveReachedServer: false });
    expect((error as Error).message).toContain('certificate-authority');
    expect(server.requests).toHaveLength(0);
  });

  it('skips the check on insecure-skip-tls-verify', async () => {
    expect(await userOf(connectWith({}, { 'insecure-skip-tls-verify': true }))).toBe('nobody');
  });

  it('checks the certificate against tls-server-name', async () => {
    const trusted = { 'certificate-authority-data': base64(ca) };
    expect(await userOf(connectWith({}, { ...trusted, 'tls-server-name': 'api.example' }))).toBe('nobody');
    const wrong = connectWith({}, { ...trusted, 'tls-server-name': 'other.example' });
    expect(await failureOf(wrong.client.request(request))).toMatchObject({
      systemCode: 'ERR_TLS_CERT_ALTNAME_INVALID',
      mayHaveReachedServer: false,
    });
  });

  it('speaks HTTP/1.1', async () => {
    await userOf(connectWith({}, { 'insecure-skip-tls-verify': true }));
    expect((server.requests[0]!.socket as TLSSocket).alpnProtocol).not.toBe('h2');
  });

  it('says what is wrong when the server speaks plain HTTP', async () => {
    const plain = await new RawServer(() => {}).listen();
    const test = connectWith({}, {}, plain.url.replace('http:', 'https:'));
    const error = await failureOf(test.client.request(request));
    expect((error as Error).message).toContain('check that the server speaks https');
    await plain.close();
  });

  it('tunnels through a proxy, end to end with the client certificate', async () => {
    const sockets = new Set<Socket>();
    const asked: string[] = [];
    const proxy = createServer((socket) => {
      socket.once('data', (head) => {
        asked.push(head.toString().split('\r\n')[0]!);
        const upstream = connect(server.port, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
          socket.pipe(upstream).pipe(socket);
        });
        for (const end of [socket, upstream]) {
          sockets.add(end);
          end.on('error', () => end.destroy());
        }
      });
    });
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    const test = connectWith(
      { 'client-certificate-data': base64(alice.cert), 'client-key-data': base64(alice.key) },
      {
        'certificate-authority-data': base64(ca),
        'proxy-url': `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      },
      'https://api.example:6443',
    );
    expect(await userOf(test)).toBe('alice');
    expect(asked).toEqual(['CONNECT api.example:6443 HTTP/1.1']);
    await test.client.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      proxy.close(resolve);
    });
  });

  it('uses the certificate that an exec plugin gives', async () => {
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { clientCertificateData: alice.cert, clientKeyData: alice.key },
    };
    const exec = {
      apiVersion: credential.apiVersion,
      command: process.execPath,
      args: ['-e', 'process.stdout.write(process.env.ANSWER)'],
      env: [{ name: 'ANSWER', value: JSON.stringify(credential) }],
    };
    expect(await userOf(connectWith({ exec }, { 'certificate-authority-data': base64(ca) }))).toBe('alice');
  });
});
