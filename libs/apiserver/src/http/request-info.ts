/** What a URL path asks for. */
export type PathInfo = ResourcePath | { kind: 'other' };

/** The parts of a path that names a resource. */
export interface ResourcePath {
  kind: 'resource';
  group: string;
  version: string;
  namespace: string | undefined;
  plural: string;
  name: string | undefined;
  subresource: string | undefined;
  /** What stands behind the subresource. */
  rest: readonly string[];
  /** The verb that stands before the resource in paths of old. */
  prefix: string | undefined;
}

const other: PathInfo = { kind: 'other' };

/** What stands behind segments of dots in a URL, so that they are kept. */
export const dotMark = '%00';

/** A path as the real server reads it. Throws URIError for a malformed escape. */
export const textOfPath = (pathname: string): string =>
  decodeURIComponent(pathname.replaceAll(/(?<=\/\.{1,2})%00(?=\/|$)/g, ''));

/** Splits `/api/v1/...` and `/apis/{group}/{version}/...` paths. */
export function parsePath(pathname: string): PathInfo {
  let parts: string[];
  try {
    // A slash that is escaped is one like any other, as on the real server.
    parts = textOfPath(pathname).split('/').slice(1);
  } catch {
    // A malformed escape names nothing that is served.
    return other;
  }
  if (parts.at(-1) === '') parts.pop();
  let group = '';
  let version: string | undefined;
  let rest: string[];
  if (parts[0] === 'api') [, version, ...rest] = parts as [string, string, ...string[]];
  else if (parts[0] === 'apis') [, group, version, ...rest] = parts as [string, string, string, ...string[]];
  else return other;
  if (version === undefined || rest.length === 0 || (parts[0] === 'apis' && group === '')) return other;
  const prefix = rest.length > 1 && (rest[0] === 'watch' || rest[0] === 'proxy') ? rest.shift() : undefined;
  // A namespace without a name is every namespace.
  if (rest.includes('') && !(rest[0] === 'namespaces' && rest.indexOf('', 2) < 0)) return other;
  let namespace: string | undefined;
  // namespaces/{name} and its subresources are about the namespace itself.
  if (rest[0] === 'namespaces' && rest.length > 2 && !['status', 'finalize'].includes(rest[2]!)) {
    namespace = rest[1] === '' ? undefined : rest[1];
    rest = rest.slice(2);
  }
  const [plural, name, subresource, ...more] = rest as [string, ...string[]];
  return { kind: 'resource', group, version, namespace, plural, name, subresource, rest: more, prefix };
}
