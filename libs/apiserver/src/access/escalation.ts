import { deepEqual, isObject, type JsonObject, type KubeObject } from '../json.js';
import type { ServerContext } from '../pipeline/server-context.js';
import type { ResourceType } from '../resources/resource-type.js';
import { errors } from '../status.js';
import { mastersGroup, type Identity } from './identity.js';
import { describeParts, missingRules, quotedList, type PolicyRule } from './policy-rule.js';
import { rbacGroup, rulesOfRole } from './rbac-authorizer.js';

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Makes sure that nobody gives away, by a role or a binding, what they may not do themselves, unless they may `escalate`
 * the role or `bind` it. Throws 403, and 404 for a binding to a role that is absent.
 */
export function confirmNoEscalation(
  context: ServerContext,
  identity: Identity,
  type: ResourceType,
  object: KubeObject,
  previous: KubeObject | undefined,
): void {
  if (type.group !== rbacGroup || identity.groups.includes(mastersGroup)) return;
  if (previous !== undefined && hasOnlyNewOwners(object, previous)) return;
  if (type.plural === 'roles' || type.plural === 'clusterroles') confirmRole(context, identity, type, object, previous);
  else confirmBinding(context, identity, type, object);
}

function confirmRole(
  context: ServerContext,
  identity: Identity,
  type: ResourceType,
  object: KubeObject,
  previous: KubeObject | undefined,
): void {
  const { name = '', namespace } = object.metadata;
  const wanted = { group: rbacGroup, plural: type.plural, subresource: undefined, namespace };
  // The name of an object that is being created is not in its request.
  const resource = { ...wanted, name: previous === undefined ? undefined : name };
  if (context.authorizer.decide({ identity, verb: 'escalate', resource, path: '' }).allowed) return;
  confirm(context, identity, type, object, rulesIn(object));
  if (!aggregates(object) && !(previous !== undefined && aggregates(previous))) return;
  const { rules } = context.authorizer.rulesOf(identity, '');
  if (missingRules(rules, everything).length > 0) {
    throw errors.forbidden(type, name, 'must have cluster-admin privileges to use the aggregationRule');
  }
}

function confirmBinding(context: ServerContext, identity: Identity, type: ResourceType, object: KubeObject): void {
  const reference = isObject(object['roleRef']) ? object['roleRef'] : {};
  const kind = String(reference['kind']);
  const name = String(reference['name']);
  const { namespace } = object.metadata;
  const plural = kind === 'ClusterRole' ? 'clusterroles' : kind === 'Role' ? 'roles' : undefined;
  // The real server looks the role up before it validates the reference.
  if (plural === undefined) throw errors.plain(`unsupported role reference kind: ${JSON.stringify(kind)}`);
  const resource = { group: rbacGroup, plural, subresource: undefined, namespace, name };
  if (context.authorizer.decide({ identity, verb: 'bind', resource, path: '' }).allowed) return;
  const rules = rulesOfRole(context.store, { kind, name }, namespace ?? '');
  // The real server names the resource of the binding here.
  if (rules === undefined) throw errors.notFound(type, name);
  confirm(context, identity, type, object, rules);
}

function confirm(
  context: ServerContext,
  identity: Identity,
  type: ResourceType,
  object: KubeObject,
  wanted: readonly PolicyRule[],
): void {
  const { name = '', namespace = '' } = object.metadata;
  const { rules, error } = context.authorizer.rulesOf(identity, namespace);
  const missing = missingRules(rules, wanted);
  if (missing.length === 0) return;
  const trouble = error === undefined ? '' : `; resolution errors: [${error}]`;
  throw errors.forbidden(
    type,
    name,
    `user ${JSON.stringify(identity.name)} (groups=${quotedList(identity.groups)}) is attempting to grant RBAC permissions not currently held:\n${describeParts(missing).join('\n')}${trouble}`,
  );
}

const rulesIn = (object: KubeObject): readonly PolicyRule[] =>
  Array.isArray(object['rules']) ? (object['rules'] as PolicyRule[]) : [];

function aggregates(object: KubeObject): boolean {
  const selectors = isObject(object['aggregationRule']) ? object['aggregationRule']['clusterRoleSelectors'] : undefined;
  return Array.isArray(selectors) && selectors.length > 0;
}

/** A change of owners and finalizers alone is what the garbage collector does. */
function hasOnlyNewOwners(object: KubeObject, previous: KubeObject): boolean {
  const rest = ({ metadata, ...content }: KubeObject): JsonObject => {
    const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managed, ...meta } = metadata;
    return { ...content, metadata: meta };
  };
  return deepEqual(rest(object), rest(previous));
}
