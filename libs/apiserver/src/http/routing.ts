import type { Verb } from '../pipeline/api-request.js';
import { flag } from '../pipeline/list.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { ResourceType } from '../resources/resource-type.js';
import { errors } from '../status.js';
import type { PathInfo, ResourcePath } from './request-info.js';

/** Thrown for a path that nothing is served under; answered as plain text. */
export class UnknownPath extends Error {}

/** The URL of a request line. */
export function urlOf(text: string): URL {
  const full = text.startsWith('/') ? `http://server${text}` : text;
  // What cannot be read as a URL names nothing that is served.
  return URL.canParse(full, 'http://server') ? new URL(full, 'http://server') : new URL('http://server/unreadable');
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
      if (named || info.kind === 'other') return 'get';
      return method !== 'HEAD' && flag(query, 'watch') === true ? 'watch' : 'list';
  }
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
  const { namespace, name } = info;
  if (!type.namespaced && namespace !== undefined) throw new UnknownPath();
  if (type.namespaced && namespace === undefined) {
    // Across namespaces a resource can only be read as a whole.
    if (name !== undefined) throw new UnknownPath();
    if (verb !== 'list' && verb !== 'watch') {
      throw type.custom === undefined ? errors.methodNotAllowed() : new UnknownPath();
    }
  }
  checkVerb(type, info, verb, method);
  return type;
}

function checkVerb(type: ResourceType, { name, subresource }: ResourcePath, verb: Verb, method: string): void {
  if (subresource !== undefined) {
    const known =
      (subresource === 'status' && type.status) ||
      (subresource === 'scale' && type.scale) ||
      (subresource === 'finalize' && type.storage === '/namespaces');
    if (!known) throw type.custom === undefined ? errors.noSuchResource() : errors.notFound(type, name ?? '');
    if (!['get', 'update', 'patch'].includes(verb)) throw errors.methodNotAllowed();
    return;
  }
  if ((verb === 'update' || verb === 'patch') && name === undefined) {
    throw type.custom === undefined ? errors.methodNotAllowed() : errors.badRequest('name must be provided');
  }
  if (verb === 'create' && name !== undefined && type.custom === undefined) throw errors.methodNotAllowed();
  const terminating = type.custom?.terminating === true;
  if (!type.verbs.includes(verb) && !terminating) throw errors.methodNotAllowed();
  if (
    method !== 'GET' &&
    method !== 'HEAD' &&
    method !== 'POST' &&
    method !== 'PUT' &&
    method !== 'PATCH' &&
    method !== 'DELETE'
  ) {
    throw errors.methodNotAllowed();
  }
}
