import {
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  ListWatch,
  setHeaderOptions,
  Watch,
  PatchStrategy,
} from '@kubernetes/client-node';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  startApiServer,
  type ApiServer,
  type JsonObject,
  type KubeObject,
  type RequestRecord,
} from '../../../src/index.js';
import { group, sprocket, sprocketDefinition, type Sprocket } from './sprocket-definition.js';

let api: ApiServer;
let config: KubeConfig;
let informer: ListWatch<Sprocket>;
let seen: string[];
let errors: { statusCode?: number }[];

const sprockets = { group, version: 'v1', namespace: 'default', plural: 'sprockets' };
const ref = (name: string) => ({ apiVersion: `${group}/v1`, kind: 'Sprocket', name });
const sent = (verb: string): RequestRecord[] =>
  api.requests.filter((each) => each.resource === 'sprockets' && each.verb === verb);
const watchedFrom = (): (string | null)[] => sent('watch').map(({ query }) => query.get('resourceVersion'));
const make = (name: string): Promise<KubeObject> => api.create(sprocket(name) as unknown as JsonObject);
const open = (): number => api.watches.list({ resource: 'sprockets' }).length;

beforeEach(async () => {
  // The definition in the words of the API, where client-node has a name of its own for `default`.
  const definition = JSON.parse(JSON.stringify(sprocketDefinition).replace('"_default"', '"default"')) as JsonObject;
  const bugs: unknown[] = [];
  api = await startApiServer({ crds: [definition], onInternalError: (error) => void bugs.push(error) });
  config = new KubeConfig();
  config.loadFromString(JSON.stringify(api.kubeConfig()));
  const custom = config.makeApiClient(CustomObjectsApi);
  informer = new ListWatch<Sprocket>(
    `/apis/${group}/v1/namespaces/default/sprockets`,
    new Watch(config),
    async () => (await custom.listNamespacedCustomObject(sprockets)) as { items: Sprocket[]; metadata: object },
    false,
    undefined,
    undefined,
    // Its pause before it connects again is not what is tested.
    { delayFn: () => new Promise((resolve) => setImmediate(resolve)) },
  );
  seen = [];
  errors = [];
  for (const verb of ['add', 'update', 'delete'] as const)
    informer.on(verb, ({ metadata }) => seen.push(`${verb} ${metadata.name}`));
  informer.on('error', (error: { statusCode?: number }) => errors.push(error));
  await make('first');
  return async () => {
    await informer.stop();
    await api.close();
    expect(bugs).toEqual([]);
  };
});

describe('an informer of client-node, under faults', () => {
  it('goes on by itself from where it was when the watch ends', async () => {
    const fault = api.faults.add({
      match: { verb: 'watch', resource: 'sprockets', times: 1 },
      do: { action: 'endStream', afterEvents: 1 },
    });
    await informer.start();
    const second = await make('second');
    await vi.waitFor(() => expect(seen).toEqual(['add first', 'add second']), 20_000);
    await make('third');
    await vi.waitFor(() => expect(seen).toEqual(['add first', 'add second', 'add third']), 20_000);
    expect(fault.hits).toBe(1);
    expect(watchedFrom()[1]).toBe(second.metadata.resourceVersion);
    expect(sent('list')).toHaveLength(1);
  });

  it('reports a line that is cut in two, and when started again gets it whole', async () => {
    const fault = api.faults.add({
      match: { verb: 'watch', resource: 'sprockets', times: 1 },
      do: { action: 'cut', afterBytes: 40 },
    });
    await informer.start();
    await make('second');
    await vi.waitFor(() => expect(errors).toHaveLength(1), 20_000);
    expect(seen).toEqual(['add first']);
    await informer.start();
    await vi.waitFor(() => expect(seen).toEqual(['add first', 'add second']), 20_000);
    expect(fault.hits).toBe(1);
    expect(watchedFrom()).toEqual([watchedFrom()[0], watchedFrom()[0]]);
    expect(sent('list')).toHaveLength(1);
  });

  it('reports a reset, and when started again misses nothing', async () => {
    await informer.start();
    await vi.waitFor(() => expect(open()).toBe(1), 20_000);
    await make('second');
    await vi.waitFor(() => expect(seen).toHaveLength(2), 20_000);
    expect(api.watches.cut({ how: 'reset', resource: 'sprockets' })).toBe(1);
    await vi.waitFor(() => expect(errors).toHaveLength(1), 20_000);
    await api.delete(ref('first'));
    await make('third');
    await informer.start();
    await vi.waitFor(() => expect(seen).toEqual(['add first', 'add second', 'delete first', 'add third']), 20_000);
    expect(sent('list')).toHaveLength(1);
  });

  it('lists again when its version has expired, and tells what has gone meanwhile', async () => {
    await informer.start();
    await vi.waitFor(() => expect(open()).toBe(1), 20_000);
    await api.faults.refuseConnections(true);
    api.watches.cut({ how: 'reset', resource: 'sprockets' });
    await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0), 20_000);
    await api.delete(ref('first'));
    await make('second');
    api.compact();
    await api.faults.refuseConnections(false);
    await informer.start();
    await vi.waitFor(() => expect(seen).toEqual(['add first', 'delete first', 'add second']), 20_000);
    expect(sent('list')).toHaveLength(2);
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['second']);
  });

  it('takes events that come twice as what they are', async () => {
    api.faults.add({ match: { verb: 'watch', resource: 'sprockets' }, do: { action: 'duplicateEvents' } });
    await informer.start();
    await vi.waitFor(() => expect(open()).toBe(1), 20_000);
    const core = config.makeApiClient(CustomObjectsApi);
    const body = { spec: { teeth: 5 } };
    await core.patchNamespacedCustomObject(
      { ...sprockets, name: 'first', body },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
    await vi.waitFor(() => expect(informer.get('first', 'default')?.spec.teeth).toBe(5), 20_000);
    expect(new Set(seen)).toEqual(new Set(['add first', 'update first']));
  });

  it('is told apart by its token where there are accounts', async () => {
    const guarded = await startApiServer({
      authorization: 'rbac',
      users: [
        { name: 'root', token: 'root-token', groups: ['system:masters'] },
        { name: 'ann', token: 'ann-token' },
      ],
    });
    try {
      const of = (user: string): CoreV1Api => {
        const each = new KubeConfig();
        each.loadFromString(JSON.stringify(guarded.kubeConfig(user)));
        return each.makeApiClient(CoreV1Api);
      };
      await expect(of('root').listNamespacedSecret({ namespace: 'default' })).resolves.toMatchObject({ items: [] });
      await expect(of('ann').listNamespacedSecret({ namespace: 'default' })).rejects.toMatchObject({ code: 403 });
    } finally {
      await guarded.close();
    }
  });
});
