import { isObject, type KubeObject } from '../json.js';
import { selectedName } from '../selectors/field-selector.js';
import type { Store } from '../store/store.js';
import type { Attributes } from './access-attributes.js';
import type { Identity } from '../access/identity.js';

const group = 'rbac.authorization.k8s.io';

interface Subject {
  kind: string;
  name: string;
  namespace?: string;
}

interface Rule {
  verbs?: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

// What a cluster lets everybody, and everybody with an account, read from the start.
const publicPaths = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
const discoveryPaths = ['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*', ...publicPaths];

/** Whether the Roles and Bindings in the store allow a request. */
export function allowedByRbac(store: Store, attributes: Attributes): boolean {
  const { identity, resource, path, method } = attributes;
  if (identity.groups.includes('system:masters')) return true;
  if (resource === undefined) {
    const known = identity.groups.includes('system:authenticated') ? discoveryPaths : publicPaths;
    if ((method === 'GET' || method === 'HEAD') && known.some((pattern) => matchesPath(pattern, path))) return true;
  }
  for (const { object } of store.list(`${group}/clusterrolebindings`)) {
    if (
      bound(object, identity, undefined) &&
      rulesOf(store, object, undefined).some((rule) => allows(rule, attributes))
    ) {
      return true;
    }
  }
  const namespace = resource?.namespace;
  if (namespace === undefined) return false;
  for (const { key, object } of store.list(`${group}/rolebindings`)) {
    if (!key.startsWith(`${namespace}/`)) continue;
    if (
      bound(object, identity, namespace) &&
      rulesOf(store, object, namespace).some((rule) => allows(rule, attributes))
    ) {
      return true;
    }
  }
  return false;
}

function bound(binding: KubeObject, identity: Identity, namespace: string | undefined): boolean {
  const subjects = Array.isArray(binding['subjects']) ? (binding['subjects'] as Subject[]) : [];
  return subjects.some(({ kind, name, namespace: given }) => {
    if (kind === 'User') return name === identity.name;
    if (kind === 'Group') return identity.groups.includes(name);
    const account = `system:serviceaccount:${given ?? namespace}:${name}`;
    return kind === 'ServiceAccount' && identity.name === account;
  });
}

function rulesOf(store: Store, binding: KubeObject, namespace: string | undefined): Rule[] {
  const reference = binding['roleRef'];
  if (!isObject(reference)) return [];
  const name = String(reference['name']);
  const role =
    reference['kind'] === 'ClusterRole'
      ? store.get(`${group}/clusterroles`, name)
      : namespace === undefined
        ? undefined
        : store.get(`${group}/roles`, `${namespace}/${name}`);
  return Array.isArray(role?.['rules']) ? (role['rules'] as Rule[]) : [];
}

function allows(rule: Rule, { verb, method, path, resource, query }: Attributes): boolean {
  const includes = (list: string[] | undefined, wanted: string): boolean =>
    list !== undefined && (list.includes('*') || list.includes(wanted));
  if (resource === undefined) {
    return (
      includes(rule.verbs, method.toLowerCase()) &&
      (rule.nonResourceURLs ?? []).some((pattern) => matchesPath(pattern, path))
    );
  }
  const { plural, subresource } = resource;
  const wanted = subresource === undefined ? plural : `${plural}/${subresource}`;
  const resources = rule.resources ?? [];
  const covered =
    resources.includes('*') ||
    resources.includes(wanted) ||
    (subresource !== undefined && resources.includes(`*/${subresource}`));
  if (!includes(rule.verbs, verb) || !includes(rule.apiGroups, resource.group) || !covered) return false;
  if (rule.resourceNames === undefined || rule.resourceNames.length === 0) return true;
  // A list or a watch that selects one name counts as a request for it.
  const name = resource.name ?? selectedName(query.get('fieldSelector') ?? '');
  return name !== undefined && rule.resourceNames.includes(name);
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern === '*' || pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)));
}
