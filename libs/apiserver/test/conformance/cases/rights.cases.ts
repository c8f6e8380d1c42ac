import type { JsonObject } from '../../../src/index.js';
import { widget } from '../bodies.js';
import { until } from '../definitions.js';
import {
  as,
  binding,
  grant,
  rbac,
  reviews,
  role,
  someone,
  untilAllowed,
  user,
  widgetGroup,
  widgetRule,
} from '../grants.js';
import { group, type Read, type RequestOptions } from '../session.js';

const { cases, add } = group('auth');
export const rightCases = cases;

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
