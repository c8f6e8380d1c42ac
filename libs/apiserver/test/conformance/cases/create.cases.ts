import { apiVersion, configMap, widget } from '../bodies.js';
import { group } from '../session.js';

const { cases, add } = group('create');
export const createCases = cases;

add('minimal', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.post(s.configMaps, configMap('c'));
});
add('what only the server sets is wiped', async (s) => {
  const metadata = {
    uid: 'x',
    generation: 7,
    selfLink: '/x',
    creationTimestamp: '2020-01-01T00:00:00Z',
    deletionTimestamp: '2020-01-01T00:00:00Z',
    deletionGracePeriodSeconds: 5,
  };
  await s.post(s.widgets, { ...widget('a', {}, metadata), status: { phase: 'x' } });
  await s.post(s.configMaps, configMap('c', {}, metadata));
});
add('empty and null metadata', async (s) => {
  await s.post(s.widgets, widget('a', {}, { labels: null, annotations: {}, finalizers: [], ownerReferences: null }));
});
add('a name that is none', async (s) => {
  for (const name of ['B_x', '', '-a', 'a..b', 'x'.repeat(254)]) {
    await s.post(s.widgets, widget(name));
    await s.post(s.configMaps, configMap(name));
  }
});
add('labels, annotations, finalizers and owners that are none', async (s) => {
  const metadata = {
    labels: { 'a b': 'x', ok: 'bad value', 'X/y': 'z', long: 'x'.repeat(64) },
    annotations: { 'x y': '1', 'Up/Case': '2' },
    finalizers: ['bad', 'a/b/c'],
    ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }],
  };
  await s.post(s.widgets, widget('a', {}, metadata));
});
add('another namespace in the body', (s) =>
  s.post(s.widgets, widget('a', {}, { namespace: 'other' })).then(() => undefined),
);
add('a missing namespace', async (s) => {
  await s.post('/api/v1/namespaces/nope/configmaps', configMap('a'));
  await s.post(`/apis/${apiVersion}/namespaces/nope/widgets`, widget('a'));
});
add('a resourceVersion', (s) => s.post(s.widgets, widget('a', {}, { resourceVersion: '5' })).then(() => undefined));
add('what exists', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.post(s.widgets, widget('a'));
});
add('what exists and is being deleted', async (s) => {
  await s.post(s.widgets, widget('a', {}, { finalizers: ['x.example/a'] }));
  await s.delete(`${s.widgets}/a`);
  await s.post(s.widgets, widget('a'));
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: null } });
});
add('another kind or version', async (s) => {
  await s.post(s.widgets, { ...widget('a'), kind: 'Gadget' });
  await s.post(s.widgets, { ...widget('a'), apiVersion: 'conformance.example.com/v2' });
  await s.post(s.widgets, { metadata: { name: 'a' } });
});
add('a built-in resource without kind and version', (s) =>
  s.post(s.configMaps, { metadata: { name: 'a' } }).then(() => undefined),
);
add('metadata of wrong types', async (s) => {
  await s.post(s.widgets, { ...widget('a'), metadata: 'x' });
  await s.post(s.widgets, { ...widget('a'), metadata: { name: 1 } });
  await s.post(s.widgets, widget('a', {}, { labels: { a: 1 } }));
});
add('broken JSON', (s) => s.post(s.widgets, '{bad').then(() => undefined));
add('no body', (s) => s.post(s.widgets, '').then(() => undefined));
add('a body of another media type', (s) => s.post(s.widgets, '{}', 'text/plain').then(() => undefined));
add('YAML', (s) =>
  s
    .post(
      s.widgets,
      `apiVersion: ${apiVersion}\nkind: Widget\nmetadata: {name: a}\nspec: {size: 2}\n`,
      'application/yaml',
    )
    .then(() => undefined),
);
add('dry run', async (s) => {
  await s.post(`${s.widgets}?dryRun=All`, widget('a'));
  await s.post(`${s.widgets}?dryRun=x`, widget('a'));
  await s.get(`${s.widgets}/a`);
});
add('unknown fields', async (s) => {
  const body = { ...widget('a', { zzz: 1, nested: { yy: 1 } }, { foo: 1 }), top: 2 };
  for (const mode of ['Ignore', 'Warn', 'Strict', 'Bogus'])
    await s.post(`${s.widgets}?dryRun=All&fieldValidation=${mode}`, body);
});
add('a finalizer without a domain', (s) =>
  s.post(s.widgets, widget('a', {}, { finalizers: ['foo'] })).then(() => undefined),
);
add('owner references twice', (s) => {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'x' };
  return s.post(`${s.widgets}?dryRun=All`, widget('a', {}, { ownerReferences: [owner, owner] })).then(() => undefined);
});
add('stringData of a Secret', (s) =>
  s
    .post(`/api/v1/namespaces/${s.namespace}/secrets`, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { a: '1' },
    })
    .then(() => undefined),
);
add('an Event in both groups', async (s) => {
  const core = `/api/v1/namespaces/${s.namespace}/events`;
  const group_ = `/apis/events.k8s.io/v1/namespaces/${s.namespace}/events`;
  const regarding = { kind: 'Pod', name: 'p', namespace: s.namespace };
  await s.post(core, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'a' },
    involvedObject: regarding,
    reason: 'R',
    message: 'M',
    type: 'Normal',
    count: 1,
  });
  await s.get(`${group_}/a`);
  await s.post(group_, {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'b' },
    regarding,
    reason: 'R',
    note: 'N',
    type: 'Normal',
    action: 'A',
    reportingController: 'x.example/c',
    reportingInstance: 'i',
    eventTime: '2026-01-01T00:00:00.000000Z',
  });
  await s.get(`${core}/b`);
  await s.get(`${core}?fieldSelector=involvedObject.name%3Dp,reason%3DR`);
  await s.get(`${group_}?fieldSelector=regarding.name%3Dp`);
});
add('a Lease, also by PUT', async (s) => {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${s.namespace}/leases`;
  const lease = (name: string) => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name },
    spec: { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' },
  });
  await s.post(path, lease('a'));
  await s.put(`${path}/b`, lease('b'));
  await s.put(`${path}/a`, lease('a'));
});
