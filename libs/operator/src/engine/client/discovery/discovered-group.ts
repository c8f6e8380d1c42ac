import type { Resource } from '../../resource.js';

/** One version of a group: its resources, or why they are not known. */
export type DiscoveredVersion =
  | { readonly version: string; readonly resources: readonly Resource[] }
  | { readonly version: string; readonly unavailable: unknown };

/** What the server says of one group. */
export interface DiscoveredGroup {
  readonly group: string;
  /** The preferred one first. */
  readonly versions: readonly DiscoveredVersion[];
}

export type GroupMap = ReadonlyMap<string, DiscoveredGroup>;

export function groupMap(groups: readonly DiscoveredGroup[]): GroupMap {
  return new Map(groups.map((group) => [group.group, group]));
}
