import { createHash } from 'node:crypto';
import type { JsonObject } from '../json.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import { groupVersion, type ResourceType } from '../resources/resource-type.js';

/** The version that the server claims to be. */
export const serverVersion = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'none',
  platform: 'nestjs-operator/embedded',
};

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
const subresourceVerbs = ['get', 'patch', 'update'];

export function apiVersions(address: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

export function apiGroupList(registry: ResourceRegistry): JsonObject {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [...registry.groups()].map(([group, versions]) => groupEntry(group, versions)),
  };
}

export function apiGroup(registry: ResourceRegistry, name: string): JsonObject | undefined {
  const versions = registry.groups().get(name);
  return versions === undefined ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(name, versions) };
}

function groupEntry(name: string, versions: readonly string[]): JsonObject {
  const all = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: all, preferredVersion: all[0] };
}

export function apiResourceList(registry: ResourceRegistry, group: string, version: string): JsonObject | undefined {
  const types = registry.inVersion(group, version);
  if (types.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: groupVersion({ group, version }),
    resources: types.flatMap(resourceRows),
  };
}

function resourceRows(type: ResourceType): JsonObject[] {
  const row = {
    name: type.plural,
    singularName: type.singular,
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(type.virtual === true
      ? {}
      : { storageVersionHash: createHash('sha256').update(type.storage).digest('base64').slice(0, 11) + '=' }),
  };
  const sub = (name: string, extra: JsonObject, verbs = subresourceVerbs): JsonObject => ({
    name: `${type.plural}/${name}`,
    singularName: '',
    namespaced: type.namespaced,
    ...extra,
    verbs,
  });
  return [
    row,
    ...(type.status ? [sub('status', { kind: type.kind })] : []),
    ...(type.scale ? [sub('scale', scaleKind)] : []),
    ...(type.storage === '/namespaces' ? [sub('finalize', { kind: type.kind }, ['update'])] : []),
  ];
}

/** The aggregated form of `/api` (core group only) or `/apis`. */
export function aggregated(registry: ResourceRegistry, core: boolean): JsonObject {
  const groups = core ? new Map([['', ['v1']]]) : registry.groups();
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: [...groups].map(([name, versions]) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map((version) => ({
        version,
        resources: registry.inVersion(name, version).map(aggregatedResource),
        freshness: 'Current',
      })),
    })),
  };
}

function aggregatedResource(type: ResourceType): JsonObject {
  const kind = { group: type.group, version: type.version, kind: type.kind };
  const sub = (subresource: string, responseKind: JsonObject, verbs = subresourceVerbs): JsonObject => ({
    subresource,
    responseKind,
    verbs,
  });
  const subresources = [
    ...(type.status ? [sub('status', kind)] : []),
    ...(type.scale ? [sub('scale', scaleKind)] : []),
    ...(type.storage === '/namespaces' ? [sub('finalize', kind, ['update'])] : []),
  ];
  return {
    resource: type.plural,
    responseKind: kind,
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
