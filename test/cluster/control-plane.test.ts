import { execFile, spawn } from 'node:child_process';
import { access, readdir } from 'node:fs/promises';
import { once } from 'node:events';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  ensureControlPlaneBinaries,
  startControlPlane,
  type ControlPlane,
  type ControlPlaneAccount,
  type ControlPlaneConnection,
} from '@nestjs-operator/testing/control-plane';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { ApiServer } from '../../libs/testing/src/control-plane/api-server.js';
import { DataFolder } from '../../libs/testing/src/control-plane/data-folder.js';
import { startEtcd } from '../../libs/testing/src/control-plane/etcd.js';
import { freeLoopbackPort } from '../../libs/testing/src/control-plane/loopback-port.js';
import type { ServerContext } from '../../libs/testing/src/control-plane/server-process.js';
import { Deadline } from '../../libs/testing/src/control-plane/wait.js';
import { isRunning } from '../../libs/testing/test/control-plane/fixtures.js';
import { sharedControlPlane } from './control-plane.js';

interface Answer {
  status: number;
  body: string;
}

/** One GET with the account's token; the body is read until `enough` of it is there, for watches. */
function get(
  plane: ControlPlaneConnection,
  path: string,
  account?: ControlPlaneAccount,
  enough = false,
): Promise<Answer> {
  const token = account?.token ?? plane.address.adminToken;
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, plane.url), {
      ca: Buffer.from(plane.caData, 'base64'),
      agent: false,
      headers: { authorization: `Bearer ${token}` },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      let body = '';
      const finish = (): void => {
        resolve({ status: response.statusCode ?? 0, body });
        outgoing.destroy();
      };
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
        if (enough && body.includes('\n')) finish();
      });
      response.on('end', finish);
    });
    outgoing.end();
  });
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function configMap(name: string, extra: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...extra } };
}

async function create(plane: ControlPlaneConnection, namespace: string, object: object): Promise<string> {
  const args = ['create', '-n', namespace, '-o', 'jsonpath={.metadata.uid} {.metadata.resourceVersion}', '-f', '-'];
  return (await plane.kubectl(args, { input: JSON.stringify(object) })).stdout;
}

async function expectGarbageCollection(plane: ControlPlaneConnection, namespace: string): Promise<void> {
  await plane.kubectl(['create', 'namespace', namespace]);
  const [uid] = (await create(plane, namespace, configMap('owner'))).split(' ');
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
  await create(plane, namespace, configMap('dependent', { ownerReferences }));
  await create(plane, namespace, configMap('bystander'));
  await plane.kubectl(['delete', '-n', namespace, 'configmap', 'owner']);
  const status = async (name: string): Promise<number> =>
    (await get(plane, `/api/v1/namespaces/${namespace}/configmaps/${name}`)).status;
  await expect.poll(() => status('dependent'), { timeout: 30_000 }).toBe(404);
  expect(await status('bystander')).toBe(200);
}

async function expectNothingLeft(plane: ControlPlane, ids: number[]): Promise<void> {
  expect(ids.length).toBeGreaterThan(1);
  for (const id of ids) await expect.poll(() => isRunning(id), { timeout: 10_000 }).toBe(false);
  await expect.poll(() => exists(plane.address.folder), { timeout: 10_000 }).toBe(false);
}

/** Data folders of control planes that this very process started. */
async function ownFolders(): Promise<string[]> {
  const names: string[] = [];
  for (const folder of ['/dev/shm', tmpdir()]) if (await exists(folder)) names.push(...(await readdir(folder)));
  return names.filter((name) => name.startsWith(`nestjs-operator-control-plane-${process.pid}-`));
}

/** Servers that are children of this very process. */
async function ownServers(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,comm=']);
  return stdout.split('\n').filter((line) => new RegExp(`^\\s*${process.pid}\\s+(.*/)?(etcd|kube-)`).test(line));
}

describe('the control plane of the run', () => {
  it('is there for every test, with kubectl of its own version', async () => {
    const plane = sharedControlPlane();
    expect(plane.version).toMatch(/^v1\.\d+\.\d+$/);
    expect((await get(plane, '/readyz')).status).toBe(200);
    const { stdout } = await plane.kubectl(['version', '-o', 'json']);
    const versions = JSON.parse(stdout) as Record<'clientVersion' | 'serverVersion', { gitVersion: string }>;
    expect(versions.serverVersion.gitVersion).toBe(plane.version);
    expect(versions.clientVersion.gitVersion).toBe(plane.version);
    expect(inject('controlPlane').url).toBe(plane.url);
  });

  it('removes the dependents of an owner that was deleted', () => expectGarbageCollection(sharedControlPlane(), 'gc'));

  it('empties and removes a namespace that was deleted', async () => {
    const plane = sharedControlPlane();
    await plane.kubectl(['create', 'namespace', 'short-lived']);
    await create(plane, 'short-lived', configMap('inside'));
    await plane.kubectl(['delete', 'namespace', 'short-lived', '--wait=false']);
    const status = async (): Promise<number> => (await get(plane, '/api/v1/namespaces/short-lived')).status;
    await expect.poll(status, { timeout: 30_000 }).toBe(404);
    expect((await get(plane, '/api/v1/namespaces/short-lived/configmaps/inside')).status).toBe(404);
  });
});

describe('an account', () => {
  it('has the rights given in its namespace and no other', async () => {
    const plane = sharedControlPlane();
    const account = await plane.account({
      name: 'reader',
      namespace: 'accounts-a',
      rules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] }],
    });
    expect(account.username).toBe('system:serviceaccount:accounts-a:reader');
    const status = async (path: string): Promise<number> => (await get(plane, path, account)).status;
    expect(await status('/api/v1/namespaces/accounts-a/configmaps')).toBe(200);
    expect(await status('/api/v1/namespaces/accounts-a/secrets')).toBe(403);
    expect(await status('/api/v1/namespaces/default/configmaps')).toBe(403);
    expect(await status('/api/v1/configmaps')).toBe(403);
    const refused = await plane.kubectl(['create', 'configmap', 'x'], { account, reject: false });
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('cannot create resource "configmaps"');
  });

  it('has cluster-wide rights where they were given, and none without rules', async () => {
    const plane = sharedControlPlane();
    const wide = await plane.account({
      name: 'wide',
      namespace: 'accounts-b',
      clusterRules: [
        { verbs: ['list'], apiGroups: [''], resources: ['configmaps'] },
        { verbs: ['get'], nonResourceURLs: ['/metrics'] },
      ],
    });
    const none = await plane.account({ name: 'none', namespace: 'accounts-b' });
    for (const [path, expected] of [
      ['/api/v1/configmaps', [200, 403]],
      ['/metrics', [200, 403]],
      ['/api/v1/nodes', [403, 403]],
      ['/api', [200, 200]],
    ] as const) {
      expect([(await get(plane, path, wide)).status, (await get(plane, path, none)).status], path).toEqual(expected);
    }
  });

  it('cannot be created twice', async () => {
    const plane = sharedControlPlane();
    await plane.account({ name: 'twice', namespace: 'accounts-c' });
    await expect(plane.account({ name: 'twice', namespace: 'accounts-c' })).rejects.toMatchObject({
      code: 'CONTROL_PLANE_REQUEST_FAILED',
      found: expect.stringContaining('409 AlreadyExists') as string,
    });
  });
});

describe('a control plane of its own', () => {
  let plane: ControlPlane;
  const unexpected: string[] = [];

  beforeAll(async () => {
    plane = await startControlPlane({
      components: ['kube-controller-manager', 'kubectl'],
      featureGates: { WatchList: false },
      apiServerArgs: ['--event-ttl=2h'],
      onUnexpectedEnd: (error) => unexpected.push(error.message),
    });
  });
  afterAll(() => plane?.stop());

  it('runs beside the shared one, with the feature gates given', async () => {
    expect(await ownFolders()).toHaveLength(1);
    expect(await ownServers()).toHaveLength(3);
    expect(plane.url).not.toBe(sharedControlPlane().url);
    expect(Object.keys(plane.processIds)).toEqual(['etcd', 'kube-apiserver', 'kube-controller-manager']);
    const gate = /^kubernetes_feature_enabled\{name="WatchList",stage="\w*"\} (\d)$/m;
    expect(gate.exec((await get(plane, '/metrics')).body)?.[1]).toBe('0');
    expect(gate.exec((await get(sharedControlPlane(), '/metrics')).body)?.[1]).toBe('1');
  });

  it('answers 410 to what was compacted', async () => {
    const version = (await create(plane, 'default', configMap('before'))).split(' ')[1];
    const path = `/api/v1/configmaps?limit=1&resourceVersionMatch=Exact&resourceVersion=${version}`;
    await create(plane, 'default', configMap('after'));
    expect((await get(plane, path)).status).toBe(200);
    expect(await plane.compact()).toBeGreaterThan(Number(version));
    await expect.poll(async () => (await get(plane, path)).status, { timeout: 40_000, interval: 500 }).toBe(410);
  });

  it('can be paused, and goes on where it was', async () => {
    plane.pauseApiServer();
    const paused = await plane.kubectl(['get', 'namespaces'], { timeout: 1_500, reject: false });
    plane.resumeApiServer();
    expect(paused).toMatchObject({ exitCode: null, stdout: '' });
    expect((await plane.kubectl(['get', 'namespace', 'default', '-o', 'name'])).stdout).toBe('namespace/default\n');
  });

  it('restarts with the same address, data and accounts, and without its old history', async () => {
    const { url } = plane;
    const account = await plane.account({
      name: 'lasting',
      rules: [{ verbs: ['get', 'watch'], apiGroups: [''], resources: ['configmaps'] }],
    });
    const version = (await create(plane, 'default', configMap('kept'))).split(' ')[1];
    await create(plane, 'default', configMap('later'));
    const watch = `/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=${version}`;
    expect((await get(plane, watch, account, true)).body).toContain('"later"');
    const before = plane.processIds['kube-apiserver'];
    await plane.restartApiServer();
    expect(plane.processIds['kube-apiserver']).not.toBe(before);
    expect(plane.url).toBe(url);
    expect((await get(plane, '/api/v1/namespaces/default/configmaps/kept', account)).status).toBe(200);
    expect((await get(plane, watch, account, true)).body).toMatch(/"code":410/);
    expect(unexpected).toEqual([]);
  });

  it('still collects garbage after the restart', () => expectGarbageCollection(plane, 'gc-after-restart'));

  it('tells when a server ends by itself', async () => {
    process.kill(plane.processIds['kube-apiserver'] ?? Number.NaN, 'SIGKILL');
    await expect.poll(() => unexpected.length, { timeout: 10_000 }).toBe(1);
    expect(unexpected[0]).toContain('[CONTROL_PLANE_PROCESS_ENDED] kube-apiserver ended with signal SIGKILL');
    expect(() => plane.pauseApiServer()).toThrow('CONTROL_PLANE_PROCESS_ENDED');
    await plane.restartApiServer();
    expect((await get(plane, '/readyz')).status).toBe(200);
  });

  it('leaves nothing behind when it is stopped, paused or not', async () => {
    const ids = Object.values(plane.processIds);
    plane.pauseApiServer();
    const first = plane.stop();
    expect(plane.stop()).toBe(first);
    await first;
    await expectNothingLeft(plane, ids);
    await expect(plane.kubectl(['get', 'namespaces'])).rejects.toMatchObject({ code: 'CONTROL_PLANE_STOPPED' });
  });
});

describe('ports that others took in the meantime', () => {
  it('are left to them: etcd and kube-apiserver start on the next ones', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const taken = (other.address() as AddressInfo).port;
    const data = await DataFolder.create();
    onTestFinished(() => data.remove());
    /** The taken port first, free ones after it. */
    const context = (): ServerContext => {
      const ports = [taken];
      return {
        folder: data.path,
        deadline: new Deadline(100_000),
        onUnexpectedEnd: () => {},
        choosePort: async () => ports.shift() ?? (await freeLoopbackPort()),
      };
    };
    const binaries = await ensureControlPlaneBinaries(['etcd', 'kube-apiserver']);
    const etcd = await startEtcd(binaries.etcd, context());
    onTestFinished(() => etcd.server.kill());
    expect(new URL(etcd.url).port).not.toBe(String(taken));
    const options = { command: binaries['kube-apiserver'], etcdUrl: etcd.url, featureGates: {}, extraArgs: [] };
    const api = await ApiServer.start(options, context());
    onTestFinished(() => api.process.kill());
    expect(api.port).not.toBe(taken);
  });
});

describe('a control plane that cannot start', () => {
  afterEach(async () => {
    expect(await ownFolders()).toEqual([]);
    expect(await ownServers()).toEqual([]);
  });

  it('tells the last words of the server that ended', async () => {
    const error: unknown = await startControlPlane({ apiServerArgs: ['--no-such-flag'] }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      code: 'CONTROL_PLANE_PROCESS_ENDED',
      found: 'kube-apiserver ended with exit code 1',
      output: expect.arrayContaining([expect.stringContaining('unknown flag: --no-such-flag')]) as string[],
    });
  });

  it('gives up at its timeout', async () => {
    await expect(startControlPlane({ timeout: 1_000 })).rejects.toMatchObject({
      code: 'CONTROL_PLANE_NOT_READY',
      found: expect.stringMatching(/^kube-apiserver was not ready within 1 s \(/) as string,
    });
  });

  it('ends with its signal', async () => {
    const controller = new AbortController();
    const start = startControlPlane({ signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 500);
    await expect(start).rejects.toThrow('enough');
  });
});

describe('the end of the process that started it', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('by %s ends the control plane too', async (signal) => {
    const index = fileURLToPath(new URL('../../libs/testing/src/control-plane/index.ts', import.meta.url));
    const script = `
      import { runnerImport } from 'vite';
      // The end of its input is the end of this test run.
      process.stdin.resume().on('end', () => process.exit());
      const { module } = await runnerImport(${JSON.stringify(index)}, { logLevel: 'error', configFile: false });
      const plane = await module.startControlPlane({ components: ['kube-controller-manager'] });
      process.stdout.write(JSON.stringify({ ids: Object.values(plane.processIds), address: plane.address }));
    `;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'pipe'] });
    onTestFinished(() => void owner.kill('SIGKILL'));
    let errors = '';
    owner.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
    const [line] = (await Promise.race([once(owner.stdout, 'data'), once(owner, 'close')])) as [Buffer | number];
    if (typeof line === 'number') throw new Error(`the owner ended too early: ${errors}`);
    const started = JSON.parse(line.toString()) as { ids: number[]; address: ControlPlane['address'] };
    expect(started.ids).toHaveLength(3);
    for (const id of started.ids) expect(await isRunning(id)).toBe(true);
    owner.kill(signal);
    await expectNothingLeft({ address: started.address } as ControlPlane, started.ids);
  });
});
