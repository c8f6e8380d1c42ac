import { startApiServer } from '@nestjs-operator/apiserver';
import type { ApiServer } from '@nestjs-operator/apiserver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KubeClient } from '../../../src/engine/client/kube/kube-client.js';
import { Discovery } from '../../../src/engine/client/discovery/discovery.js';
import { defaultConfig } from '../../../src/engine/defaults.js';
import { FakeClock } from './fake-clock.js';
import { failureOf, testClient } from './setup.js';
import type { TestClient } from './setup.js';

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.demo.example' },
  spec: {
    group: 'demo.example',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: { status: {} },
      },
    ],
  },
};

interface WidgetObject {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly spec: { readonly size: number };
  readonly status?: { readonly phase: string };
}

const widgets = { plural: 'widgets' };
const at = { namespace: 'default', name: 'a' };

describe('clients on the embedded API server', () => {
  let api: ApiServer;
  let test: TestClient;
  let kube: KubeClient;
  let discovery: Discovery;

  beforeEach(async () => {
    api = await startApiServer({ crds: [crd], users: [{ name: 'admin', token: 'secret' }] });
    const clock = new FakeClock();
    test = testClient(clock, { kubeConfig: api.kubeConfig(), fieldManager: 'tester' });
    discovery = new Discovery(test.client);
    kube = new KubeClient({
      client: test.client,
      clock,
      random: { next: () => 0 },
      retries: defaultConfig.client.retries,
      discovery,
    });
  });

  afterEach(async () => {
    await test.client.close();
    await api.close();
  });

  it('discover built-in and custom resources', async () => {
    expect(await discovery.resolve({ plural: 'configmaps' })).toMatchObject({
      found: { kind: 'ConfigMap', namespaced: true },
    });
    expect(await discovery.resolve(widgets)).toMatchObject({
      found: {
        group: 'demo.example',
        version: 'v1',
        kind: 'Widget',
        shortNames: ['wd'],
        subresources: { status: true },
      },
    });
    expect(await discovery.resolve({ plural: 'gadgets' })).toEqual({ missing: true, served: [] });
    expect((await discovery.refresh()).unavailable).toEqual([]);
  });

  it('create, read, change, watch and delete objects', async () => {
    const created = await kube.create<WidgetObject>({
      apiVersion: 'demo.example/v1',
      kind: 'Widget',
      metadata: at,
      spec: { size: 1 },
    });
    expect(created.metadata.uid).not.toBe('');
    const seen: string[] = [];
    const watching = (async () => {
      const from = { namespace: 'default', resourceVersion: created.metadata.resourceVersion };
      for await (const { type, object } of kube.watch<WidgetObject>(widgets, from)) {
        seen.push(`${type} ${object.spec.size} ${object.status?.phase}`);
        if (type === 'DELETED') return;
      }
    })();
    await kube.patch(widgets, at, { spec: { size: 2 } });
    await kube.patch(widgets, at, [{ op: 'replace', path: '/spec/size', value: 3 }]);
    await kube.patch(widgets, at, { status: { phase: 'Ready' } }, { subresource: 'status' });
    const read = await kube.get<WidgetObject>(widgets, at);
    expect(read).toMatchObject({ spec: { size: 3 }, status: { phase: 'Ready' } });
    const stale = { ...created, spec: { size: 9 } };
    expect(await failureOf(kube.replace(widgets, stale))).toMatchObject({ status: 409, isConflict: true });
    expect(await failureOf(kube.delete(widgets, at, { uid: 'another' }))).toMatchObject({ isConflict: true });
    expect(await kube.delete(widgets, at, { uid: read.metadata.uid })).toBeUndefined();
    await watching;
    expect(seen).toEqual(['MODIFIED 2 undefined', 'MODIFIED 3 undefined', 'MODIFIED 3 Ready', 'DELETED 3 Ready']);
    expect(await failureOf(kube.get(widgets, at))).toMatchObject({
      isNotFound: true,
      details: { kind: 'widgets', name: 'a' },
    });
  });

  it('list page by page, with types', async () => {
    for (let index = 0; index < 7; index++) {
      await kube.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'default', name: `c-${index}` },
      });
    }
    const names: string[] = [];
    const listed = kube.list<{ kind: string; metadata: { name: string } }>(
      { apiVersion: 'v1', kind: 'ConfigMap' },
      { namespace: 'default', pageSize: 3 },
    );
    for await (const { kind, metadata } of listed) names.push(`${kind} ${metadata.name}`);
    expect(names).toEqual(Array.from({ length: 7 }, (_, index) => `ConfigMap c-${index}`));
  });

  it('are told when the token is not accepted', async () => {
    const { client } = testClient(new FakeClock(), {
      kubeConfig: { ...api.kubeConfig(), users: [{ name: 'admin', user: { token: 'wrong' } }] },
    });
    const error = await failureOf(client.request({ verb: 'get', path: '/api' }));
    expect(error).toMatchObject({ isUnauthorized: true, reason: 'Unauthorized' });
    await client.close();
  });

  it('carry odd content unharmed', async () => {
    const data = {
      emoji: '\u{1F600}',
      separator: 'a\u2028b\u2029c',
      large: 'x'.repeat(900_000),
      'key.with-dots_1': '',
    };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'odd' }, data };
    await kube.create(object);
    expect(await kube.get({ apiVersion: 'v1', kind: 'ConfigMap' }, object.metadata)).toMatchObject({ data });
  });
});
