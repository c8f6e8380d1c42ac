import type { JsonObject } from '../../../src/index.js';
import { configMap, widget } from '../bodies.js';
import { definition, share, version } from '../definitions.js';
import { group, type Session } from '../session.js';

const { cases, add } = group('status');
export const statusCases = cases;

const open: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const bare = definition('status.conformance.example.com', 'Bare', [
  version('v1', { properties: { spec: open, status: open } }),
]);
const scaled = definition('status.conformance.example.com', 'Scaled', [
  version(
    'v1',
    {
      properties: {
        spec: { type: 'object', properties: { count: { type: 'integer' }, other: { type: 'string' } } },
        status: { type: 'object', properties: { count: { type: 'integer' }, selector: { type: 'string' } } },
      },
    },
    {
      subresources: {
        status: {},
        scale: {
          specReplicasPath: '.spec.count',
          statusReplicasPath: '.status.count',
          labelSelectorPath: '.status.selector',
        },
      },
    },
  ),
]);

const apiVersion = 'status.conformance.example.com/v1';
const own = (s: Session, plural: string): string => `/apis/${apiVersion}/namespaces/${s.namespace}/${plural}`;
const scaledOne = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion,
  kind: 'Scaled',
  metadata: { name },
  spec,
});

const deployment = (name: string, replicas?: number): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    ...(replicas === undefined ? {} : { replicas }),
    selector: {
      matchLabels: { app: name, tier: 'x' },
      matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }],
    },
    template: {
      metadata: { labels: { app: name, tier: 'x', a: 'b' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    },
  },
});

add('by PUT', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  await s.put(`${s.widgets}/a/status`, { ...json, status: { phase: 'x', replicas: 2, zzz: 1 } });
  await s.put(`${s.widgets}/a/status`, widget('a', { size: 5 }, { labels: { a: 'b' } }));
  await s.put(`${s.widgets}/a/status`, { ...json, metadata: { name: 'a' }, status: { phase: 'y' } });
  await s.get(`${s.widgets}/a/status`);
  await s.get(`${s.widgets}/a`);
});
add('by PUT with an old version', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  const next = await s.patch('merge', `${s.widgets}/a`, { spec: { size: 2 } });
  await s.put(`${s.widgets}/a/status`, { ...json, status: { phase: 'x' } });
  await s.put(`${s.widgets}/a/status`, { ...next.json, status: { phase: 'x' } });
  await s.put(`${s.widgets}/a/status`, { ...next.json, metadata: { ...next.json.metadata, uid: 'zzz' } });
  await s.put(`${s.widgets}/a/status`, { ...next.json, metadata: { ...next.json.metadata, name: 'b' } });
  await s.put(`${s.widgets}/a/status?dryRun=All`, {
    ...next.json,
    metadata: { ...next.json.metadata, resourceVersion: '' },
  });
});
add('by merge patch', async (s) => {
  await s.post(s.widgets, widget('a'));
  const path = `${s.widgets}/a/status`;
  await s.patch('merge', path, { status: { phase: 'x', replicas: 1 } });
  await s.patch('merge', path, { status: { phase: null } });
  await s.patch('merge', path, { spec: { size: 7 }, metadata: { labels: { a: 'b' }, finalizers: ['x.example/a'] } });
  await s.patch('merge', path, { status: null });
  await s.patch('merge', path, { status: {} });
  await s.patch('merge', path, { metadata: { resourceVersion: '1' }, status: { phase: 'z' } });
  await s.patch('merge', `${path}?dryRun=All`, { status: { phase: 'z' } });
  await s.get(`${s.widgets}/a`);
});
add('by JSON patch', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  const path = `${s.widgets}/a/status`;
  await s.patch('json', path, [{ op: 'add', path: '/status/phase', value: 'x' }]);
  await s.patch('json', path, [{ op: 'add', path: '/status', value: { phase: 'x' } }]);
  await s.patch('json', path, [
    { op: 'test', path: '/metadata/uid', value: json.metadata.uid },
    { op: 'replace', path: '/status/phase', value: 'y' },
  ]);
  await s.patch('json', path, [
    { op: 'test', path: '/metadata/uid', value: 'other' },
    { op: 'replace', path: '/status/phase', value: 'z' },
  ]);
  await s.patch('json', path, [{ op: 'replace', path: '/spec/size', value: 3 }]);
  await s.patch('json', path, [{ op: 'remove', path: '/status' }]);
});
add('of a Deployment', async (s) => {
  const path = `/apis/apps/v1/namespaces/${s.namespace}/deployments`;
  const shown = (what: string, { status, json }: { status: number; json: JsonObject }): void => {
    const { labels, generation } = (json['metadata'] ?? {}) as JsonObject;
    const spec = json['spec'] as JsonObject | undefined;
    s.note(what, {
      status,
      labels,
      generation,
      replicas: spec?.['replicas'],
      state: json['status'],
      message: json['message'],
    });
  };
  shown('created', await s.quietly('POST', path, { ...deployment('a', 2), status: { replicas: 5 } }));
  const merge = (url: string, body: unknown) => s.quietly('PATCH', url, body, 'application/merge-patch+json');
  shown('main', await merge(`${path}/a`, { status: { replicas: 5 }, spec: { replicas: 3 } }));
  shown(
    'status',
    await merge(`${path}/a/status`, {
      status: { replicas: 3, observedGeneration: 2 },
      spec: { replicas: 9 },
      metadata: { labels: { a: 'b' } },
    }),
  );
});
add('that is invalid', async (s) => {
  await s.post(s.widgets, widget('a'));
  for (const status of [{ phase: 1 }, { replicas: 'x' }, 'text', ['x'], { replicas: 1.5 }, 5, true]) {
    await s.patch('merge', `${s.widgets}/a/status`, { status });
  }
  await s.put(`${s.widgets}/a/status?fieldValidation=Strict`, { ...widget('a'), status: { zzz: 1 } });
});
add('that is absent', async (s) => {
  await s.get(`${s.widgets}/a/status`);
  await s.patch('merge', `${s.widgets}/a/status`, { status: {} });
  await s.put(`${s.widgets}/a/status`, widget('a', {}, { resourceVersion: '5' }));
  await s.post(`${s.widgets}/a/status`, widget('a'));
  await s.delete(`${s.widgets}/a/status`);
  await s.get(`${s.configMaps}/a/status`);
  await s.patch('merge', `${s.configMaps}/a/status`, { status: {} });
});
add('in a create', async (s) => {
  await s.post(s.widgets, { ...widget('a'), status: { phase: 'x' } });
  await s.post(s.widgets, { ...widget('b'), status: { phase: 5 } });
  await share(s.target, bare);
  await s.post(own(s, 'bares'), { apiVersion, kind: 'Bare', metadata: { name: 'a' }, status: { phase: 'x' } });
});
add('without the subresource', async (s) => {
  await share(s.target, bare);
  const path = own(s, 'bares');
  await s.post(path, { apiVersion, kind: 'Bare', metadata: { name: 'a' }, spec: { x: 1 }, status: { phase: 'x' } });
  await s.patch('merge', `${path}/a`, { status: { phase: 'y' } });
  await s.patch('merge', `${path}/a/status`, { status: { phase: 'z' } });
  await s.get(`${path}/a/status`);
  await s.get(`${path}/a/scale`);
});
add('cannot remove a finalizer', async (s) => {
  await s.post(s.widgets, widget('a', {}, { finalizers: ['x.example/a'], labels: { a: 'b' } }));
  await s.delete(`${s.widgets}/a`);
  await s.patch('merge', `${s.widgets}/a/status`, {
    metadata: { finalizers: null, labels: null },
    status: { phase: 'x' },
  });
  await s.patch('json', `${s.widgets}/a/status`, [{ op: 'remove', path: '/metadata/finalizers' }]);
  await s.get(`${s.widgets}/a`);
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: null } });
});
add('scale: read', async (s) => {
  await s.post(s.widgets, widget('a', { replicas: 3 }));
  await s.get(`${s.widgets}/a/scale`);
  await s.patch('merge', `${s.widgets}/a/status`, { status: { replicas: 2 } });
  await s.get(`${s.widgets}/a/scale`);
  await s.patch('merge', `${s.widgets}/a`, { spec: { replicas: 0 } });
  await s.get(`${s.widgets}/a/scale`);
});
add('scale: write', async (s) => {
  await s.post(s.widgets, widget('a'));
  const path = `${s.widgets}/a/scale`;
  const { json } = await s.get(path);
  await s.put(path, { ...json, spec: { replicas: 2 } });
  await s.put(`${path}?dryRun=All`, {
    ...json,
    metadata: { name: 'a', namespace: s.namespace },
    spec: { replicas: 5 },
  });
  await s.put(path, { ...json, metadata: { name: 'a', namespace: s.namespace }, spec: {} });
  await s.patch('merge', path, { spec: { replicas: 4 } });
  await s.patch('merge', path, { status: { replicas: 7 }, metadata: { labels: { a: 'b' } } });
  await s.patch('json', path, [{ op: 'replace', path: '/spec/replicas', value: 6 }]);
  await s.patch('merge', path, { spec: { replicas: 'x' } });
  await s.patch('merge', path, { spec: { replicas: 1.5 } });
  await s.patch('merge', path, { spec: null });
  await s.patch('merge', path, { kind: 'Other' });
  await s.patch('strategic', path, { spec: { replicas: 1 } });
  await s.get(`${s.widgets}/a`);
});
add('scale: without replicas', async (s) => {
  await share(s.target, scaled);
  const path = own(s, 'scaleds');
  await s.post(path, scaledOne('a', { other: 'x' }));
  await s.get(`${path}/a/scale`);
  await s.patch('merge', `${path}/a/scale`, { spec: { replicas: 2 } });
  await s.put(`${path}/a/scale`, {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'a' },
    spec: { replicas: 3 },
  });
  await s.get(`${path}/a/scale`);
  await s.get(`${path}/a`);
});
add('scale: with a selector', async (s) => {
  await share(s.target, scaled);
  const path = own(s, 'scaleds');
  await s.post(path, scaledOne('a', { count: 1 }));
  await s.get(`${path}/a/scale`);
  await s.patch('merge', `${path}/a/status`, { status: { count: 5, selector: 'app=x,tier in (a,b)' } });
  await s.get(`${path}/a/scale`);
  await s.patch('merge', `${path}/a/scale`, { spec: { replicas: 2 } });
});
add('scale: of a Deployment', async (s) => {
  const path = `/apis/apps/v1/namespaces/${s.namespace}/deployments`;
  await s.quietly('POST', path, deployment('a', 2));
  await s.get(`${path}/a/scale`);
  await s.patch('merge', `${path}/a/scale`, { spec: { replicas: 3 } });
  await s.patch('strategic', `${path}/a/scale`, { spec: { replicas: 4 } });
  const { json } = await s.get(`${path}/a/scale`);
  await s.put(`${path}/a/scale`, { ...json, spec: { replicas: 0 } });
  await s.put(`${path}/a/scale`, { ...json, spec: { replicas: -1 } });
  const after = await s.quietly('GET', `${path}/a`);
  s.note('the Deployment', [after.json.spec.replicas, after.json.metadata.generation]);
});
add('scale: of what is absent, with old versions and wrong names', async (s) => {
  await s.get(`${s.widgets}/a/scale`);
  await s.patch('merge', `${s.widgets}/a/scale`, { spec: { replicas: 1 } });
  const scale = (metadata: JsonObject): JsonObject => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata,
    spec: { replicas: 2 },
  });
  await s.put(`${s.widgets}/a/scale`, scale({ name: 'a' }));
  await s.post(s.widgets, widget('a'));
  await s.put(`${s.widgets}/a/scale`, scale({ name: 'a', resourceVersion: '1' }));
  await s.put(`${s.widgets}/a/scale`, scale({ name: 'b' }));
  await s.put(`${s.widgets}/a/scale`, scale({ name: 'a', uid: 'zzz' }));
  await s.put(`${s.widgets}/a/scale`, scale({}));
  await s.put(`${s.widgets}/a/scale`, { ...scale({ name: 'a' }), kind: 'Widget' });
  await s.put(`${s.widgets}/a/scale`, { ...scale({ name: 'a' }), apiVersion: 'apps/v1' });
  await s.delete(`${s.widgets}/a/scale`);
  await s.post(`${s.widgets}/a/scale`, scale({ name: 'a' }));
  await s.get(`${s.configMaps}/a/scale`);
  await s.post(s.configMaps, configMap('a'));
  await s.get(`${s.configMaps}/a/scale`);
});
