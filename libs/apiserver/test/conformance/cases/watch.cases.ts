import type { JsonObject } from '../../../src/index.js';
import { apiVersion, configMap, widget } from '../bodies.js';
import { definition, untilServed, version as definitionVersion } from '../definitions.js';
import { group, type Session } from '../session.js';

const { cases, add } = group('watch');
export const watchCases = cases;

const metadataOnly = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';

interface WatchLine {
  readonly type: string;
  readonly object: {
    readonly metadata: { readonly name: string; readonly resourceVersion: string; readonly deletionTimestamp?: string };
    readonly data?: Readonly<Record<string, string>>;
  };
}

const watchLines = (text: string): WatchLine[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WatchLine);

const definitionPath = (group: string): string =>
  `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/passings.${group}`;

/** A definition that only this case has. */
async function ownDefinition(s: Session): Promise<JsonObject> {
  const group = `${s.namespace}.example.com`;
  const schema = { 'x-kubernetes-preserve-unknown-fields': true };
  const body = definition(group, 'Passing', [definitionVersion('v1', schema)]);
  s.leave(definitionPath(group));
  await s.quietly('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body);
  await untilServed(s.target, body);
  return body;
}

add('from a version on: added, changed, deleted', async (s) => {
  for (const [path, body] of [
    [s.widgets, widget('a')],
    [s.configMaps, configMap('a')],
  ] as const) {
    const from = await s.version(path);
    await s.quietly('POST', path, body);
    await s.quietly('PATCH', `${path}/a`, { metadata: { labels: { a: 'b' } } }, 'application/merge-patch+json');
    await s.quietly('DELETE', `${path}/a`);
    await s.watch(`${path}?watch=1&resourceVersion=${from}&timeoutSeconds=60`, 3);
  }
});
add('live: added, changed, deleted', async (s) => {
  for (const [path, body] of [
    [s.widgets, widget('a')],
    [s.configMaps, configMap('a')],
  ] as const) {
    const watch = await s.open(`${path}?watch=1&resourceVersion=${await s.version(path)}&timeoutSeconds=60`);
    await s.post(path, body);
    await s.patch('merge', `${path}/a`, { metadata: { labels: { a: 'b' } } });
    await s.delete(`${path}/a`);
    await s.post(path, body);
    await watch.take(4);
  }
});
add('a deletion with a finalizer', async (s) => {
  const from = await s.version(s.widgets);
  await s.quietly('POST', s.widgets, widget('a', {}, { finalizers: ['x.example/a'] }));
  await s.quietly('DELETE', `${s.widgets}/a`);
  await s.quietly(
    'PATCH',
    `${s.widgets}/a`,
    { metadata: { finalizers: null }, spec: { size: 5 } },
    'application/merge-patch+json',
  );
  await s.watch(`${s.widgets}?watch=1&resourceVersion=${from}&timeoutSeconds=60`, 3);
});
add('live: a deletion with a finalizer', async (s) => {
  const watch = await s.open(`${s.widgets}?watch=1&resourceVersion=${await s.version(s.widgets)}&timeoutSeconds=60`);
  await s.post(s.widgets, widget('a', {}, { finalizers: ['x.example/a', 'x.example/b'] }));
  await s.delete(`${s.widgets}/a`);
  await s.delete(`${s.widgets}/a`);
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: ['x.example/b'] } });
  await s.patch('merge', `${s.widgets}/a`, { metadata: { finalizers: null, labels: { a: 'b' } } });
  await watch.take(4);
});
add('version unset and 0, with bookmarks', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('a'));
  await s.quietly('POST', s.configMaps, configMap('b'));
  await s.watch(`${s.configMaps}?watch=1&allowWatchBookmarks=true&timeoutSeconds=60`, 3);
  await s.watch(`${s.configMaps}?watch=1&allowWatchBookmarks=true&resourceVersion=0&timeoutSeconds=60`, 3);
  await s.watch(`${s.configMaps}?watch=1&timeoutSeconds=60`, 2);
});
add('WatchList', async (s) => {
  const { json } = await s.quietly('POST', s.widgets, widget('a'));
  const query =
    'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=60';
  await s.watch(`${s.widgets}?${query}`, 2);
  await s.watch(`${s.widgets}?${query}&resourceVersion=${json.metadata.resourceVersion}`, 2);
});
add('WatchList goes on live', async (s) => {
  await s.quietly('POST', s.widgets, widget('b'));
  await s.quietly('POST', s.widgets, widget('a'));
  const watch = await s.open(
    `${s.widgets}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=60`,
  );
  await watch.wait(3);
  await s.post(s.widgets, widget('c'));
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: 2 } });
  await s.delete(`${s.widgets}/b`);
  await watch.take(6);
});
add('WatchList without bookmarks', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('a'));
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=60';
  const watch = await s.open(`${s.configMaps}?${query}`);
  await watch.wait(1);
  await s.post(s.configMaps, configMap('b'));
  await watch.take(2);
});
add('no initial events', (s) =>
  s
    .watch(`${s.configMaps}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`)
    .then(() => undefined),
);
add('no initial events, from a version on', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('a'));
  const from = await s.version(s.configMaps);
  await s.quietly('POST', s.configMaps, configMap('b'));
  const query = 'watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&timeoutSeconds=60';
  await s.watch(`${s.configMaps}?${query}&resourceVersion=${from}`, 1);
  const watch = await s.open(`${s.configMaps}?${query}`);
  await s.post(s.configMaps, configMap('c'));
  await watch.take(1);
});
add('objects enter and leave a selection', async (s) => {
  const label = (app: string) =>
    s.quietly('PATCH', `${s.configMaps}/a`, { metadata: { labels: { app } } }, 'application/merge-patch+json');
  await s.quietly('POST', s.configMaps, configMap('a', { n: '1' }, { labels: { app: 'y' } }));
  const from = await s.version(s.configMaps);
  await label('x');
  await s.quietly('PATCH', `${s.configMaps}/a`, { data: { n: '2' } }, 'application/merge-patch+json');
  await label('y');
  await label('x');
  await s.quietly('DELETE', `${s.configMaps}/a`);
  await s.watch(`${s.configMaps}?watch=1&labelSelector=app%3Dx&resourceVersion=${from}&timeoutSeconds=60`, 5);
});
add('live: objects enter and leave a selection', async (s) => {
  const label = (app: string | null) => s.patch('merge', `${s.widgets}/a`, { metadata: { labels: { app } } });
  await s.post(s.widgets, widget('a', {}, { labels: { app: 'y' } }));
  const from = await s.version(s.widgets);
  const watches = [
    await s.open(`${s.widgets}?watch=1&labelSelector=app%3Dx&resourceVersion=${from}&timeoutSeconds=60`),
    await s.open(`${s.widgets}?watch=1&labelSelector=app%21%3Dx&resourceVersion=${from}&timeoutSeconds=60`),
  ];
  await label('x');
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: 2 } });
  await label(null);
  await label('x');
  await s.delete(`${s.widgets}/a`);
  await watches[0]!.take(5);
  await watches[1]!.take(3);
});
add('objects enter and leave a selection by field', async (s) => {
  const pods = `/api/v1/namespaces/${s.namespace}/pods`;
  await s.quietly('POST', pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  const watch = await s.open(
    `${pods}?watch=1&fieldSelector=status.phase%3DRunning&resourceVersion=${await s.version(pods)}&timeoutSeconds=60`,
    { accept: metadataOnly },
  );
  const phase = (name: string) =>
    s.quietly('PATCH', `${pods}/a/status`, { status: { phase: name } }, 'application/merge-patch+json');
  await phase('Running');
  await s.quietly('PATCH', `${pods}/a`, { metadata: { labels: { a: 'b' } } }, 'application/merge-patch+json');
  await phase('Succeeded');
  await phase('Running');
  await watch.take(4);
});
add('one name', async (s) => {
  const from = await s.version(s.configMaps);
  await s.quietly('POST', s.configMaps, configMap('a'));
  await s.quietly('POST', s.configMaps, configMap('b'));
  await s.watch(`${s.configMaps}?watch=1&fieldSelector=metadata.name%3Db&resourceVersion=${from}&timeoutSeconds=60`, 1);
});
add('one name, gone and back again', async (s) => {
  const from = await s.version(s.widgets);
  const query = `watch=1&fieldSelector=metadata.name%3Da&resourceVersion=${from}&timeoutSeconds=60`;
  const watch = await s.open(`${s.widgets}?${query}`);
  await s.post(s.widgets, widget('a'));
  await s.post(s.widgets, widget('b'));
  await s.delete(`${s.widgets}/a`);
  await s.post(s.widgets, widget('a'));
  await watch.take(3);
  await s.watch(`${s.widgets}?${query}`, 3);
});
add('across namespaces', async (s) => {
  const other = `${s.namespace}-2`;
  await s.quietly('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: other } });
  s.leave(`/api/v1/namespaces/${other}`);
  const labels = { case: s.namespace };
  const from = await s.version(s.widgets);
  const query = `watch=1&labelSelector=case%3D${s.namespace}&timeoutSeconds=60`;
  const watch = await s.open(`/apis/${apiVersion}/widgets?${query}&resourceVersion=${from}`);
  const elsewhere = s.widgets.replace(s.namespace, other);
  await s.post(s.widgets, widget('a', {}, { labels }));
  await s.post(elsewhere, widget('a', {}, { labels }));
  await s.delete(`${elsewhere}/a`);
  await watch.take(3);
  await s.watch(`/apis/${apiVersion}/widgets?${query}`, 1);
});
add('two writers', async (s) => {
  const watch = await s.open(
    `${s.configMaps}?watch=1&resourceVersion=${await s.version(s.configMaps)}&timeoutSeconds=60`,
  );
  const write = async (name: string): Promise<void> => {
    await s.quietly('POST', s.configMaps, configMap(name, { n: '0' }));
    for (let n = 1; n <= 10; n++) {
      await s.quietly('PATCH', `${s.configMaps}/${name}`, { data: { n: String(n) } }, 'application/merge-patch+json');
    }
    await s.quietly('DELETE', `${s.configMaps}/${name}`);
  };
  await Promise.all([write('a'), write('b')]);
  const isDeletion = (line: string): boolean => line.startsWith('{"type":"DELETED"');
  const { text } = await watch.read((line, at, lines) => isDeletion(line) && lines.slice(0, at).some(isDeletion));
  const events = watchLines(text);
  const versions = events.map(({ object }) => BigInt(object.metadata.resourceVersion));
  s.note(
    'in the order of their versions',
    versions.every((each, at) => at === 0 || each > versions[at - 1]!),
  );
  for (const name of ['a', 'b']) {
    const own = events.filter(({ object }) => object.metadata.name === name);
    s.note(
      name,
      own.map(({ type, object }) => `${type} ${object.data?.['n']}`),
    );
  }
});
add('what is no event', async (s) => {
  await s.post(s.widgets, widget('a'));
  const watch = await s.open(`${s.widgets}?watch=1&resourceVersion=${await s.version(s.widgets)}&timeoutSeconds=60`);
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: 1 } });
  await s.patch('merge', `${s.widgets}/a?dryRun=All`, { spec: { size: 2 } });
  await s.patch('merge', `${s.widgets}/a`, { spec: { size: 99 } });
  await s.delete(`${s.widgets}/a?dryRun=All`);
  await s.post(`${s.widgets}?dryRun=All`, widget('b'));
  await s.patch('merge', `${s.widgets}/a`, { status: { phase: 'x' } });
  await s.post(s.widgets, widget('end'));
  await watch.take(1);
});
add('status and scale', async (s) => {
  await s.post(s.widgets, widget('a'));
  const watch = await s.open(`${s.widgets}?watch=1&resourceVersion=${await s.version(s.widgets)}&timeoutSeconds=60`);
  await s.patch('merge', `${s.widgets}/a/status`, { status: { phase: 'x' }, spec: { size: 5 } });
  await s.patch('merge', `${s.widgets}/a/scale`, { spec: { replicas: 3 } });
  await watch.take(2);
});
add('a bookmark before the time-out', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('a'));
  const from = await s.version(s.configMaps);
  const query = `watch=1&resourceVersion=${from}&timeoutSeconds=6`;
  const [marked, plain] = await Promise.all([
    s.open(`${s.configMaps}?${query}&allowWatchBookmarks=true`),
    s.open(`${s.configMaps}?${query}`),
  ]);
  const { text } = await marked.read();
  const lines = watchLines(text);
  s.note('there is one', lines.length > 0);
  s.note('its kinds', [...new Set(lines.map(({ type }) => type))]);
  s.note('the last', lines.at(-1));
  await plain.over();
});
add('ends at the time-out', async (s) => {
  await s.quietly('POST', s.widgets, widget('a'));
  const from = await s.version(s.widgets);
  await s.watch(`${s.widgets}?watch=1&resourceVersion=${from}&timeoutSeconds=1`);
  await s.watch(`${s.configMaps}?watch=1&timeoutSeconds=1`);
});
add('a version that is too old', (s) =>
  s.watch(`${s.widgets}?watch=1&resourceVersion=1&timeoutSeconds=5`).then(() => undefined),
);
add('a version of the future', async (s) => {
  await s.watch(`${s.configMaps}?watch=1&resourceVersion=99999999&timeoutSeconds=1`);
  await s.watch(
    `${s.configMaps}?watch=1&resourceVersion=99999999&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=60`,
  );
});
add('a change of the definition ends it', async (s) => {
  const body = await ownDefinition(s);
  const { group, versions } = body['spec'] as { group: string; versions: JsonObject[] };
  const path = `/apis/${group}/v1/namespaces/${s.namespace}/passings`;
  await s.quietly('POST', path, { apiVersion: `${group}/v1`, kind: 'Passing', metadata: { name: 'a' } });
  const watch = await s.open(`${path}?watch=1&timeoutSeconds=60`);
  const spec = {
    versions: [{ ...versions[0], additionalPrinterColumns: [{ name: 'X', type: 'string', jsonPath: '.spec.x' }] }],
  };
  await s.quietly('PATCH', definitionPath(group), { metadata: { labels: { a: 'b' } } }, 'application/merge-patch+json');
  await s.quietly('PATCH', definitionPath(group), { spec }, 'application/merge-patch+json');
  await watch.over();
  await s.watch(`${path}?watch=1&timeoutSeconds=60`, 1);
});
add('the end of the definition ends it', async (s) => {
  const body = await ownDefinition(s);
  const { group } = body['spec'] as { group: string };
  const path = `/apis/${group}/v1/namespaces/${s.namespace}/passings`;
  await s.quietly('POST', path, { apiVersion: `${group}/v1`, kind: 'Passing', metadata: { name: 'a' } });
  const watch = await s.open(`${path}?watch=1&timeoutSeconds=60`);
  await s.quietly('DELETE', definitionPath(group));
  await watch.over();
});
add('a namespace that is deleted', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('a'));
  const query = `watch=1&resourceVersion=${await s.version(s.configMaps)}&timeoutSeconds=60`;
  const watch = await s.open(`${s.configMaps}?${query}`);
  const whole = await s.open(`/api/v1/namespaces?${query}&fieldSelector=metadata.name%3D${s.namespace}`);
  await s.quietly('DELETE', `/api/v1/namespaces/${s.namespace}`);
  await watch.take(1);
  const { text } = await whole.read((line) => line.startsWith('{"type":"DELETED"'));
  const events = watchLines(text);
  s.note('the first event of the namespace', [
    events[0]?.type,
    events[0]?.object.metadata.deletionTimestamp !== undefined,
  ]);
  s.note('the last one', events.at(-1));
});
