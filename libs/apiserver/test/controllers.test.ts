import { describe, expect, it } from 'vitest';
import type { ApiServer, JsonObject, KubeObject } from '../src/index.js';
import { configMap, server, widget } from './support/fixtures.js';
import { call, WatchStream } from './support/http.js';
import { ManualClock } from './support/manual-clock.js';

const ref = (name: string, namespace = 'default') => ({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace });
const widgetRef = (name: string) => ({ apiVersion: 'example.com/v1', kind: 'Widget', name });

const ownedBy = (owner: KubeObject, more: JsonObject = {}): JsonObject => ({
  ownerReferences: [
    { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid, ...more },
  ],
});

async function left(api: ApiServer): Promise<string[]> {
  await api.activity.whenIdle();
  return (await api.list({ apiVersion: 'v1', kind: 'ConfigMap' })).map(({ metadata }) => metadata.name!);
}

describe('garbage collection', () => {
  it('deletes what an owner leaves behind, through several levels, after the answer', async () => {
    const api = await server();
    const owner = await api.create(widget('owner'));
    const child = await api.create(configMap('child', {}, ownedBy(owner)));
    await api.create(configMap('grandchild', {}, ownedBy(child)));
    await api.create(configMap('other'));
    await call(api.url, 'DELETE', '/apis/example.com/v1/namespaces/default/widgets/owner');
    expect(await left(api)).toEqual(['other']);
  });

  it('deletes an object whose owner never was, or is another one of that name', async () => {
    const api = await server();
    const owner = await api.create(widget('owner'));
    await api.create(configMap('a', {}, ownedBy({ ...owner, metadata: { ...owner.metadata, uid: 'another' } })));
    await api.create(configMap('b', {}, ownedBy(owner)));
    expect(await left(api)).toEqual(['b']);
  });

  it('keeps an object that still has an owner and drops the reference to the one that is gone', async () => {
    const api = await server();
    const one = await api.create(widget('one'));
    const two = await api.create(widget('two'));
    const owners = [...(ownedBy(one)['ownerReferences'] as []), ...(ownedBy(two)['ownerReferences'] as [])];
    await api.create(configMap('a', {}, { ownerReferences: owners }));
    await api.delete(widgetRef('one'));
    expect(await left(api)).toEqual(['a']);
    expect((await api.get(ref('a')))!.metadata.ownerReferences).toMatchObject([{ name: 'two' }]);
  });

  it('in the foreground: the owner goes last', async () => {
    const api = await server();
    const owner = await api.create(widget('owner'));
    await api.create(
      configMap('a', {}, { ...ownedBy(owner, { blockOwnerDeletion: true }), finalizers: ['x.example/a'] }),
    );
    await api.delete(widgetRef('owner'), { propagationPolicy: 'Foreground' });
    await api.activity.whenIdle();
    expect((await api.get(ref('a')))!.metadata.deletionTimestamp).toBeTruthy();
    expect((await api.get(widgetRef('owner')))!.metadata.finalizers).toEqual(['foregroundDeletion']);
    await api.patch(ref('a'), { metadata: { finalizers: null } });
    expect(await left(api)).toEqual([]);
    expect(await api.get(widgetRef('owner'))).toBeUndefined();
  });

  it('as orphans: dependents stay, without the reference', async () => {
    const api = await server();
    const owner = await api.create(widget('owner'));
    await api.create(configMap('a', {}, ownedBy(owner)));
    await api.delete(widgetRef('owner'), { propagationPolicy: 'Orphan' });
    expect(await left(api)).toEqual(['a']);
    expect(await api.get(widgetRef('owner'))).toBeUndefined();
    expect((await api.get(ref('a')))!.metadata).not.toHaveProperty('ownerReferences');
  });

  it('can be switched off, and then nothing is collected', async () => {
    const api = await server({ gc: false });
    const owner = await api.create(widget('owner'));
    await api.create(configMap('a', {}, ownedBy(owner)));
    await api.delete(widgetRef('owner'));
    expect(await left(api)).toEqual(['a']);
  });

  it('leaves objects alone whose owner is of an unknown kind', async () => {
    const api = await server();
    const reference = { apiVersion: 'nothing.example/v1', kind: 'Thing', name: 'x', uid: 'y' };
    await api.create(configMap('a', {}, { ownerReferences: [reference] }));
    expect(await left(api)).toEqual(['a']);
  });
});

describe('namespaces', () => {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
  const namespaceRef = { apiVersion: 'v1', kind: 'Namespace', name: 'team' };

  it('four exist at the start, and three of them stay', async () => {
    const { url } = await server();
    const { json } = await call(url, 'GET', '/api/v1/namespaces');
    expect(json.items.map((item: KubeObject) => item.metadata.name)).toEqual([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
    for (const name of ['default', 'kube-system', 'kube-public']) {
      expect((await call(url, 'DELETE', `/api/v1/namespaces/${name}`)).json).toMatchObject({
        code: 403,
        message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
      });
    }
  });

  it('are emptied and removed; nothing is created in them meanwhile', async () => {
    const api = await server({ objects: [namespace] });
    await api.create(configMap('a', {}, { namespace: 'team' }));
    await api.create(widget('w', { metadata: { namespace: 'team', finalizers: ['x.example/a'] } }));
    const watch = await WatchStream.open(api.url, `/api/v1/namespaces?watch=1&resourceVersion=${api.store.revision}`);
    const { json } = await call(api.url, 'DELETE', '/api/v1/namespaces/team');
    expect(json).toMatchObject({
      kind: 'Namespace',
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Terminating' },
    });
    const refused = await call(api.url, 'POST', '/api/v1/namespaces/team/configmaps', { body: configMap('b') });
    expect(refused.json).toMatchObject({
      code: 403,
      message:
        'configmaps "b" is forbidden: unable to create new content in namespace team because it is being terminated',
      details: {
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace team is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
    });
    await api.activity.whenIdle();
    expect(await api.get(ref('a', 'team'))).toBeUndefined();
    expect((await api.get(namespaceRef))!['status']).toMatchObject({
      conditions: [
        { type: 'NamespaceDeletionDiscoveryFailure', status: 'False' },
        { type: 'NamespaceDeletionGroupVersionParsingFailure', status: 'False' },
        { type: 'NamespaceDeletionContentFailure', status: 'False' },
        { type: 'NamespaceContentRemaining', status: 'True' },
        {
          type: 'NamespaceFinalizersRemaining',
          status: 'True',
          message: expect.stringContaining('x.example/a in 1 resource instances') as string,
        },
      ],
    });
    await api.patch({ ...widgetRef('w'), namespace: 'team' }, { metadata: { finalizers: null } });
    await api.activity.whenIdle();
    expect(await api.get(namespaceRef)).toBeUndefined();
    // Marked, told what is left, told that nothing is left, gone.
    expect((await watch.take(4)).map(({ type }) => type)).toEqual(['MODIFIED', 'MODIFIED', 'MODIFIED', 'DELETED']);
  });

  it('stay Terminating without the controller', async () => {
    const api = await server({ objects: [namespace], namespaceController: false });
    await api.delete(namespaceRef);
    await api.activity.whenIdle();
    expect((await api.get(namespaceRef))!['status']).toMatchObject({ phase: 'Terminating' });
  });
});

describe('events and leases', () => {
  it('an event has two shapes and one store', async () => {
    const api = await server();
    const core = '/api/v1/namespaces/default/events';
    const group = '/apis/events.k8s.io/v1/namespaces/default/events';
    const regarding = { kind: 'Widget', name: 'w', namespace: 'default' };
    const created = await call(api.url, 'POST', group, {
      body: {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { generateName: 'w-' },
        regarding,
        reason: 'R',
        note: 'N',
        type: 'Normal',
        action: 'A',
        reportingController: 'x.example/c',
        reportingInstance: 'i',
        eventTime: '2026-01-01T00:00:00.123456Z',
      },
    });
    expect(created.status).toBe(201);
    const { name } = created.json.metadata as { name: string };
    expect((await call(api.url, 'GET', `${core}/${name}`)).json).toMatchObject({
      apiVersion: 'v1',
      involvedObject: regarding,
      message: 'N',
      reportingComponent: 'x.example/c',
      eventTime: '2026-01-01T00:00:00.123456Z',
    });
    const selected = await call(api.url, 'GET', `${group}?fieldSelector=regarding.name%3Dw,reason%3DR`);
    expect(selected.json.items).toMatchObject([{ note: 'N', regarding }]);
    const watch = await WatchStream.open(api.url, `${core}?watch=1`);
    expect((await watch.next()).object).toMatchObject({ apiVersion: 'v1', involvedObject: regarding });
    const elsewhere = await call(api.url, 'POST', core, {
      body: { metadata: { name: 'x' }, involvedObject: { ...regarding, namespace: 'other' } },
    });
    expect(elsewhere.json).toMatchObject({ code: 422, details: { causes: [{ field: 'involvedObject.namespace' }] } });
  });

  it('an event is gone an hour after it was last written, by the clock', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    const event = (name: string) => ({ apiVersion: 'v1', kind: 'Event', metadata: { name }, involvedObject: {} });
    const names = async () =>
      (await api.list({ apiVersion: 'v1', kind: 'Event' })).map(({ metadata }) => metadata.name);
    await api.create(event('a'));
    await api.create(event('b'));
    clock.advance(1_800_000);
    await api.patch({ ...event('a'), name: 'a' }, { count: 2 });
    clock.advance(1_799_999);
    expect(await names()).toEqual(['a', 'b']);
    clock.advance(1);
    expect(await names()).toEqual(['a']);
    clock.advance(1_800_000);
    expect(await names()).toEqual([]);
    expect(clock.timers).toBe(0);
  });

  it('a lease is locked by its version and keeps its times as they are written', async () => {
    const { url } = await server();
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const spec = { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000001Z' };
    const { json } = await call(url, 'POST', path, { body: { metadata: { name: 'l' }, spec } });
    expect(json.spec).toEqual(spec);
    const renewed = await call(url, 'PUT', `${path}/l`, { body: { ...json, spec: { ...spec, holderIdentity: 'b' } } });
    expect(renewed.status).toBe(200);
    expect((await call(url, 'PUT', `${path}/l`, { body: json })).status).toBe(409);
  });
});
