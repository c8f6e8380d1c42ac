import { join } from 'node:path';
import {
  ApiException,
  ApiextensionsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  PatchStrategy,
  setHeaderOptions,
  StorageV1Api,
  type V1ObjectMeta,
  type V1PersistentVolumeClaim,
} from '@kubernetes/client-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTimeout } from '../support/build-once.js';
import { ClientProcess } from '../support/client-process.js';
import { openTarget, targetNames, type ClientTarget } from '../support/client-target.js';
import { claimDefinition } from './claim-definition.js';
import { installKopf } from './install-kopf.js';

const finalizer = 'kopf.zalando.org/KopfFinalizerMarker';
const lastHandled = 'kopf.zalando.org/last-handled-configuration';
const resource = { group: 'kopf.example', version: 'v1', plural: 'ephemeralvolumeclaims' };
const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);

interface Claim {
  metadata: V1ObjectMeta;
  spec: { size?: string };
  status?: Record<string, unknown>;
}

let python: string;

beforeAll(async () => {
  python = await installKopf();
}, buildTimeout);

describe.each(targetNames)('Kopf on the %s server', (name) => {
  let target: ClientTarget;
  let core: CoreV1Api;
  let custom: CustomObjectsApi;
  let definitions: ApiextensionsV1Api;
  let storage: StorageV1Api;
  let kopf: ClientProcess | undefined;
  const namespace = 'kopf-client';
  const storageClassName = 'kopf-client';
  const claims = { ...resource, namespace };

  beforeAll(async () => {
    target = await openTarget(name);
    const config = new KubeConfig();
    config.loadFromFile(target.kubeconfig);
    core = config.makeApiClient(CoreV1Api);
    custom = config.makeApiClient(CustomObjectsApi);
    definitions = config.makeApiClient(ApiextensionsV1Api);
    storage = config.makeApiClient(StorageV1Api);
    await definitions.createCustomResourceDefinition({ body: claimDefinition });
    await storage.createStorageClass({
      body: {
        metadata: { name: storageClassName },
        provisioner: 'kopf.example/none',
        allowVolumeExpansion: true,
      },
    });
    await core.createNamespace({ body: { metadata: { name: namespace } } });
  });

  afterAll(async () => {
    await core.deleteNamespace({ name: namespace });
    await storage.deleteStorageClass({ name: storageClassName });
    await definitions.deleteCustomResourceDefinition({ name: 'ephemeralvolumeclaims.kopf.example' });
    await target.close();
  });

  beforeEach(() => {
    kopf = undefined;
  });

  afterEach(async () => {
    await kopf?.stop();
  });

  const start = (): ClientProcess => {
    const program = join(import.meta.dirname, 'claims_operator.py');
    return new ClientProcess(python, ['-m', 'kopf', 'run', '--standalone', `--namespace=${namespace}`, program], {
      cwd: target.folder,
      env: {
        PATH: process.env['PATH'],
        HOME: target.folder,
        KUBECONFIG: target.kubeconfig,
        PYTHONUNBUFFERED: '1',
        PYTHONDONTWRITEBYTECODE: '1',
      },
    });
  };
  const makeClaim = (each: string, spec: object): Promise<unknown> => {
    const { group, version } = resource;
    const body = {
      apiVersion: `${group}/${version}`,
      kind: 'EphemeralVolumeClaim',
      metadata: { name: each, labels: { app: each } },
      spec: { storageClassName, ...spec },
    };
    return custom.createNamespacedCustomObject({ ...claims, body });
  };
  const claim = (each: string): Promise<Claim> =>
    custom.getNamespacedCustomObject({ ...claims, name: each }) as Promise<Claim>;
  const change = (each: string, body: object): Promise<unknown> =>
    custom.patchNamespacedCustomObject({ ...claims, name: each, body }, merge);
  const volume = (each: string): Promise<V1PersistentVolumeClaim> =>
    core.readNamespacedPersistentVolumeClaim({ name: each, namespace });
  const size = async (each: string): Promise<string | undefined> =>
    (await volume(each)).spec?.resources?.requests?.['storage'];
  /** In place of what provisions volumes: only a bound claim may grow. */
  const bind = (each: string): Promise<unknown> =>
    core.patchNamespacedPersistentVolumeClaimStatus(
      { name: each, namespace, body: { status: { phase: 'Bound' } } },
      merge,
    );
  /** In place of the controller that protects claims which pods use. */
  const isGone = async (each: string): Promise<boolean> => {
    try {
      const { metadata } = await volume(each);
      if (metadata?.deletionTimestamp !== undefined) {
        const body = { metadata: { finalizers: null } };
        await core.patchNamespacedPersistentVolumeClaim({ name: each, namespace, body }, merge);
      }
      return false;
    } catch (error) {
      if (error instanceof ApiException && error.code === 404) return true;
      throw error;
    }
  };

  it('serves claims from creation to deletion, and takes up after a restart', async () => {
    await makeClaim('early', { size: '1Gi' });
    kopf = start();
    await kopf.until(async () => expect(await size('early')).toBe('1Gi'));
    await makeClaim('late', { size: '1Gi' });
    await kopf.until(async () => expect(await size('late')).toBe('1Gi'));
    await kopf.until(async () => {
      const { metadata, status } = await claim('late');
      expect(metadata.finalizers).toEqual([finalizer]);
      expect(metadata.annotations).toHaveProperty([lastHandled]);
      expect(status).toEqual({ create_volume_claim: { volumeClaim: 'late' } });
    });
    const { uid } = (await claim('late')).metadata;
    expect((await volume('late')).metadata?.ownerReferences).toEqual([
      {
        apiVersion: 'kopf.example/v1',
        kind: 'EphemeralVolumeClaim',
        name: 'late',
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);

    for (const each of ['early', 'late']) await bind(each);
    await change('late', { spec: { size: '2Gi' } });
    await kopf.until(async () => expect(await size('late')).toBe('2Gi'));
    await change('late', { metadata: { labels: { tier: 'back' } } });
    await kopf.until(async () => expect((await volume('late')).metadata?.labels).toMatchObject({ tier: 'back' }));
    await change('late', { metadata: { labels: { tier: null } } });
    await kopf.until(async () => expect((await volume('late')).metadata?.labels ?? {}).not.toHaveProperty('tier'));

    expect(await kopf.stop()).toEqual({ exitCode: 0, signal: null });
    await change('early', { spec: { size: '3Gi' } });
    await makeClaim('meanwhile', { size: '1Gi' });
    expect(await size('early')).toBe('1Gi');
    kopf = start();
    await kopf.until(async () => {
      expect(await size('early')).toBe('3Gi');
      expect(await size('meanwhile')).toBe('1Gi');
      expect((await claim('late')).status).toMatchObject({ resumed: 1 });
    });

    await custom.deleteNamespacedCustomObject({ ...claims, name: 'late' });
    await kopf.until(async () => {
      expect(
        ((await custom.listNamespacedCustomObject(claims)) as { items: Claim[] }).items.map(
          ({ metadata }) => metadata.name,
        ),
      ).toEqual(['early', 'meanwhile']);
      expect(await isGone('late')).toBe(true);
    });
    await kopf.until(async () => {
      const { items } = await core.listNamespacedEvent({ namespace, fieldSelector: `involvedObject.uid=${uid}` });
      expect(items.map(({ reason }) => reason)).toContain('Removed');
    });
    expect(await size('early')).toBe('3Gi');
    expect(await kopf.stop()).toEqual({ exitCode: 0, signal: null });
    const refused = target.embedded?.requests.filter(
      ({ status = 0, userAgent = '' }) => status >= 400 && !userAgent.startsWith('kubernetes-client-javascript'),
    );
    expect(refused ?? []).toEqual([]);
  }, 300_000);

  it('gives up what is wrong for good, and goes on with its deletion', async () => {
    kopf = start();
    await makeClaim('sizeless', {});
    await kopf.until(() =>
      expect(kopf?.lines.join('\n')).toContain("'create_volume_claim' failed permanently: the claim names no size"),
    );
    await kopf.until(async () => expect((await claim('sizeless')).metadata.annotations).toHaveProperty([lastHandled]));
    expect(await isGone('sizeless')).toBe(true);
    await custom.deleteNamespacedCustomObject({ ...claims, name: 'sizeless' });
    await kopf.until(async () => {
      await expect(claim('sizeless')).rejects.toMatchObject({ code: 404 });
    });
    expect(await kopf.stop()).toEqual({ exitCode: 0, signal: null });
  });
});
