import type { Verb } from '../pipeline/api-request.js';
import { flag } from '../pipeline/list.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { ResourceType } from '../resources/resource-type.js';
import { errors } from '../status.js';
import { dotMark, type PathInfo, type ResourcePath } from './request-info.js';

/** Thrown for a path that nothing is served under; answered as plain text. */
export class UnknownPath extends Error {}

/** The URL of a request line. */
export function urlOf(text: string): URL {
  const full = text.startsWith('/') ? `http://server${withDots(text)}` : text;
  // What cannot be read as a URL names nothing that is served.
  const url = URL.parse(full, 'http://server') ?? new URL('http://server/unreadable');
  // Parameters that cannot be read are not there, and a semicolon makes one so.
  if (!/[;%]/.test(url.search)) return url;
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => !/;|%(?![0-9a-fA-F]{2})/.test(part));
  url.search = kept.join('&');
  return url;
}

/** Keeps segments of dots, which a URL would lose: to the real server they are names, of nothing that is there. */
function withDots(target: string): string {
  if (!target.includes('/.')) return target;
  const [path, ...query] = target.split('?');
  return [path!.replaceAll(/(?<=\/)\.{1,2}(?=\/|$)/g, `$&${dotMark}`), ...query].join('?');
}

/** What a method does to a path. */
export function verbOf(method: string, info: PathInfo, query: URLSearchParams): Verb {
  const named = info.kind === 'resource' && info.name !== undefined;
  switch (method) {
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return named ? 'delete' : 'deletecollection';
    default:
      // The parameter counts only where a collection is read, and HEAD has no body that could be followed.
      if (info.kind === 'resource' && info.prefix === 'watch') return 'watch';
      if (named || info.kind === 'other') return 'get';
      return method !== 'HEAD' && flag(query, 'watch') === true ? 'watch' : 'list';
  }
}

/** Whether a path belongs to the built-in API, which answers what it does not know with a Status. */
export function isBuiltinPath(registry: ResourceRegistry, pathname: string): boolean {
  const [, root, group = ''] = pathname.split('/');
  return root === 'api' || root === 'version' || (root === 'apis' && group !== '' && registry.isBuiltinGroup(group));
}

export const isVersion = (pathname: string): boolean => pathname === '/version' || pathname === '/version/';

/** Whether a document is a route of the built-in API, which has methods and media types; other documents are served to all. */
export function isDocumentRoute(registry: ResourceRegistry, pathname: string): boolean {
  const parts = pathname.split('/').filter((part) => part !== '');
  if (parts.length === 1) return parts[0] === 'version' || parts[0] === 'api';
  if (parts[0] === 'api') return true;
  return parts[0] === 'apis' && parts.length > 2 && registry.isBuiltinGroup(parts[1]!);
}

/** The resource type that a request is about, once it is certain that it serves such a request. */
export function resourceTypeOf(
  registry: ResourceRegistry,
  info: ResourcePath,
  verb: Verb,
  method: string,
): ResourceType {
  const type = registry.find(info.group, info.version, info.plural);
  if (type === undefined) throw registry.isBuiltinGroup(info.group) ? errors.noSuchResource() : new UnknownPath();
  if (type.custom === undefined) checkBuiltinRoute(type, info, verb, method);
  else checkCustomRoute(type, info, verb, method);
  return type;
}

/** Routes of built-in resources: a path is there or not, and has methods. */
function checkBuiltinRoute(type: ResourceType, info: ResourcePath, verb: Verb, method: string): void {
  const { namespace, name, subresource, rest, prefix } = info;
  const everywhere = type.namespaced && namespace === undefined;
  const verbs = everywhere ? ['list', 'watch'] : subresource === undefined ? type.verbs : verbsOf(type, subresource);
  const possible =
    name === undefined ? ['create', 'deletecollection', 'list', 'watch'] : ['delete', 'get', 'patch', 'update'];
  const isRoute =
    rest.length === 0 &&
    (prefix === undefined || (prefix === 'watch' && name === undefined)) &&
    (type.namespaced || namespace === undefined) &&
    !(everywhere && name !== undefined) &&
    possible.some((candidate) => verbs.includes(candidate) && type.verbs.includes(candidate));
  if (!isRoute) throw errors.noSuchResource();
  // HEAD is no route of its own here.
  if (method === 'HEAD' || !isKnownMethod(method) || !possible.includes(verb) || !verbs.includes(verb)) {
    throw errors.methodNotAllowed();
  }
}

function verbsOf(type: ResourceType, subresource: string): readonly string[] {
  if (subresource === 'status' && type.status) return ['get', 'patch', 'update'];
  if (subresource === 'scale' && type.scale) return ['get', 'patch', 'update'];
  return subresource === 'finalize' && type.storage === '/namespaces' ? ['update'] : [];
}

/** Custom resources are served by one handler, which takes what it can. */
function checkCustomRoute(type: ResourceType, info: ResourcePath, verb: Verb, method: string): void {
  const { namespace, name, subresource } = info;
  if (type.namespaced === (namespace === undefined)) {
    // Across namespaces a resource can only be read as a whole.
    const whole = type.namespaced && name === undefined && (method === 'GET' || method === 'HEAD');
    if (!whole) throw new UnknownPath();
  }
  const supported = (verbs: readonly string[]): void => {
    const known = isKnownMethod(method);
    if (!known || !verbs.includes(verb)) throw errors.notSupported(type, known ? verb : '');
  };
  if (subresource !== undefined) {
    const verbs = verbsOf(type, subresource);
    if (verbs.length === 0) throw errors.notFound(type, name ?? '');
    supported(verbs);
    return;
  }
  // A patch is asked for its media type first.
  if (isKnownMethod(method) && verb === 'update' && name === undefined) {
    throw errors.badRequest('name must be provided');
  }
  if (type.custom?.terminating !== true || !isKnownMethod(method)) supported(type.verbs);
}

const isKnownMethod = (method: string): boolean => ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
