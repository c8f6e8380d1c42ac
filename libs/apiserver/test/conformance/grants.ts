import type { JsonObject } from '../../src/index.js';
import { until } from './definitions.js';
import type { RequestOptions, Session } from './session.js';

export const rbac = '/apis/rbac.authorization.k8s.io/v1';
export const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
export const widgetGroup = 'conformance.example.com';

/** Someone whom nobody has given a right, in a name of the case's own. */
export const someone = (s: Session): string => `someone-${s.namespace}`;

export const as = (user: string, headers: Record<string, string> = {}): RequestOptions => ({
  headers: { 'impersonate-user': user, ...headers },
});

export const role = (name: string, rules: readonly JsonObject[], kind = 'Role'): JsonObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { name },
  rules,
});

export const binding = (
  name: string,
  roleName: string,
  subjects: readonly JsonObject[],
  kind = 'RoleBinding',
  roleKind = 'Role',
): JsonObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: roleName },
  subjects,
});

export const user = (name: string): JsonObject => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name });

/** Waits until someone may do something; roles are heeded a little after they are made. */
export async function untilAllowed(s: Session, name: string, resourceAttributes: JsonObject): Promise<void> {
  await until(`${name} may ${JSON.stringify(resourceAttributes)}`, async () => {
    const { json } = await s.quietly('POST', reviews, {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: name, resourceAttributes },
    });
    return json.status.allowed === true;
  });
}

/** Gives someone rights in the case's namespace, and waits until they are heeded. */
export async function grant(s: Session, name: string, rules: readonly JsonObject[], probe: JsonObject): Promise<void> {
  const path = `${rbac}/namespaces/${s.namespace}`;
  await s.quietly('POST', `${path}/roles`, role('granted', rules));
  await s.quietly('POST', `${path}/rolebindings`, binding('granted', 'granted', [user(name)]));
  await untilAllowed(s, name, { namespace: s.namespace, ...probe });
}

export const widgetRule = (verbs: readonly string[], more: JsonObject = {}): JsonObject => ({
  apiGroups: [widgetGroup],
  resources: ['widgets'],
  verbs,
  ...more,
});
