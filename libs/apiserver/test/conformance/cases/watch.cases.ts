import { configMap, widget } from '../bodies.js';
import { group, type Session } from '../session.js';

const { cases, add } = group('watch');
export const watchCases = cases;

const version = async (s: Session, path: string): Promise<string> =>
  (await s.quietly('GET', path)).json.metadata.resourceVersion as string;

add('from a version on: added, changed, deleted', async (s) => {
  for (const [path, body] of [
    [s.widgets, widget('a')],
    [s.configMaps, configMap('a')],
  ] as const) {
    const from = await version(s, path);
    await s.quietly('POST', path, body);
    await s.quietly('PATCH', `${path}/a`, { metadata: { labels: { a: 'b' } } }, 'application/merge-patch+json');
    await s.quietly('DELETE', `${path}/a`);
    await s.watch(`${path}?watch=1&resourceVersion=${from}&timeoutSeconds=10`, 3);
  }
});
add('a deletion with a finalizer', async (s) => {
  const from = await version(s, s.widgets);
  await s.quietly('POST', s.widgets, widget('a', {}, { finalizers: ['x.example/a'] }));
  await s.quietly('DELETE', `${s.widgets}/a`);
  await s.quietly(
    'PATCH',
    `${s.widgets}/a`,
    { metadata: { finalizers: null }, spec: { size: 5 } },
    'application/merge-patch+json',
  );
  await s.watch(`${s.widgets}?watch=1&resourceVersion=${from}&timeoutSeconds=10`, 3);
});
add('version unset and 0, with bookmarks', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('a'));
  await s.quietly('POST', s.configMaps, configMap('b'));
  await s.watch(`${s.configMaps}?watch=1&allowWatchBookmarks=true&timeoutSeconds=10`, 3);
  await s.watch(`${s.configMaps}?watch=1&allowWatchBookmarks=true&resourceVersion=0&timeoutSeconds=10`, 3);
  await s.watch(`${s.configMaps}?watch=1&timeoutSeconds=10`, 2);
});
add('WatchList', async (s) => {
  const { json } = await s.quietly('POST', s.widgets, widget('a'));
  const query =
    'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=10';
  await s.watch(`${s.widgets}?${query}`, 2);
  await s.watch(`${s.widgets}?${query}&resourceVersion=${json.metadata.resourceVersion}`, 2);
});
add('no initial events', (s) =>
  s
    .watch(`${s.configMaps}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`)
    .then(() => undefined),
);
add('objects enter and leave a selection', async (s) => {
  const label = (app: string) =>
    s.quietly('PATCH', `${s.configMaps}/a`, { metadata: { labels: { app } } }, 'application/merge-patch+json');
  await s.quietly('POST', s.configMaps, configMap('a', { n: '1' }, { labels: { app: 'y' } }));
  const from = await version(s, s.configMaps);
  await label('x');
  await s.quietly('PATCH', `${s.configMaps}/a`, { data: { n: '2' } }, 'application/merge-patch+json');
  await label('y');
  await label('x');
  await s.quietly('DELETE', `${s.configMaps}/a`);
  await s.watch(`${s.configMaps}?watch=1&labelSelector=app%3Dx&resourceVersion=${from}&timeoutSeconds=10`, 5);
});
add('one name', async (s) => {
  const from = await version(s, s.configMaps);
  await s.quietly('POST', s.configMaps, configMap('a'));
  await s.quietly('POST', s.configMaps, configMap('b'));
  await s.watch(`${s.configMaps}?watch=1&fieldSelector=metadata.name%3Db&resourceVersion=${from}&timeoutSeconds=10`, 1);
});
add('a version that is too old', (s) =>
  s.watch(`${s.widgets}?watch=1&resourceVersion=1&timeoutSeconds=5`).then(() => undefined),
);
add('a version of the future', async (s) => {
  await s.watch(`${s.configMaps}?watch=1&resourceVersion=99999999&timeoutSeconds=1`);
  await s.watch(
    `${s.configMaps}?watch=1&resourceVersion=99999999&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=10`,
  );
});
add('metadata only', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('a'));
  await s.watch(`${s.configMaps}?watch=1&timeoutSeconds=1`, Infinity, {
    accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  });
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
