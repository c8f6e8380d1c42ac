import { describe, expect, it } from 'vitest';
import { server, widgetDefinition } from './support/fixtures.js';
import { call, type Answer } from './support/http.js';

const widgetPath = '/openapi/v3/apis/example.com/v1';

async function document(url: string, prefix: string): Promise<Answer> {
  const index = await call(url, 'GET', '/openapi/v3');
  return call(url, 'GET', index.json.paths[prefix].serverRelativeURL as string);
}

/** Every reference of a document, with where it stands. */
function references(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string') found.add(member);
    else references(member, found);
  }
  return found;
}

describe('OpenAPI v3', () => {
  it('has a document for each group and version, in which every reference leads somewhere', async () => {
    const { url } = await server();
    const { json } = await call(url, 'GET', '/openapi/v3');
    const prefixes = Object.keys(json.paths as object);
    expect(prefixes).toEqual(expect.arrayContaining(['api/v1', 'apis/apps/v1', 'apis/example.com/v1']));
    for (const prefix of prefixes) {
      const { components } = (await document(url, prefix)).json as { components: { schemas: object } };
      const known = Object.keys(components.schemas).map((name) => `#/components/schemas/${name}`);
      for (const reference of references(components)) expect(known, `${prefix} ${reference}`).toContain(reference);
    }
  });

  it('shows a custom resource with the schema of its definition', async () => {
    const { url } = await server();
    const { json } = await document(url, 'apis/example.com/v1');
    const schema = json.components.schemas['com.example.v1.Widget'];
    expect(schema['x-kubernetes-group-version-kind']).toEqual([
      { group: 'example.com', kind: 'Widget', version: 'v1' },
    ]);
    expect(schema.properties.spec.required).toEqual(['size']);
    expect(schema.properties.spec.properties.port).toEqual({
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      'x-kubernetes-int-or-string': true,
    });
    expect(schema.properties.metadata).toEqual({
      allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
    });
    const root = '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}';
    expect(Object.keys(json.paths as object)).toEqual([
      '/apis/example.com/v1/namespaces/{namespace}/widgets',
      root,
      `${root}/scale`,
      `${root}/status`,
      '/apis/example.com/v1/widgets',
    ]);
    expect(Object.keys(json.paths[root].patch.requestBody.content as object)).toEqual([
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
    ]);
    expect(json.paths[root].patch).toMatchObject({
      operationId: 'patchExampleComV1NamespacedWidget',
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group: 'example.com', version: 'v1', kind: 'Widget' },
    });
  });

  it('shows built-in types with references and merge keys', async () => {
    const { url } = await server();
    const { json } = await document(url, 'apis/apps/v1');
    const { schemas } = json.components;
    expect(schemas['io.k8s.api.apps.v1.Deployment']).toMatchObject({
      properties: {
        spec: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec' }], default: {} },
      },
      'x-kubernetes-group-version-kind': [{ group: 'apps', kind: 'Deployment', version: 'v1' }],
    });
    expect(schemas['io.k8s.api.core.v1.PodSpec'].properties.containers).toMatchObject({
      type: 'array',
      'x-kubernetes-patch-merge-key': 'name',
    });
    expect(schemas['io.k8s.api.apps.v1.DeploymentList'].properties.items.items.allOf).toEqual([
      { $ref: '#/components/schemas/io.k8s.api.apps.v1.Deployment' },
    ]);
    const scale = json.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale'];
    expect(scale.put['x-kubernetes-group-version-kind']).toEqual({
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
    });
  });

  it('names content by its hash, which changes with a definition', async () => {
    const api = await server();
    const first = await document(api.url, 'apis/example.com/v1');
    const etag = String(first.headers.etag);
    expect(first.headers['cache-control']).toBe('public, immutable');
    expect((await call(api.url, 'GET', widgetPath, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const moved = await call(api.url, 'GET', `${widgetPath}?hash=AB`);
    expect([moved.status, moved.headers.location]).toEqual([301, `${widgetPath}?hash=${etag.slice(1, -1)}`]);
    const versions = structuredClone((widgetDefinition['spec'] as { versions: Record<string, unknown>[] }).versions);
    versions[0]!['schema'] = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } };
    await api.patch(
      { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'widgets.example.com' },
      { spec: { versions } },
    );
    const second = await call(api.url, 'GET', widgetPath, { headers: { 'if-none-match': etag } });
    expect(second.status).toBe(200);
    expect(second.json.components.schemas['com.example.v1.Widget'].properties.spec).toEqual({ type: 'object' });
  });

  it('has nothing for groups that are not served', async () => {
    const { url } = await server();
    for (const path of ['/openapi/v3/apis/nothing.example/v1', '/openapi/v3/apis/apps/v9', '/openapi/v3/x']) {
      const { status, text } = await call(url, 'GET', path);
      expect([status, text]).toEqual([404, '']);
    }
  });
});
