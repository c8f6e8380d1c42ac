import { createHash } from 'node:crypto';
import type { JsonObject } from '../json.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { ResourceType } from '../resources/resource-type.js';

const prefixOf = (group: string, version: string): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

/** The index of OpenAPI v3 documents, one per group and version. */
export function openApiIndex(registry: ResourceRegistry): JsonObject {
  const paths: JsonObject = {};
  const versions = [['', ['v1']] as const, ...registry.groups()];
  for (const [group, names] of versions) {
    for (const version of names) {
      const prefix = prefixOf(group, version);
      const hash = createHash('sha256')
        .update(JSON.stringify(openApiDocument(registry, group, version)))
        .digest('hex');
      paths[prefix] = { serverRelativeURL: `/openapi/v3/${prefix}?hash=${hash.toUpperCase()}` };
    }
  }
  return { paths };
}

/** The document of a group and version: its operations, and schemas where the server knows them. */
export function openApiDocument(registry: ResourceRegistry, group: string, version: string): JsonObject | undefined {
  const types = registry.inVersion(group, version);
  if (types.length === 0) return undefined;
  const paths: JsonObject = {};
  const schemas: JsonObject = {};
  for (const type of types) {
    const root = `/${prefixOf(group, version)}${type.namespaced ? '/namespaces/{namespace}' : ''}/${type.plural}`;
    const name = schemaName(type);
    schemas[name] = {
      ...(type.custom === undefined ? { type: 'object' } : documented(type)),
      'x-kubernetes-group-version-kind': [{ group, version, kind: type.kind }],
    };
    const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
    const operation = (action: string, extra: JsonObject = {}): JsonObject => ({
      operationId: `${action}${type.kind}`,
      parameters: ['dryRun', 'fieldManager', 'fieldValidation'].map(queryParameter),
      responses: { '200': { description: 'OK', content } },
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': { group, version, kind: type.kind },
      ...extra,
    });
    paths[root] = { get: operation('list'), post: operation('post', { requestBody: { content } }) };
    paths[`${root}/{name}`] = {
      get: operation('get'),
      put: operation('put', { requestBody: { content } }),
      patch: operation('patch'),
      delete: operation('delete'),
    };
  }
  return { openapi: '3.0.0', info: { title: 'Kubernetes', version: 'v1.36.3' }, paths, components: { schemas } };
}

const queryParameter = (name: string): JsonObject => ({
  name,
  in: 'query',
  schema: { type: 'string', uniqueItems: true },
});

const schemaName = (type: ResourceType): string =>
  `${(type.group === '' ? 'core' : type.group).split('.').toReversed().join('.')}.${type.version}.${type.kind}`;

function documented(type: ResourceType): JsonObject {
  const schema = type.custom!.schema;
  return {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
    },
  };
}
