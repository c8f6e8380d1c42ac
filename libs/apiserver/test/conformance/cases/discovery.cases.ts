import { group } from '../session.js';

const { cases, add } = group('discovery');
export const discoveryCases = cases;

add('a group of a custom resource', async (s) => {
  await s.get('/apis/conformance.example.com');
  await s.get('/apis/conformance.example.com/v1');
});
add('health', async (s) => {
  for (const path of ['/healthz', '/livez', '/readyz']) await s.get(path);
});
add('unknown paths', async (s) => {
  for (const path of [
    '/nope',
    '/apis/nope.example',
    '/apis/conformance.example.com/v9/widgets',
    '/apis/conformance.example.com/v1/nope',
    '/api/v1/nope',
    '/api/v2',
  ]) {
    await s.get(path);
  }
});
add('unknown subresources', async (s) => {
  await s.get(`${s.widgets}/a/nope`);
  await s.get(`${s.configMaps}/a/nope`);
  await s.get(`${s.configMaps}/a/status`);
});
add('methods', async (s) => {
  await s.put(s.widgets, {});
  await s.put(s.configMaps, {});
  await s.patch('merge', s.widgets, {});
  await s.delete('/api/v1/configmaps');
  await s.delete('/apis/conformance.example.com/v1/widgets');
  await s.post(`${s.configMaps}/a`, {});
});
add('media types', async (s) => {
  await s.get(s.widgets, 'text/html');
  await s.get(s.configMaps, 'application/vnd.kubernetes.protobuf;q=0.5,application/json');
  await s.get('/apis/conformance.example.com/v1', 'application/json;as=Table');
});
