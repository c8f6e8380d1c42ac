import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '@nestjs-operator/testing';
import { GuardedProcess } from '../../libs/testing/src/control-plane/guarded-process.js';
import { sharedControlPlane } from './control-plane.js';

const demo = fileURLToPath(new URL('../../apps/demo/', import.meta.url));

interface RunningDemo {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  output: string;
}

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'demo-test-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

function startDemo(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningDemo {
  const child = spawn(process.execPath, [join(demo, 'dist/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  children.push(child);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const running: RunningDemo = { child, ended, output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      running.output += chunk;
    });
  }
  return running;
}

interface Shell {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as somebody would who copies it from the terminal. */
function shell(command: string, env: Readonly<Record<string, string>>): Promise<Shell> {
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', command], { env, timeout: 30_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? null), stdout, stderr });
    });
  });
}

/** What a cluster with storage has: a class whose volumes can grow, a volume, and the controllers that bind and protect. */
const storage = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: demo-test
  annotations: { storageclass.kubernetes.io/is-default-class: 'true' }
provisioner: kubernetes.io/no-provisioner
allowVolumeExpansion: true
volumeBindingMode: Immediate
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: demo-test }
spec:
  storageClassName: demo-test
  accessModes: [ReadWriteOnce]
  capacity: { storage: 5Gi }
  hostPath: { path: /nonexistent }
`;

async function withStorage<T>(kubeconfig: string, work: () => Promise<T>): Promise<T> {
  const plane = sharedControlPlane();
  const command = plane.address.binaries['kube-controller-manager'];
  if (command === undefined) throw new Error('The control plane came without kube-controller-manager.');
  await plane.kubectl(['apply', '-f', '-'], { input: storage });
  const controllers = new GuardedProcess(
    command,
    [
      `--kubeconfig=${kubeconfig}`,
      '--controllers=persistentvolume-binder-controller,persistentvolumeclaim-protection-controller',
      '--leader-elect=false',
      '--secure-port=0',
    ],
    { env: { PATH: process.env['PATH'], HOME: scratch } },
  );
  try {
    return await work();
  } finally {
    await controllers.kill();
    await plane.kubectl(['delete', '--wait=false', '-f', '-'], { input: storage });
  }
}

/** The garbage collector learns of new kinds every 30 seconds only; before that it misses the end of their objects. */
async function untilGarbageIsCollected(): Promise<void> {
  const plane = sharedControlPlane();
  const namespace = `demo-${randomBytes(4).toString('hex')}`;
  const at = ['--namespace', namespace];
  await plane.kubectl(['create', 'namespace', namespace]);
  const apiVersion = 'demo.example/v1';
  const kind = 'EphemeralVolumeClaim';
  const owner = { apiVersion, kind, metadata: { name: 'owner' }, spec: { size: '1Gi' } };
  for (const end = performance.now() + 90_000; ;) {
    await plane.kubectl([...at, 'apply', '-f', '-'], { input: JSON.stringify(owner) });
    const { stdout: uid } = await plane.kubectl([...at, 'get', 'evc', 'owner', '-o', 'jsonpath={.metadata.uid}']);
    const metadata = { name: 'owned', ownerReferences: [{ apiVersion, kind, name: 'owner', uid }] };
    const owned = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    await plane.kubectl([...at, 'apply', '-f', '-'], { input: JSON.stringify(owned) });
    await plane.kubectl([...at, 'delete', 'evc', 'owner']);
    const wait = ['wait', '--for=delete', 'configmap/owned', '--timeout=5s'];
    if ((await plane.kubectl([...at, ...wait], { reject: false })).exitCode === 0) break;
    if (performance.now() > end) throw new Error('The garbage collector does not collect what such claims own.');
  }
  await plane.kubectl(['delete', 'namespace', namespace, '--wait=false']);
}

describe('the demo', () => {
  test('plays all its scenes on a real control plane', async () => {
    const plane = sharedControlPlane();
    const kubeconfig = join(scratch, 'real-kubeconfig');
    await plane.writeKubeconfig(kubeconfig);
    await plane.kubectl(['apply', '-f', join(demo, 'manifests/crd.yaml')]);
    await plane.kubectl(['wait', '--for=condition=Established', 'crd/ephemeralvolumeclaims.demo.example']);
    await untilGarbageIsCollected();
    await withStorage(kubeconfig, async () => {
      const running = startDemo(['--once', '--cluster'], { KUBECONFIG: kubeconfig });
      const code = await running.ended;
      expect(running.output).not.toContain('DID NOT HAPPEN');
      expect(running.output.match(/as it should be/g)).toHaveLength(6);
      expect(running.output).toContain('All scenes went as they should.');
      expect(code).toBe(0);
    });
  });

  test('each kubectl command that it names works on its embedded server', async () => {
    const { kubectl } = sharedControlPlane().address.binaries;
    if (kubectl === undefined) throw new Error('The control plane came without kubectl.');
    const running = startDemo([]);
    await eventually(() => running.output.includes('Refused ('), { timeout: 20_000 });
    const commands = running.output
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('kubectl ') || line.startsWith('export KUBECONFIG='));
    const [first = '', ...named] = commands;
    expect(first).toMatch(/^export KUBECONFIG=\S+$/);

    const env = { PATH: `${dirname(kubectl)}:/usr/bin:/bin`, HOME: scratch, KUBERC: 'off' };
    const outputs: Record<string, string> = {};
    for (const command of named) {
      const { code, stdout, stderr } = await shell(`${first} && ${command}`, env);
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
      outputs[command] = stdout;
    }
    const table = (command: string): string[][] =>
      (outputs[command] ?? '')
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/\s{2,}/).map((cell) => cell.trim()));

    expect(Object.keys(outputs)).toEqual([
      'kubectl get evc',
      'kubectl get pvc',
      'kubectl get events',
      `kubectl patch evc scratch --type merge -p '{"spec":{"size":"3Gi"}}'`,
      'kubectl label evc scratch tier=fast',
      'kubectl get evc scratch -o yaml',
      'kubectl delete evc scratch',
    ]);
    expect(table('kubectl get evc')).toEqual([
      ['NAME', 'SIZE', 'PHASE', 'CLAIM'],
      ['scratch', '1Gi', 'Ready', 'scratch'],
      ['too-vague', 'quite a lot', 'Refused'],
    ]);
    const [heads, ...claims] = table('kubectl get pvc');
    expect(heads).toEqual(expect.arrayContaining(['NAME', 'STATUS', 'CAPACITY', 'AGE']));
    expect(claims.map(([name]) => name)).toEqual(['scratch']);
    const [eventHeads, ...events] = table('kubectl get events');
    expect(eventHeads).toEqual(['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE']);
    expect(events.map((row) => row.slice(1, 4))).toEqual([
      ['Warning', 'HandlerGaveUp', 'ephemeralvolumeclaim/too-vague'],
    ]);
    expect(outputs[named[3] ?? '']).toBe('ephemeralvolumeclaim.demo.example/scratch patched\n');
    expect(outputs['kubectl label evc scratch tier=fast']).toBe('ephemeralvolumeclaim.demo.example/scratch labeled\n');
    const yaml = outputs['kubectl get evc scratch -o yaml'];
    expect(yaml).toContain('tier: fast');
    expect(yaml).toContain('size: 3Gi');
    expect(yaml).toContain('phase: Ready');
    expect(outputs['kubectl delete evc scratch']).toMatch(/^ephemeralvolumeclaim\.demo\.example "scratch" deleted/);
    await eventually(() => running.output.includes('PersistentVolumeClaim scratch is gone'), { timeout: 20_000 });

    running.child.kill('SIGINT');
    expect(await running.ended).toBe(0);
    expect(running.output).not.toContain('ERROR');
  });
});
