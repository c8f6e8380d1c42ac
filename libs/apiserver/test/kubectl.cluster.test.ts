import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApiServer, type ApiServer } from '../src/index.js';
import { configMap, widget, widgetDefinition } from './support/fixtures.js';

const command = process.env['KUBECTL'] ?? 'kubectl';

interface Outcome {
  code: number;
  out: string;
  err: string;
}

let api: ApiServer;
let folder: string;

function kubectl(...args: string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const options = {
      timeout: 30_000,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: join(folder, 'config') },
    };
    execFile(command, args, options, (error, out, err) => {
      if (error?.code === 'ENOENT') {
        reject(new Error(`there is no ${command}: install kubectl, or name it in the variable KUBECTL`));
      } else {
        resolve({
          code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1,
          out: out.trim(),
          err: err.trim(),
        });
      }
    });
  });
}

async function ok(...args: string[]): Promise<string> {
  const { code, out, err } = await kubectl(...args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${err}`);
  return out;
}

async function manifest(size: number, value: string): Promise<string> {
  const path = join(folder, 'manifest.yaml');
  await writeFile(
    path,
    `apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
spec: {size: ${size}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data: {x: "${value}"}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: p}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: ${size}Gi}}}
`,
  );
  return path;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apiserver-kubectl-'));
  api = await startApiServer({ crds: [widgetDefinition] });
  await api.writeKubeconfig(join(folder, 'config'));
});

afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

describe('kubectl', () => {
  it('discovers: version, api-resources, explain', async () => {
    expect(await ok('version')).toContain('Server Version: v1.36.3');
    const resources = await ok('api-resources', '--no-headers');
    expect(resources).toMatch(/^widgets\s+wd\s+example.com\/v1\s+true\s+Widget$/m);
    expect(resources).toMatch(/^leases\s+coordination.k8s.io\/v1\s+true\s+Lease$/m);
    expect(await ok('explain', 'widgets.spec')).toContain('size\t<integer>');
  });

  it('applies: create, change, no change; diff; delete', async () => {
    expect((await ok('apply', '-f', await manifest(3, '1'))).split('\n')).toEqual([
      'widget.example.com/w created',
      'configmap/c created',
      'persistentvolumeclaim/p created',
    ]);
    const changed = await manifest(4, '2');
    expect((await kubectl('diff', '-f', changed)).code).toBe(1);
    expect(await ok('apply', '-f', changed)).toContain('widget.example.com/w configured\nconfigmap/c configured');
    expect(await ok('apply', '-f', changed)).toContain('widget.example.com/w unchanged\nconfigmap/c unchanged');
    expect((await kubectl('diff', '-f', changed)).code).toBe(0);
    expect(await ok('get', 'widget/w', '-o', 'jsonpath={.spec.size}')).toBe('4');
    expect(await ok('get', 'pvc', '--no-headers')).toMatch(/^p\s+Pending\s/);
    expect(await ok('get', 'pvc', '-o', 'jsonpath={.items[*].spec.resources.requests.storage}')).toBe('4Gi');
    expect((await ok('delete', '-f', changed)).split('\n')).toHaveLength(3);
    expect(await ok('get', 'widgets,cm,pvc', '-o', 'name')).toBe('');
  });

  it('creates, and refuses what exists or is invalid', async () => {
    const path = await manifest(3, '1');
    await ok('create', '-f', path);
    expect((await kubectl('create', '-f', path)).err).toContain('widgets.example.com "w" already exists');
    const invalid = await kubectl('create', '-f', await manifest(99, '1'));
    expect(invalid.err).toContain('spec.size in body should be less than or equal to 10');
    await writeFile(path, 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: q}\nspec: {size: 1, sise: 2}\n');
    expect((await kubectl('apply', '-f', path)).err).toContain('unknown field "spec.sise"');
    await ok('delete', '-f', await manifest(3, '1'));
  });

  it('changes: label, annotate, three kinds of patch, scale', async () => {
    await api.create(widget('w2'));
    await api.create(configMap('c2', { a: '1' }));
    for (const target of ['wd/w2', 'cm/c2']) {
      await ok('label', target, 'a=b');
      await ok('annotate', target, 'n=1');
      await ok('label', target, 'a-');
    }
    await ok('patch', 'wd/w2', '--type=merge', '-p', '{"spec":{"size":5}}');
    await ok('patch', 'wd/w2', '--type=json', '-p', '[{"op":"replace","path":"/spec/mode","value":"a"}]');
    await ok('patch', 'cm/c2', '-p', '{"data":{"z":"1"}}');
    await ok('patch', 'wd/w2', '--subresource=status', '--type=merge', '-p', '{"status":{"phase":"Ready"}}');
    await ok('scale', 'wd/w2', '--replicas=4');
    expect(await api.get({ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w2' })).toMatchObject({
      metadata: { annotations: { n: '1' } },
      spec: { size: 5, mode: 'a', replicas: 4 },
      status: { phase: 'Ready' },
    });
    expect(await api.get({ apiVersion: 'v1', kind: 'ConfigMap', name: 'c2' })).toMatchObject({
      data: { a: '1', z: '1' },
    });
  });

  it('shows: tables, YAML, describe, definitions, namespaces, events', async () => {
    const { metadata } = await api.create(widget('w3', { spec: { size: 7 } }));
    expect(await ok('get', 'widgets', 'w3')).toMatch(/^NAME\s+SIZE\s+AGE\nw3\s+7\s+\d+s$/);
    expect(await ok('get', 'wd', 'w3', '-o', 'yaml')).toContain('  size: 7');
    expect(await ok('describe', 'wd', 'w3')).toMatch(/Size:\s+7/);
    expect(await ok('get', 'crd')).toMatch(/^NAME\s+CREATED AT\nwidgets.example.com\s+2\S+Z$/);
    expect(await ok('get', 'ns', '-o', 'name')).toContain('namespace/default');
    await api.create({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        name: 'w3',
        namespace: 'default',
        uid: metadata.uid,
      },
      type: 'Warning',
      reason: 'Odd',
      message: 'something is odd',
      lastTimestamp: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    });
    expect(await ok('get', 'events')).toMatch(/Warning\s+Odd\s+widget\/w3\s+something is odd/);
    expect(await ok('describe', 'wd', 'w3')).toContain('something is odd');
    expect((await kubectl('get', 'wd', 'nope')).err).toBe(
      'Error from server (NotFound): widgets.example.com "nope" not found',
    );
  });

  it('waits and watches', async () => {
    const watching = async (): Promise<void> => {
      while (api.watches.list({ resource: 'widgets' }).length === 0)
        await new Promise((resolve) => setImmediate(resolve));
    };
    await api.create(widget('w4'));
    const waiting = ok('wait', 'wd/w4', '--for=jsonpath={.status.phase}=Ready', '--timeout=20s');
    await watching();
    await api.patch(
      { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w4' },
      { status: { phase: 'Ready' } },
      { subresource: 'status' },
    );
    expect(await waiting).toBe('widget.example.com/w4 condition met');
    const gone = ok('wait', 'wd/w4', '--for=delete', '--timeout=20s');
    await watching();
    await ok('delete', 'wd', 'w4', '--wait=false');
    expect(await gone).toBe('widget.example.com/w4 condition met');
    await api.create(widget('w5'));
    const seen = ok('get', 'wd', '-w', '--request-timeout=3s', '-o', 'name');
    await watching();
    await api.create(widget('w6'));
    expect((await seen).split('\n')).toEqual(
      expect.arrayContaining(['widget.example.com/w5', 'widget.example.com/w6']),
    );
  });

  it('deletes in three ways', async () => {
    for (const cascade of ['background', 'foreground', 'orphan']) {
      const owner = await api.create(widget('owner'));
      const reference = { apiVersion: owner.apiVersion, kind: owner.kind, name: 'owner', uid: owner.metadata.uid };
      await api.create(configMap('owned', {}, { ownerReferences: [{ ...reference, blockOwnerDeletion: true }] }));
      await ok('delete', 'wd', 'owner', `--cascade=${cascade}`);
      await api.activity.whenIdle();
      const left = await ok('get', 'cm', '-o', 'name');
      if (cascade === 'orphan') expect(left).toContain('configmap/owned');
      else expect(left).not.toContain('configmap/owned');
    }
    await ok('delete', 'cm', 'owned');
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    await api.create(configMap('x', {}, { namespace: 'team' }));
    expect(await ok('delete', 'ns', 'team')).toContain('deleted');
  });

  it('creates by name, in protobuf', async () => {
    const created = async (...args: string[]): Promise<string> => ok('create', ...args);
    expect(await created('namespace', 'typed')).toBe('namespace/typed created');
    expect(await created('configmap', 'c', '--from-literal=a=b', '-n', 'typed')).toBe('configmap/c created');
    expect(await created('secret', 'generic', 's', '--from-literal=k=v', '-n', 'typed')).toBe('secret/s created');
    expect(await created('serviceaccount', 'bot', '-n', 'typed')).toBe('serviceaccount/bot created');
    await created('role', 'r', '--verb=get,list', '--resource=configmaps,widgets.example.com', '-n', 'typed');
    await created('rolebinding', 'rb', '--role=r', '--serviceaccount=typed:bot', '-n', 'typed');
    await created('clusterrole', 'cr', '--verb=get', '--non-resource-url=/metrics');
    await created('clusterrolebinding', 'crb', '--clusterrole=view', '--user=ann');
    await created('quota', 'q', '--hard=cpu=1500m,pods=2', '-n', 'typed');
    await created('deployment', 'd', '--image=nginx', '--replicas=2', '--port=80', '-n', 'typed');
    await created('job', 'j', '--image=busybox', '-n', 'typed', '--', 'true');
    await created('cronjob', 'cj', '--image=busybox', '--schedule=0 1 * * *', '-n', 'typed');
    await created('poddisruptionbudget', 'pdb', '--selector=app=d', '--min-available=50%', '-n', 'typed');
    await created('priorityclass', 'pc', '--value=7');
    await created('ingress', 'i', '--rule=x.example/*=d:80', '-n', 'typed');
    await created('service', 'clusterip', 'svc', '--tcp=80:8080', '-n', 'typed');
    const inTyped = (apiVersion: string, kind: string, name: string) =>
      api.get({ apiVersion, kind, name, namespace: 'typed' });
    expect(await inTyped('v1', 'Secret', 's')).toMatchObject({ data: { k: 'dg==' }, type: 'Opaque' });
    expect(await inTyped('v1', 'ResourceQuota', 'q')).toMatchObject({ spec: { hard: { cpu: '1500m', pods: '2' } } });
    expect(await inTyped('apps/v1', 'Deployment', 'd')).toMatchObject({
      spec: {
        replicas: 2,
        template: { spec: { containers: [{ image: 'nginx', ports: [{ containerPort: 80 }] }] } },
      },
    });
    expect(await inTyped('policy/v1', 'PodDisruptionBudget', 'pdb')).toMatchObject({ spec: { minAvailable: '50%' } });
    expect(await inTyped('batch/v1', 'CronJob', 'cj')).toMatchObject({ spec: { schedule: '0 1 * * *' } });
    expect((await kubectl('create', 'namespace', 'typed')).err).toBe(
      'Error from server (AlreadyExists): namespaces "typed" already exists',
    );
  });

  it('asks what accounts may do, and acts as them', async () => {
    expect(await ok('auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}')).toBe('admin');
    expect(await ok('auth', 'can-i', 'delete', 'widgets')).toBe('yes');
    const guarded = await startApiServer({ crds: [widgetDefinition], authorization: 'rbac' });
    try {
      const config = join(folder, 'guarded');
      await guarded.writeKubeconfig(config);
      const there = (...args: string[]): Promise<Outcome> => kubectl('--kubeconfig', config, ...args);
      await there('create', 'rolebinding', 'v', '--clusterrole=view', '--user=ann', '-n', 'default');
      expect((await there('auth', 'can-i', 'list', 'configmaps', '--as', 'ann')).out).toBe('yes');
      expect(await there('auth', 'can-i', 'list', 'secrets', '--as', 'ann')).toMatchObject({ code: 1, out: 'no' });
      const listed = await there('auth', 'can-i', '--list', '--as', 'ann');
      expect(listed.out).toMatch(/^configmaps\s+\[]\s+\[]\s+\[get list watch]$/m);
      expect((await there('get', 'secrets', '--as', 'ann')).err).toBe(
        'Error from server (Forbidden): secrets is forbidden: User "ann" cannot list resource "secrets" in API group "" in the namespace "default"',
      );
    } finally {
      await guarded.close();
    }
  });

  it('is told clearly what is not supported', async () => {
    await api.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'holder' } });
    const token = await kubectl('create', 'token', 'holder');
    expect(token.code).toBe(1);
    expect(token.err).toContain('the server could not find the requested resource');
  });
});
