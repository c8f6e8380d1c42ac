import { configMap, widget } from '../bodies.js';
import { group } from '../session.js';

const { cases, add } = group('watch');
export const watchFormCases = cases;

const metadataOnly = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';

add('metadata only', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('a'));
  await s.watch(`${s.configMaps}?watch=1&timeoutSeconds=1`, Infinity, {
    accept: metadataOnly,
  });
});
add('live: metadata only', async (s) => {
  const from = await s.version(s.widgets);
  const query = `watch=1&resourceVersion=${from}&timeoutSeconds=60`;
  const watch = await s.open(`${s.widgets}?${query}`, { accept: metadataOnly });
  await s.post(s.widgets, widget('a', {}, { labels: { a: 'b' }, annotations: { c: 'd' } }));
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: 2 } });
  await s.delete(`${s.widgets}/a`);
  await watch.take(3);
  await s.watch(
    `${s.widgets}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=60`,
    1,
    { accept: metadataOnly },
  );
});
add('as a table', async (s) => {
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  await s.post(s.widgets, widget('a'));
  const from = await s.version(s.widgets);
  const watch = await s.open(`${s.widgets}?watch=1&resourceVersion=${from}&timeoutSeconds=60`, { accept: table });
  await s.post(s.widgets, widget('b', { size: 5 }));
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: 2 } });
  await s.delete(`${s.widgets}/b`);
  await watch.take(3);
  await s.watch(
    `${s.widgets}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=60`,
    2,
    { accept: table },
  );
  await s.watch(`${s.widgets}?watch=1&resourceVersion=1&timeoutSeconds=60`, Infinity, { accept: table });
  const full = await s.open(
    `${s.widgets}?watch=1&resourceVersion=${await s.version(s.widgets)}&includeObject=Object&timeoutSeconds=60`,
    { accept: table },
  );
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: 3 } });
  await full.take(1);
});
add('Events in both groups', async (s) => {
  const core = `/api/v1/namespaces/${s.namespace}/events`;
  const newer = `/apis/events.k8s.io/v1/namespaces/${s.namespace}/events`;
  const query = `watch=1&resourceVersion=${await s.version(core)}&timeoutSeconds=60`;
  const watches = [await s.open(`${core}?${query}`), await s.open(`${newer}?${query}`)];
  const involvedObject = { kind: 'Pod', name: 'p', namespace: s.namespace };
  const event = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'a' }, involvedObject, reason: 'R', count: 1 };
  await s.quietly('POST', core, event);
  await s.quietly('PATCH', `${core}/a`, { count: 2 }, 'application/merge-patch+json');
  await s.quietly('DELETE', `${newer}/a`);
  for (const watch of watches) await watch.take(3);
  await s.watch(`${newer}?watch=1&fieldSelector=regarding.name%3Dq&timeoutSeconds=1`);
});
add('options that are none', async (s) => {
  for (const query of [
    'sendInitialEvents=true',
    'resourceVersionMatch=NotOlderThan&resourceVersion=5',
    'resourceVersion=abc',
    'labelSelector=a+in+b',
    'fieldSelector=spec.x%3D1',
    'timeoutSeconds=x',
    'continue=xyz',
  ]) {
    await s.get(`${s.widgets}?watch=1&${query}`);
  }
});
add('the parameter on a single object', async (s) => {
  await s.quietly('POST', s.widgets, widget('a'));
  await s.get(`${s.widgets}/a?watch=1`);
});
add('the parameter in other forms', async (s) => {
  await s.quietly('POST', s.widgets, widget('a'));
  for (const value of ['0', 'false', 'False']) {
    const { headers, json } = await s.watch(`${s.widgets}?watch=${value}&timeoutSeconds=1`);
    s.note(`watch=${value}`, { type: headers['content-type'], kind: json?.kind });
  }
  for (const value of ['true', 'yes']) await s.watch(`${s.widgets}?watch=${value}&timeoutSeconds=60`, 1);
});
