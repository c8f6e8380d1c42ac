import type { JsonObject } from '../../../src/index.js';
import { until } from '../definitions.js';
import type { CaseBody, Read, Session } from '../session.js';
import { send } from '../target.js';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const authorization = '/apis/authorization.k8s.io/v1';

const review = (kind: string, spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind,
  spec,
  ...more,
});

/** Reviews, and what Roles and Bindings may look like. */
export function addReviewCases(add: (name: string, run: CaseBody) => void): void {
  const someone = (s: Session): string => `someone-${s.namespace}`;
  const impersonated = (s: Session) => ({ headers: { 'impersonate-user': someone(s) } });

  async function bound(s: Session): Promise<void> {
    const path = `${rbac}/namespaces/${s.namespace}`;
    const rules = [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
      { apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a'], verbs: ['*'] },
    ];
    await s.quietly('POST', `${path}/roles`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'r' },
      rules,
    });
    await s.quietly('POST', `${path}/rolebindings`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'b' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: someone(s) }],
    });
    await until('the role is heeded', async () => {
      const spec = {
        user: someone(s),
        resourceAttributes: { namespace: s.namespace, resource: 'configmaps', verb: 'get' },
      };
      const { json } = await s.quietly(
        'POST',
        `${authorization}/subjectaccessreviews`,
        review('SubjectAccessReview', spec),
      );
      return json.status.allowed === true;
    });
  }

  add('reviews: oneself', async (s) => {
    await bound(s);
    const ask = (spec: JsonObject): Promise<Read> =>
      s.request('POST', `${authorization}/selfsubjectaccessreviews`, {
        ...impersonated(s),
        body: review('SelfSubjectAccessReview', spec),
      });
    const { namespace } = s;
    await ask({ resourceAttributes: { namespace, verb: 'get', resource: 'configmaps' } });
    await ask({ resourceAttributes: { namespace, verb: 'delete', resource: 'configmaps', name: 'c' } });
    await ask({
      resourceAttributes: {
        namespace,
        verb: 'get',
        group: 'apps',
        version: 'v1',
        resource: 'deployments',
        name: 'a',
        subresource: '',
      },
    });
    await ask({ resourceAttributes: { namespace, verb: 'get', group: 'apps', resource: 'deployments' } });
    await ask({ resourceAttributes: { verb: 'list', resource: 'configmaps' } });
    await ask({ resourceAttributes: { namespace, verb: '*', resource: '*', group: '*' } });
    await ask({ nonResourceAttributes: { path: '/api', verb: 'get' } });
    await ask({ nonResourceAttributes: { path: '/metrics', verb: 'get' } });
    await ask({});
    await ask({ resourceAttributes: { verb: 'get' }, nonResourceAttributes: { path: '/', verb: 'get' } });
  });
  add('reviews: the administrator', async (s) => {
    const ask = (spec: JsonObject): Promise<Read> =>
      s.post(`${authorization}/selfsubjectaccessreviews`, review('SelfSubjectAccessReview', spec));
    await ask({ resourceAttributes: { verb: 'delete', resource: 'nodes' } });
    await ask({ nonResourceAttributes: { path: '/x', verb: 'put' } });
  });
  add('reviews: others', async (s) => {
    await bound(s);
    const ask = (spec: JsonObject, more: JsonObject = {}): Promise<Read> =>
      s.post(`${authorization}/subjectaccessreviews`, review('SubjectAccessReview', spec, more));
    const resourceAttributes = { namespace: s.namespace, verb: 'get', resource: 'configmaps' };
    await ask({ user: someone(s), resourceAttributes });
    await ask({ user: 'other', resourceAttributes });
    await ask({ user: 'other', groups: ['system:masters'], uid: 'u', extra: { a: ['b'] }, resourceAttributes });
    await ask({ groups: ['system:masters'], resourceAttributes });
    await ask({ resourceAttributes });
    await ask({ user: 'other' });
    await ask({ user: 'other', nonResourceAttributes: { path: '/healthz', verb: 'get' } });
    await ask({
      user: 'system:anonymous',
      groups: ['system:unauthenticated'],
      nonResourceAttributes: { path: '/healthz', verb: 'get' },
    });
    await ask({ user: someone(s), resourceAttributes }, { metadata: { name: 'x' } });
    await ask({ user: someone(s), resourceAttributes }, { status: { allowed: true } });
    await s.request('POST', `${authorization}/subjectaccessreviews`, {
      ...impersonated(s),
      body: review('SubjectAccessReview', { user: 'other', resourceAttributes }),
    });
  });
  add('reviews: selectors', async (s) => {
    await bound(s);
    const ask = (attributes: JsonObject): Promise<Read> =>
      s.post(
        `${authorization}/subjectaccessreviews`,
        review('SubjectAccessReview', {
          user: someone(s),
          resourceAttributes: { namespace: s.namespace, verb: 'list', resource: 'configmaps', ...attributes },
        }),
      );
    await ask({ fieldSelector: { rawSelector: 'metadata.name=a' } });
    await ask({ labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] } });
    await ask({ fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In', values: ['b'] }] } });
    await ask({ labelSelector: {} });
    await ask({ labelSelector: { requirements: [{ key: '', operator: 'Bogus' }] } });
  });
  add('reviews: in a namespace', async (s) => {
    await bound(s);
    const path = `${authorization}/namespaces/${s.namespace}/localsubjectaccessreviews`;
    const ask = (spec: JsonObject, more: JsonObject = {}): Promise<Read> =>
      s.post(path, review('LocalSubjectAccessReview', spec, more));
    await ask({
      user: someone(s),
      resourceAttributes: { namespace: s.namespace, verb: 'get', resource: 'configmaps' },
    });
    await ask({ user: someone(s), resourceAttributes: { verb: 'get', resource: 'configmaps' } });
    await ask({ user: someone(s), resourceAttributes: { namespace: 'default', verb: 'get', resource: 'configmaps' } });
    await ask({ user: someone(s), nonResourceAttributes: { path: '/', verb: 'get' } });
    await ask(
      { user: someone(s), resourceAttributes: { namespace: s.namespace, verb: 'get', resource: 'configmaps' } },
      { metadata: { namespace: 'default' } },
    );
  });
  add('reviews: all rules of oneself', async (s) => {
    await bound(s);
    const ask = (spec: JsonObject): Promise<Read> =>
      s.request('POST', `${authorization}/selfsubjectrulesreviews`, {
        ...impersonated(s),
        body: review('SelfSubjectRulesReview', spec),
      });
    const read = await s.quietly(
      'POST',
      `${authorization}/selfsubjectrulesreviews`,
      review('SelfSubjectRulesReview', { namespace: s.namespace }),
    );
    s.note('the administrator', ordered(read.json.status));
    const own = await send(s.target, {
      method: 'POST',
      path: `${authorization}/selfsubjectrulesreviews`,
      body: review('SelfSubjectRulesReview', { namespace: s.namespace }),
      ...impersonated(s),
    });
    s.note('someone', ordered((JSON.parse(own.text) as { status: JsonObject }).status));
    await ask({});
    await ask({ namespace: '' });
  });
  add('reviews: tokens', async (s) => {
    const path = '/apis/authentication.k8s.io/v1/tokenreviews';
    const ask = async (spec: JsonObject): Promise<void> => {
      const { status, json } = await s.quietly('POST', path, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec,
      });
      // The token is repeated in the answer, and the audiences are what the server was started with.
      const { audiences: _, ...status_ } = json.status ?? {};
      s.note('answer', { status, body: { ...json, spec: undefined, status: status_ } });
    };
    await ask({ token: s.target.token ?? '' });
    await ask({ token: s.target.token ?? '', audiences: ['https://control-plane.invalid'] });
    await ask({ token: 'wrong' });
    await ask({ token: '' });
    await ask({});
  });
  add('reviews: requests that there are not', async (s) => {
    for (const path of [
      `${authorization}/subjectaccessreviews`,
      '/apis/authentication.k8s.io/v1/tokenreviews',
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    ]) {
      await s.get(path);
      await s.get(`${path}/a`);
      await s.delete(path);
    }
    await s.post(
      `${authorization}/selfsubjectaccessreviews?dryRun=All`,
      review('SelfSubjectAccessReview', { resourceAttributes: { verb: 'get', resource: 'nodes' } }),
    );
    await s.post(`${authorization}/selfsubjectaccessreviews`, {
      spec: { resourceAttributes: { verb: 'get', resource: 'nodes' }, unknown: 1 },
    });
  });
  add('roles that are none', async (s) => {
    const path = `${rbac}/namespaces/${s.namespace}/roles?dryRun=All`;
    const role = (rules: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
      metadata: { name: 'r' },
      rules,
      ...more,
    });
    for (const rules of [
      [{}],
      [{ verbs: ['get'] }],
      [{ verbs: [], apiGroups: [''], resources: ['a'] }],
      [{ verbs: ['get'], apiGroups: [''] }],
      [{ verbs: ['get'], resources: ['a'] }],
      [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
      [{ verbs: ['get'], nonResourceURLs: ['/x'], apiGroups: [''], resources: ['a'] }],
    ]) {
      await s.post(path, role(rules));
    }
    await s.post(path, role([], { metadata: { name: 'With:Colon/Slash' } }));
    await s.post(path, role([], { metadata: { name: 'With:Colon' } }));
    await s.post(`${rbac}/clusterroles?dryRun=All`, {
      metadata: { name: `${s.namespace}-c` },
      rules: [{ verbs: ['get'], nonResourceURLs: ['/x'], resources: ['a'], apiGroups: [''] }],
    });
    await s.post(`${rbac}/clusterroles?dryRun=All`, {
      metadata: { name: `${s.namespace}-c` },
      rules: [{ verbs: ['get'], nonResourceURLs: ['x', '*', '/a*b'] }],
    });
    await s.post(`${rbac}/clusterroles?dryRun=All`, {
      metadata: { name: `${s.namespace}-c` },
      rules: null,
      aggregationRule: {},
    });
    await s.post(`${rbac}/clusterroles?dryRun=All`, {
      metadata: { name: `${s.namespace}-c` },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'b a d': 'x' } }] },
    });
  });
  add('bindings that are none', async (s) => {
    const path = `${rbac}/namespaces/${s.namespace}/rolebindings`;
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
    const post = (more: JsonObject, where = path): Promise<Read> =>
      s.post(`${where}?dryRun=All`, { metadata: { name: `${s.namespace}-b` }, roleRef, ...more });
    await post({});
    await post({ roleRef: undefined });
    await post({ roleRef: { kind: 'Role', name: 'r' } });
    await post({ roleRef: { ...roleRef, kind: 'Other' } });
    await post({ roleRef: { ...roleRef, name: '' } });
    await post({ roleRef: { ...roleRef, apiGroup: 'x' } });
    for (const subject of [
      { kind: 'User', name: 'a' },
      { kind: 'User', name: '' },
      { kind: 'User', name: 'a', apiGroup: 'x' },
      { kind: 'Group', name: 'a', namespace: 'n' },
      { kind: 'ServiceAccount', name: 'a' },
      { kind: 'ServiceAccount', name: 'A_', namespace: 'n' },
      { kind: 'ServiceAccount', name: 'a', namespace: 'n', apiGroup: 'x' },
      { kind: 'Other', name: 'a' },
      { name: 'a' },
    ]) {
      await post({ subjects: [subject] });
    }
    await post({}, `${rbac}/clusterrolebindings`);
    await s.post(path, { metadata: { name: 'b' }, roleRef });
    await s.patch('merge', `${path}/b`, { roleRef: { name: 'other' } });
    await s.patch('merge', `${path}/b`, { subjects: [{ kind: 'User', name: 'a' }] });
    await s.put(`${path}/new`, { metadata: { name: 'new' }, roleRef });
  });
  add('roles that are there from the start', async (s) => {
    for (const name of ['cluster-admin', 'system:discovery', 'system:basic-user', 'system:public-info-viewer']) {
      for (const resource of ['clusterroles', 'clusterrolebindings']) {
        const { json } = await s.quietly('GET', `${rbac}/${resource}/${name}`);
        const { metadata, ...rest } = json as { metadata: JsonObject };
        // In which order they were made is nobody's business.
        s.note(name, { ...rest, labels: metadata['labels'], annotations: metadata['annotations'] });
      }
    }
    for (const name of ['admin', 'edit', 'view']) {
      const { status, json } = await s.quietly('GET', `${rbac}/clusterroles/${name}`);
      s.note(name, { status, aggregationRule: json?.aggregationRule, labels: json?.metadata?.labels });
    }
  });
}

/** The rules come in the order of a hash. */
function ordered(status: JsonObject): JsonObject {
  const sorted = (list: unknown): unknown[] =>
    (list as unknown[]).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return {
    ...status,
    resourceRules: sorted(status['resourceRules']),
    nonResourceRules: sorted(status['nonResourceRules']),
  };
}
