/** What a path needs to know of a resource. */
export interface ResourceAddress {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** `/api/v1` or `/apis/group/version`. */
export function groupVersionPath(resource: { readonly group: string; readonly version: string }): string {
  const version = encodeURIComponent(resource.version);
  return resource.group === '' ? `/api/${version}` : `/apis/${encodeURIComponent(resource.group)}/${version}`;
}

/** All objects of a resource: in one namespace, or everywhere without one. */
export function collectionPath(resource: ResourceAddress, namespace?: string): string {
  const base = groupVersionPath(resource);
  const plural = encodeURIComponent(resource.plural);
  return namespace === undefined || namespace === ''
    ? `${base}/${plural}`
    : `${base}/namespaces/${segment(namespace)}/${plural}`;
}

export interface ObjectAddress {
  readonly namespace?: string | undefined;
  readonly name: string;
  /** `status`, `scale`, or any other; may have several steps. */
  readonly subresource?: string | undefined;
}

/** One object, or a subresource of it. */
export function objectPath(resource: ResourceAddress, { namespace, name, subresource }: ObjectAddress): string {
  const path = `${collectionPath(resource, namespace)}/${segment(name)}`;
  return subresource === undefined ? path : `${path}/${subresource.split('/').map(segment).join('/')}`;
}

/** `?a=b&c=d`, or nothing. Leaves out what is undefined. */
export function queryString(
  query: Readonly<Record<string, string | number | boolean | undefined>> | undefined,
): string {
  const parts = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Names keep their case. One that URLs would read as a step up the tree must not leave its place. */
function segment(text: string): string {
  if (text === '') throw new RangeError('A name in an API path must not be empty.');
  if (text === '.' || text === '..') throw new RangeError(`"${text}" cannot be a name: in a path it means a folder.`);
  return encodeURIComponent(text);
}
