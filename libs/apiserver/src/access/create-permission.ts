import type { ServerContext } from '../pipeline/server-context.js';
import type { WriteRequest } from '../pipeline/write-request.js';
import { forbidden } from './forbidden.js';

/** Makes sure that somebody who may update what is absent may create it as well. Throws 403. */
export function confirmMayCreate(
  { authorizer }: ServerContext,
  { identity, type, namespace, name }: WriteRequest,
): void {
  const resource = { group: type.group, plural: type.plural, subresource: undefined, namespace, name };
  const attributes = { identity, verb: 'create', resource, path: '' };
  const { allowed, reason } = authorizer.decide(attributes);
  if (!allowed) throw forbidden(attributes, reason);
}
