import type { JsonObject } from '../../../src/index.js';
import { configMap, widget } from '../bodies.js';
import { group } from '../session.js';

const { cases, add } = group('delete');
export const deleteCases = cases;

add('plain', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.delete(`${s.widgets}/a`);
  await s.delete(`${s.widgets}/a`);
  await s.post(s.configMaps, configMap('c'));
  await s.delete(`${s.configMaps}/c`);
  await s.post(`/api/v1/namespaces/${s.namespace}/serviceaccounts`, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 's' },
  });
  await s.delete(`/api/v1/namespaces/${s.namespace}/serviceaccounts/s`);
});
add('what is absent', async (s) => {
  await s.delete(`${s.widgets}/a`);
  await s.delete(`${s.configMaps}/a`, { preconditions: { uid: 'x' } });
  await s.delete(`${s.widgets}/a?dryRun=All`);
  await s.delete('/api/v1/namespaces/nope/configmaps/a');
  await s.delete('/api/v1/namespaces/nope/configmaps');
});
add('with a finalizer, twice', async (s) => {
  await s.post(s.widgets, widget('a', {}, { finalizers: ['x.example/a'] }));
  await s.delete(`${s.widgets}/a`);
  await s.delete(`${s.widgets}/a`);
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: ['x.example/a', 'x.example/b'] } });
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: null }, spec: { size: 2 } });
  await s.get(`${s.widgets}/a`);
});
add('the last finalizer by JSON patch and by PUT', async (s) => {
  for (const name of ['a', 'b']) {
    await s.post(s.widgets, widget(name, {}, { finalizers: ['x.example/a', 'x.example/b'] }));
    const { json } = await s.delete(`${s.widgets}/${name}`);
    if (name === 'a') {
      await s.patch('json', `${s.widgets}/a`, [{ op: 'remove', path: '/metadata/finalizers/0' }]);
      await s.patch('json', `${s.widgets}/a`, [{ op: 'remove', path: '/metadata/finalizers' }]);
    } else {
      await s.put(`${s.widgets}/b`, { ...json, metadata: { ...json.metadata, finalizers: [] } });
    }
    await s.get(`${s.widgets}/${name}`);
  }
});
add('the last finalizer through the status', async (s) => {
  await s.post(s.widgets, widget('a', {}, { finalizers: ['x.example/a'] }));
  await s.delete(`${s.widgets}/a`);
  await s.patch('merge', `${s.widgets}/a/status`, { metadata: { finalizers: null }, status: { phase: 'x' } });
  await s.get(`${s.widgets}/a`);
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: [] } });
  await s.get(`${s.widgets}/a`);
});
add('changes while it is being deleted', async (s) => {
  const { json } = await s.post(s.widgets, widget('a', {}, { finalizers: ['x.example/a', 'x.example/b'] }));
  const { json: marked } = await s.delete(`${s.widgets}/a`);
  await s.put(`${s.widgets}/a`, json);
  await s.put(`${s.widgets}/a`, { ...marked, spec: { size: 2 } });
  await s.patch('merge', `${s.widgets}/a`, { metadata: { labels: { a: 'b' } } });
  await s.patch('merge', `${s.widgets}/a/status`, { status: { phase: 'x' } });
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: ['x.example/b'] } });
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: ['x.example/a'] } });
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: ['x.example/b', 'orphan'] } });
  await s.patch('json', `${s.widgets}/a`, [{ op: 'add', path: '/metadata/finalizers/-', value: 'x.example/b' }]);
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: null } });
  await s.get(`${s.widgets}/a`);
});
add('the mark cannot be taken back', async (s) => {
  for (const [path, body] of [
    [s.widgets, widget('a', {}, { finalizers: ['x.example/a'] })],
    [s.configMaps, configMap('a', {}, { finalizers: ['x.example/a'] })],
  ] as const) {
    await s.post(path, body);
    await s.delete(`${path}/a`);
    await s.patch('merge', `${path}/a`, { metadata: { deletionTimestamp: null } });
    await s.patch('merge', `${path}/a`, { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } });
    await s.patch('merge', `${path}/a`, { metadata: { deletionGracePeriodSeconds: 9 } });
    await s.patch('json', `${path}/a`, [{ op: 'remove', path: '/metadata/deletionTimestamp' }]);
    await s.patch('merge', `${path}/a`, { metadata: { finalizers: null } });
  }
});
add('preconditions', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  await s.delete(`${s.widgets}/a`, { preconditions: { uid: 'zzz' } });
  await s.delete(`${s.widgets}/a`, { preconditions: { resourceVersion: '1' } });
  const { uid, resourceVersion } = json.metadata;
  await s.delete(`${s.widgets}/a`, { preconditions: { uid, resourceVersion } });
  await s.post(s.configMaps, configMap('c'));
  await s.delete(`${s.configMaps}/c`, { preconditions: { uid: 'zzz' } });
});
add('preconditions of a collection', async (s) => {
  const { json } = await s.quietly('POST', s.widgets, widget('a'));
  await s.quietly('POST', s.widgets, widget('b'));
  await s.delete(s.widgets, { preconditions: { uid: json.metadata.uid } });
  await s.get(s.widgets);
});
add('propagation', async (s) => {
  for (const policy of ['Background', 'Bogus']) {
    await s.post(s.widgets, widget('a'));
    await s.delete(`${s.widgets}/a`, { propagationPolicy: policy });
  }
  await s.delete(`${s.widgets}/a`, { propagationPolicy: 'Orphan', orphanDependents: true });
  await s.delete(`${s.widgets}/a?propagationPolicy=Foreground&dryRun=All`);
});
add('propagation sets finalizers', async (s) => {
  // In dry runs: the garbage collector takes its finalizers away at a time of its own.
  const keep = { finalizers: ['x.example/a'] };
  for (const policy of ['Foreground', 'Orphan', 'Background'] as const) {
    const name = policy.toLowerCase();
    await s.post(s.configMaps, configMap(name, {}, keep));
    await s.delete(`${s.configMaps}/${name}`, { propagationPolicy: policy, dryRun: ['All'] });
    await s.post(s.widgets, widget(name, {}, keep));
    await s.delete(`${s.widgets}/${name}`, { propagationPolicy: policy, dryRun: ['All'] });
  }
});
add('propagation changes its mind', async (s) => {
  await s.post(s.widgets, widget('a', {}, { finalizers: ['x.example/a', 'orphan'] }));
  await s.delete(`${s.widgets}/a?dryRun=All`);
  await s.delete(`${s.widgets}/a?dryRun=All&propagationPolicy=Foreground`);
  await s.delete(`${s.widgets}/a?dryRun=All&propagationPolicy=Background`);
  await s.post(s.widgets, widget('b', {}, { finalizers: ['foregroundDeletion', 'x.example/b'] }));
  await s.delete(`${s.widgets}/b?dryRun=All`);
  await s.delete(`${s.widgets}/b?dryRun=All&propagationPolicy=Orphan`);
  await s.delete(`${s.widgets}/b?dryRun=All&propagationPolicy=Background`);
  await s.delete(`${s.widgets}/b?dryRun=All`, { orphanDependents: true });
  await s.delete(`${s.widgets}/b?dryRun=All`, { orphanDependents: false });
});
add('options that are none', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.delete(`${s.widgets}/a`, { gracePeriodSeconds: 'x' });
});
add('options in the query', async (s) => {
  await s.post(s.widgets, widget('a', {}, { finalizers: ['x.example/a'] }));
  const path = `${s.widgets}/a?dryRun=All`;
  await s.delete(`${path}&propagationPolicy=Foreground`);
  await s.delete(`${path}&propagationPolicy=Bogus`);
  await s.delete(`${path}&gracePeriodSeconds=x`);
  await s.delete(`${path}&gracePeriodSeconds=-1`);
  await s.delete(`${path}&orphanDependents=true`);
  await s.delete(`${path}&orphanDependents=x`);
  await s.delete(`${path}&preconditions.uid=x`);
  await s.delete(`${s.widgets}/a?dryRun=x`);
  await s.delete(`${s.widgets}/a?unknown=x&dryRun=All`);
});
add('options in body and query', async (s) => {
  await s.post(s.widgets, widget('a', {}, { finalizers: ['x.example/a'] }));
  await s.delete(`${s.widgets}/a?propagationPolicy=Foreground&dryRun=All`, {
    dryRun: ['All'],
    propagationPolicy: 'Orphan',
  });
  await s.delete(`${s.widgets}/a?propagationPolicy=Foreground`, { dryRun: ['All'] });
  await s.delete(`${s.widgets}/a?dryRun=All`, {});
  await s.get(`${s.widgets}/a`);
});
add('a body that is none', async (s) => {
  await s.post(s.widgets, widget('a', {}, { finalizers: ['x.example/a'] }));
  const path = `${s.widgets}/a`;
  await s.delete(path, '{bad');
  await s.delete(path, '[]');
  await s.delete(path, { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] });
  await s.delete(path, { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', dryRun: ['All'] });
  await s.delete(path, { kind: 'DeleteOptions', apiVersion: 'conformance.example.com/v1', dryRun: ['All'] });
  await s.delete(path, { kind: 'Widget', apiVersion: 'conformance.example.com/v1', dryRun: ['All'] });
  await s.delete(path, { dryRun: 'All' });
  await s.delete(path, { propagationPolicy: 5 });
  await s.delete(path, { preconditions: 'x' });
  await s.delete(path, { unknown: 1, dryRun: ['All'] });
  await s.request('DELETE', path, { body: '{}', contentType: 'text/plain' });
  await s.request('DELETE', path, { body: 'dryRun: [All]', contentType: 'application/yaml' });
});
add('a grace period', async (s) => {
  for (const seconds of [0, 5, -1]) {
    await s.post(s.configMaps, configMap('a', {}, { finalizers: ['x.example/a'] }));
    await s.delete(`${s.configMaps}/a`, { gracePeriodSeconds: seconds });
    await s.quietly('PATCH', `${s.configMaps}/a`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
    await s.post(s.configMaps, configMap('b'));
    await s.delete(`${s.configMaps}/b`, { gracePeriodSeconds: seconds });
  }
});
add('answers with the object', async (s) => {
  const core = `/api/v1/namespaces/${s.namespace}`;
  const answered = async (path: string, body: JsonObject): Promise<void> => {
    const { name } = body['metadata'] as { name: string };
    await s.quietly('POST', path, body);
    const { status, json } = await s.quietly('DELETE', `${path}/${name}`);
    s.note(String(body['kind']), { status, kind: json.kind, apiVersion: json.apiVersion, details: json.details });
  };
  await answered(`${core}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } });
  await answered(`${core}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } });
  await answered(`${core}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a' },
    spec: { ports: [{ port: 80 }], clusterIP: 'None' },
  });
  await answered(`${core}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  await answered(`${core}/endpoints`, { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'a' } });
  await answered(`${core}/events`, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'a' },
    involvedObject: { namespace: s.namespace },
  });
  await answered(`/apis/coordination.k8s.io/v1/namespaces/${s.namespace}/leases`, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'a' },
  });
  await answered(`/apis/rbac.authorization.k8s.io/v1/namespaces/${s.namespace}/roles`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'a' },
    rules: [],
  });
  await answered(`/apis/apps/v1/namespaces/${s.namespace}/deployments`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
});
add('a cluster-scoped object', async (s) => {
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const name = `${s.namespace}-role`;
  await s.post(path, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name },
    rules: [],
  });
  await s.delete(`${path}/${name}`, { preconditions: { uid: 'x' } });
  await s.delete(`${path}/${name}`);
  await s.delete(`${path}/${name}`);
});
add('dry run', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.delete(`${s.widgets}/a?dryRun=All`);
  await s.get(`${s.widgets}/a`);
});
add('a collection', async (s) => {
  for (const [name, app] of [
    ['a', 'x'],
    ['b', 'x'],
    ['c', 'y'],
  ] as const) {
    await s.quietly('POST', s.widgets, widget(name, {}, { labels: { app } }));
  }
  await s.delete(`${s.widgets}?labelSelector=app%3Dx`);
  await s.get(s.widgets);
  await s.delete(s.widgets);
  await s.delete(s.widgets);
});
add('a collection by limit', async (s) => {
  for (const name of ['a', 'b', 'c']) await s.quietly('POST', s.widgets, widget(name));
  const { json } = await s.delete(`${s.widgets}?limit=2`);
  await s.get(s.widgets);
  await s.delete(`${s.widgets}?limit=2&continue=${json.metadata.continue}`);
  await s.get(s.widgets);
});
add('a collection with finalizers', async (s) => {
  await s.quietly('POST', s.widgets, widget('a', {}, { finalizers: ['x.example/a'] }));
  await s.quietly('POST', s.widgets, widget('b'));
  await s.delete(s.widgets, { propagationPolicy: 'Background' });
  await s.get(s.widgets);
  await s.delete(s.widgets);
  await s.get(s.widgets);
});
add('a collection in dry run', async (s) => {
  await s.quietly('POST', s.widgets, widget('a'));
  await s.quietly('POST', s.configMaps, configMap('a'));
  await s.delete(`${s.widgets}?dryRun=All`);
  await s.delete(s.configMaps, { dryRun: ['All'] });
  await s.delete(`${s.widgets}?dryRun=x`);
  await s.delete(`${s.widgets}?limit=x`);
  await s.get(s.widgets);
  await s.get(s.configMaps);
});
