import type { JsonObject } from '../../../src/index.js';
import { configMap, widget } from '../bodies.js';
import { group } from '../session.js';

const { cases, add } = group('replace');
export const replaceCases = cases;

add('get', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.get(`${s.widgets}/a`);
  await s.get(`${s.widgets}/b`);
  await s.get(`${s.configMaps}/b`);
  await s.get('/api/v1/namespaces/nope/configmaps/b');
  await s.get(`/api/v1/namespaces/${s.namespace}-x`);
  await s.get('/apis/conformance.example.com/v1/widgets/a');
});
add('get at a version', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('c'));
  const { json } = await s.quietly('PATCH', `${s.configMaps}/c`, { data: { a: '2' } }, 'application/merge-patch+json');
  await s.quietly('GET', s.configMaps);
  for (const version of ['0', '1', json.metadata.resourceVersion as string]) {
    await s.get(`${s.configMaps}/c?resourceVersion=${version}`);
    await s.get(`${s.configMaps}/b?resourceVersion=${version}`);
  }
  for (const version of ['x', '-1', '1.5', '']) await s.get(`${s.configMaps}/c?resourceVersion=${version}`);
});
add('with the version', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  await s.put(`${s.widgets}/a`, { ...json, spec: { size: 2 } });
  await s.put(`${s.widgets}/a`, { ...json, spec: { size: 3 } });
});
add('without change', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  await s.put(`${s.widgets}/a`, json);
  await s.get(`${s.widgets}/a`);
});
add('without version', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.put(`${s.widgets}/a`, widget('a'));
  await s.post(s.configMaps, configMap('c'));
  await s.put(`${s.configMaps}/c`, configMap('c', { a: '2' }));
});
add('with a version that is none', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.put(`${s.widgets}/a`, widget('a', {}, { resourceVersion: 'x' }));
});
add('with a version of the future', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.put(`${s.widgets}/a`, widget('a', {}, { resourceVersion: '99999999' }));
  await s.post(s.configMaps, configMap('c'));
  await s.put(`${s.configMaps}/c`, configMap('c', {}, { resourceVersion: '99999999' }));
});
add('with versions of other kinds of text', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.post(s.configMaps, configMap('c'));
  for (const resourceVersion of ['0', '-1', '01', '1.5', ' 1', '18446744073709551616', '']) {
    await s.put(`${s.widgets}/a`, widget('a', {}, { resourceVersion }));
    await s.put(`${s.configMaps}/c`, configMap('c', {}, { resourceVersion }));
  }
  await s.put(`${s.widgets}/a`, widget('a', {}, { resourceVersion: 5 }));
});
add('what is absent', async (s) => {
  await s.put(`${s.widgets}/a`, widget('a', {}, { resourceVersion: '5' }));
  await s.put(`${s.configMaps}/c`, configMap('c'));
});
add('what is absent, with a uid', async (s) => {
  const uid = '11111111-2222-3333-4444-555555555555';
  await s.put(`${s.widgets}/a`, widget('a', {}, { uid, resourceVersion: '5' }));
  await s.put(`${s.configMaps}/c`, configMap('c', {}, { uid }));
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'r', uid }, rules: [] };
  await s.put(`/apis/rbac.authorization.k8s.io/v1/namespaces/${s.namespace}/roles/r`, role);
});
add('built-in resources that a PUT creates', async (s) => {
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${s.namespace}`;
  const role = (metadata: JsonObject) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'r', ...metadata },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  });
  await s.put(`${rbac}/roles/r`, role({}));
  await s.put(`${rbac}/roles/r`, role({ labels: { a: 'b' } }));
  await s.put(`${rbac}/roles/q`, role({}));
  await s.put(`${rbac}/roles/r?dryRun=All`, role({ resourceVersion: '1' }));
  await s.put(`/api/v1/namespaces/${s.namespace}/endpoints/e`, {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'e' },
  });
  const service = await s.quietly('PUT', `/api/v1/namespaces/${s.namespace}/services/s`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { ports: [{ port: 80 }], clusterIP: 'None' },
  });
  s.note('a Service', service.status);
  await s.put(`/api/v1/namespaces/${s.namespace}/secrets/s`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
  });
});
add('another name, no name, another namespace, another uid', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  await s.put(`${s.widgets}/a`, { ...json, metadata: { ...json.metadata, name: 'b' } });
  await s.put(`${s.widgets}/a`, { ...json, metadata: { ...json.metadata, name: undefined } });
  await s.put(`${s.widgets}/a`, { ...json, metadata: { ...json.metadata, namespace: 'other' } });
  await s.put(`${s.widgets}/a`, { ...json, metadata: { ...json.metadata, uid: 'zzz' } });
});
add('another kind or version', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  await s.put(`${s.widgets}/a`, { ...json, kind: 'Gadget' });
  await s.put(`${s.widgets}/a`, { ...json, apiVersion: 'conformance.example.com/v9' });
  await s.put(`${s.widgets}/a`, { metadata: { name: 'a' }, spec: { size: 1 } });
  const map = await s.post(s.configMaps, configMap('c'));
  await s.put(`${s.configMaps}/c`, { ...map.json, kind: 'ServiceAccount' });
  await s.put(`${s.configMaps}/c`, { ...map.json, apiVersion: 'apps/v1' });
  await s.put(`${s.configMaps}/c`, { ...map.json, apiVersion: undefined, kind: undefined });
});
add('what only the server sets', async (s) => {
  for (const [path, body] of [
    [s.widgets, widget('a')],
    [s.configMaps, configMap('a')],
  ] as const) {
    const { json } = await s.post(path, body);
    const put = (metadata: JsonObject) => s.put(`${path}/a`, { ...json, metadata: { ...json.metadata, ...metadata } });
    await put({ creationTimestamp: '2020-01-01T00:00:00Z' });
    await put({ creationTimestamp: null });
    await put({ deletionTimestamp: '2020-01-01T00:00:00Z' });
    await put({ deletionGracePeriodSeconds: 5 });
    await put({ generation: 9 });
    await put({ uid: '' });
    await put({ selfLink: '/x' });
    await put({ generateName: 'x-' });
  }
});
add('status through the main resource, all else through status', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  const main = await s.put(`${s.widgets}/a`, { ...json, status: { phase: 'x' } });
  await s.put(`${s.widgets}/a/status`, {
    ...main.json,
    metadata: { ...main.json.metadata, labels: { a: 'b' } },
    spec: { size: 9 },
    status: { phase: 'x' },
  });
  await s.put(`${s.widgets}/a/status`, { ...main.json, status: { phase: 'y' } });
});
add('generation', async (s) => {
  let { json } = await s.post(s.widgets, widget('a'));
  const put = async (change: JsonObject): Promise<void> => {
    ({ json } = await s.put(`${s.widgets}/a`, { ...json, ...change }));
  };
  await put({ metadata: { ...json.metadata, labels: { a: 'b' } } });
  await put({ spec: { size: 2, replicas: 1 } });
  await put({ spec: { size: 2 } });
  await put({ status: { phase: 'x' } });
  await put({ spec: { size: 2, any: {} } });
  await put({ spec: { size: 2, any: null } });
});
add('metadata goes when it is left out', async (s) => {
  const metadata = {
    labels: { a: 'b' },
    annotations: { a: 'b' },
    finalizers: ['x.example/a'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }],
  };
  for (const [path, body] of [
    [s.widgets, (more: JsonObject) => widget('a', {}, more)],
    [s.configMaps, (more: JsonObject) => configMap('a', {}, more)],
  ] as const) {
    // Without the owner's collection coming in between.
    const { json } = await s.post(`${path}?dryRun=All`, body(metadata));
    s.note('kept', Object.keys(json.metadata as object).toSorted());
    const { ownerReferences: _, ...others } = metadata;
    const first = await s.post(path, body(others));
    const { resourceVersion } = first.json.metadata;
    const second = await s.put(`${path}/a`, body({ ...others, resourceVersion, labels: {} }));
    await s.put(`${path}/a`, body({ resourceVersion: second.json.metadata.resourceVersion }));
  }
});
add('an immutable ConfigMap', async (s) => {
  const { json } = await s.post(s.configMaps, { ...configMap('c'), immutable: true });
  await s.put(`${s.configMaps}/c`, { ...json, data: { a: '2' } });
  await s.put(`${s.configMaps}/c`, { ...json, metadata: { ...json.metadata, labels: { a: 'b' } } });
});
add('dry run', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  await s.put(`${s.widgets}/a?dryRun=All`, { ...json, spec: { size: 2 } });
  await s.put(`${s.widgets}/a?dryRun=x`, { ...json, spec: { size: 2 } });
  await s.put(`${s.widgets}/a?dryRun=All`, { ...json, spec: { size: 99 } });
  await s.put(`${s.widgets}/b?dryRun=All`, { ...json, metadata: { ...json.metadata, name: 'b' } });
  await s.get(`${s.widgets}/a`);
});
add('unknown fields', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  const map = await s.post(s.configMaps, configMap('c'));
  for (const mode of ['Ignore', 'Warn', 'Strict', 'Bogus']) {
    await s.put(`${s.widgets}/a?dryRun=All&fieldValidation=${mode}`, { ...json, spec: { size: 1, zzz: 1 }, top: 1 });
    await s.put(`${s.configMaps}/c?dryRun=All&fieldValidation=${mode}`, { ...map.json, spec: {} });
  }
  await s.put(`${s.widgets}/a/status?dryRun=All&fieldValidation=Strict`, { ...json, status: { phase: 'x', zzz: 1 } });
});
add('scale', async (s) => {
  await s.post(s.widgets, widget('a'));
  const { json } = await s.get(`${s.widgets}/a/scale`);
  await s.put(`${s.widgets}/a/scale`, { ...json, spec: { replicas: 3 } });
  await s.put(`${s.widgets}/a/scale`, { ...json, spec: { replicas: 4 } });
  await s.get(`${s.widgets}/a`);
});
add('generation, from the creation to the deletion', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.patch('merge', `${s.widgets}/a`, { metadata: { labels: { a: 'b' } } });
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: 2 } });
  await s.patch('merge', `${s.widgets}/a/status`, { status: { phase: 'x' } });
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: ['x.example/a'] } });
  await s.delete(`${s.widgets}/a`);
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: null } });
});
