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
add('preconditions', async (s) => {
  const { json } = await s.post(s.widgets, widget('a'));
  await s.delete(`${s.widgets}/a`, { preconditions: { uid: 'zzz' } });
  await s.delete(`${s.widgets}/a`, { preconditions: { resourceVersion: '1' } });
  const { uid, resourceVersion } = json.metadata;
  await s.delete(`${s.widgets}/a`, { preconditions: { uid, resourceVersion } });
  await s.post(s.configMaps, configMap('c'));
  await s.delete(`${s.configMaps}/c`, { preconditions: { uid: 'zzz' } });
});
add('propagation', async (s) => {
  for (const policy of ['Background', 'Bogus']) {
    await s.post(s.widgets, widget('a'));
    await s.delete(`${s.widgets}/a`, { propagationPolicy: policy });
  }
  await s.delete(`${s.widgets}/a`, { propagationPolicy: 'Orphan', orphanDependents: true });
  await s.delete(`${s.widgets}/a?propagationPolicy=Foreground&dryRun=All`);
});
add('options that are none', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.delete(`${s.widgets}/a`, { gracePeriodSeconds: 'x' });
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
