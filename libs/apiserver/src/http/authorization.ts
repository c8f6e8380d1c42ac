import type { PathInfo } from './request-info.js';
import type { Verb } from '../pipeline/api-request.js';
import { errors, failure, type ApiError } from '../status.js';
import { anonymous, type Identity } from './authentication.js';

/** What a request wants to do, as authorization sees it. */
export interface Attributes {
  readonly identity: Identity;
  readonly verb: Verb;
  readonly path: string;
  readonly resource: Extract<PathInfo, { kind: 'resource' }> | undefined;
}

/** The refusal of a request, in the words of the real server. */
export function forbidden({ identity, verb, path, resource }: Attributes): ApiError {
  const user = JSON.stringify(identity.name);
  if (resource === undefined) {
    return failure('Forbidden', `forbidden: User ${user} cannot ${verb} path ${JSON.stringify(path)}`, {});
  }
  const { group, plural, name, namespace, subresource } = resource;
  const what = subresource === undefined ? plural : `${plural}/${subresource}`;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return errors.forbidden(
    { group, plural },
    name ?? '',
    `User ${user} cannot ${verb} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`,
  );
}

const open = new Set(['/version', '/healthz', '/livez', '/readyz']);

/** Lets every known account do everything, and everybody else only ask for health and version. */
export function authorize(attributes: Attributes): void {
  if (attributes.identity === anonymous && !open.has(attributes.path)) throw forbidden(attributes);
}
