import { anonymous } from '../access/identity.js';
import { errors, failure, type ApiError } from '../status.js';
import type { Store } from '../store/store.js';
import type { Attributes } from './access-attributes.js';
import { allowedByRbac } from './rbac.js';

/** Who may do what: every known account everything, or what the Roles and Bindings in the store say. */
export type AuthorizationMode = 'authenticated' | 'rbac';

const open = new Set(['/version', '/healthz', '/livez', '/readyz']);

/** Throws 403 for a request that is not allowed. */
export function authorize(mode: AuthorizationMode, store: Store, attributes: Attributes): void {
  const allowed =
    mode === 'rbac' ? allowedByRbac(store, attributes) : attributes.identity !== anonymous || open.has(attributes.path);
  if (!allowed) throw forbidden(attributes);
}

/** The refusal of a request, in the words of the real server. */
function forbidden({ identity, method, verb, path, resource }: Attributes): ApiError {
  const user = JSON.stringify(identity.name);
  if (resource === undefined) {
    return failure(
      'Forbidden',
      `forbidden: User ${user} cannot ${method.toLowerCase()} path ${JSON.stringify(path)}`,
      {},
    );
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
