import { configMap } from '../bodies.js';
import { group } from '../session.js';

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
