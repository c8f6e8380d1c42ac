import type { Resource, ResourceSelector } from '../../resource.js';
import type { DiscoveredGroup } from './discovered-group.js';

/** What discovery knows of a name. */
export type Resolution =
  | { readonly found: Resource }
  /** Not served. `served`: versions in which it is, where another one was asked for. */
  | { readonly missing: true; readonly served: readonly string[] }
  /** Several groups have it, and none was named. */
  | { readonly ambiguous: readonly Resource[] }
  /** The part that would have it cannot be read. Decides nothing: neither that it is there, nor that it is gone. */
  | { readonly unavailable: unknown };

/** Looks into one group. */
export function findInGroup(group: DiscoveredGroup, selector: ResourceSelector): Resolution {
  return search(group, selector.version, (resource) => resource.plural === selector.plural);
}

export function findKindInGroup(group: DiscoveredGroup, version: string, kind: string): Resolution {
  return search(group, version, (resource) => resource.kind === kind);
}

function search(
  group: DiscoveredGroup,
  version: string | undefined,
  matches: (resource: Resource) => boolean,
): Resolution {
  const served: string[] = [];
  for (const entry of group.versions) {
    const wanted = version === undefined || version === entry.version;
    if ('unavailable' in entry) {
      // Without a version, one that is preferred to those below may have it.
      if (wanted) return { unavailable: entry.unavailable };
      continue;
    }
    const found = entry.resources.find(matches);
    if (found === undefined) continue;
    if (wanted) return { found };
    served.push(entry.version);
  }
  return { missing: true, served };
}

/**
 * Looks into all given groups for a selector that names none. A group that cannot be read matters only when no other has
 * the resource.
 */
export function findInGroups(groups: Iterable<DiscoveredGroup>, selector: ResourceSelector): Resolution {
  const found: Resource[] = [];
  const served: string[] = [];
  let unavailable: { readonly unavailable: unknown } | undefined;
  for (const group of groups) {
    const resolution = findInGroup(group, selector);
    if ('found' in resolution) found.push(resolution.found);
    else if ('unavailable' in resolution) unavailable ??= resolution;
    else if ('missing' in resolution) served.push(...resolution.served.map((version) => `${group.group}/${version}`));
  }
  if (found.length > 1) return { ambiguous: found };
  if (found[0] !== undefined) return { found: found[0] };
  return unavailable ?? { missing: true, served };
}
