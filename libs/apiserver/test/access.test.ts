import { describe, expect, it } from 'vitest';
import type { ApiServer, JsonObject } from '../src/index.js';
import { configMaps, server, widgets } from './support/fixtures.js';
import { call, type Answer } from './support/http.js';

const group = 'rbac.authorization.k8s.io';
const rbac = `/apis/${group}/v1`;
const roles = `${rbac}/namespaces/default/roles`;
const roleBindings = `${rbac}/namespaces/default/rolebindings`;
const clusterRoles = `${rbac}/clusterroles`;
const clusterRoleBindings = `${rbac}/clusterrolebindings`;

const users = [
  { name: 'admin', token: 'admin', groups: ['system:masters'] },
  { name: 'dev', token: 'dev', uid: 'u-1', groups: ['devs'], extra: { 'example.com/team': ['a', 'b'] } },
];

type Rule = Record<string, string[]>;

const rule = (verbs: string, apiGroup: string, resources: string): Rule => ({
  verbs: verbs.split(' '),
  apiGroups: [apiGroup],
  resources: resources.split(' '),
});

const role = (kind: 'Role' | 'ClusterRole', name: string, rules: Rule[], more: JsonObject = {}): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name, ...(kind === 'Role' ? { namespace: 'default' } : {}) },
  rules,
  ...more,
});

const binding = (kind: 'Role' | 'ClusterRole', name: string, cluster = false, named = name): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind: cluster ? 'ClusterRoleBinding' : 'RoleBinding',
  metadata: { name: named, ...(cluster ? {} : { namespace: 'default' }) },
  roleRef: { apiGroup: group, kind, name },
  subjects: [{ apiGroup: group, kind: 'Group', name: 'devs' }],
});

type Ask = (
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

/** A server with RBAC, in which `dev` holds what the given objects say. */
async function withRoles(objects: JsonObject[]): Promise<{ api: ApiServer; ask: Ask }> {
  const api = await server({ users, authorization: 'rbac', objects });
  const ask: Ask = (token, method, path, body, headers = {}) =>
    call(api.url, method, path, {
      ...(body === undefined ? {} : { body }),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
  return { api, ask };
}

const settle = (api: ApiServer): Promise<void> => api.activity.whenIdle();

describe('the roles of every cluster', () => {
  const secrets = '/api/v1/namespaces/default/secrets';

  it('view, edit and admin let read, write and share a namespace', async () => {
    const { ask } = await withRoles([binding('ClusterRole', 'view')]);
    const status = async (method: string, path: string, body?: unknown): Promise<number> =>
      (await ask('dev', method, path, body)).status;
    const configMap = { metadata: { name: 'c' } };
    const reader = role('Role', 'reader', [rule('get', '', 'secrets')]);

    expect(await status('GET', configMaps)).toBe(200);
    expect(await status('GET', '/api/v1/namespaces/kube-system/configmaps')).toBe(403);
    expect(await status('GET', secrets)).toBe(403);
    expect(await status('POST', configMaps, configMap)).toBe(403);

    await ask('admin', 'POST', roleBindings, binding('ClusterRole', 'edit'));
    expect(await status('GET', secrets)).toBe(200);
    expect(await status('POST', configMaps, configMap)).toBe(201);
    expect(await status('POST', roles, reader)).toBe(403);

    await ask('admin', 'POST', roleBindings, binding('ClusterRole', 'admin'));
    expect(await status('POST', roles, reader)).toBe(201);
    expect(await status('POST', clusterRoles, role('ClusterRole', 'x', []))).toBe(403);
  });

  it('take in roles that are labelled for them, and let go of them', async () => {
    const { api, ask } = await withRoles([binding('ClusterRole', 'admin')]);
    const read = async (): Promise<number> => (await ask('dev', 'GET', widgets)).status;
    expect(await read()).toBe(403);
    const labelled = role('ClusterRole', 'widget-viewer', [rule('list', 'example.com', 'widgets')], {
      metadata: { name: 'widget-viewer', labels: { [`${group}/aggregate-to-view`]: 'true' } },
    });
    await ask('admin', 'POST', clusterRoles, labelled);
    await settle(api);
    // By way of view and edit.
    expect(await read()).toBe(200);
    await ask('admin', 'DELETE', `${clusterRoles}/widget-viewer`);
    await settle(api);
    expect(await read()).toBe(403);
  });

  it('let everybody with an account find out what there is, and everybody whether the server is well', async () => {
    const { ask } = await withRoles([]);
    for (const path of ['/api', '/apis', '/apis/apps/v1', '/openapi/v3']) {
      expect((await ask('dev', 'GET', path)).status, path).toBe(200);
      expect((await ask(undefined, 'GET', path)).json, path).toMatchObject({
        code: 403,
        message: `forbidden: User "system:anonymous" cannot get path "${path}"`,
      });
    }
    for (const path of ['/healthz', '/readyz', '/livez', '/version']) {
      expect((await ask(undefined, 'GET', path)).status, path).toBe(200);
    }
  });
});

describe('aggregated roles', () => {
  it('hold the rules of those that they select, each once, and no others for long', async () => {
    const { api, ask } = await withRoles([
      role('ClusterRole', 'a', [rule('get', '', 'pods'), rule('list', '', 'pods')], {
        metadata: { name: 'a', labels: { part: 'yes' } },
      }),
      role('ClusterRole', 'b', [rule('list', '', 'pods'), rule('watch', '', 'pods')], {
        metadata: { name: 'b', labels: { part: 'yes' } },
      }),
      role('ClusterRole', 'c', [rule('delete', '', 'pods')]),
    ]);
    const aggregate = {
      metadata: { name: 'sum' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'yes' } }] },
      rules: [rule('*', '*', '*')],
    };
    const rules = async (): Promise<unknown> => (await ask('admin', 'GET', `${clusterRoles}/sum`)).json.rules;
    expect((await ask('admin', 'POST', clusterRoles, aggregate)).status).toBe(201);
    await settle(api);
    const wanted = [rule('get', '', 'pods'), rule('list', '', 'pods'), rule('watch', '', 'pods')];
    expect(await rules()).toEqual(wanted);
    await ask('admin', 'PUT', `${clusterRoles}/sum`, aggregate);
    await settle(api);
    expect(await rules()).toEqual(wanted);
  });

  it('are made by none but those who may do everything', async () => {
    const { ask } = await withRoles([
      role('ClusterRole', 'maker', [rule('create', group, 'clusterroles')]),
      binding('ClusterRole', 'maker', true),
    ]);
    const aggregate = { metadata: { name: 'sum' }, aggregationRule: { clusterRoleSelectors: [{}] }, rules: [] };
    expect((await ask('dev', 'POST', clusterRoles, aggregate)).json).toMatchObject({
      code: 403,
      message: `clusterroles.${group} "sum" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    });
    await ask('admin', 'POST', clusterRoleBindings, binding('ClusterRole', 'cluster-admin', true, 'all'));
    expect((await ask('dev', 'POST', clusterRoles, aggregate)).status).toBe(201);
  });
});

describe('what somebody does not hold', () => {
  const maker = role('Role', 'maker', [
    rule('create update', group, 'roles rolebindings'),
    rule('get', '', 'configmaps secrets'),
  ]);

  it('they cannot put into a role, unless they may escalate it', async () => {
    const { ask } = await withRoles([maker, binding('Role', 'maker')]);
    const held = role('Role', 'held', [rule('get', '', 'configmaps')]);
    const more = role('Role', 'more', [rule('get list', '', 'configmaps')]);
    expect((await ask('dev', 'POST', roles, held)).status).toBe(201);
    const refused = await ask('dev', 'POST', roles, more);
    expect(refused.json).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: [
        `roles.${group} "more" is forbidden: user "dev" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:`,
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["list"]}',
      ].join('\n'),
    });
    const raised = role('Role', 'held', [rule('delete', '', 'configmaps')]);
    expect((await ask('dev', 'PUT', `${roles}/held`, raised)).status).toBe(403);
    await ask('admin', 'POST', roles, role('Role', 'escalator', [rule('escalate', group, 'roles')]));
    await ask('admin', 'POST', roleBindings, binding('Role', 'escalator'));
    expect((await ask('dev', 'POST', roles, more)).status).toBe(201);
    expect((await ask('dev', 'PUT', `${roles}/held`, raised)).status).toBe(200);
  });

  it('they cannot bind, unless they may bind the role', async () => {
    const { ask } = await withRoles([
      maker,
      binding('Role', 'maker'),
      role('Role', 'held', [rule('get', '', 'secrets')]),
    ]);
    expect((await ask('dev', 'POST', roleBindings, binding('Role', 'held'))).status).toBe(201);
    expect((await ask('dev', 'POST', roleBindings, binding('ClusterRole', 'view'))).json).toMatchObject({
      code: 403,
      message: expect.stringMatching(
        /^rolebindings\.rbac\.authorization\.k8s\.io "view" is forbidden: user "dev" \(groups=\["devs" "system:authenticated"\]\) is attempting to grant RBAC permissions not currently held:\n\{APIGroups:\[""\], Resources:\["bindings"\]/,
      ) as string,
    });
    expect((await ask('dev', 'POST', roleBindings, binding('Role', 'absent'))).json).toMatchObject({
      code: 404,
      message: `rolebindings.${group} "absent" not found`,
    });
    const odd = { ...binding('Role', 'held', false, 'odd'), roleRef: { apiGroup: group, kind: 'Foo', name: 'held' } };
    expect((await ask('dev', 'POST', roleBindings, odd)).json).toMatchObject({
      code: 500,
      message: 'unsupported role reference kind: "Foo"',
    });
    const bind = { ...rule('bind', group, 'clusterroles'), resourceNames: ['view'] };
    await ask('admin', 'POST', roles, role('Role', 'binder', [bind]));
    await ask('admin', 'POST', roleBindings, binding('Role', 'binder'));
    expect((await ask('dev', 'POST', roleBindings, binding('ClusterRole', 'view'))).status).toBe(201);
    expect((await ask('dev', 'POST', roleBindings, binding('ClusterRole', 'edit'))).status).toBe(403);
  });
});

describe('rules with names', () => {
  it('allow no creation, as its object has no name yet', async () => {
    const named = { ...rule('create update', '', 'configmaps'), resourceNames: ['mine'] };
    const { ask } = await withRoles([role('Role', 'r', [named]), binding('Role', 'r')]);
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine' } };
    expect((await ask('dev', 'POST', configMaps, object)).status).toBe(403);
    // A lease can be created by PUT, and its name is known then.
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'mine' } };
    await ask('admin', 'PUT', `${roles}/r`, {
      metadata: { name: 'r' },
      rules: [{ ...rule('update', 'coordination.k8s.io', 'leases'), resourceNames: ['mine'] }],
    });
    expect((await ask('dev', 'PUT', `${leases}/mine`, lease)).json).toMatchObject({
      code: 403,
      message:
        'leases.coordination.k8s.io "mine" is forbidden: User "dev" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "default"',
    });
    await ask('admin', 'PUT', `${roles}/r`, {
      metadata: { name: 'r' },
      rules: [{ ...rule('create update', 'coordination.k8s.io', 'leases'), resourceNames: ['mine'] }],
    });
    const created = await ask('dev', 'PUT', `${leases}/mine`, lease);
    expect(created.status).toBe(201);
    expect((await ask('dev', 'PUT', `${leases}/mine`, created.json)).status).toBe(200);
  });
});

describe('impersonation', () => {
  const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const whoAmIBody = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };

  it('lets those who may everything be anybody, and is told', async () => {
    const { api, ask } = await withRoles([]);
    const { json } = await ask('admin', 'POST', whoAmI, whoAmIBody, {
      'impersonate-user': 'eve',
      'impersonate-uid': 'e-1',
      'impersonate-group': 'g',
      'impersonate-extra-Example.com%2Fteam': 't',
    });
    expect(json.status.userInfo).toEqual({
      username: 'eve',
      uid: 'e-1',
      groups: ['g', 'system:authenticated'],
      extra: { 'example.com/team': ['t'] },
    });
    expect(api.requests.all().at(-1)).toMatchObject({ user: 'eve' });
    const account = await ask('admin', 'POST', whoAmI, whoAmIBody, {
      'impersonate-user': 'system:serviceaccount:default:bot',
    });
    expect(account.json.status.userInfo.groups).toEqual([
      'system:serviceaccounts',
      'system:serviceaccounts:default',
      'system:authenticated',
    ]);
    expect((await ask('admin', 'GET', widgets, undefined, { 'impersonate-user': 'eve' })).status).toBe(403);
    expect((await ask('admin', 'GET', '/apis', undefined, { 'impersonate-group': 'g' })).json).toMatchObject({
      code: 400,
      message:
        'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
    });
  });

  it('needs the verb for each part', async () => {
    const { ask } = await withRoles([
      role('ClusterRole', 'i', [
        { ...rule('impersonate', '', 'users'), resourceNames: ['eve'] },
        { ...rule('impersonate', '', 'groups'), resourceNames: ['g'] },
      ]),
      binding('ClusterRole', 'i', true),
    ]);
    const as = (headers: Record<string, string>): Promise<Answer> => ask('dev', 'POST', whoAmI, whoAmIBody, headers);
    expect((await as({ 'impersonate-user': 'eve' })).status).toBe(201);
    expect((await as({ 'impersonate-user': 'eve', 'impersonate-group': 'g' })).status).toBe(201);
    expect((await as({ 'impersonate-user': 'adam' })).json.message).toBe(
      'users "adam" is forbidden: User "dev" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
    expect((await as({ 'impersonate-user': 'eve', 'impersonate-group': 'system:masters' })).json.message).toBe(
      'groups "system:masters" is forbidden: User "dev" cannot impersonate resource "groups" in API group "" at the cluster scope',
    );
    expect((await as({ 'impersonate-user': 'eve', 'impersonate-extra-k': 'v' })).json.message).toBe(
      'userextras.authentication.k8s.io "v" is forbidden: User "dev" cannot impersonate resource "userextras/k" in API group "authentication.k8s.io" at the cluster scope',
    );
  });

  it('may be limited to what is done', async () => {
    const { ask } = await withRoles([
      role('ClusterRole', 'i', [
        { ...rule('impersonate:user-info', 'authentication.k8s.io', 'users'), resourceNames: ['eve'] },
        rule('impersonate-on:user-info:list', '', 'configmaps'),
      ]),
      binding('ClusterRole', 'i', true),
      {
        ...binding('ClusterRole', 'cluster-admin', true, 'eve'),
        subjects: [{ apiGroup: group, kind: 'User', name: 'eve' }],
      },
    ]);
    const eve = { 'impersonate-user': 'eve' };
    expect((await ask('dev', 'GET', configMaps, undefined, eve)).status).toBe(200);
    expect((await ask('dev', 'GET', `${configMaps}/x`, undefined, eve)).status).toBe(403);
    expect((await ask('dev', 'GET', widgets, undefined, eve)).status).toBe(403);
    expect((await ask('dev', 'GET', configMaps, undefined, { 'impersonate-user': 'adam' })).status).toBe(403);
  });
});

describe('who somebody is', () => {
  it('an account with its uid, groups and the rest', async () => {
    const { ask } = await withRoles([]);
    const { json } = await ask('dev', 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {});
    expect(json.status.userInfo).toEqual({
      username: 'dev',
      uid: 'u-1',
      groups: ['devs', 'system:authenticated'],
      extra: { 'example.com/team': ['a', 'b'] },
    });
  });

  it('nobody, with a header that holds no token', async () => {
    const { api } = await withRoles([]);
    const get = (authorization: string): Promise<Answer> =>
      call(api.url, 'GET', configMaps, { headers: { authorization } });
    for (const header of ['Basic ZGV2OmRldg==', 'Bearer', 'Bearer  dev', 'dev']) {
      const answer = await get(header);
      expect(answer.json.message, header).toContain('User "system:anonymous" cannot list');
      expect(answer.headers['warning'], header).toBe(
        header === 'Bearer  dev'
          ? '299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"'
          : undefined,
      );
    }
    expect((await get('Bearer other')).status).toBe(401);
  });

  it('TokenReviews tell of others', async () => {
    const { ask } = await withRoles([]);
    const review = async (token: string): Promise<unknown> =>
      (await ask('admin', 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } })).json.status;
    expect(await review('dev')).toMatchObject({ authenticated: true, user: { username: 'dev', uid: 'u-1' } });
    expect(await review('other')).toEqual({ user: {}, error: expect.any(String) as string });
    expect((await ask('dev', 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', {})).status).toBe(403);
  });
});

describe('reviews', () => {
  const reviews = '/apis/authorization.k8s.io/v1';
  const list = { verb: 'list', resource: 'configmaps', namespace: 'default' };

  it('tell why, by name of binding and role', async () => {
    const { ask } = await withRoles([binding('ClusterRole', 'view')]);
    const own = async (resourceAttributes: JsonObject): Promise<unknown> =>
      (await ask('dev', 'POST', `${reviews}/selfsubjectaccessreviews`, { spec: { resourceAttributes } })).json.status;
    expect(await own(list)).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "view/default" of ClusterRole "view" to Group "devs"',
    });
    expect(await own({ ...list, namespace: 'kube-system' })).toEqual({ allowed: false });
    const rules = await ask('dev', 'POST', `${reviews}/selfsubjectrulesreviews`, { spec: { namespace: 'default' } });
    expect(rules.json.status.resourceRules).toContainEqual(
      expect.objectContaining({ verbs: ['get', 'list', 'watch'], apiGroups: ['discovery.k8s.io'] }),
    );
  });

  it('say yes to every account where there are no roles', async () => {
    const { url } = await server({ users });
    const headers = { authorization: 'Bearer dev' };
    const ask = async (kind: string, spec: JsonObject): Promise<JsonObject> =>
      (await call(url, 'POST', `${reviews}/${kind}`, { body: { spec }, headers })).json.status as JsonObject;
    expect(await ask('selfsubjectaccessreviews', { resourceAttributes: list })).toEqual({ allowed: true });
    expect(await ask('subjectaccessreviews', { resourceAttributes: list, user: 'system:anonymous' })).toEqual({
      allowed: false,
    });
    expect(await ask('selfsubjectrulesreviews', { namespace: 'default' })).toEqual({
      incomplete: false,
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    });
  });
});
