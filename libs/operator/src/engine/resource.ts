/** What a user names: a resource, perhaps without its version. The empty group is the core group. */
export interface ResourceSelector {
  readonly plural: string;
  /** Absent: any group (the core group wins over others). */
  readonly group?: string;
  /** Absent: the server's preferred version. */
  readonly version?: string;
}

/** A resource as discovery found it. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: { readonly status: boolean; readonly scale: boolean };
}

/** `v1`, or `group/version`: the value of an object's `apiVersion`. */
export function apiVersionOf(resource: { readonly group: string; readonly version: string }): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

/** `plural.version.group`, or `plural.version` in the core group: how messages, logs and metrics name a resource. */
export function resourceName(resource: {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}): string {
  return resource.group === ''
    ? `${resource.plural}.${resource.version}`
    : `${resource.plural}.${resource.version}.${resource.group}`;
}

/** How a message names what the user asked for. */
export function selectorName(selector: ResourceSelector): string {
  return [selector.plural, selector.version, selector.group]
    .filter((part) => part !== undefined && part !== '')
    .join('.');
}
