import type { ResourceAttributes } from '../../access/access-attributes.js';
import type { Authorizer, Decision } from '../../access/authorizer.js';
import { authenticatedGroup, serviceAccountGroups, type Identity } from '../../access/identity.js';
import { Failure } from '../values/failure.js';
import { OpaqueValue, type Result } from '../values/value.js';
import { overload, type Library } from './overload.js';

/** A value that is equal to itself only. */
abstract class CheckValue extends OpaqueValue {
  equals(other: OpaqueValue): boolean {
    return this === other;
  }
}

/** Somebody whose permissions can be asked for. */
export class AuthorizerValue extends CheckValue {
  readonly typeName = 'kubernetes.authorization.Authorizer';

  constructor(
    readonly authorizer: Authorizer,
    readonly identity: Identity,
  ) {
    super();
  }
}

class PathCheckValue extends CheckValue {
  readonly typeName = 'kubernetes.authorization.PathCheck';

  constructor(
    readonly who: AuthorizerValue,
    readonly path: string,
  ) {
    super();
  }
}

class GroupCheckValue extends CheckValue {
  readonly typeName = 'kubernetes.authorization.GroupCheck';

  constructor(
    readonly who: AuthorizerValue,
    readonly group: string,
  ) {
    super();
  }
}

/** A resource about which can be asked what somebody may do with it. */
export class ResourceCheckValue extends CheckValue {
  readonly typeName = 'kubernetes.authorization.ResourceCheck';

  constructor(
    readonly who: AuthorizerValue,
    readonly resource: ResourceAttributes,
  ) {
    super();
  }

  with(more: Partial<ResourceAttributes>): ResourceCheckValue {
    return new ResourceCheckValue(this.who, { ...this.resource, ...more });
  }
}

class DecisionValue extends CheckValue {
  readonly typeName = 'kubernetes.authorization.Decision';

  constructor(readonly decision: Decision) {
    super();
  }
}

const given = (text: string): string | undefined => (text === '' ? undefined : text);

function decide(who: AuthorizerValue, verb: string, resource: ResourceAttributes | undefined, path: string): Result {
  return new DecisionValue(who.authorizer.decide({ identity: who.identity, verb, resource, path }));
}

const labelPattern = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const subdomainPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const longestSubdomain = 253;

function serviceAccount({ authorizer }: AuthorizerValue, namespace: string, name: string): Result {
  if (name.length > longestSubdomain || !subdomainPattern.test(name)) {
    return new Failure('Invalid service account name');
  }
  if (!labelPattern.test(namespace)) return new Failure('Invalid service account namespace');
  const groups = [...serviceAccountGroups(namespace), authenticatedGroup];
  return new AuthorizerValue(authorizer, { name: `system:serviceaccount:${namespace}:${name}`, groups });
}

function pathCheck(who: AuthorizerValue, path: string): Result {
  return path.trim() === '' ? new Failure('path must not be empty') : new PathCheckValue(who, path);
}

function resourceCheck({ who, group }: GroupCheckValue, plural: string): Result {
  if (plural.trim() === '') return new Failure('resource must not be empty');
  const nothing = { subresource: undefined, namespace: undefined, name: undefined };
  return new ResourceCheckValue(who, { group, plural, ...nothing });
}

// Selectors say which objects of a list are meant; no role depends on them.
const unchanged = (check: ResourceCheckValue): Result => check;

/** What somebody may do. */
export const authorizerLibrary: Library = {
  path: [overload('Authorizer.(string) PathCheck', pathCheck)],
  group: [
    overload(
      'Authorizer.(string) GroupCheck',
      (who: AuthorizerValue, group: string) => new GroupCheckValue(who, group),
    ),
  ],
  serviceAccount: [overload('Authorizer.(string, string) Authorizer', serviceAccount)],
  resource: [overload('GroupCheck.(string) ResourceCheck', resourceCheck)],
  subresource: [
    overload('ResourceCheck.(string) ResourceCheck', (check: ResourceCheckValue, subresource: string) =>
      check.with({ subresource: given(subresource) }),
    ),
  ],
  namespace: [
    overload('ResourceCheck.(string) ResourceCheck', (check: ResourceCheckValue, namespace: string) =>
      check.with({ namespace: given(namespace) }),
    ),
  ],
  name: [
    overload('ResourceCheck.(string) ResourceCheck', (check: ResourceCheckValue, name: string) =>
      check.with({ name: given(name) }),
    ),
  ],
  fieldSelector: [overload('ResourceCheck.(string) ResourceCheck', unchanged)],
  labelSelector: [overload('ResourceCheck.(string) ResourceCheck', unchanged)],
  check: [
    overload('PathCheck.(string) Decision', ({ who, path }: PathCheckValue, verb: string) =>
      decide(who, verb, undefined, path),
    ),
    overload('ResourceCheck.(string) Decision', ({ who, resource }: ResourceCheckValue, verb: string) =>
      decide(who, verb, resource, ''),
    ),
  ],
  errored: [overload('Decision.() bool', ({ decision }: DecisionValue) => (decision.error ?? '') !== '')],
  error: [overload('Decision.() string', ({ decision }: DecisionValue) => decision.error ?? '')],
  allowed: [overload('Decision.() bool', ({ decision }: DecisionValue) => decision.allowed)],
  reason: [overload('Decision.() string', ({ decision }: DecisionValue) => decision.reason)],
};
