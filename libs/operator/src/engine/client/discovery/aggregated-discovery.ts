import { DiscoveryError } from '../../../errors/discovery.error.js';
import type { Resource } from '../../resource.js';
import type { DiscoveredGroup, DiscoveredVersion } from './discovered-group.js';

/** Asks for everything in one document; servers without it answer in the older form. */
export const aggregatedAccept = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

export interface AggregatedDiscovery {
  readonly kind: 'APIGroupDiscoveryList';
  readonly items?: readonly AggregatedGroup[] | null;
}

interface AggregatedGroup {
  readonly metadata?: { readonly name?: string } | null;
  readonly versions?: readonly AggregatedVersion[] | null;
}

interface AggregatedVersion {
  readonly version: string;
  readonly freshness?: string;
  readonly resources?: readonly AggregatedResource[] | null;
}

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind?: string } | null;
  readonly scope?: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[] | null;
  readonly shortNames?: readonly string[] | null;
  readonly categories?: readonly string[] | null;
  readonly subresources?: readonly { readonly subresource?: string }[] | null;
}

export function isAggregated(document: unknown): document is AggregatedDiscovery {
  return (
    typeof document === 'object' && document !== null && 'kind' in document && document.kind === 'APIGroupDiscoveryList'
  );
}

export function readAggregated(document: AggregatedDiscovery): readonly DiscoveredGroup[] {
  return (document.items ?? []).map((item) => {
    const group = item.metadata?.name ?? '';
    return { group, versions: (item.versions ?? []).map((version) => readVersion(group, version)) };
  });
}

/** A stale version comes from the server's memory: its own server could not be asked. */
function readVersion(group: string, { version, freshness, resources }: AggregatedVersion): DiscoveredVersion {
  if (freshness === 'Stale') {
    return {
      version,
      unavailable: new DiscoveryError(
        `The API server marks ${group}/${version} as stale. Check the APIService and the server behind it.`,
      ),
    };
  }
  return { version, resources: (resources ?? []).map((resource) => readResource(group, version, resource)) };
}

function readResource(group: string, version: string, found: AggregatedResource): Resource {
  const subresources = new Set((found.subresources ?? []).map((subresource) => subresource.subresource));
  return {
    group,
    version,
    plural: found.resource,
    kind: found.responseKind?.kind ?? '',
    singular: found.singularResource ?? '',
    shortNames: found.shortNames ?? [],
    categories: found.categories ?? [],
    namespaced: found.scope === 'Namespaced',
    verbs: found.verbs ?? [],
    subresources: { status: subresources.has('status'), scale: subresources.has('scale') },
  };
}
