import type { AccessAttributes } from '../access/access-attributes.js';
import type { Authorizer } from '../access/authorizer.js';
import { forbidden } from '../access/forbidden.js';
import type { Identity } from '../access/identity.js';
import type { Verb } from '../pipeline/api-request.js';
import { selectedName } from '../selectors/field-selector.js';
import { ApiError } from '../status.js';
import { textOfPath, type PathInfo } from './request-info.js';

export type { AuthorizationMode } from '../access/authorizer.js';

/** A request is stopped before it reaches what it asks for. */
export class AccessRefused extends ApiError {}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** What a request wants to do. */
export function attributesOf(
  identity: Identity,
  info: PathInfo,
  method: string,
  verb: Verb,
  { pathname, searchParams }: URL,
): AccessAttributes {
  if (info.kind === 'other') {
    return { identity, verb: method.toLowerCase(), resource: undefined, path: shownPath(pathname) };
  }
  const { group, plural, subresource, name } = info;
  const selected = verb === 'list' || verb === 'watch' ? searchParams.get('fieldSelector') : null;
  return {
    identity,
    // No verb stands for other methods, so that only rules for all verbs allow them.
    verb: info.prefix ?? (knownMethods.has(method) ? verb : ''),
    resource: {
      group,
      plural,
      subresource,
      name: name ?? selectedName(selected ?? ''),
      // A namespace lies in itself.
      namespace: info.namespace ?? (group === '' && plural === 'namespaces' ? name : undefined),
    },
    path: pathname,
  };
}

function shownPath(pathname: string): string {
  try {
    return textOfPath(pathname);
  } catch {
    // A malformed escape stays as it is.
    return pathname;
  }
}

/** Throws 403 for what is not allowed. */
export function authorize(authorizer: Authorizer, attributes: AccessAttributes): void {
  const { allowed, reason } = authorizer.decide(attributes);
  if (!allowed) throw new AccessRefused(forbidden(attributes, reason).status);
}
