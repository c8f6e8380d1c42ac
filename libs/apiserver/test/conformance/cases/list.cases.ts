import type { JsonObject } from '../../../src/index.js';
import { apiVersion, configMap, widget } from '../bodies.js';
import { group, type Session } from '../session.js';

const { cases, add } = group('list');
export const listCases = cases;

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

interface Listed {
  readonly metadata: { readonly continue?: string; readonly remainingItemCount?: number };
  readonly items: readonly { readonly metadata: { readonly name: string; readonly namespace?: string } }[];
}

const names = (json: unknown): string[] => (json as Listed).items.map(({ metadata }) => metadata.name);

const namespace = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

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
add('order by bytes', async (s) => {
  for (const name of ['b', 'a-1', 'a.1', 'a', 'a1', '1', 'a-b', 'ab', '10', '2']) {
    await s.quietly('POST', s.configMaps, configMap(name));
    await s.quietly('POST', s.widgets, widget(name));
  }
  for (const path of [s.configMaps, s.widgets]) {
    const { json } = await s.quietly('GET', path);
    s.note('all', names(json));
    const { json: page } = await s.quietly('GET', `${path}?limit=4`);
    const { json: rest } = await s.quietly('GET', `${path}?continue=${page.metadata.continue}`);
    s.note('in pages', [names(page), names(rest)]);
  }
});
add('across namespaces', async (s) => {
  const other = `${s.namespace}-2`;
  await s.quietly('POST', '/api/v1/namespaces', namespace(other));
  s.leave(`/api/v1/namespaces/${other}`);
  const labels = { case: s.namespace };
  for (const place of [s.namespace, other]) {
    await s.quietly('POST', `/api/v1/namespaces/${place}/configmaps`, configMap('a', {}, { labels }));
    await s.quietly('POST', `/apis/${apiVersion}/namespaces/${place}/widgets`, widget('a', {}, { labels }));
  }
  for (const path of ['/api/v1/configmaps', `/apis/${apiVersion}/widgets`]) {
    await s.get(`${path}?labelSelector=case%3D${s.namespace}`);
    await s.get(`${path}?fieldSelector=metadata.namespace%3D${other},metadata.name%3Da`);
  }
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
add('pages across namespaces', async (s) => {
  const other = `${s.namespace}-2`;
  await s.quietly('POST', '/api/v1/namespaces', namespace(other));
  s.leave(`/api/v1/namespaces/${other}`);
  for (const place of [other, s.namespace]) {
    for (const name of ['b', 'a', 'c']) {
      await s.quietly('POST', `/apis/${apiVersion}/namespaces/${place}/widgets`, widget(name));
    }
  }
  const ours: string[] = [];
  let sizes = true;
  let token = '';
  do {
    const { json } = await s.quietly('GET', `/apis/${apiVersion}/widgets?limit=2&continue=${token}`);
    const page = json as Listed;
    token = page.metadata.continue ?? '';
    sizes &&= page.items.length === 2 || token === '';
    for (const { metadata } of page.items) {
      if (metadata.namespace === s.namespace || metadata.namespace === other) {
        ours.push(`${metadata.namespace}/${metadata.name}`);
      }
    }
  } while (token !== '');
  s.note('in order', ours);
  s.note('full pages', sizes);
});
add('how many remain', async (s) => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await s.quietly('POST', s.configMaps, configMap(name, {}, { labels: { n: name } }));
  }
  const page = async (query: string): Promise<string> => {
    const { json } = await s.quietly('GET', `${s.configMaps}?${query}`);
    const { metadata } = json as Listed;
    const shown = query.replace(/continue=.*/, 'continue');
    s.note(shown, {
      names: names(json),
      more: metadata.continue !== undefined,
      remaining: metadata.remainingItemCount,
    });
    return metadata.continue ?? '';
  };
  const second = await page('limit=2');
  const third = await page(`limit=2&continue=${second}`);
  await page(`limit=2&continue=${third}`);
  await page(`limit=1&continue=${second}`);
  await page(`continue=${second}`);
  await page('limit=5');
  await page('limit=4');
  await page('limit=6');
  await page('limit=1&labelSelector=n');
  await page('limit=1&labelSelector=n%3Dc');
  await page('limit=2&fieldSelector=metadata.name%21%3Da');
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
add('exact, of what was deleted and changed since', async (s) => {
  for (const [path, body] of [
    [s.configMaps, (name: string) => configMap(name)],
    [s.widgets, (name: string) => widget(name)],
  ] as const) {
    await s.quietly('POST', path, body('a'));
    await s.quietly('POST', path, body('b'));
    const { json } = await s.quietly('POST', path, body('c'));
    const version = json.metadata.resourceVersion as string;
    await s.quietly('DELETE', `${path}/a`);
    await s.quietly('PATCH', `${path}/b`, { metadata: { labels: { x: 'y' } } }, 'application/merge-patch+json');
    const last = await s.quietly('POST', path, body('d'));
    await s.quietly('GET', path);
    await s.get(`${path}?resourceVersion=${version}&resourceVersionMatch=Exact`);
    await s.get(`${path}?resourceVersion=${version}&resourceVersionMatch=Exact&labelSelector=%21x&limit=1`);
    await s.get(`${path}?resourceVersion=${last.json.metadata.resourceVersion}&resourceVersionMatch=Exact`);
    await s.get(path);
  }
});
add('pages of an exact version', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('a'));
  const { json } = await s.quietly('POST', s.configMaps, configMap('b'));
  const version = json.metadata.resourceVersion as string;
  await s.quietly('DELETE', `${s.configMaps}/b`);
  await s.quietly('POST', s.configMaps, configMap('c'));
  await s.quietly('GET', s.configMaps);
  for (const match of ['&resourceVersionMatch=Exact', '']) {
    const first = await s.get(`${s.configMaps}?limit=1&resourceVersion=${version}${match}`);
    await s.get(`${s.configMaps}?limit=1&continue=${first.json.metadata.continue}`);
    await s.get(`${s.configMaps}?limit=1&continue=${first.json.metadata.continue}&resourceVersion=0`);
  }
  await s.get(`${s.configMaps}?limit=1&resourceVersion=${version}&resourceVersionMatch=NotOlderThan`);
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
add('continue tokens made up', async (s) => {
  const token = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const meta = 'meta.k8s.io/v1';
  await three(s);
  for (const [what, made] of Object.entries({
    'another version': token({ v: 'meta2.k8s.io/v1', rv: 5, start: 'a\u0000' }),
    'no version': token({ rv: 5, start: 'a' }),
    'no revision': token({ v: meta, start: 'a' }),
    'revision 0': token({ v: meta, rv: 0, start: 'a' }),
    'no start': token({ v: meta, rv: -1 }),
    'an empty start': token({ v: meta, rv: -1, start: '' }),
    'a start beyond': token({ v: meta, rv: -1, start: '../x' }),
    'a start from the root': token({ v: meta, rv: -1, start: '/x' }),
    'the latest': token({ v: meta, rv: -1, start: 'a\u0000' }),
    'the latest, in between': token({ v: meta, rv: -1, start: 'aa' }),
    'the latest, beyond all': token({ v: meta, rv: -1, start: 'zz' }),
    'no object': token('x'),
    'no base64': '%25%25',
    'with padding': Buffer.from(JSON.stringify({ v: meta, rv: -1, start: 'ab' })).toString('base64'),
    'one character too many': `${token({ v: meta, rv: -1, start: 'abcd' })}A`,
    'a start that is the root': token({ v: meta, rv: -1, start: '/' }),
    'a start with two slashes': token({ v: meta, rv: -1, start: 'a//b' }),
    'a start that is here': token({ v: meta, rv: -1, start: '.' }),
  })) {
    const { status, json } = await s.quietly('GET', `${s.configMaps}?continue=${encodeURIComponent(made)}`);
    s.note(what, status === 200 ? names(json) : { status, message: json.message });
  }
});
add(
  'a version that was compacted',
  async (s) => {
    const { json } = await s.quietly('POST', s.configMaps, configMap('a'));
    const version = json.metadata.resourceVersion as string;
    await s.quietly('POST', s.configMaps, configMap('b'));
    await s.target.compact();
    await s.until(
      `${s.configMaps}?resourceVersion=${version}&resourceVersionMatch=Exact`,
      ({ status }) => status === 410,
    );
    await s.get(`${s.configMaps}?resourceVersion=${version}&resourceVersionMatch=Exact`);
    await s.get(`${s.configMaps}?resourceVersion=${version}&limit=1`);
    await s.get(`${s.configMaps}?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`);
    await s.get(`${s.configMaps}?resourceVersion=${version}`);
    await s.get(`${s.configMaps}/a?resourceVersion=${version}`);
  },
  { alone: true },
);
add(
  'a continue token that was compacted',
  async (s) => {
    for (const name of ['a', 'b', 'c']) await s.quietly('POST', s.configMaps, configMap(name));
    const { json } = await s.quietly('GET', `${s.configMaps}?limit=1`);
    const path = `${s.configMaps}?limit=1&continue=${json.metadata.continue}`;
    await s.quietly('DELETE', `${s.configMaps}/b`);
    await s.quietly('POST', s.configMaps, configMap('d'));
    await s.target.compact();
    await s.until(path, ({ status }) => status === 410);
    const expired = await s.get(path);
    const next = await s.get(`${s.configMaps}?limit=1&continue=${expired.json.metadata.continue}`);
    await s.get(`${s.configMaps}?limit=1&continue=${next.json.metadata.continue}`);
  },
  { alone: true },
);
add('as metadata only', async (s) => {
  await three(s);
  await s.get(s.widgets, 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io');
  await s.get(`${s.configMaps}/a`, 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io');
});
add('as a table', async (s) => {
  await three(s);
  for (const include of ['', '?includeObject=None', '?includeObject=Metadata', '?includeObject=Object']) {
    await s.get(`${s.widgets}${include}`, table);
  }
  await s.get(`${s.widgets}?limit=2`, table);
  await s.get(`${s.widgets}?labelSelector=app%3Dnone`, table);
  await s.get(`${s.widgets}?resourceVersion=abc`, table);
});
add('as a table without objects', async (s) => {
  await s.quietly('POST', s.widgets, widget('a'));
  await s.get(`${s.widgets}?includeObject=Bogus`, table);
});
add('as a table of built-in resources', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('a', { x: '1', y: '2' }));
  await s.quietly('POST', `/api/v1/namespaces/${s.namespace}/secrets`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'a' },
    data: { x: 'eA==' },
  });
  await s.quietly('POST', `/apis/coordination.k8s.io/v1/namespaces/${s.namespace}/leases`, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'a' },
    spec: { holderIdentity: 'h' },
  });
  for (const path of [
    s.configMaps,
    `/api/v1/namespaces/${s.namespace}/secrets`,
    `/apis/coordination.k8s.io/v1/namespaces/${s.namespace}/leases`,
    `/api/v1/namespaces?fieldSelector=metadata.name%3D${s.namespace}`,
  ]) {
    const { json } = await s.quietly('GET', path);
    s.note('plain', names(json));
    const answer = await s.request('GET', path, { accept: table });
    const { columnDefinitions, rows } = answer.json as { columnDefinitions?: unknown[]; rows?: unknown[] };
    s.note('columns and rows', [columnDefinitions?.length, rows?.length]);
  }
});
