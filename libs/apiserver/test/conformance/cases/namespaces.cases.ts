import type { JsonObject } from '../../../src/index.js';
import { configMap } from '../bodies.js';
import { group, type Read, type Session } from '../session.js';

const { cases, add } = group('namespaces');
export const namespaceCases = cases;

add('create', async (s) => {
  await s.get(`/api/v1/namespaces/${s.namespace}`);
  await s.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'N!' } });
  await s.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: s.namespace } });
});
add('delete', async (s) => {
  await s.post(s.configMaps, configMap('held', {}, { finalizers: ['x.example/a'] }));
  await s.delete(`/api/v1/namespaces/${s.namespace}`);
  await s.post(s.configMaps, configMap('late'));
  await s.quietly('PATCH', `${s.configMaps}/held`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
});
add('those that stay', async (s) => {
  for (const name of ['default', 'kube-system', 'kube-public']) await s.delete(`/api/v1/namespaces/${name}`);
  await s.delete('/api/v1/namespaces');
});

const namespacePath = (s: Session): string => `/api/v1/namespaces/${s.namespace}`;

add('their labels', async (s) => {
  const path = namespacePath(s);
  await s.patch('merge', path, { metadata: { labels: { 'kubernetes.io/metadata.name': 'other', a: 'b' } } });
  await s.patch('merge', path, { metadata: { labels: null } });
  await s.patch('merge', path, { spec: { finalizers: null } });
  await s.patch('merge', path, { spec: { finalizers: ['x.example/a'] } });
  await s.patch('merge', path, { status: { phase: 'Terminating' } });
  await s.patch('merge', `${path}/status`, { status: { phase: 'Terminating' } });
  const { json } = await s.get(path);
  await s.put(path, { ...json, metadata: { ...json.metadata, labels: {} } });
  await s.put(path, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: s.namespace, labels: { c: 'd' } } });
});
add('content goes before the namespace', async (s) => {
  const path = namespacePath(s);
  await s.quietly('POST', s.configMaps, configMap('a'));
  await s.quietly('POST', s.configMaps, configMap('held', {}, { finalizers: ['x.example/a'] }));
  await s.quietly('DELETE', path);
  await s.until(s.configMaps, ({ json }) => (json.items as unknown[]).length === 1);
  await s.until(`${s.configMaps}/held`, ({ json }) => json.metadata.deletionTimestamp !== undefined);
  await s.get(`${s.configMaps}/held`);
  await s.quietly('PATCH', `${s.configMaps}/held`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
  await s.until(path, ({ status }) => status === 404);
  await s.get(path);
  await s.get(s.configMaps);
  await s.post(s.configMaps, configMap('a'));
});
add('content that stays is told', async (s) => {
  const path = namespacePath(s);
  await s.quietly('POST', s.configMaps, configMap('held', {}, { finalizers: ['x.example/a'] }));
  await s.quietly('POST', s.configMaps, configMap('held-2', {}, { finalizers: ['x.example/a', 'x.example/b'] }));
  await s.delete(path);
  const remaining = ({ json }: Read): boolean =>
    (json.status?.conditions as { type: string; status: string }[] | undefined)?.some(
      ({ type, status }) => type === 'NamespaceFinalizersRemaining' && status === 'True',
    ) ?? false;
  await s.until(path, remaining);
  await s.get(path);
  for (const name of ['held', 'held-2']) {
    await s.quietly(
      'PATCH',
      `${s.configMaps}/${name}`,
      { metadata: { finalizers: null } },
      'application/merge-patch+json',
    );
  }
  await s.until(path, ({ status }) => status === 404);
});
add('finalize', async (s) => {
  const path = namespacePath(s);
  const { json } = await s.get(path);
  await s.put(`${path}/finalize`, { ...json, spec: { finalizers: ['kubernetes', 'x.example/a'] } });
  await s.put(`${path}/finalize`, {
    ...json,
    spec: { finalizers: [] },
    metadata: { name: s.namespace, labels: { a: 'b' } },
  });
  await s.put(`${path}/finalize`, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: s.namespace },
    spec: { finalizers: ['kubernetes'] },
  });
  await s.put(`${path}/finalize`, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: s.namespace },
    spec: { finalizers: ['bad'] },
  });
  await s.put(`${path}/finalize`, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' }, spec: {} });
  await s.get(`${path}/finalize`);
  await s.patch('merge', `${path}/finalize`, {});
});
add('a finalizer of its own', async (s) => {
  const path = namespacePath(s);
  await s.quietly('PATCH', path, { metadata: { finalizers: ['x.example/a'] } }, 'application/merge-patch+json');
  await s.quietly('DELETE', path);
  // The controller has done its part; the other finalizer holds.
  const { json } = await s.until(path, (read) => read.json.spec?.finalizers === undefined);
  s.note('it holds', [json.metadata.finalizers, json.status.phase]);
  await s.patch('merge', path, { metadata: { finalizers: null } });
  await s.get(path);
});

const owned = (name: string, owner: { metadata: { name: string; uid: string } }, more: JsonObject = {}): JsonObject =>
  configMap(
    name,
    {},
    {
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: owner.metadata.name, uid: owner.metadata.uid, ...more },
      ],
    },
  );

add('collection: background', async (s) => {
  const { json: owner } = await s.quietly('POST', s.configMaps, configMap('owner'));
  const { json: child } = await s.quietly('POST', s.configMaps, owned('child', owner));
  await s.quietly('POST', s.configMaps, owned('grandchild', child));
  await s.quietly('POST', s.configMaps, configMap('other'));
  await s.delete(`${s.configMaps}/owner`, { propagationPolicy: 'Background' });
  await s.until(`${s.configMaps}/grandchild`, ({ status }) => status === 404);
  await s.until(`${s.configMaps}/child`, ({ status }) => status === 404);
  await s.get(s.configMaps);
});
add('collection: foreground', async (s) => {
  const { json: owner } = await s.quietly('POST', s.configMaps, configMap('owner'));
  await s.quietly('POST', s.configMaps, {
    ...owned('child', owner, { blockOwnerDeletion: true }),
    metadata: {
      ...(owned('child', owner, { blockOwnerDeletion: true })['metadata'] as object),
      finalizers: ['x.example/a'],
    },
  });
  // The collector has to know of the child before it looks for what blocks the owner.
  await s.until(`${s.configMaps}/child`, ({ status }) => status === 200);
  await s.delete(`${s.configMaps}/owner`, { propagationPolicy: 'Foreground' });
  await s.until(`${s.configMaps}/child`, ({ json }) => json.metadata.deletionTimestamp !== undefined);
  await s.get(`${s.configMaps}/owner`);
  await s.get(`${s.configMaps}/child`);
  await s.quietly('PATCH', `${s.configMaps}/child`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
  await s.until(`${s.configMaps}/owner`, ({ status }) => status === 404);
  await s.get(s.configMaps);
});
add('collection: orphans', async (s) => {
  const { json: owner } = await s.quietly('POST', s.configMaps, configMap('owner'));
  await s.quietly('POST', s.configMaps, owned('child', owner));
  await s.delete(`${s.configMaps}/owner?dryRun=All&propagationPolicy=Orphan`);
  await s.quietly('DELETE', `${s.configMaps}/owner`, { propagationPolicy: 'Orphan' });
  await s.until(`${s.configMaps}/owner`, ({ status }) => status === 404);
  const { json } = await s.until(`${s.configMaps}/child`, (read) => read.json.metadata.ownerReferences === undefined);
  s.note('the child is free', json.metadata.name);
});
add('collection: an owner that never was', async (s) => {
  const owner = { metadata: { name: 'none', uid: '11111111-2222-3333-4444-555555555555' } };
  await s.quietly('POST', s.configMaps, owned('child', owner));
  await s.until(`${s.configMaps}/child`, ({ status }) => status === 404);
  const { json } = await s.quietly('POST', s.configMaps, configMap('owner'));
  // The name is right, but the uid is another.
  await s.quietly('POST', s.configMaps, owned('child', { metadata: { name: 'owner', uid: owner.metadata.uid } }));
  await s.until(`${s.configMaps}/child`, ({ status }) => status === 404);
  s.note('the owner of that name stays', json.metadata.name);
  await s.get(s.configMaps);
});
add('collection: an owner of another namespace', async (s) => {
  const other = `${s.namespace}-2`;
  await s.quietly('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: other } });
  s.leave(`/api/v1/namespaces/${other}`);
  const { json: owner } = await s.quietly('POST', `/api/v1/namespaces/${other}/configmaps`, configMap('owner'));
  await s.quietly('POST', s.configMaps, owned('child', owner));
  await s.until(`${s.configMaps}/child`, ({ status }) => status === 404);
  await s.get(`/api/v1/namespaces/${other}/configmaps/owner`);
});
add('collection: two owners', async (s) => {
  const { json: first } = await s.quietly('POST', s.configMaps, configMap('first'));
  const { json: second } = await s.quietly('POST', s.configMaps, configMap('second'));
  const reference = (owner: { metadata: { name: string; uid: string } }): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: owner.metadata.name,
    uid: owner.metadata.uid,
  });
  const ownerReferences = [reference(first), reference(second)];
  await s.quietly('POST', s.configMaps, configMap('child', {}, { ownerReferences }));
  await s.until(`${s.configMaps}/child`, ({ status }) => status === 200);
  await s.quietly('DELETE', `${s.configMaps}/first`, { propagationPolicy: 'Background' });
  await s.until(`${s.configMaps}/child`, ({ json }) => (json.metadata.ownerReferences as unknown[]).length === 1);
  await s.get(`${s.configMaps}/child`);
  await s.quietly('DELETE', `${s.configMaps}/second`, { propagationPolicy: 'Background' });
  await s.until(`${s.configMaps}/child`, ({ status }) => status === 404);
  await s.get(s.configMaps);
});
