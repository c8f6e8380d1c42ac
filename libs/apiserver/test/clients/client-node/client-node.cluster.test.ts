import {
  ApiException,
  ApiextensionsV1Api,
  ApisApi,
  AppsV1Api,
  AuthenticationV1Api,
  AuthorizationV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  RbacAuthorizationV1Api,
  setHeaderOptions,
  V1MicroTime,
  VersionApi,
  Watch,
  type V1ConfigMap,
  type V1Deployment,
  type V1Status,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTarget, targetNames, type ClientTarget } from '../support/client-target.js';
import { group, sprocket, sprocketDefinition, type Sprocket } from './sprocket-definition.js';

/** What the server has to say about a call that it refuses. */
async function refusal(call: Promise<unknown>): Promise<V1Status> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiException)) throw new Error('the call was not refused', { cause: error });
  // Typed calls read the body as what they name; the dynamic ones hand it over as text.
  const body: unknown = error.body;
  return (typeof body === 'string' ? JSON.parse(body) : body) as V1Status;
}

const as = (strategy: PatchStrategy) => setHeaderOptions('Content-Type', strategy);

const deployment = (name: string): V1Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          { name: 'main', image: 'main:1' },
          { name: 'side', image: 'side:1' },
        ],
      },
    },
  },
});

describe.each(targetNames)('client-node on the %s server', (name) => {
  let target: ClientTarget;
  let config: KubeConfig;
  let core: CoreV1Api;
  let custom: CustomObjectsApi;
  let objects: KubernetesObjectApi;
  let turn = 0;
  let namespace: string;
  let sprockets: { group: string; version: string; namespace: string; plural: string };

  beforeAll(async () => {
    target = await openTarget(name);
    config = new KubeConfig();
    config.loadFromFile(target.kubeconfig);
    core = config.makeApiClient(CoreV1Api);
    custom = config.makeApiClient(CustomObjectsApi);
    objects = KubernetesObjectApi.makeApiClient(config);
    const definitions = config.makeApiClient(ApiextensionsV1Api);
    await definitions.createCustomResourceDefinition({ body: sprocketDefinition });
    await vi.waitFor(async () => {
      const { status } = await definitions.readCustomResourceDefinition({ name: `sprockets.${group}` });
      expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }));
      await custom.listCustomObjectForAllNamespaces({ group, version: 'v1', resourcePlural: 'sprockets' });
    }, 30_000);
  });

  afterAll(async () => {
    await config.makeApiClient(ApiextensionsV1Api).deleteCustomResourceDefinition({ name: `sprockets.${group}` });
    await target.close();
  });

  beforeEach(async () => {
    namespace = `client-node-${(turn += 1)}`;
    sprockets = { group, version: 'v1', namespace, plural: 'sprockets' };
    await core.createNamespace({ body: { metadata: { name: namespace } } });
    return async () => {
      await core.deleteNamespace({ name: namespace });
    };
  });

  describe('the typed API', () => {
    it('creates, reads, replaces, patches and deletes', async () => {
      const made = await core.createNamespacedConfigMap({
        namespace,
        body: { metadata: { name: 'c', labels: { a: 'b' } }, data: { x: '1' } },
      });
      expect(made.metadata?.creationTimestamp).toBeInstanceOf(Date);
      expect(made.metadata?.managedFields?.[0]).toMatchObject({ operation: 'Update', fieldsType: 'FieldsV1' });
      const again = core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'c' } } });
      expect(await refusal(again)).toMatchObject({ code: 409, reason: 'AlreadyExists', details: { name: 'c' } });
      const read = await core.readNamespacedConfigMap({ name: 'c', namespace });
      expect(read).toEqual(made);

      read.data = { x: '2' };
      const replaced = await core.replaceNamespacedConfigMap({ name: 'c', namespace, body: read });
      expect(Number(replaced.metadata?.resourceVersion)).toBeGreaterThan(Number(made.metadata?.resourceVersion));
      const stale = core.replaceNamespacedConfigMap({ name: 'c', namespace, body: made });
      expect(await refusal(stale)).toMatchObject({ code: 409, reason: 'Conflict' });

      const patch = (body: unknown, strategy: PatchStrategy): Promise<V1ConfigMap> =>
        core.patchNamespacedConfigMap({ name: 'c', namespace, body }, as(strategy));
      await patch({ data: { y: '1' } }, PatchStrategy.StrategicMergePatch);
      await patch({ data: { x: null } }, PatchStrategy.MergePatch);
      await patch([{ op: 'add', path: '/data/z', value: '3' }], PatchStrategy.JsonPatch);
      expect((await core.readNamespacedConfigMap({ name: 'c', namespace })).data).toEqual({ y: '1', z: '3' });

      const precondition = { preconditions: { uid: 'another' } };
      const wrong = core.deleteNamespacedConfigMap({ name: 'c', namespace, body: precondition });
      expect(await refusal(wrong)).toMatchObject({ code: 409, reason: 'Conflict' });
      expect(await core.deleteNamespacedConfigMap({ name: 'c', namespace })).toMatchObject({ status: 'Success' });
      expect(await refusal(core.readNamespacedConfigMap({ name: 'c', namespace }))).toMatchObject({
        code: 404,
        message: 'configmaps "c" not found',
      });
    });

    it('lists in pages, by labels and fields, and deletes what it selects', async () => {
      for (const each of ['a', 'b', 'c', 'd', 'e']) {
        const labels = { half: each < 'c' ? 'first' : 'second' };
        await core.createNamespacedSecret({
          namespace,
          body: { metadata: { name: each, labels }, stringData: { each } },
        });
      }
      const pages: string[][] = [];
      let _continue: string | undefined;
      do {
        const page = await core.listNamespacedSecret({ namespace, limit: 2, ...(_continue ? { _continue } : {}) });
        pages.push(page.items.map(({ metadata }) => metadata?.name ?? ''));
        _continue = page.metadata?._continue;
      } while (_continue);
      expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
      const labelSelector = 'half in (first)';
      expect((await core.listNamespacedSecret({ namespace, labelSelector })).items.map(({ data }) => data)).toEqual([
        { each: 'YQ==' },
        { each: 'Yg==' },
      ]);
      const byField = await core.listNamespacedSecret({ namespace, fieldSelector: 'metadata.name=d' });
      expect(byField.items).toHaveLength(1);
      await core.deleteCollectionNamespacedSecret({ namespace, labelSelector });
      const left = await core.listSecretForAllNamespaces({ labelSelector: 'half' });
      expect(left.items.filter(({ metadata }) => metadata?.namespace === namespace)).toHaveLength(3);
    });

    it('merges by key, scales, and writes status', async () => {
      const apps = config.makeApiClient(AppsV1Api);
      await apps.createNamespacedDeployment({ namespace, body: deployment('d') });
      const containers = [{ name: 'side', image: 'side:2' }];
      const body = { spec: { template: { spec: { containers } } } };
      const patched = await apps.patchNamespacedDeployment(
        { name: 'd', namespace, body },
        as(PatchStrategy.StrategicMergePatch),
      );
      const images = patched.spec?.template.spec?.containers.map(({ image }) => image ?? '') ?? [];
      expect(images.toSorted()).toEqual(['main:1', 'side:2']);
      const scale = await apps.readNamespacedDeploymentScale({ name: 'd', namespace });
      expect(scale.spec).toEqual({ replicas: 2 });
      scale.spec = { replicas: 5 };
      await apps.replaceNamespacedDeploymentScale({ name: 'd', namespace, body: scale });
      const status = { observedGeneration: 3, replicas: 5 };
      await apps.patchNamespacedDeploymentStatus(
        { name: 'd', namespace, body: { status } },
        as(PatchStrategy.MergePatch),
      );
      expect(await apps.readNamespacedDeployment({ name: 'd', namespace })).toMatchObject({
        metadata: { generation: 3 },
        spec: { replicas: 5 },
        status,
      });
    });

    it('holds a lease', async () => {
      const leases = config.makeApiClient(CoordinationV1Api);
      const now = new V1MicroTime();
      const made = await leases.createNamespacedLease({
        namespace,
        body: {
          metadata: { name: 'l' },
          spec: { holderIdentity: 'me', leaseDurationSeconds: 15, acquireTime: now, renewTime: now },
        },
      });
      expect(JSON.stringify(made.spec?.renewTime)).toBe(JSON.stringify(now));
      const taken = await leases.readNamespacedLease({ name: 'l', namespace });
      Object.assign(taken.spec ?? {}, { holderIdentity: 'you', renewTime: new V1MicroTime(now.getTime() + 1) });
      await leases.replaceNamespacedLease({ name: 'l', namespace, body: taken });
      const late = leases.replaceNamespacedLease({ name: 'l', namespace, body: made });
      expect(await refusal(late)).toMatchObject({ code: 409 });
    });

    it('asks who it is, what it may do, and what there is', async () => {
      const self = await config.makeApiClient(AuthenticationV1Api).createSelfSubjectReview({ body: {} });
      expect(self.status?.userInfo?.username).toBe('admin');
      const access = await config.makeApiClient(AuthorizationV1Api).createSelfSubjectAccessReview({
        body: { spec: { resourceAttributes: { namespace, verb: 'list', resource: 'sprockets', group } } },
      });
      expect(access.status?.allowed).toBe(true);
      const roles = config.makeApiClient(RbacAuthorizationV1Api);
      const rules = [{ apiGroups: [group], resources: ['sprockets'], verbs: ['get'] }];
      expect(await roles.createNamespacedRole({ namespace, body: { metadata: { name: 'r' }, rules } })).toMatchObject({
        rules,
      });
      expect((await config.makeApiClient(VersionApi).getCode()).gitVersion).toBe('v1.36.3');
      const groups = (await config.makeApiClient(ApisApi).getAPIVersions()).groups;
      expect(groups.find((each) => each.name === group)?.preferredVersion?.groupVersion).toBe(`${group}/v1`);
    });
  });

  it('works on custom objects', async () => {
    const at = (each: string) => ({ ...sprockets, name: each });
    const made = (await custom.createNamespacedCustomObject({ ...sprockets, body: sprocket('s') })) as Sprocket;
    expect(made.spec).toEqual({ teeth: 3, replicas: 1 });
    const invalid = custom.createNamespacedCustomObject({ ...sprockets, body: sprocket('bad', 1) });
    expect(await refusal(invalid)).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { causes: [{ field: 'spec.teeth' }] },
    });
    const strict = custom.createNamespacedCustomObject({
      ...sprockets,
      body: { ...sprocket('bad'), spec: { tooth: 1 } },
      fieldValidation: 'Strict',
    });
    expect((await refusal(strict)).message).toContain('unknown field "spec.tooth"');

    await custom.patchNamespacedCustomObject(
      { ...at('s'), body: { spec: { teeth: 8 } } },
      as(PatchStrategy.MergePatch),
    );
    const operations = [{ op: 'replace', path: '/spec/teeth', value: 9 }];
    await custom.patchNamespacedCustomObject({ ...at('s'), body: operations }, as(PatchStrategy.JsonPatch));
    const strategic = custom.patchNamespacedCustomObject(
      { ...at('s'), body: {} },
      as(PatchStrategy.StrategicMergePatch),
    );
    expect(await refusal(strategic)).toMatchObject({ code: 415 });
    await custom.patchNamespacedCustomObjectStatus(
      { ...at('s'), body: { status: { phase: 'Turning' }, spec: { teeth: 99 } } },
      as(PatchStrategy.MergePatch),
    );
    await custom.patchNamespacedCustomObjectScale(
      { ...at('s'), body: { spec: { replicas: 4 } } },
      as(PatchStrategy.MergePatch),
    );
    const read = (await custom.getNamespacedCustomObject(at('s'))) as Sprocket;
    expect(read).toMatchObject({ spec: { teeth: 9, replicas: 4 }, status: { phase: 'Turning' } });
    await custom.replaceNamespacedCustomObject({ ...at('s'), body: { ...read, spec: { teeth: 5 } } });
    const list = (await custom.listNamespacedCustomObject(sprockets)) as { items: Sprocket[] };
    expect(list.items.map(({ spec }) => spec)).toEqual([{ teeth: 5, replicas: 1 }]);
    await custom.deleteNamespacedCustomObject(at('s'));
    expect(await refusal(custom.getNamespacedCustomObject(at('s')))).toMatchObject({ code: 404 });
  });

  it('works on whatever object, with KubernetesObjectApi', async () => {
    const metadata = { name: 'o', namespace };
    const header = { ...sprocket('o'), metadata };
    expect(await objects.create(header)).toMatchObject({ spec: { teeth: 3, replicas: 1 } });
    const read = await objects.read<Sprocket>(header);
    await objects.replace({ ...read, spec: { teeth: 6 } });
    await objects.patch(
      { ...header, spec: { teeth: 7 } },
      undefined,
      undefined,
      undefined,
      undefined,
      PatchStrategy.MergePatch,
    );
    const apply = (spec: object, manager: string, force = false): Promise<unknown> => {
      const { apiVersion, kind } = header;
      const body = { apiVersion, kind, metadata, spec };
      return objects.patch(body, undefined, undefined, manager, force, PatchStrategy.ServerSideApply);
    };
    await apply({ replicas: 2 }, 'one', true);
    expect(await refusal(apply({ replicas: 3 }, 'two'))).toMatchObject({
      code: 409,
      reason: 'Conflict',
      details: { causes: [{ reason: 'FieldManagerConflict', field: '.spec.replicas' }] },
    });
    await apply({ replicas: 3 }, 'two', true);
    expect((await objects.list<Sprocket>(`${group}/v1`, 'Sprocket', namespace)).items.map(({ spec }) => spec)).toEqual([
      { teeth: 7, replicas: 3 },
    ]);
    // Typed kinds come back as such.
    const map = await objects.create<V1ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: '1' } });
    expect(map.metadata?.creationTimestamp).toBeInstanceOf(Date);
    expect(await objects.delete(header)).toMatchObject({ status: 'Success' });
    expect(await refusal(objects.read(header))).toMatchObject({ code: 404 });
  });

  it('watches, and is refused a version that is none', async () => {
    const path = `/apis/${group}/v1/namespaces/${namespace}/sprockets`;
    const { metadata } = (await custom.listNamespacedCustomObject(sprockets)) as {
      metadata: { resourceVersion: string };
    };
    const seen: string[] = [];
    const watch = new Watch(config);
    const controller = await watch.watch(
      path,
      { resourceVersion: metadata.resourceVersion, allowWatchBookmarks: true },
      (type: string, object: Sprocket) => void seen.push(`${type} ${object.metadata.name}`),
      () => {},
    );
    await custom.createNamespacedCustomObject({ ...sprockets, body: sprocket('w') });
    await custom.deleteNamespacedCustomObject({ ...sprockets, name: 'w' });
    await vi.waitFor(() => expect(seen).toEqual(['ADDED w', 'DELETED w']), 20_000);
    controller.abort();
    const ended = await new Promise<{ statusCode?: number }>((resolve, reject) => {
      watch.watch(path, { resourceVersion: 'nonsense' }, () => {}, resolve).catch(reject);
    });
    expect(ended.statusCode).toBe(500);
  });

  it('keeps an informer equal to the server', async () => {
    const informer = makeInformer<Sprocket>(
      config,
      `/apis/${group}/v1/namespaces/${namespace}/sprockets`,
      async () => (await custom.listNamespacedCustomObject(sprockets)) as { items: Sprocket[]; metadata: object },
    );
    const seen: string[] = [];
    for (const verb of ['add', 'update', 'delete'] as const)
      informer.on(verb, (each) => seen.push(`${verb} ${each.metadata.name} ${each.spec.teeth}`));
    const errors: unknown[] = [];
    informer.on('error', (error) => errors.push(error));
    await custom.createNamespacedCustomObject({ ...sprockets, body: sprocket('early') });
    await informer.start();
    try {
      expect(seen).toEqual(['add early 3']);
      await custom.createNamespacedCustomObject({ ...sprockets, body: sprocket('late', 4) });
      const body = { spec: { teeth: 12 } };
      await custom.patchNamespacedCustomObject({ ...sprockets, name: 'early', body }, as(PatchStrategy.MergePatch));
      await custom.deleteNamespacedCustomObject({ ...sprockets, name: 'late' });
      await vi.waitFor(() => expect(seen.slice(1)).toEqual(['add late 4', 'update early 12', 'delete late 4']), 20_000);
      expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['early']);
      expect(informer.get('early', namespace)?.spec.teeth).toBe(12);
      expect(errors).toEqual([]);
    } finally {
      await informer.stop();
    }
  });
});
