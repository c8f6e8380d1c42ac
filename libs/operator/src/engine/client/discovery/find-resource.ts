import type { Resource, ResourceSelector } from '../../resource.js';
import type { DiscoveredGroup } from './discovered-group.js';

/** What discovery knows of a name. */
export type Resolution =
  | { readonly found: Resource }
  /** Not served. `served`: versions in which it is, where another one was asked for. */
  | { readonly missing: true; readonly served: readonly string[] }
  /** Several resources have that name, most often in several groups. */
  | { readonly ambiguous: readonly Resource[] }
  /** The part that would have it cannot be read. Decides nothing: neither that it is there, nor that it is gone. */
  | { readonly unavailable: unknown };

/** What a selector without a name leads to. */
export interface Selection {
  /** Each kind once: in its preferred version, or in the first that fits. */
  readonly found: readonly Resource[];
  /** Why versions that may hold more could not be read. */
  readonly unavailable: readonly unknown[];
}

/** Looks into one group for what a selector names. */
export function findInGroup(group: DiscoveredGroup, selector: ResourceSelector): Resolution {
  return search(group, selector.version, (resource) => rankOf(selector, resource));
}

export function findKindInGroup(group: DiscoveredGroup, version: string, kind: string): Resolution {
  return search(group, version, (resource) => (resource.kind === kind ? 0 : undefined));
}

/**
 * How well a resource fits, its group and version aside: 0 is best; `undefined`: not at all. By `name`, a plural is better
 * than a kind or a singular, and these are better than a short name.
 */
export function rankOf(selector: ResourceSelector, resource: Resource): number | undefined {
  const { name, plural, kind, singular, shortName, category, where } = selector;
  const fits =
    (plural === undefined || plural === resource.plural) &&
    (kind === undefined || kind === resource.kind) &&
    (singular === undefined || singular === resource.singular) &&
    (shortName === undefined || resource.shortNames.includes(shortName)) &&
    (category === undefined || resource.categories.includes(category));
  const rank = fits ? rankOfName(name, resource) : undefined;
  return rank !== undefined && (where === undefined || where(resource)) ? rank : undefined;
}

function rankOfName(name: string | undefined, resource: Resource): number | undefined {
  if (name === undefined || name === resource.plural) return 0;
  if (name === resource.kind || name === resource.singular) return 1;
  return resource.shortNames.includes(name) ? 2 : undefined;
}

function search(
  group: DiscoveredGroup,
  version: string | undefined,
  rank: (resource: Resource) => number | undefined,
): Resolution {
  const served: string[] = [];
  for (const entry of group.versions) {
    const wanted = version === undefined || version === entry.version;
    if ('unavailable' in entry) {
      // Without a version, one that is preferred to those below may have it.
      if (wanted) return { unavailable: entry.unavailable };
      continue;
    }
    const fitting = best(entry.resources, rank);
    const [found] = fitting;
    if (found === undefined) continue;
    if (wanted) return fitting.length === 1 ? { found } : { ambiguous: fitting };
    served.push(entry.version);
  }
  return { missing: true, served };
}

/** Those that fit best. */
function best(resources: readonly Resource[], rank: (resource: Resource) => number | undefined): readonly Resource[] {
  const ranks = resources.map((resource) => rank(resource) ?? Infinity);
  const lowest = Math.min(...ranks);
  return lowest === Infinity ? [] : resources.filter((_, index) => ranks[index] === lowest);
}

/** Looks into groups for all that a selector without a name means. Events are left out: they tell of other objects. */
export function selectInGroups(groups: Iterable<DiscoveredGroup>, selector: ResourceSelector): Selection {
  const found: Resource[] = [];
  const unavailable: unknown[] = [];
  for (const group of groups) {
    const seen = new Set<string>();
    for (const entry of group.versions) {
      if (selector.version !== undefined && selector.version !== entry.version) continue;
      if ('unavailable' in entry) {
        unavailable.push(entry.unavailable);
        // What is preferred may be in there.
        break;
      }
      for (const resource of entry.resources) {
        if (seen.has(resource.plural) || isEvent(resource) || rankOf(selector, resource) === undefined) continue;
        seen.add(resource.plural);
        found.push(resource);
      }
    }
  }
  return { found, unavailable };
}

function isEvent({ group, plural }: Resource): boolean {
  return plural === 'events' && (group === '' || group === 'events.k8s.io');
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
    else if ('ambiguous' in resolution) found.push(...resolution.ambiguous);
    else if ('unavailable' in resolution) unavailable ??= resolution;
    else if ('missing' in resolution) served.push(...resolution.served.map((version) => `${group.group}/${version}`));
  }
  const [first, ...others] = best(found, (resource) => rankOf(selector, resource));
  if (first !== undefined) return others.length === 0 ? { found: first } : { ambiguous: [first, ...others] };
  return unavailable ?? { missing: true, served };
}
