import { configMap, widget } from '../bodies.js';
import { group } from '../session.js';

const { cases, add } = group('replace');
export const replaceCases = cases;

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
add('what is absent', async (s) => {
  await s.put(`${s.widgets}/a`, widget('a', {}, { resourceVersion: '5' }));
  await s.put(`${s.configMaps}/c`, configMap('c'));
});
add('another name, no name, another namespace, another uid', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  await s.put(`${s.widgets}/a`, { ...json, metadata: { ...json.metadata, name: 'b' } });
  await s.put(`${s.widgets}/a`, { ...json, metadata: { ...json.metadata, name: undefined } });
  await s.put(`${s.widgets}/a`, { ...json, metadata: { ...json.metadata, namespace: 'other' } });
  await s.put(`${s.widgets}/a`, { ...json, metadata: { ...json.metadata, uid: 'zzz' } });
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
add('an immutable ConfigMap', async (s) => {
  const { json } = await s.post(s.configMaps, { ...configMap('c'), immutable: true });
  await s.put(`${s.configMaps}/c`, { ...json, data: { a: '2' } });
  await s.put(`${s.configMaps}/c`, { ...json, metadata: { ...json.metadata, labels: { a: 'b' } } });
});
add('scale', async (s) => {
  await s.post(s.widgets, widget('a'));
  const { json } = await s.get(`${s.widgets}/a/scale`);
  await s.put(`${s.widgets}/a/scale`, { ...json, spec: { replicas: 3 } });
  await s.put(`${s.widgets}/a/scale`, { ...json, spec: { replicas: 4 } });
  await s.get(`${s.widgets}/a`);
});
