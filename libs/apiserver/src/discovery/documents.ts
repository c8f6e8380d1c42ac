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

/** A subresource, by name in order. */
interface Subresource {
  readonly name: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string } | undefined;
  readonly verbs: readonly string[];
}

/** Kinds are named where they are not that of the resource. */
const subresources = (type: ResourceType): Subresource[] => [
  ...(type.storage === '/namespaces' ? [{ name: 'finalize', kind: undefined, verbs: ['update'] }] : []),
  // Custom resources tell of their status first.
  ...(type.status && type.custom !== undefined ? [{ name: 'status', kind: undefined, verbs: subresourceVerbs }] : []),
  ...(type.scale ? [{ name: 'scale', kind: scaleKind, verbs: subresourceVerbs }] : []),
  ...(type.status && type.custom === undefined ? [{ name: 'status', kind: undefined, verbs: subresourceVerbs }] : []),
];

/** Tells the version that objects are stored in, without naming it. */
function storageVersionHash(type: ResourceType): string {
  const kind =
    type.storage === '/events'
      ? '/v1/Event'
      : `${type.group}/${type.custom?.storageVersion ?? type.version}/${type.kind}`;
  return createHash('sha256').update(kind).digest().subarray(0, 8).toString('base64');
}

function resourceRows(type: ResourceType): JsonObject[] {
  const { plural, namespaced, kind } = type;
  const row = {
    name: plural,
    singularName: type.singular,
    namespaced,
    kind,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    // Nothing is stored of what can only be created.
    ...(type.verbs.includes('get') ? { storageVersionHash: storageVersionHash(type) } : {}),
  };
  return [
    row,
    ...subresources(type).map((sub) => ({
      name: `${plural}/${sub.name}`,
      singularName: '',
      namespaced,
      ...(sub.kind ?? { kind }),
      verbs: sub.verbs,
    })),
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
  // That of a built-in resource is left to be concluded from its group and version.
  const kind =
    type.custom === undefined
      ? { group: '', version: '', kind: type.kind }
      : { group: type.group, version: type.version, kind: type.kind };
  const parts = subresources(type).map(({ name, kind: own, verbs }) => ({
    subresource: name,
    responseKind: own ?? kind,
    verbs,
  }));
  return {
    resource: type.plural,
    responseKind: kind,
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(parts.length === 0 ? {} : { subresources: parts }),
  };
}
