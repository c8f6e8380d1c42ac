import { configMap, widget } from '../bodies.js';
import { as, binding, rbac, role, someone, untilAllowed } from '../grants.js';
import { plainAccount } from '../plain-account.js';
import { group, type Read, type RequestOptions } from '../session.js';
import { addReviewCases } from './access-reviews.cases.js';

const { cases, add } = group('auth');
export const authCases = cases;

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

addReviewCases(add);
