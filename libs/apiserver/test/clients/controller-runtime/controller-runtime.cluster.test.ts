import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ApiextensionsV1Api,
  AppsV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  EventsV1Api,
  KubeConfig,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RequestRecord } from '../../../src/index.js';
import { buildOnce, buildTimeout } from '../support/build-once.js';
import { ClientProcess } from '../support/client-process.js';
import { openTarget, targetNames, type ClientTarget } from '../support/client-target.js';
import { buildStep, findToolchain } from '../support/toolchain.js';
import { siteDefinition, type Site } from './site-definition.js';

const sources = import.meta.dirname;
const namespace = 'manager-client';
const sites = { group: 'manager.example', version: 'v1', plural: 'sites', namespace };
const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);

let command: string;

/** Builds the manager with Go from the modules that go.sum names. */
async function buildManager(): Promise<string> {
  const names = ['go.mod', 'go.sum', 'main.go', 'reconciler.go', 'site.go'];
  const inputs = await Promise.all(names.map((each) => readFile(join(sources, each), 'utf8')));
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
  const oldest = /^go (\S+)$/m.exec(inputs[0] ?? '')?.[1] ?? '';
  const go = await findToolchain(
    { command: 'go', args: ['version'], version: /\bgo(\d[\w.]*)/, oldest, neededBy: 'The test of controller-runtime' },
    env,
  );
  const folder = await buildOnce('controller-runtime', [...inputs, go.version], (target) =>
    buildStep(go.path, ['build', '-mod=readonly', '-o', join(target, 'manager'), '.'], { env, cwd: sources }),
  );
  return join(folder, 'manager');
}

beforeAll(async () => {
  command = await buildManager();
}, buildTimeout);

describe.each(targetNames)('a manager of controller-runtime on the %s server', (name) => {
  let target: ClientTarget;
  let core: CoreV1Api;
  let apps: AppsV1Api;
  let custom: CustomObjectsApi;
  let leases: CoordinationV1Api;
  let events: EventsV1Api;
  let definitions: ApiextensionsV1Api;
  const running: ClientProcess[] = [];

  beforeAll(async () => {
    target = await openTarget(name);
    const config = new KubeConfig();
    config.loadFromFile(target.kubeconfig);
    core = config.makeApiClient(CoreV1Api);
    apps = config.makeApiClient(AppsV1Api);
    custom = config.makeApiClient(CustomObjectsApi);
    leases = config.makeApiClient(CoordinationV1Api);
    events = config.makeApiClient(EventsV1Api);
    definitions = config.makeApiClient(ApiextensionsV1Api);
    await definitions.createCustomResourceDefinition({ body: siteDefinition });
    await core.createNamespace({ body: { metadata: { name: namespace } } });
  });

  afterAll(async () => {
    await core.deleteNamespace({ name: namespace });
    await definitions.deleteCustomResourceDefinition({ name: 'sites.manager.example' });
    await target.close();
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.stop()));
  });

  const start = (): ClientProcess => {
    const { folder, kubeconfig } = target;
    const env = { HOME: folder, KUBECONFIG: kubeconfig, MANAGER_NAMESPACE: namespace };
    const manager = new ClientProcess(command, [], { cwd: folder, env });
    running.push(manager);
    return manager;
  };
  const site = (each: string): Promise<Site> =>
    custom.getNamespacedCustomObject({ ...sites, name: each }) as Promise<Site>;
  const makeSite = (each: string, spec: object): Promise<unknown> => {
    const body = { apiVersion: 'manager.example/v1', kind: 'Site', metadata: { name: each }, spec };
    return custom.createNamespacedCustomObject({ ...sites, body });
  };
  const holder = async (): Promise<string | undefined> =>
    (await leases.readNamespacedLease({ name: 'sites', namespace })).spec?.holderIdentity;
  const image = async (each: string): Promise<string | undefined> => {
    const { spec } = await apps.readNamespacedDeployment({ name: each, namespace });
    return spec?.template.spec?.containers[0]?.image;
  };

  it('is elected, reconciles, writes status, holds and drops its finalizer, and hands over', async () => {
    const first = start();
    await first.until(() => expect(first.lines).toContain('elected'));
    const firstHolder = await holder();
    expect(firstHolder).toMatch(/.+_.+/);
    const second = start();
    await second.until(() => expect(second.lines.join('\n')).toContain('Attempting to acquire leader lease'));

    await makeSite('one', { image: 'x:1', copies: 2 });
    await first.until(async () => {
      const { metadata, status } = await site('one');
      expect(metadata.finalizers).toEqual(['manager.example/record']);
      expect(status).toMatchObject({
        observedGeneration: 1,
        conditions: [{ type: 'Ready', status: 'False', reason: 'Starting' }],
      });
    });
    const { uid } = (await site('one')).metadata;
    expect(await apps.readNamespacedDeployment({ name: 'one', namespace })).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'Site', name: 'one', uid, controller: true, blockOwnerDeletion: true }] },
      spec: { replicas: 2, template: { spec: { containers: [{ image: 'x:1' }] } } },
    });
    const record = await core.readNamespacedConfigMap({ name: 'record-of-one', namespace });
    expect(record.data).toEqual({ image: 'x:1' });
    expect(record.metadata?.managedFields).toMatchObject([{ manager: 'sites', operation: 'Apply' }]);

    // In place of what runs deployments; the change of what it owns is told to the manager.
    const status = { replicas: 2, observedGeneration: 1 };
    await apps.patchNamespacedDeploymentStatus({ name: 'one', namespace, body: { status } }, merge);
    await first.until(async () =>
      expect((await site('one')).status).toMatchObject({ running: 2, conditions: [{ type: 'Ready', status: 'True' }] }),
    );
    await first.until(async () => {
      const { items } = await events.listNamespacedEvent({ namespace });
      expect(items).toContainEqual(
        expect.objectContaining({ reason: 'Deployed', action: 'Deploy', note: 'made deployment one' }),
      );
    });

    // Clean stop: the lease is given back, and the second manager takes it up with all that it needs to know.
    expect(second.lines).not.toContain('elected');
    expect(await first.stop()).toEqual({ exitCode: 0, signal: null });
    expect(first.lines).toContain('stopped');
    await second.until(() => expect(second.lines).toContain('elected'));
    const secondHolder = await holder();
    expect(secondHolder).toMatch(/.+_.+/);
    expect(secondHolder).not.toBe(firstHolder);
    const body = { spec: { image: 'x:2' } };
    await custom.patchNamespacedCustomObject({ ...sites, name: 'one', body }, merge);
    await second.until(async () => {
      expect(await image('one')).toBe('x:2');
      expect((await site('one')).status).toMatchObject({ observedGeneration: 2 });
    });

    await custom.deleteNamespacedCustomObject({ ...sites, name: 'one' });
    const gone = { code: 404 };
    await second.until(async () => {
      await expect(site('one')).rejects.toMatchObject(gone);
      await expect(core.readNamespacedConfigMap({ name: 'record-of-one', namespace })).rejects.toMatchObject(gone);
      await expect(image('one')).rejects.toMatchObject(gone);
    });
    expect(await second.stop()).toEqual({ exitCode: 0, signal: null });
    expect(second.lines).toContain('stopped');
    expect(await holder()).toBe('');

    if (target.embedded !== undefined)
      expectRequests(target.embedded.requests.filter(({ userAgent = '' }) => userAgent.startsWith('manager/')));
  }, 300_000);
});

/** What only the server can tell: how the managers have asked. */
function expectRequests(requests: readonly RequestRecord[]): void {
  const cached = requests.filter(({ resource }) => resource === 'sites' || resource === 'deployments');
  // One stream for each kind and manager brings what there is and what changes; nothing is listed beside it.
  const watches = cached.filter(({ verb }) => verb === 'watch');
  for (const { query, status } of watches.filter(({ query }) => query.get('sendInitialEvents') !== null)) {
    expect(Object.fromEntries(query)).toMatchObject({
      watch: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
    });
    expect(status).toBe(200);
  }
  expect(
    watches
      .filter(({ query }) => query.get('sendInitialEvents') === 'true')
      .map(({ resource }) => resource ?? '')
      .toSorted(),
  ).toEqual(['deployments', 'deployments', 'sites', 'sites']);
  expect(cached.filter(({ verb }) => verb === 'list')).toEqual([]);

  const written = (resource: string, subresource?: string): RequestRecord[] =>
    requests.filter(
      (each) =>
        each.resource === resource &&
        each.subresource === subresource &&
        ['PUT', 'PATCH', 'POST'].includes(each.method),
    );
  expect(written('sites', 'status').length).toBeGreaterThanOrEqual(3);
  // Out of a cache that is behind it may ask once more, for a site that is gone.
  const finalized = written('sites').filter(({ status = 0 }) => status < 300);
  expect(finalized.map(({ method }) => method)).toEqual(['PUT', 'PATCH']);
  expect(written('deployments')[0]?.contentType).toBe('application/vnd.kubernetes.protobuf');
  expect(written('configmaps').map(({ contentType }) => contentType)).toContain('application/apply-patch+yaml');
  expect(written('leases').length).toBeGreaterThanOrEqual(4);

  // Not there yet, there already, or changed by someone else: all else would be a misunderstanding.
  const refused = requests.filter(({ status = 0 }) => status >= 400 && ![404, 409].includes(status));
  expect(refused.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([]);
}
