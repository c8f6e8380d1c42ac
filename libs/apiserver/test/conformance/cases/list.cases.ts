import { configMap, widget } from '../bodies.js';
import { group, type Session } from '../session.js';

const { cases, add } = group('list');
export const listCases = cases;

async function three(s: Session): Promise<void> {
  for (const [name, app] of [
    ['a', 'x'],
    ['b', 'x'],
    ['c', 'y'],
  ] as const) {
    await s.quietly('POST', s.configMaps, configMap(name, {}, { labels: { app } }));
    await s.quietly('POST', s.widgets, widget(name, {}, { labels: { app } }));
  }
}

/** The real server may answer a list "not older than" from a cache that lags; a consistent list waits until it does not. */
async function cacheCaughtUp(s: Session): Promise<void> {
  await s.quietly('GET', s.configMaps);
}

add('empty', async (s) => {
  await s.get(s.widgets);
  await s.get(s.configMaps);
  await s.get('/api/v1/namespaces/nope/configmaps');
});
add('order and content', async (s) => {
  await three(s);
  await s.get(s.widgets);
  await s.get(s.configMaps);
});
add('pages', async (s) => {
  await three(s);
  for (const path of [s.widgets, s.configMaps]) {
    const first = await s.get(`${path}?limit=2`);
    await s.quietly('DELETE', `${path}/c`);
    await s.get(`${path}?limit=2&continue=${first.json.metadata.continue}`);
    await s.get(`${path}?limit=2&continue=${first.json.metadata.continue}&resourceVersion=5`);
  }
});
add('limit with version 0, limit with selector, limit -1', async (s) => {
  await three(s);
  await cacheCaughtUp(s);
  await s.get(`${s.configMaps}?limit=1&resourceVersion=0`);
  await s.get(`${s.configMaps}?limit=1&labelSelector=app%3Dx`);
  await s.get(`${s.configMaps}?limit=-1`);
});
add('exact and not older than', async (s) => {
  const { json } = await s.quietly('POST', s.configMaps, configMap('a'));
  const version = json.metadata.resourceVersion as string;
  await s.quietly('POST', s.configMaps, configMap('b'));
  await cacheCaughtUp(s);
  await s.get(`${s.configMaps}?resourceVersion=${version}&resourceVersionMatch=Exact`);
  await s.get(`${s.configMaps}?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`);
  await s.get(`${s.configMaps}?resourceVersion=${version}&limit=5`);
  await s.get(`${s.configMaps}?resourceVersion=${version}`);
});
add('versions of the future', async (s) => {
  await s.get(`${s.configMaps}?resourceVersion=99999999`);
  await s.get(`${s.configMaps}/a?resourceVersion=99999999`);
});
add('options that are none', async (s) => {
  for (const query of [
    'limit=x',
    'timeoutSeconds=x',
    'resourceVersion=abc',
    'resourceVersion=-1',
    'resourceVersionMatch=Exact',
    'resourceVersionMatch=Bogus&resourceVersion=5',
    'resourceVersionMatch=Exact&resourceVersion=0',
    'continue=x&resourceVersionMatch=Exact&resourceVersion=5',
    'sendInitialEvents=true',
  ]) {
    await s.get(`${s.widgets}?${query}`);
  }
  await s.get(`${s.widgets}/a?resourceVersion=abc`);
});
add('a continue token that is none', (s) => s.get(`${s.widgets}?continue=abc`).then(() => undefined));
add('as metadata only', async (s) => {
  await three(s);
  await s.get(s.widgets, 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io');
  await s.get(`${s.configMaps}/a`, 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io');
});
add('as a table without objects', async (s) => {
  await s.quietly('POST', s.widgets, widget('a'));

  await s.get(`${s.widgets}?includeObject=Bogus`, 'application/json;as=Table;v=v1;g=meta.k8s.io');
});
