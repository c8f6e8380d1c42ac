import { describe, expect, it } from 'vitest';
import { server, widgets } from './support/fixtures.js';
import { call } from './support/http.js';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

describe('discovery', () => {
  it('legacy documents list groups, versions and resources with their subresources', async () => {
    const { url } = await server();
    expect((await call(url, 'GET', '/api')).json).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const groups = (await call(url, 'GET', '/apis')).json.groups as { name: string }[];
    expect(groups.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['apps', 'coordination.k8s.io', 'events.k8s.io', 'example.com']),
    );
    const { json } = await call(url, 'GET', '/apis/example.com/v1');
    expect(json).toMatchObject({ kind: 'APIResourceList', groupVersion: 'example.com/v1' });
    expect(json.resources).toMatchObject([
      { name: 'widgets', singularName: 'widget', namespaced: true, kind: 'Widget', shortNames: ['wd'] },
      { name: 'widgets/status', kind: 'Widget', verbs: ['get', 'patch', 'update'] },
      { name: 'widgets/scale', group: 'autoscaling', version: 'v1', kind: 'Scale' },
    ]);
    expect((await call(url, 'GET', '/apis/nothing.example')).text).toBe('404 page not found\n');
  });

  it('aggregated documents come with an ETag that can be asked again', async () => {
    const api = await server();
    const first = await call(api.url, 'GET', '/apis', { headers: { accept: `${aggregated},application/json` } });
    expect(first.headers['content-type']).toBe(aggregated);
    expect(first.json).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
    const group = first.json.items.find((item: { metadata: { name: string } }) => item.metadata.name === 'example.com');
    expect(group.versions[0].resources[0]).toMatchObject({
      resource: 'widgets',
      scope: 'Namespaced',
      responseKind: { group: 'example.com', version: 'v1', kind: 'Widget' },
      subresources: [{ subresource: 'status' }, { subresource: 'scale' }],
    });
    const headers = { accept: aggregated, 'if-none-match': String(first.headers.etag) };
    expect((await call(api.url, 'GET', '/apis', { headers })).status).toBe(304);
    await api.delete({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: 'widgets.example.com',
    });
    expect((await call(api.url, 'GET', '/apis', { headers })).status).toBe(200);
    const core = await call(api.url, 'GET', '/api', { headers: { accept: aggregated } });
    expect(core.json.items[0].versions[0].resources.map((entry: { resource: string }) => entry.resource)).toContain(
      'pods',
    );
  });

  it('OpenAPI v3 has an index and documents with what kubectl looks for', async () => {
    const { url } = await server();
    const index = await call(url, 'GET', '/openapi/v3');
    const { serverRelativeURL } = index.json.paths['apis/example.com/v1'];
    const { json } = await call(url, 'GET', serverRelativeURL as string);
    const patch = json.paths['/apis/example.com/v1/namespaces/{namespace}/widgets/{name}'].patch;
    expect(patch.parameters.map((parameter: { name: string }) => parameter.name)).toContain('fieldValidation');
    expect(patch['x-kubernetes-group-version-kind']).toEqual({ group: 'example.com', version: 'v1', kind: 'Widget' });
    expect(json.components.schemas['com.example.v1.Widget'].properties.spec.properties.size).toMatchObject({
      type: 'integer',
    });
  });

  it('orders groups as the real server does, those of custom resources last', async () => {
    const { url } = await server();
    const groups = (await call(url, 'GET', '/apis')).json.groups as { name: string }[];
    const names = groups.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['apps', 'events.k8s.io']);
    expect(names.at(-1)).toBe('example.com');
  });

  it('tells the stored version by the hash that the real server computes', async () => {
    const { url } = await server();
    const rows = async (path: string): Promise<{ name: string; storageVersionHash?: string }[]> =>
      (await call(url, 'GET', path)).json.resources;
    const hash = async (path: string, name: string): Promise<string | undefined> =>
      (await rows(path)).find((row) => row.name === name)?.storageVersionHash;
    expect(await hash('/apis/apps/v1', 'deployments')).toBe('8aSe+NMegvE=');
    expect(await hash('/api/v1', 'configmaps')).toBe('qFsyl6wFWjQ=');
    expect(await hash('/api/v1', 'events')).toBe(await hash('/apis/events.k8s.io/v1', 'events'));
    expect(await hash('/apis/apps/v1', 'deployments/status')).toBeUndefined();
    expect((await rows('/apis/apps/v1')).map(({ name }) => name).slice(3, 6)).toEqual([
      'deployments',
      'deployments/scale',
      'deployments/status',
    ]);
  });

  it('tells on demand what the health paths look at', async () => {
    const { url } = await server();
    const text = async (path: string): Promise<string> => (await call(url, 'GET', path)).text;
    expect(await text('/livez?verbose')).toBe('[+]ping ok\n[+]log ok\n[+]etcd ok\nlivez check passed\n');
    expect(await text('/readyz/etcd')).toBe('ok');
    expect(await text('/livez?verbose&exclude=etcd&exclude=x')).toBe(
      '[+]ping ok\n[+]log ok\n[+]etcd excluded: ok\nwarn: some health checks cannot be excluded: no matches for "x"\nlivez check passed\n',
    );
    expect((await call(url, 'GET', '/readyz/nothing')).status).toBe(404);
  });

  it('health, version and unknown paths', async () => {
    const { url } = await server();
    for (const path of ['/healthz', '/livez', '/readyz']) expect((await call(url, 'GET', path)).text).toBe('ok');
    expect((await call(url, 'GET', '/version')).json).toMatchObject({ major: '1', minor: '36', gitVersion: 'v1.36.3' });
    for (const path of ['/nope', '/apis/example.com/v9/widgets', '/apis/example.com/v1/nope', '/metrics']) {
      const { status, text, headers } = await call(url, 'GET', path);
      expect([status, text, headers['content-type']]).toEqual([
        404,
        '404 page not found\n',
        'text/plain; charset=utf-8',
      ]);
    }
  });
});

describe('negotiation', () => {
  it('refuses media types that it cannot write or read', async () => {
    const { url } = await server();
    const accept = await call(url, 'GET', widgets, { headers: { accept: 'text/html' } });
    expect(accept.json).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      reason: 'NotAcceptable',
      code: 406,
    });
    expect((await call(url, 'POST', widgets, { contentType: 'text/plain', body: 'x' })).json).toMatchObject({
      code: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    });
  });

  it('falls back from protobuf to JSON, and speaks YAML', async () => {
    const { url } = await server();
    const body = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: 2}\n';
    expect((await call(url, 'POST', widgets, { contentType: 'application/yaml', body })).status).toBe(201);
    const json = await call(url, 'GET', `${widgets}/a`, {
      headers: { accept: 'application/vnd.kubernetes.protobuf,application/json' },
    });
    expect(json.json.spec.size).toBe(2);
    const yaml = await call(url, 'GET', `${widgets}/a`, { headers: { accept: 'application/yaml' } });
    expect(yaml.headers['content-type']).toBe('application/yaml');
    expect(yaml.text).toContain('  size: 2\n');
  });

  it('shows metadata only', async () => {
    const { url } = await server();
    const { json } = await call(url, 'GET', '/api/v1/namespaces', {
      headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
    });
    expect(json).toMatchObject({
      kind: 'PartialObjectMetadataList',
      items: [{ kind: 'PartialObjectMetadata' }, {}, {}, {}],
    });
    expect(json.items[0]).not.toHaveProperty('spec');
  });

  it('answers methods that a resource does not have', async () => {
    const { url } = await server();
    for (const [method, path] of [
      ['PUT', '/api/v1/namespaces/default/configmaps'],
      ['DELETE', '/api/v1/configmaps'],
      ['DELETE', '/api/v1/namespaces'],
      ['POST', '/api/v1/namespaces/default/pods/a/status'],
    ] as const) {
      const { json } = await call(url, method, path, { body: {} });
      expect(json).toMatchObject({
        code: 405,
        reason: 'MethodNotAllowed',
        message: 'the server does not allow this method on the requested resource',
      });
    }
    expect((await call(url, 'GET', '/api/v1/namespaces/default/configmaps/a/nope')).json).toMatchObject({
      code: 404,
      message: 'the server could not find the requested resource',
    });
  });
});
