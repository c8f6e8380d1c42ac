import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ApiError, InvalidOptionsError, startApiServer, type JsonObject } from '../src/index.js';
import { configMap, configMaps, server, widget, widgetDefinition, widgets } from './support/fixtures.js';
import { call, WatchStream } from './support/http.js';

const ref = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name });

describe('users', () => {
  const users = [
    { name: 'admin', token: 'admin-token', groups: ['system:masters'] },
    { name: 'dev', token: 'dev-token' },
  ];

  it('a bad token is 401, none is anonymous and forbidden, a good one is let in', async () => {
    const { url } = await server({ users });
    const get = (path: string, token?: string) =>
      call(url, 'GET', path, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
    expect((await get(configMaps, 'wrong')).json).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Unauthorized',
      reason: 'Unauthorized',
      code: 401,
    });
    expect((await get(widgets)).json).toMatchObject({
      code: 403,
      message:
        'widgets.example.com is forbidden: User "system:anonymous" cannot list resource "widgets" in API group "example.com" in the namespace "default"',
      details: { group: 'example.com', kind: 'widgets' },
    });
    expect((await get('/api/v1/nodes')).json.message).toMatch(/ at the cluster scope$/);
    expect((await get('/metrics')).json.message).toBe('forbidden: User "system:anonymous" cannot get path "/metrics"');
    expect((await get('/healthz')).status).toBe(200);
    expect((await get(widgets, 'dev-token')).status).toBe(200);
  });

  it('are known to the log, to faults and to kubeconfigs', async () => {
    const api = await server({ users });
    api.faults.add({ match: { user: 'dev' }, do: { action: 'answer', status: 403 } });
    expect((await call(api.url, 'GET', configMaps, { headers: { authorization: 'Bearer dev-token' } })).status).toBe(
      403,
    );
    expect((await call(api.url, 'GET', configMaps, { headers: { authorization: 'Bearer admin-token' } })).status).toBe(
      200,
    );
    expect(api.requests.all().map(({ user }) => user)).toEqual(['dev', 'admin']);
    expect(api.kubeConfig().users).toEqual([{ name: 'admin', user: { token: 'admin-token' } }]);
    expect(api.kubeConfig('dev')).toMatchObject({
      clusters: [{ cluster: { server: api.url } }],
      users: [{ user: { token: 'dev-token' } }],
    });
    expect(() => api.kubeConfig('nobody')).toThrow(/no user "nobody"/);
  });
});

describe('RBAC', () => {
  const users = [
    { name: 'admin', token: 'admin', groups: ['system:masters'] },
    { name: 'dev', token: 'dev', groups: ['devs'] },
    { name: 'system:serviceaccount:default:bot', token: 'bot' },
  ];
  const group = 'rbac.authorization.k8s.io';
  const role = (kind: string, name: string, rules: JsonObject[], namespace?: string): JsonObject => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    rules,
  });
  const binding = (kind: string, roleRef: JsonObject, subject: JsonObject): JsonObject => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name: 'binding', ...(kind === 'RoleBinding' ? { namespace: 'default' } : {}) },
    roleRef: { apiGroup: group, ...roleRef },
    subjects: [subject],
  });

  it('allows what roles and bindings say and forbids the rest', async () => {
    const api = await server({
      users,
      authorization: 'rbac',
      objects: [
        role(
          'Role',
          'r',
          [{ apiGroups: ['example.com'], resources: ['widgets', 'widgets/status'], verbs: ['get', 'patch'] }],
          'default',
        ),
        binding('RoleBinding', { kind: 'Role', name: 'r' }, { kind: 'Group', name: 'devs' }),
        role('ClusterRole', 'c', [
          { apiGroups: [''], resources: ['configmaps'], verbs: ['*'], resourceNames: ['mine'] },
          { nonResourceURLs: ['/logs/*'], verbs: ['get'] },
        ]),
        binding(
          'ClusterRoleBinding',
          { kind: 'ClusterRole', name: 'c' },
          { kind: 'ServiceAccount', name: 'bot', namespace: 'default' },
        ),
      ],
    });
    const status = async (token: string, method: string, path: string): Promise<number> =>
      (
        await call(api.url, method, path, {
          body: {},
          contentType: 'merge',
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    expect(await status('dev', 'GET', `${widgets}/a`)).toBe(404);
    expect(await status('dev', 'PATCH', `${widgets}/a/status`)).toBe(404);
    expect(await status('dev', 'DELETE', `${widgets}/a`)).toBe(403);
    expect(await status('dev', 'GET', widgets)).toBe(403);
    expect(await status('dev', 'GET', '/apis/example.com/v1/namespaces/kube-system/widgets/a')).toBe(403);
    expect(await status('dev', 'PATCH', `${widgets}/a/scale`)).toBe(403);
    expect(await status('bot', 'GET', `${configMaps}/mine`)).toBe(404);
    expect(await status('bot', 'GET', `${configMaps}/other`)).toBe(403);
    expect(await status('bot', 'GET', configMaps)).toBe(403);
    expect(await status('bot', 'GET', `${configMaps}?fieldSelector=metadata.name%3Dmine`)).toBe(200);
    expect(await status('bot', 'GET', '/logs/x')).toBe(404);
    expect(await status('dev', 'GET', '/logs/x')).toBe(403);
    expect(await status('dev', 'GET', '/apis')).toBe(200);
    expect(await status('admin', 'GET', widgets)).toBe(200);
    const { json } = await call(api.url, 'DELETE', `${widgets}/a`, { headers: { authorization: 'Bearer dev' } });
    expect(json).toMatchObject({
      code: 403,
      message:
        'widgets.example.com "a" is forbidden: User "dev" cannot delete resource "widgets" in API group "example.com" in the namespace "default"',
      details: { name: 'a', group: 'example.com', kind: 'widgets' },
    });
  });
});

describe('the request log', () => {
  it('holds every request with what was asked and answered', async () => {
    const api = await server();
    await call(api.url, 'PATCH', `${widgets}/a/status?dryRun=All`, {
      contentType: 'merge',
      body: { status: { phase: 'x' } },
      headers: { 'user-agent': 'test/1' },
    });
    expect(api.requests.all()).toMatchObject([
      {
        at: expect.any(Number) as number,
        method: 'PATCH',
        path: `${widgets}/a/status`,
        verb: 'patch',
        group: 'example.com',
        resource: 'widgets',
        namespace: 'default',
        name: 'a',
        subresource: 'status',
        userAgent: 'test/1',
        contentType: 'application/merge-patch+json',
        body: { status: { phase: 'x' } },
        status: 404,
      },
    ]);
    expect(api.requests.all()[0]!.query.get('dryRun')).toBe('All');
    await call(api.url, 'GET', '/version');
    const watch = await WatchStream.open(api.url, `${configMaps}?watch=1`);
    expect(api.requests.filter(({ verb }) => verb === 'watch')).toMatchObject([
      { resource: 'configmaps', status: 200 },
    ]);
    watch.close();
    api.requests.clear();
    expect(api.requests.length).toBe(0);
  });
});

describe('activity', () => {
  it('is zero while nothing happens, also with open watches, and above zero while a request is handled', async () => {
    const api = await server();
    const watch = await WatchStream.open(api.url, `${configMaps}?watch=1`);
    await api.activity.whenIdle();
    expect(api.activity.count).toBe(0);
    const counts: number[] = [];
    const unsubscribe = api.store.subscribe(() => counts.push(api.activity.count));
    await call(api.url, 'POST', configMaps, { body: configMap('a') });
    unsubscribe();
    await api.activity.whenIdle();
    expect(counts).toHaveLength(1);
    expect(counts[0]).toBeGreaterThan(0);
    expect(watch.lines.length + 1).toBeGreaterThan(0);
    expect((await watch.next()).object.metadata.name).toBe('a');
    expect(api.activity.count).toBe(0);
  });

  it('is zero only after the frames of a write are in the sockets', async () => {
    const api = await server();
    const watches = await Promise.all(
      Array.from({ length: 10 }, () => WatchStream.open(api.url, `${configMaps}?watch=1`)),
    );
    while (api.watches.list().length < 10) await new Promise((resolve) => setImmediate(resolve));
    await api.activity.whenIdle();
    for (let round = 0; round < 20; round++) {
      await api.create(configMap(`c${round}`));
      expect(api.activity.count).toBeGreaterThan(0);
      await api.activity.whenIdle();
      // One turn of the poll phase is enough to read what has been written.
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const watch of watches) expect((await watch.take(20)).at(-1)!.object.metadata.name).toBe('c19');
  });

  it('comes back to zero after every kind of broken request', async () => {
    const api = await server();
    const actions = [
      { action: 'reset' },
      { action: 'reset', when: 'afterHeaders' },
      { action: 'cut', afterBytes: 5 },
      { action: 'loseAnswer' },
      { action: 'rechunk', bytes: 3 },
      { action: 'answer', status: 500 },
    ] as const;
    for (const action of actions) {
      api.faults.add({ match: { times: 1 }, do: action });
      await call(api.url, 'GET', configMaps).catch(() => undefined); // Broken on purpose.
      await api.activity.whenIdle();
    }
    expect(api.activity.count).toBe(0);
  });
});

describe('calls from within the process', () => {
  it('create, get, list, replace, patch, apply and delete', async () => {
    const api = await server();
    const created = await api.create(widget('a', { metadata: { labels: { app: 'x' } } }));
    expect(await api.get({ apiVersion: 'example.com/v1', kind: 'Widget', name: 'a' })).toEqual(created);
    expect(await api.list({ apiVersion: 'example.com/v1', resource: 'widgets', labelSelector: 'app=x' })).toEqual([
      created,
    ]);
    const replaced = await api.replace({ ...created, spec: { size: 2 } });
    expect(replaced.metadata.generation).toBe(2);
    const status = await api.patch({ ...replaced, name: 'a' }, { status: { phase: 'x' } }, { subresource: 'status' });
    expect(status['status']).toEqual({ phase: 'x' });
    await api.delete({ apiVersion: 'example.com/v1', kind: 'Widget', name: 'a' });
    expect(await api.get({ apiVersion: 'example.com/v1', kind: 'Widget', name: 'a' })).toBeUndefined();
    const applied = await api.apply(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: "1"}\n---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: b}\nspec: {size: 1}\nstatus: {phase: y}\n',
    );
    expect(applied.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([
      ['ConfigMap', 'a'],
      ['Widget', 'b'],
    ]);
    expect(applied[1]!['status']).toEqual({ phase: 'y' });
    expect(api.requests.length).toBe(0);
  });

  it('fail with the error that a client would get', async () => {
    const api = await server();
    const error = await api.create(widget('a', { spec: { size: 0 } })).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 422,
      reason: 'Invalid',
      status: { details: { causes: [{ field: 'spec.size' }] } },
    });
    await expect(api.delete(ref('x'))).rejects.toMatchObject({ code: 404 });
    await expect(api.get({ apiVersion: 'nothing.example/v1', kind: 'X', name: 'x' })).rejects.toThrow(
      /is its CustomResourceDefinition installed/,
    );
  });

  it('hand out copies: changing one changes nothing in the store', async () => {
    const api = await server();
    const created = await api.create(configMap('a', { x: '1' }));
    (created['data'] as JsonObject)['x'] = '2';
    expect((await api.get(ref('a')))!['data']).toEqual({ x: '1' });
  });

  it('waitFor looks again after each write', async () => {
    const api = await server();
    let looks = 0;
    const waiting = api.waitFor(async (server) => {
      looks++;
      return server.get(ref('b'));
    });
    await api.create(configMap('a'));
    await api.create(configMap('b'));
    expect((await waiting).metadata.name).toBe('b');
    expect(looks).toBeLessThanOrEqual(4);
    const controller = new AbortController();
    const never = api.waitFor(() => false, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(never).rejects.toThrow('enough');
    await expect(api.waitFor(() => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
  });
});

describe('start and end', () => {
  it('begins with definitions and objects, in namespaces that are made for them', async () => {
    const api = await server({
      objects: [
        widget('a', { metadata: { namespace: 'team' }, status: { phase: 'x' } }),
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n',
      ],
    });
    const { json } = await call(api.url, 'GET', '/apis/example.com/v1/namespaces/team/widgets/a');
    expect(json.status).toEqual({ phase: 'x' });
    expect(await api.get(ref('c'))).toBeDefined();
  });

  it('refuses to start with objects that it would refuse later', async () => {
    await expect(startApiServer({ objects: [widget('a')] })).rejects.toThrow(
      /is its CustomResourceDefinition installed/,
    );
    const refused = await startApiServer({
      crds: [widgetDefinition],
      objects: [widget('a', { spec: { size: 0 } }), widget('b'), widget('c', { spec: { mode: 'x' } })],
    }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidOptionsError);
    expect(refused).toMatchObject({ code: 'APISERVER_INVALID_OPTIONS', cause: expect.any(ApiError) as ApiError });
    expect((refused as InvalidOptionsError).problems).toEqual([
      expect.stringMatching(/^objects\[0\] is refused: Widget.example.com "a" is invalid: spec.size/),
      expect.stringMatching(/^objects\[2\] is refused: Widget.example.com "c" is invalid: spec.mode/),
    ]);
  });

  it('writes a kubeconfig that only its owner can read', async () => {
    const api = await server();
    const folder = await mkdtemp(join(tmpdir(), 'apiserver-'));
    const path = join(folder, 'config');
    await api.writeKubeconfig(path);
    expect(parse(await readFile(path, 'utf8'))).toEqual(api.kubeConfig());
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await rm(folder, { recursive: true });
  });

  it('ends idle connections, watches, stalled requests and timers, and can be asked twice', async () => {
    const before = process.getActiveResourcesInfo().length;
    const api = await startApiServer();
    const watch = await WatchStream.open(api.url, `${configMaps}?watch=1`);
    api.faults.add({ match: { verb: 'get' }, do: { action: 'stall' } });
    const stalled = call(api.url, 'GET', `${configMaps}/x`).catch((error: unknown) => error);
    while (api.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([api.close(), api.close()]);
    expect(watch.over ?? (await watch.ended())).toBeTruthy();
    expect(await stalled).toBeInstanceOf(Error);
    await expect(call(api.url, 'GET', '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
  });

  it('lists 10,000 objects without delay', async () => {
    const api = await server();
    for (let index = 0; index < 10_000; index++) await api.create(configMap(`c${index}`, { a: 'some data' }));
    await call(api.url, 'GET', configMaps);
    const start = performance.now();
    const { json } = await call(api.url, 'GET', configMaps);
    const time = performance.now() - start;
    expect(json.items).toHaveLength(10_000);
    const reference = performance.now();
    for (let index = 0; index < 3; index++) JSON.parse(JSON.stringify(json));
    // Relative to what the machine needs for the same amount of JSON right now.
    expect(time).toBeLessThan(Math.max(200, 5 * (performance.now() - reference)));
  });
});
