import { isObject, type JsonObject, type KubeObject } from '../json.js';
import type { Store } from '../store/store.js';
import type { AccessAttributes } from './access-attributes.js';
import type { Authorizer, Decision } from './authorizer.js';
import { mastersGroup, serviceAccountOf, type Identity } from './identity.js';
import { ruleAllows, type PolicyRule } from './policy-rule.js';

export const rbacGroup = 'rbac.authorization.k8s.io';

interface Subject {
  readonly kind: string;
  readonly name: string;
  /** Where a service account is; absent for one that nobody can be. */
  readonly namespace: string | undefined;
}

interface Binding {
  readonly description: string;
  readonly subjects: readonly Subject[];
  readonly rules: readonly PolicyRule[];
  /** Says that the role is absent. */
  readonly error: string | undefined;
}

interface Bindings {
  readonly cluster: readonly Binding[];
  readonly namespaced: ReadonlyMap<string, readonly Binding[]>;
}

/** A role that a binding names. */
export interface RoleReference {
  readonly kind: string;
  readonly name: string;
}

/** The rules of a role, or undefined when it is absent; `namespace` is that of the binding. */
export function rulesOfRole(
  store: Store,
  { kind, name }: RoleReference,
  namespace: string,
): readonly PolicyRule[] | undefined {
  const role =
    kind === 'ClusterRole'
      ? store.get(`${rbacGroup}/clusterroles`, name)
      : kind === 'Role'
        ? store.get(`${rbacGroup}/roles`, `${namespace}/${name}`)
        : undefined;
  if (role === undefined) return undefined;
  return Array.isArray(role['rules']) ? (role['rules'] as PolicyRule[]) : [];
}

/** Decides by the Roles and Bindings in the store. */
export class RbacAuthorizer implements Authorizer {
  /** Made with the first question after a change. */
  #bindings: Bindings | undefined;

  constructor(private readonly store: Store) {
    store.subscribe(({ resource }) => {
      if (resource.startsWith(`${rbacGroup}/`)) this.#bindings = undefined;
    });
    store.onRestore(() => (this.#bindings = undefined));
  }

  decide(attributes: AccessAttributes): Decision {
    const { identity, resource } = attributes;
    if (identity.groups.includes(mastersGroup)) return { allowed: true, reason: '' };
    const missing: string[] = [];
    for (const binding of this.#of(resource?.namespace)) {
      const subject = binding.subjects.find((candidate) => isSubject(candidate, identity));
      if (subject === undefined) continue;
      if (binding.error !== undefined) missing.push(binding.error);
      else if (binding.rules.some((rule) => ruleAllows(rule, attributes))) {
        return { allowed: true, reason: `RBAC: allowed by ${binding.description} to ${describeSubject(subject)}` };
      }
    }
    return { allowed: false, reason: missing.length === 0 ? '' : `RBAC: ${aggregate(missing)}` };
  }

  rulesOf(identity: Identity, namespace: string): { rules: PolicyRule[]; error?: string } {
    const rules: PolicyRule[] = [];
    const missing: string[] = [];
    for (const binding of this.#of(namespace)) {
      if (!binding.subjects.some((candidate) => isSubject(candidate, identity))) continue;
      if (binding.error === undefined) rules.push(...binding.rules);
      else missing.push(binding.error);
    }
    return { rules, ...(missing.length === 0 ? {} : { error: aggregate(missing) }) };
  }

  *#of(namespace: string | undefined): Iterable<Binding> {
    const { cluster, namespaced } = (this.#bindings ??= this.#read());
    yield* cluster;
    if (namespace !== undefined && namespace !== '') yield* namespaced.get(namespace) ?? [];
  }

  #read(): Bindings {
    const namespaced = new Map<string, Binding[]>();
    for (const { object } of this.store.list(`${rbacGroup}/rolebindings`)) {
      const namespace = object.metadata.namespace ?? '';
      const known = namespaced.get(namespace);
      const binding = this.#binding(object, namespace);
      if (known === undefined) namespaced.set(namespace, [binding]);
      else known.push(binding);
    }
    const cluster = this.store.list(`${rbacGroup}/clusterrolebindings`).map(({ object }) => this.#binding(object, ''));
    return { cluster, namespaced };
  }

  #binding(object: KubeObject, namespace: string): Binding {
    const reference = isObject(object['roleRef']) ? object['roleRef'] : {};
    const kind = String(reference['kind']);
    const name = String(reference['name']);
    const rules = rulesOfRole(this.store, { kind, name }, namespace);
    const shown = namespace === '' ? object.metadata.name : `${object.metadata.name}/${namespace}`;
    const what = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
    const subjects = Array.isArray(object['subjects']) ? (object['subjects'] as unknown[]) : [];
    return {
      description: `${what} ${JSON.stringify(shown)} of ${kind} ${JSON.stringify(name)}`,
      subjects: subjects.filter(isObject).map((subject) => ({
        kind: String(subject['kind']),
        name: String(subject['name']),
        namespace: subject['kind'] === 'ServiceAccount' ? namespaceOf(subject, namespace) : undefined,
      })),
      rules: rules ?? [],
      error: rules === undefined ? `${kind.toLowerCase()}.${rbacGroup} ${JSON.stringify(name)} not found` : undefined,
    };
  }
}

const namespaceOf = (subject: JsonObject, namespace: string): string =>
  typeof subject['namespace'] === 'string' && subject['namespace'] !== '' ? subject['namespace'] : namespace;

function isSubject({ kind, name, namespace }: Subject, identity: Identity): boolean {
  if (kind === 'User') return name === identity.name;
  if (kind === 'Group') return identity.groups.includes(name);
  if (kind !== 'ServiceAccount' || namespace === '') return false;
  const account = serviceAccountOf(identity.name);
  return account?.name === name && account.namespace === namespace;
}

const describeSubject = ({ kind, name, namespace }: Subject): string =>
  `${kind} ${JSON.stringify(namespace === undefined ? name : `${name}/${namespace}`)}`;

function aggregate(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`;
}
