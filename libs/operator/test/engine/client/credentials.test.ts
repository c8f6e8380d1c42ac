import { mkdtemp, mkdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExecConfig } from '../../../src/engine/client/credentials/kube-config-file.js';
import { ApiError } from '../../../src/errors/api.error.js';
import { CredentialsError } from '../../../src/errors/credentials.error.js';
import { FakeClock } from './fake-clock.js';
import type { Answerer } from './raw-server.js';
import { RawServer, sendJson, statusBody } from './raw-server.js';
import { failureOf, kubeConfig, runOnClock, testClient, until } from './setup.js';
import type { TestClient } from './setup.js';

const get = { verb: 'get', path: '/api', retry: 'none' } as const;
const v1 = 'client.authentication.k8s.io/v1';

/**
 * The plugin: notes each run with what it was told, then answers what the file `answer` holds, with `now` standing for the
 * number of the run.
 */
const pluginSource = `
  const fs = require('node:fs');
  const runs = process.argv[1] + '/runs';
  fs.appendFileSync(runs, JSON.stringify({ pid: process.pid, info: process.env.KUBERNETES_EXEC_INFO, extra: process.env.EXTRA, args: process.argv.slice(2) }) + '\\n');
  const count = fs.readFileSync(runs, 'utf8').trim().split('\\n').length;
  const answer = fs.readFileSync(process.argv[1] + '/answer', 'utf8').replaceAll('RUN', String(count));
  if (answer.startsWith('exit ')) process.exit(Number(answer.slice(5)));
  if (answer === 'hang') setInterval(() => {}, 1000);
  else process.stdout.write(answer);
`;

describe('credentials', () => {
  let folder: string;
  let clock: FakeClock;
  let server: RawServer;
  let answer: Answerer;
  const clients: TestClient[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'client-credentials-'));
    clock = new FakeClock();
    answer = (_request, response) => sendJson(response, 200, {});
    server = await new RawServer((...args) => answer(...args)).listen();
  });

  afterEach(async () => {
    for (const { client } of clients.splice(0)) {
      await client.close();
      await until(() => client.inFlight === 0);
    }
    expect(clock.pending).toBe(0);
    await until(() => server.open.size === 0);
    await server.close();
    await rm(folder, { recursive: true });
  });

  function connect(user: object, options: Parameters<typeof testClient>[1] = {}, cluster: object = {}): TestClient {
    const test = testClient(clock, { kubeConfig: kubeConfig(server.url, user, cluster), ...options });
    clients.push(test);
    return test;
  }

  const sent = (): (string | undefined)[] => server.requests.map((request) => request.headers.authorization);

  function refuseUntil(accepted: (authorization: string | undefined) => boolean): void {
    answer = (request, response) => {
      if (accepted(request.headers.authorization)) sendJson(response, 200, {});
      else sendJson(response, 401, statusBody(401, 'Unauthorized', 'Unauthorized'));
    };
  }

  describe('from the kubeconfig itself', () => {
    it('are a token or a password', async () => {
      await connect({ token: 'abc' }).client.request(get);
      await connect({ username: 'ü', password: 'p:w' }).client.request(get);
      await connect({}).client.request(get);
      expect(sent()).toEqual(['Bearer abc', `Basic ${Buffer.from('ü:p:w').toString('base64')}`, undefined]);
    });

    it('cannot be renewed: a 401 is the result after one request', async () => {
      refuseUntil(() => false);
      const error = await failureOf(connect({ token: 'abc' }).client.request(get));
      expect(error).toMatchObject({ code: 'OPERATOR_API', isUnauthorized: true });
      expect(sent()).toHaveLength(1);
    });

    it('impersonate users, groups and extra fields, in any script', async () => {
      const user = {
        token: 'abc',
        as: 'jürgen',
        'as-uid': 'u-1',
        'as-groups': ['one', 'two'],
        'as-user-extra': { 'Acme.example/Scope': ['a', 'b'] },
      };
      await connect(user).client.request(get);
      const raw = server.requests[0]!.rawHeaders;
      const pairs = raw.flatMap((name, index) =>
        index % 2 === 0 && name.toLowerCase().startsWith('impersonate')
          ? [[name.toLowerCase(), Buffer.from(raw[index + 1]!, 'latin1').toString('utf8')]]
          : [],
      );
      expect(pairs).toEqual([
        ['impersonate-user', 'jürgen'],
        ['impersonate-uid', 'u-1'],
        ['impersonate-group', 'one'],
        ['impersonate-group', 'two'],
        ['impersonate-extra-acme.example%2fscope', 'a'],
        ['impersonate-extra-acme.example%2fscope', 'b'],
      ]);
    });
  });

  describe('from a token file', () => {
    it('are read again after 60 s, not before', async () => {
      const tokenFile = join(folder, 'token');
      await writeFile(tokenFile, 'one\n');
      const { client } = connect({ tokenFile });
      await client.request(get);
      await writeFile(tokenFile, 'two\n');
      clock.advance(59_999);
      await client.request(get);
      clock.advance(1);
      await client.request(get);
      expect(sent()).toEqual(['Bearer one', 'Bearer one', 'Bearer two']);
    });

    it('are read again on 401, and the request is repeated once', async () => {
      const tokenFile = join(folder, 'token');
      await writeFile(tokenFile, 'one');
      const { client } = connect({ tokenFile });
      await client.request(get);
      await writeFile(tokenFile, 'two');
      refuseUntil((authorization) => authorization === 'Bearer two');
      await client.request({ verb: 'create', path: '/api', body: {} });
      expect(sent()).toEqual(['Bearer one', 'Bearer one', 'Bearer two']);
      refuseUntil(() => false);
      expect(await failureOf(client.request(get))).toMatchObject({ status: 401 });
      expect(sent()).toHaveLength(5);
    });

    it('are read again for a stream, too', async () => {
      const tokenFile = join(folder, 'token');
      await writeFile(tokenFile, 'one');
      const { client } = connect({ tokenFile });
      await client.request(get);
      await writeFile(tokenFile, 'two');
      refuseUntil((authorization) => authorization === 'Bearer two');
      const stream = await client.stream({ verb: 'watch', path: '/api' });
      expect(stream.status).toBe(200);
      stream.close();
    });

    it('follow the swap of a mounted folder', async () => {
      for (const name of ['one', 'two']) {
        await mkdir(join(folder, name));
        await writeFile(join(folder, name, 'token'), name);
      }
      const current = join(folder, 'current');
      await symlink(join(folder, 'one'), current);
      const { client } = connect({ tokenFile: join(current, 'token') });
      await client.request(get);
      await unlink(current);
      await symlink(join(folder, 'two'), current);
      clock.advance(60_000);
      await client.request(get);
      expect(sent()).toEqual(['Bearer one', 'Bearer two']);
    });

    it('are used on when the file is away later, with a warning', async () => {
      const tokenFile = join(folder, 'token');
      await writeFile(tokenFile, 'one');
      const { client, logs } = connect({ tokenFile });
      await client.request(get);
      await rm(tokenFile);
      clock.advance(60_000);
      await client.request(get);
      await client.request(get);
      expect(sent()).toEqual(['Bearer one', 'Bearer one', 'Bearer one']);
      expect(logs.map(({ level, message }) => `${level} ${message}`)).toEqual([
        'warn Credentials could not be renewed; the former ones are used on',
      ]);
    });

    it('that does not exist fail at once and name the file', async () => {
      const tokenFile = join(folder, 'nothing');
      const error = await failureOf(connect({ tokenFile }).client.request(get));
      expect(error).toBeInstanceOf(CredentialsError);
      expect(error).toMatchObject({ code: 'OPERATOR_CREDENTIALS' });
      expect((error as Error).message).toContain(`${tokenFile} cannot be read (ENOENT)`);
    });

    it('that is empty is waited for', async () => {
      const tokenFile = join(folder, 'token');
      await writeFile(tokenFile, '');
      const { client } = connect({ tokenFile });
      const work = client.request(get);
      await until(() => client.inFlight === 0 && clock.next !== undefined);
      await writeFile(tokenFile, 'late');
      await runOnClock(work, clock, client);
      expect(sent()).toEqual(['Bearer late']);
    });
  });

  describe('in a cluster', () => {
    it('come from the mounted files', async () => {
      await writeFile(join(folder, 'token'), 'pod-token');
      await writeFile(join(folder, 'ca.crt'), '');
      await writeFile(join(folder, 'namespace'), 'my-ns\n');
      const url = new URL(server.url);
      const environment = {
        env: { KUBERNETES_SERVICE_HOST: url.hostname, KUBERNETES_SERVICE_PORT: url.port },
        serviceAccount: folder,
        home: folder,
      };
      const explicit = connect({}, { kubeConfig: { inCluster: true }, environment });
      const found = connect({}, { kubeConfig: undefined, environment });
      for (const { client } of [explicit, found]) {
        expect(client.server).toBe(server.url.replace('http:', 'https:'));
        expect(client.namespace).toBe('my-ns');
      }
      const v6 = { ...environment, env: { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' } };
      expect(connect({}, { kubeConfig: { inCluster: true }, environment: v6 }).client.server).toBe(
        'https://[fd00::1]:443',
      );
    });
  });

  describe('from an exec plugin', () => {
    const write = (text: string | object): Promise<void> =>
      writeFile(join(folder, 'answer'), typeof text === 'string' ? text : JSON.stringify(text));

    async function runs(): Promise<{ pid: number; info: string; args: string[] }[]> {
      const text = await readFile(join(folder, 'runs'), 'utf8').catch(() => '');
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { pid: number; info: string; args: string[] });
    }

    function plugin(more: Partial<ExecConfig> = {}): { exec: ExecConfig } {
      return {
        exec: { apiVersion: v1, command: process.execPath, args: ['-e', pluginSource, folder, 'arg'], ...more },
      };
    }

    function credential(status: object, apiVersion = v1): object {
      return { apiVersion, kind: 'ExecCredential', status };
    }

    it('are asked for once by 20 first calls at the same time', async () => {
      await write(credential({ token: 'run-RUN' }));
      const { client } = connect(plugin());
      const work = Array.from({ length: 20 }, () => client.request(get));
      expect(client.inFlight).toBeGreaterThan(0);
      await Promise.all(work);
      expect(await runs()).toHaveLength(1);
      expect(new Set(sent())).toEqual(new Set(['Bearer run-1']));
    });

    it('are renewed once when 20 calls are refused at the same time', async () => {
      await write(credential({ token: 'run-RUN' }));
      const { client } = connect(plugin());
      await client.request(get);
      refuseUntil((authorization) => authorization !== 'Bearer run-1');
      await Promise.all(Array.from({ length: 20 }, () => client.request(get)));
      expect(await runs()).toHaveLength(2);
      expect(sent().filter((authorization) => authorization === 'Bearer run-2')).toHaveLength(20);
    });

    it('are renewed before they expire', async () => {
      const expirationTimestamp = new Date(clock.now() + 600_000).toISOString();
      await write(credential({ token: 'run-RUN', expirationTimestamp }));
      const { client } = connect(plugin());
      await client.request(get);
      clock.advance(569_999);
      await client.request(get);
      await write(credential({ token: 'run-RUN' }));
      clock.advance(1);
      await client.request(get);
      expect(sent()).toEqual(['Bearer run-1', 'Bearer run-1', 'Bearer run-2']);
    });

    it('that live shorter than the margin are not asked for again with each request', async () => {
      const expirationTimestamp = new Date(clock.now() + 20_000).toISOString();
      await write(credential({ token: 'run-RUN', expirationTimestamp }));
      const { client } = connect(plugin());
      await client.request(get);
      clock.advance(9_000);
      await client.request(get);
      expect(await runs()).toHaveLength(1);
      clock.advance(1_000);
      await client.request(get);
      expect(await runs()).toHaveLength(2);
    });

    it('are used on until they expire when the plugin fails meanwhile', async () => {
      const expirationTimestamp = new Date(clock.now() + 600_000).toISOString();
      await write(credential({ token: 'run-RUN', expirationTimestamp }));
      const { client, logs } = connect(plugin());
      await client.request(get);
      await write('exit 3');
      clock.advance(580_000);
      await client.request(get);
      expect(sent()).toEqual(['Bearer run-1', 'Bearer run-1']);
      expect(logs[0]).toMatchObject({ level: 'warn' });
      clock.advance(20_000);
      expect(await failureOf(runOnClock(client.request(get), clock, client))).toBeInstanceOf(CredentialsError);
    });

    it('are given up after one minute, for all who wait', async () => {
      await write('exit 3');
      const { client, logs } = connect(plugin());
      const start = clock.monotonic();
      const errors = await runOnClock(
        Promise.all(Array.from({ length: 3 }, () => failureOf(client.request({ ...get, retry: 'reads' })))),
        clock,
        client,
      );
      for (const error of errors) {
        expect(error).toBeInstanceOf(CredentialsError);
        expect((error as Error).message).toContain('no credentials could be had within 60 s');
        expect(((error as Error).cause as Error).message).toContain('ended with code 3');
      }
      expect(clock.monotonic() - start).toBe(60_000);
      expect(sent()).toEqual([]);
      expect(logs.length).toBe((await runs()).length);
      expect(logs.every(({ level }) => level === 'warn')).toBe(true);
    });

    it('come as soon as the plugin recovers', async () => {
      await write('exit 3');
      const { client } = connect(plugin());
      const work = client.request(get);
      await until(() => client.inFlight === 0 && clock.next !== undefined);
      await write(credential({ token: 'run-RUN' }));
      await runOnClock(work, clock, client);
      expect(sent()).toEqual(['Bearer run-2']);
    });

    it('of a plugin that hangs are given up after one minute, and the plugin is ended', async () => {
      await write('hang');
      const { client } = connect(plugin());
      const work = failureOf(client.request(get));
      while ((await runs()).length === 0) await until(() => true);
      clock.advance(60_000);
      expect(await work).toBeInstanceOf(CredentialsError);
      await until(() => client.inFlight === 0);
      const pid = (await runs())[0]!.pid;
      await until(() => !isAlive(pid));
    });

    it('are not waited for by a caller who leaves, while the others still get them', async () => {
      await write(credential({ token: 'run-RUN' }));
      const { client } = connect(plugin());
      const abort = new AbortController();
      const leaving = failureOf(client.request({ ...get, signal: abort.signal }));
      const staying = client.request(get);
      abort.abort('gone');
      expect(await leaving).toBe('gone');
      await staying;
      expect(sent()).toEqual(['Bearer run-1']);
    });

    it('of a plugin that is not installed fail at once, with its hint', async () => {
      const { client } = connect(plugin({ command: 'no-such-plugin', installHint: 'Get it at the shop.' }));
      const error = await failureOf(client.request(get));
      expect(error).toMatchObject({ code: 'OPERATOR_CREDENTIALS' });
      expect((error as Error).message).toMatch(/"no-such-plugin" cannot be started \(ENOENT\).*Get it at the shop\./);
    });

    it.each([
      ['{"half":', 'did not write JSON'],
      [
        credential({ token: 's3cret' }, 'client.authentication.k8s.io/v1alpha1'),
        'did not answer with an ExecCredential',
      ],
      [{ apiVersion: v1, kind: 'Pod', status: { token: 's3cret' } }, 'did not answer with an ExecCredential'],
      [credential({}), 'neither a token nor a certificate'],
      [credential({ clientCertificateData: 's3cret' }), 'neither a token nor a certificate'],
      [credential({ token: 's3cret', expirationTimestamp: 'soon' }), 'expirationTimestamp that is no date'],
      ['null', 'did not answer with an ExecCredential'],
    ])('are refused when the plugin answers %j', async (text, expected) => {
      await write(text);
      const { client, logs } = connect(plugin());
      const work = failureOf(client.request(get));
      await until(() => logs.length === 1);
      clock.advance(60_000);
      const error = (await work) as Error;
      expect((error.cause as Error).message).toContain(expected);
      expect(JSON.stringify([error.message, (error.cause as Error).stack, logs])).not.toContain('s3cret');
    });

    it.each([v1, 'client.authentication.k8s.io/v1beta1'])('are asked for as %s says', async (apiVersion) => {
      await write(credential({ token: 'abc' }, apiVersion));
      const exec = plugin({ apiVersion, provideClusterInfo: true, env: [{ name: 'EXTRA', value: 'more' }] });
      const cluster = {
        'tls-server-name': 'api.example',
        'certificate-authority-data': Buffer.from('PEM').toString('base64'),
        extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }],
      };
      const { client } = connect(exec, {}, cluster);
      await client.request(get);
      const [run] = await runs();
      expect(run).toMatchObject({ extra: 'more', args: ['arg'] });
      expect(JSON.parse(run!.info)).toEqual({
        apiVersion,
        kind: 'ExecCredential',
        spec: {
          interactive: false,
          cluster: {
            server: server.url,
            'tls-server-name': 'api.example',
            'certificate-authority-data': Buffer.from('PEM').toString('base64'),
            config: { audience: 'a' },
          },
        },
      });
    });

    it('are asked for without telling of the cluster unless that is wanted', async () => {
      await write(credential({ token: 'abc' }));
      await connect(plugin()).client.request(get);
      expect(JSON.parse((await runs())[0]!.info)).toEqual({
        apiVersion: v1,
        kind: 'ExecCredential',
        spec: { interactive: false },
      });
    });

    it.each([
      [{ apiVersion: 'client.authentication.k8s.io/v1alpha1' }, 'client.authentication.k8s.io/v1alpha1'],
      [{ interactiveMode: 'Always' }, 'insists on a terminal'],
    ] as const)('are refused from the start with %j', (more, expected) => {
      expect(() => testClient(clock, { kubeConfig: kubeConfig(server.url, plugin(more)) })).toThrow(
        expect.objectContaining({ code: 'OPERATOR_KUBE_CONFIG', message: expect.stringContaining(expected) }),
      );
    });

    it('end with the client', async () => {
      await write('hang');
      const { client } = connect(plugin());
      const work = failureOf(client.request(get));
      while ((await runs()).length === 0) await until(() => true);
      await client.close();
      expect(await work).toMatchObject({ code: 'OPERATOR_CLIENT_CLOSED' });
      const pid = (await runs())[0]!.pid;
      await until(() => !isAlive(pid));
    });
  });

  describe('from an older auth-provider', () => {
    it('come through client-node', async () => {
      const user = {
        'auth-provider': { name: 'azure', config: { 'access-token': 'from-azure', 'expires-on': '4102444800' } },
      };
      await connect(user).client.request(get);
      expect(sent()).toEqual(['Bearer from-azure']);
    });

    it('that nobody knows fail with a name', async () => {
      const user = { 'auth-provider': { name: 'unheard-of', config: {} } };
      const error = await failureOf(connect(user).client.request(get));
      expect(error).toMatchObject({ code: 'OPERATOR_CREDENTIALS' });
      expect((error as Error).message).toContain('"unheard-of" gives no token');
    });
  });

  it('never stand in errors of the API', async () => {
    refuseUntil(() => false);
    const error = await failureOf(connect({ token: 's3cret' }).client.request(get));
    expect(error).toBeInstanceOf(ApiError);
    expect(JSON.stringify([error, (error as Error).stack])).not.toContain('s3cret');
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // The system knows no such process any more.
    return false;
  }
}
