/** One resource by its plural, perhaps without its version. The empty group is the core group. */
export interface ResourceName {
  readonly plural: string;
  /** Absent: any group (the core group wins over others). */
  readonly group?: string;
  /** Absent: the server's preferred version. */
  readonly version?: string;
}

/**
 * Which resources are meant; all that is given must hold. With a name (`name`, `plural`, `kind`, `singular`, `shortName`) it is
 * one resource, which the server has to have; without one it is every resource that fits, now or later, save events.
 */
export interface ResourceSelector {
  /** The empty text is the core group. Absent: any group; for a name the core group wins over others. */
  readonly group?: string;
  /** Absent: the version that the server prefers among those that it serves the resource in. */
  readonly version?: string;
  /** Plural, singular, kind or short name, whichever it is; a plural wins over the others, a short name comes last. */
  readonly name?: string;
  readonly plural?: string;
  readonly kind?: string;
  readonly singular?: string;
  readonly shortName?: string;
  /** Such as `all`. */
  readonly category?: string;
  /** Says that every resource is meant where nothing else narrows it. */
  readonly everything?: true;
  /** Decides on each resource that fits otherwise. Must be pure. */
  readonly where?: (resource: Resource) => boolean;
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

/** How a message names a resource of which perhaps only the plural is known. */
export function partialName(resource: ResourceName): string {
  return joined(resource.plural, resource.version, resource.group);
}

/** How a message names what the user asked for. */
export function selectorName(selector: ResourceSelector): string {
  const { group, version, name, plural, kind, singular, shortName, category, everything, where } = selector;
  const rest = Object.entries({ kind, singular, shortName, category }).filter(([, value]) => value !== undefined);
  const first = plural ?? name;
  if (first !== undefined && rest.length === 0 && where === undefined) return joined(first, version, group);
  return [
    ...(everything === true ? ['everything'] : []),
    ...(first === undefined ? [] : [first]),
    ...rest.map(([part, value]) => `${part} ${value}`),
    ...(version === undefined ? [] : [`version ${version}`]),
    ...(group === undefined ? [] : [`group ${group === '' ? '""' : group}`]),
    ...(where === undefined
      ? []
      : [`where ${where.name === '' || where.name === 'where' ? 'a function' : where.name}`]),
  ].join(', ');
}

/** Whether the selector means one resource, which has to be there; otherwise all that fit. */
export function isNamed({ name, plural, kind, singular, shortName }: ResourceSelector): boolean {
  return [name, plural, kind, singular, shortName].some((part) => part !== undefined);
}

/** Groups of the server itself, where no definition adds a version. */
export function isBuiltInGroup(group: string): boolean {
  return !group.includes('.') || group === 'k8s.io' || group.endsWith('.k8s.io');
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('.');
}
