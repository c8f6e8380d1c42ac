import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@nestjs-operator/testing';
import { expect, onTestFinished, test } from 'vitest';
import { freeLoopbackPort } from '../../libs/testing/src/control-plane/loopback-port.js';
import { sharedControlPlane } from './control-plane.js';

const demo = fileURLToPath(new URL('../../apps/demo/', import.meta.url));
const namespace = 'ephemeral-volumes';
const at = ['--namespace', namespace];

test('the demo does its whole work as its own account, with exactly the rights of its manifests, and writes no file', async () => {
  const plane = sharedControlPlane();
  const scratch = await mkdtemp(join(tmpdir(), 'deployed-'));
  onTestFinished(() => rm(scratch, { recursive: true, force: true }));
  await plane.kubectl(['apply', '-f', join(demo, 'manifests/operator.yaml')]);
  await plane.kubectl(['wait', '--for=condition=Established', 'crd/ephemeralvolumeclaims.demo.example']);
  const { stdout: token } = await plane.kubectl([...at, 'create', 'token', namespace]);

  const kubeconfig = join(scratch, 'kubeconfig');
  await plane.writeKubeconfig(kubeconfig);
  const run = (args: readonly string[]) => plane.kubectl(['--kubeconfig', kubeconfig, 'config', ...args]);
  await run(['set-credentials', 'demo', `--token=${token.trim()}`]);
  const { stdout: context } = await run(['current-context']);
  await run(['set-context', context.trim(), '--user=demo']);

  const port = await freeLoopbackPort();
  // Without a right to write, a read-only file system takes nothing away.
  const limits = ['--permission', '--allow-fs-read=*', '--allow-worker'];
  const child = spawn(process.execPath, [...limits, join(demo, 'dist/operator.js')], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { KUBECONFIG: kubeconfig, HEALTH_PORT: String(port), NO_COLOR: '1' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }

  await eventually(async (signal) => (await fetch(`http://127.0.0.1:${port}/readyz`, { signal })).status, {
    timeout: 60_000,
    interval: 200,
    until: (status) => status === 200,
  }).catch((error: unknown) => {
    throw new Error(`It does not become ready:\n${output}`, { cause: error });
  });

  const claim = (size: string, labels: object) =>
    plane.kubectl(['apply', '-f', '-'], {
      input: JSON.stringify({
        apiVersion: 'demo.example/v1',
        kind: 'EphemeralVolumeClaim',
        metadata: { name: 'scratch', namespace, labels },
        spec: { size },
      }),
    });
  const get = async (resource: string, path: string): Promise<string> =>
    (await plane.kubectl([...at, 'get', resource, '-o', `jsonpath=${path}`], { reject: false })).stdout;
  const sees = (resource: string, path: string, value: string) =>
    eventually(() => get(resource, path), { timeout: 30_000, interval: 100, until: (found) => found === value });

  await claim('1Gi', { tier: 'slow' });
  await sees('evc/scratch', '{.status.phase}', 'Ready');
  await sees('pvc/scratch', '{.spec.resources.requests.storage}', '1Gi');
  await claim('1Gi', { tier: 'fast' });
  await sees('pvc/scratch', '{.metadata.labels.tier}', 'fast');
  // The protection of claims in use keeps it until its finalizer goes; then the operator makes it again.
  const uid = await get('pvc/scratch', '{.metadata.uid}');
  await plane.kubectl([...at, 'patch', 'pvc/scratch', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
  await plane.kubectl([...at, 'delete', 'pvc/scratch']);
  await eventually(() => get('pvc/scratch', '{.metadata.uid}'), {
    timeout: 30_000,
    interval: 100,
    until: (found) => found !== '' && found !== uid,
  });
  await claim('rather little', { tier: 'fast' });
  await sees('evc/scratch', '{.status.phase}', 'Refused');
  await eventually(() => get('events.events.k8s.io', '{.items[*].reason}'), {
    timeout: 30_000,
    interval: 100,
    until: (reasons) => reasons.includes('HandlerGaveUp'),
  });
  await plane.kubectl([...at, 'delete', 'evc/scratch']);

  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(output).not.toMatch(/lacks access|refused|forbidden|ERR_ACCESS_DENIED/i);
  await plane.kubectl(['delete', 'namespace', namespace, '--wait=false']);
  await plane.kubectl(['delete', 'clusterrole,clusterrolebinding', namespace]);
});
