import type { JsonObject } from '../../../src/index.js';
import { configMap, widget } from '../bodies.js';
import { until } from '../definitions.js';
import { plainAccount } from '../plain-account.js';
import { group, type Read, type RequestOptions, type Session } from '../session.js';
import { addReviewCases } from './access-reviews.cases.js';

const { cases, add } = group('auth');
export const authCases = cases;

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const widgetGroup = 'conformance.example.com';

/** Someone whom nobody has given a right, in a name of the case's own. */
export const someone = (s: Session): string => `someone-${s.namespace}`;

const as = (user: string, headers: Record<string, string> = {}): RequestOptions => ({
  headers: { 'impersonate-user': user, ...headers },
});

const role = (name: string, rules: readonly JsonObject[], kind = 'Role'): JsonObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { name },
  rules,
});

const binding = (
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

const user = (name: string): JsonObject => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name });

/** Waits until someone may do something; roles are heeded a little after they are made. */
async function untilAllowed(s: Session, name: string, resourceAttributes: JsonObject): Promise<void> {
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
async function grant(s: Session, name: string, rules: readonly JsonObject[], probe: JsonObject): Promise<void> {
  const path = `${rbac}/namespaces/${s.namespace}`;
  await s.quietly('POST', `${path}/roles`, role('granted', rules));
  await s.quietly('POST', `${path}/rolebindings`, binding('granted', 'granted', [user(name)]));
  await untilAllowed(s, name, { namespace: s.namespace, ...probe });
}

const widgetRule = (verbs: readonly string[], more: JsonObject = {}): JsonObject => ({
  apiGroups: [widgetGroup],
  resources: ['widgets'],
  verbs,
  ...more,
});

add('tokens that are none', async (s) => {
  const header = (authorization: string | undefined) => s.request('GET', s.configMaps, { headers: { authorization } });
  await header('Bearer wrong');
  await header('bearer wrong');
  await header('Bearer');
  await header('Bearer ');
  await header('Bearer  wrong');
  await header('Basic YTpi');
  await header('wrong');
  await header(undefined);
  await s.request('GET', '/version', { headers: { authorization: 'Bearer wrong' } });
  await s.request('GET', '/nothing', { headers: { authorization: 'Bearer wrong' } });
});
add('nobody', async (s) => {
  const nobody = (method: string, path: string, body?: unknown) =>
    s.request(method, path, { body, headers: { authorization: undefined } });
  for (const path of ['/healthz', '/livez', '/readyz']) await nobody('GET', path);
  for (const path of ['/', '/api', '/apis', '/api/v1', '/apis/apps', '/openapi/v3', '/metrics', '/nothing/at/all'])
    await nobody('GET', path);
  await nobody('GET', s.widgets);
  await nobody('POST', s.configMaps, configMap('c'));
  await nobody('DELETE', `/api/v1/namespaces/${s.namespace}`);
  s.note('version', (await s.quietly('GET', '/version', undefined)).status);
});
add('refusals: each verb', async (s) => {
  const options = as(someone(s));
  const ask = (method: string, path: string, more: RequestOptions = {}): Promise<Read> =>
    s.request(method, path, { ...options, ...more });
  await ask('GET', s.widgets);
  await ask('GET', `${s.widgets}?watch=1`);
  await ask('GET', `${s.widgets}/a`);
  await ask('POST', s.widgets, { body: widget('a') });
  await ask('PUT', `${s.widgets}/a`, { body: widget('a') });
  await ask('PATCH', `${s.widgets}/a`, { body: {}, contentType: 'application/merge-patch+json' });
  await ask('PATCH', `${s.widgets}/a?fieldManager=m`, {
    body: widget('a'),
    contentType: 'application/apply-patch+yaml',
  });
  await ask('DELETE', `${s.widgets}/a`);
  await ask('DELETE', s.widgets);
  await ask('POST', `${s.widgets}/a`);
});
add('refusals: each kind of path', async (s) => {
  const ask = (method: string, path: string): Promise<Read> => s.request(method, path, as(someone(s)));
  for (const path of [
    '/apis/conformance.example.com/v1/widgets',
    `${s.widgets}/a/status`,
    `${s.widgets}/a/scale`,
    s.configMaps,
    `${s.configMaps}/c`,
    '/api/v1/configmaps',
    '/api/v1/namespaces',
    `/api/v1/namespaces/${s.namespace}`,
    `/api/v1/namespaces/${s.namespace}/status`,
    '/api/v1/nodes/n',
    `/api/v1/namespaces/${s.namespace}/pods/p/log`,
    '/api/v1/namespaces/none/configmaps',
    `/apis/none.example.com/v1/namespaces/${s.namespace}/things`,
    '/apis/none.example.com/v1/things/a/status',
    `/api/v1/namespaces/${s.namespace}/things`,
    '/metrics',
    '/logs/x',
    '/nothing',
    '/apis/conformance.example.com/v1',
    `${s.widgets}?fieldSelector=metadata.name%3Da`,
    `${s.widgets}?watch=1&fieldSelector=metadata.name%3Da`,
    `${s.widgets}?labelSelector=a%3Db`,
    `${s.widgets}?limit=x`,
  ]) {
    await ask('GET', path);
  }
  await ask('POST', '/metrics');
  await ask('DELETE', `/api/v1/namespaces/${s.namespace}`);
  await ask('DELETE', '/apis/conformance.example.com/v1/widgets');
});
add('a name with quotes', async (s) => {
  await s.request('GET', s.widgets, as('so "me" <one> \\ ü'));
  await s.request('GET', '/metrics', as('so "me" <one> \\ ü'));
});
add('rights in a namespace', async (s) => {
  const name = someone(s);
  await grant(s, name, [widgetRule(['get', 'list', 'create'])], {
    group: widgetGroup,
    resource: 'widgets',
    verb: 'get',
  });
  await s.request('POST', s.widgets, { ...as(name), body: widget('a') });
  await s.request('GET', s.widgets, as(name));
  await s.request('GET', `${s.widgets}/a`, as(name));
  await s.request('GET', `${s.widgets}/a/status`, as(name));
  await s.request('GET', `${s.widgets}?watch=1`, as(name));
  await s.request('DELETE', `${s.widgets}/a`, as(name));
  await s.request('GET', '/apis/conformance.example.com/v1/widgets', as(name));
  await s.request('PATCH', `${s.widgets}/b?fieldManager=m`, {
    ...as(name),
    body: widget('b'),
    contentType: 'application/apply-patch+yaml',
  });
  await s.request('PATCH', `${s.widgets}/a`, { ...as(name), body: {}, contentType: 'application/merge-patch+json' });
});
add('what apply and PUT need to create', async (s) => {
  const name = someone(s);
  await grant(
    s,
    name,
    [widgetRule(['patch']), { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['update'] }],
    { group: widgetGroup, resource: 'widgets', verb: 'patch' },
  );
  await s.request('PATCH', `${s.widgets}/b?fieldManager=m`, {
    ...as(name),
    body: widget('b'),
    contentType: 'application/apply-patch+yaml',
  });
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' } };
  await s.request('PUT', `/apis/coordination.k8s.io/v1/namespaces/${s.namespace}/leases/l`, {
    ...as(name),
    body: lease,
  });
});
add('rights to named objects', async (s) => {
  const name = someone(s);
  await s.quietly('POST', s.widgets, widget('a'));
  await s.quietly('POST', s.widgets, widget('b'));
  await grant(s, name, [widgetRule(['*'], { resourceNames: ['a', 'c'] })], {
    group: widgetGroup,
    resource: 'widgets',
    verb: 'get',
    name: 'a',
  });
  const ask = (method: string, path: string, more: RequestOptions = {}): Promise<Read> =>
    s.request(method, path, { ...as(name), ...more });
  await ask('GET', `${s.widgets}/a`);
  await ask('GET', `${s.widgets}/b`);
  await ask('GET', s.widgets);
  await ask('GET', `${s.widgets}?fieldSelector=metadata.name%3Da`);
  await ask('GET', `${s.widgets}?fieldSelector=metadata.name%3Db`);
  await ask('GET', `${s.widgets}?fieldSelector=metadata.name!%3Da`);
  await ask('GET', `${s.widgets}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Db`);
  await ask('POST', s.widgets, { body: widget('c') });
  await ask('DELETE', `${s.widgets}?fieldSelector=metadata.name%3Da&dryRun=All`);
  await ask('DELETE', `${s.widgets}/a`);
});
add('rights to subresources', async (s) => {
  const name = someone(s);
  await s.quietly('POST', s.widgets, widget('a'));
  await grant(
    s,
    name,
    [widgetRule(['get'], { resources: ['widgets/status'] }), widgetRule(['patch'], { resources: ['*/scale'] })],
    { group: widgetGroup, resource: 'widgets', subresource: 'status', verb: 'get' },
  );
  await s.request('GET', `${s.widgets}/a/status`, as(name));
  await s.request('GET', `${s.widgets}/a`, as(name));
  await s.request('GET', `${s.widgets}/a/scale`, as(name));
  await s.request('PATCH', `${s.widgets}/a/scale`, {
    ...as(name),
    body: { spec: { replicas: 2 } },
    contentType: 'application/merge-patch+json',
  });
});
add('rights everywhere', async (s) => {
  const name = someone(s);
  const cluster = `${s.namespace}-c`;
  s.leave(`${rbac}/clusterroles/${cluster}`);
  s.leave(`${rbac}/clusterrolebindings/${cluster}`);
  await s.quietly(
    'POST',
    `${rbac}/clusterroles`,
    role(
      cluster,
      [
        widgetRule(['list', 'get']),
        { nonResourceURLs: ['/metrics', '/logs/*'], verbs: ['get'] },
        { apiGroups: [''], resources: ['namespaces'], verbs: ['get'] },
      ],
      'ClusterRole',
    ),
  );
  const group_ = { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: `group-${s.namespace}` };
  await s.quietly(
    'POST',
    `${rbac}/clusterrolebindings`,
    binding(cluster, cluster, [user(name), group_], 'ClusterRoleBinding', 'ClusterRole'),
  );
  await untilAllowed(s, name, { group: widgetGroup, resource: 'widgets', verb: 'list' });
  const list = '/apis/conformance.example.com/v1/widgets?labelSelector=none%3D1';
  await s.request('GET', list, as(name));
  await s.request('GET', list, as('another', { 'impersonate-group': `group-${s.namespace}` }));
  await s.request('GET', list, as('another'));
  await s.request('GET', '/logs/none', as(name));
  await s.request('GET', '/logs', as(name));
  await s.request('POST', '/metrics', as(name));
  await s.request('GET', `/api/v1/namespaces/${s.namespace}`, as(name));
  await s.request('GET', '/api/v1/namespaces', as(name));
});
add('a ClusterRole that is bound in a namespace', async (s) => {
  const name = someone(s);
  const cluster = `${s.namespace}-c`;
  s.leave(`${rbac}/clusterroles/${cluster}`);
  await s.quietly(
    'POST',
    `${rbac}/clusterroles`,
    role(
      cluster,
      [widgetRule(['list']), { apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }],
      'ClusterRole',
    ),
  );
  const account = { kind: 'ServiceAccount', name: 'sa', namespace: s.namespace };
  await s.quietly(
    'POST',
    `${rbac}/namespaces/${s.namespace}/rolebindings`,
    binding('b', cluster, [user(name), account], 'RoleBinding', 'ClusterRole'),
  );
  await untilAllowed(s, name, { namespace: s.namespace, group: widgetGroup, resource: 'widgets', verb: 'list' });
  await s.request('GET', s.widgets, as(name));
  await s.request('GET', '/apis/conformance.example.com/v1/widgets', as(name));
  await s.request('GET', `/api/v1/namespaces/${s.namespace}`, as(name));
  await s.request('GET', s.widgets, as(`system:serviceaccount:${s.namespace}:sa`));
  await s.request('GET', s.widgets, as('system:serviceaccount:default:sa'));
});
add('a role that is not there', async (s) => {
  const name = someone(s);
  await s.quietly('POST', `${rbac}/namespaces/${s.namespace}/rolebindings`, binding('b', 'none', [user(name)]));
  await until('the binding is heeded', async () => {
    const read = await s.quietly('POST', reviews, {
      spec: { user: name, resourceAttributes: { namespace: s.namespace, resource: 'configmaps', verb: 'get' } },
    });
    return JSON.stringify(read.json).includes('none');
  });
  await s.request('GET', s.configMaps, as(name));
});
add('impersonation', async (s) => {
  const self = async (headers: Record<string, string>): Promise<void> => {
    await s.request('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      headers,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    });
  };
  await self({});
  await self({ 'impersonate-user': 'a' });
  await self({ 'impersonate-user': 'a', 'impersonate-group': 'g' });
  await self({
    'impersonate-user': 'a',
    'impersonate-uid': 'u-1',
    'impersonate-extra-scopes': 'x',
    'impersonate-extra-acme%2fkey': 'y',
  });
  await self({ 'impersonate-group': 'g' });
  await self({ 'impersonate-uid': 'u-1' });
  await self({ 'impersonate-extra-scopes': 'x' });
  await self({ 'impersonate-user': '' });
  await self({ 'impersonate-user': 'system:anonymous' });
  await self({ 'impersonate-user': `system:serviceaccount:${s.namespace}:sa` });
  await self({ 'impersonate-user': 'system:serviceaccount:bad' });
  await self({ 'impersonate-user': 'a', 'impersonate-group': 'system:authenticated' });
  await self({ 'impersonate-user': 'a', 'impersonate-group': 'system:unauthenticated' });
  await self({ 'impersonate-user': 'a', 'impersonate-group': 'system:masters' });
});
add('impersonation is refused', async (s) => {
  const plain = await plainAccount(s);
  const authorization = `Bearer ${plain.token}`;
  const ask = (headers: Record<string, string>): Promise<Read> =>
    s.request('GET', s.configMaps, { headers: { authorization, ...headers } });
  await ask({});
  await ask({ 'impersonate-user': 'a' });
  await ask({ 'impersonate-user': 'system:serviceaccount:default:b' });
  await ask({ 'impersonate-user': 'a', 'impersonate-group': 'g' });
  await ask({ 'impersonate-group': 'g' });
  const cluster = `${s.namespace}-i`;
  s.leave(`${rbac}/clusterroles/${cluster}`);
  s.leave(`${rbac}/clusterrolebindings/${cluster}`);
  await s.quietly(
    'POST',
    `${rbac}/clusterroles`,
    role(
      cluster,
      [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: ['a'] }],
      'ClusterRole',
    ),
  );
  await s.quietly(
    'POST',
    `${rbac}/clusterrolebindings`,
    binding(cluster, cluster, [plain.subject], 'ClusterRoleBinding', 'ClusterRole'),
  );
  await untilAllowed(s, plain.user, { resource: 'users', name: 'a', verb: 'impersonate' });
  await ask({ 'impersonate-user': 'a' });
  await ask({ 'impersonate-user': 'b' });
  await ask({ 'impersonate-user': 'a', 'impersonate-group': 'g' });
  await ask({ 'impersonate-user': 'a', 'impersonate-uid': 'u' });
  await ask({ 'impersonate-user': 'a', 'impersonate-extra-scopes': 'x' });
});
add('nobody gives rights that they do not have', async (s) => {
  const name = someone(s);
  const path = `${rbac}/namespaces/${s.namespace}`;
  const all = {
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['roles', 'rolebindings'],
    verbs: ['create', 'update', 'patch', 'get', 'delete'],
  };
  await grant(s, name, [all, widgetRule(['get'])], { group: widgetGroup, resource: 'widgets', verb: 'get' });
  const ask = (method: string, where: string, body: unknown, contentType = 'application/json'): Promise<Read> =>
    s.request(method, `${path}/${where}`, { ...as(name), body, contentType });
  await ask('POST', 'roles', role('a', [widgetRule(['get'])]));
  await ask('POST', 'roles', role('b', [widgetRule(['get', 'list', 'watch'])]));
  await ask(
    'POST',
    'roles',
    role('b', [
      { apiGroups: ['', 'apps'], resources: ['secrets', 'deployments'], verbs: ['get', 'list'], resourceNames: [] },
    ]),
  );
  await ask('POST', 'roles', role('b', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]));
  await ask('POST', 'roles', role('b', [widgetRule(['get'], { resourceNames: ['x'] })]));
  await ask('POST', 'roles', role('b', [widgetRule(['get'], { resources: ['widgets/status'] })]));
  await ask(
    'PATCH',
    'roles/a',
    [{ op: 'add', path: '/rules/0/verbs/-', value: 'delete' }],
    'application/json-patch+json',
  );
  await ask('PATCH', 'roles/a', { metadata: { labels: { a: '1' } } }, 'application/merge-patch+json');
  await s.quietly('POST', `${path}/roles`, role('more', [widgetRule(['get', 'delete'])]));
  await ask('POST', 'rolebindings', binding('a', 'a', [user('other')]));
  await ask('POST', 'rolebindings', binding('b', 'more', [user('other')]));
  await ask('POST', 'rolebindings', binding('b', 'none', [user('other')]));
  await ask('POST', 'rolebindings', binding('b', 'cluster-admin', [user('other')], 'RoleBinding', 'ClusterRole'));
  await ask('PATCH', 'rolebindings/a', { subjects: [user('third')] }, 'application/merge-patch+json');
});
add('the verbs escalate and bind', async (s) => {
  const name = someone(s);
  const path = `${rbac}/namespaces/${s.namespace}`;
  const verbs = (resource: string, ...list: string[]): JsonObject => ({
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: [resource],
    verbs: ['create', ...list],
  });
  await grant(
    s,
    name,
    [verbs('roles', 'escalate'), verbs('rolebindings'), { ...verbs('roles', 'bind'), resourceNames: ['allowed'] }],
    {
      group: 'rbac.authorization.k8s.io',
      resource: 'roles',
      verb: 'escalate',
    },
  );
  const ask = (where: string, body: unknown): Promise<Read> =>
    s.request('POST', `${path}/${where}`, { ...as(name), body });
  await ask('roles', role('allowed', [widgetRule(['get', 'delete'])]));
  await ask('roles', role('other', [widgetRule(['get', 'delete'])]));
  await ask('rolebindings', binding('a', 'allowed', [user('other')]));
  await ask('rolebindings', binding('b', 'other', [user('other')]));
});

addReviewCases(add);
