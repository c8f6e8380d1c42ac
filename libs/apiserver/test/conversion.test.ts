import { describe, expect, it } from 'vitest';
import type { ApiServer, ApiServerOptions, JsonObject, KubeObject } from '../src/index.js';
import { gauge, GaugeConverter, gaugeDefinition, gauges } from './support/conversion.js';
import { server } from './support/fixtures.js';
import { call, WatchStream } from './support/http.js';
import { gate, register, responding, type Review } from './support/webhooks.js';

const ref = (version: string, name = 'a') => ({
  apiVersion: `example.com/${version}`,
  kind: 'Gauge',
  name,
  namespace: 'default',
});

async function start(options: ApiServerOptions = {}): Promise<{ api: ApiServer; converter: GaugeConverter }> {
  const converter = new GaugeConverter();
  const api = await server({
    crds: [gaugeDefinition()],
    ...options,
    webhooks: { services: { 'hooks/convert': converter.convert, ...options.webhooks?.services } },
  });
  return { api, converter };
}

const specs = (list: readonly KubeObject[]): unknown[] => list.map(({ spec }) => spec);

describe('objects in several versions', () => {
  it('are converted when they are read in another version than they are stored in, and kept', async () => {
    const { api, converter } = await start();
    await api.create(gauge('a', 'v1', { size: 1 }));
    expect(converter.take()).toEqual([]);
    // The defaults are those of the stored version; what the other one does not know is left out.
    const shown = { shared: 's', text: '1' };
    expect((await api.get(ref('v2')))?.['spec']).toEqual(shown);
    expect(converter.take()).toEqual(['a to v2']);
    const { json } = await call(api.url, 'GET', `${gauges('v2')}/a`);
    expect(json).toMatchObject({ apiVersion: 'example.com/v2', metadata: { resourceVersion: /\d+/ }, spec: shown });
    expect(json.metadata).toEqual((await api.get(ref('v1')))?.metadata);
    // A read of one object that must be the latest asks again, as in the real server.
    expect(converter.take()).toEqual(['a to v2']);
    expect((await call(api.url, 'GET', `${gauges('v2')}/a?resourceVersion=0`)).json).toEqual(json);
    expect((await call(api.url, 'GET', gauges('v2'))).json.items).toEqual([json]);
    expect(converter.take()).toEqual([]);
  });

  it('are converted together for a list', async () => {
    const { api, converter } = await start();
    for (const name of ['a', 'b', 'c']) await api.create(gauge(name, 'v1', { size: 1 }));
    expect(specs(await api.list(ref('v2')))).toEqual(Array.from({ length: 3 }, () => ({ shared: 's', text: '1' })));
    await api.patch(ref('v1', 'b'), { spec: { size: 5 } });
    const { json } = await call(api.url, 'GET', `${gauges('v2')}?limit=2`);
    expect(specs(json.items)).toEqual([
      { shared: 's', text: '1' },
      { shared: 's', text: '5' },
    ]);
    expect(converter.take()).toEqual(['a+b+c to v2', 'b to v2']);
  });

  it('are selected by the fields of the version that is asked for', async () => {
    const { api, converter } = await start();
    await api.create(gauge('a', 'v1', { size: 1 }));
    await api.create(gauge('b', 'v1', { size: 2 }));
    const selector = { fieldSelector: 'spec.text=2' };
    expect((await api.list({ ...ref('v2'), ...selector })).map(({ metadata }) => metadata.name)).toEqual(['b']);
    await api.list({ ...ref('v2'), fieldSelector: 'metadata.name=a' });
    expect(converter.take()).toEqual(['a+b to v2']);
    await expect(api.list({ ...ref('v1'), ...selector })).rejects.toThrow('field label not supported');
  });

  it('are converted when they are written in another version, and back for the answer', async () => {
    const { api, converter } = await start();
    const created = await api.create(gauge('a', 'v2', { text: '7' }, { labels: { x: 'y' } }));
    expect(created['spec']).toEqual({ shared: 's', text: '7' });
    expect(converter.take()).toEqual(['a to v1', 'a to v2']);
    expect(api.store.get('example.com/gauges', 'default/a')).toMatchObject({
      apiVersion: 'example.com/v1',
      metadata: { labels: { x: 'y' }, generation: 1 },
      spec: { size: 7 },
    });
    await api.patch(ref('v2'), { spec: { text: '8' } });
    await api.patch(ref('v2'), { status: { phase: 'x' } }, { subresource: 'status' });
    expect(await api.get(ref('v1'))).toMatchObject({ spec: { size: 8 }, status: { phase: 'x' } });
    const before = api.store.revision;
    const { json } = await call(api.url, 'PATCH', `${gauges('v2')}/a?dryRun=All`, {
      contentType: 'merge',
      body: { spec: { text: '9' } },
    });
    expect([json.spec.text, api.store.revision]).toEqual(['9', before]);
  });

  it('stay readable when the storage version changes, and move to it when they are written', async () => {
    const { api, converter } = await start();
    await api.create(gauge('a', 'v1', { size: 1 }));
    await api.create(gauge('b', 'v1', { size: 2 }));
    const [definition] = await api.apply(gaugeDefinition('v2'));
    expect(definition?.['status']).toMatchObject({ storedVersions: ['v1', 'v2'] });
    converter.take();
    expect(specs(await api.list(ref('v1')))).toMatchObject([{ size: 1 }, { size: 2 }]);
    expect(converter.take()).toEqual([]);
    expect(specs(await api.list(ref('v2')))).toMatchObject([{ text: '1' }, { text: '2' }]);
    expect(converter.take()).toEqual(['a+b to v2']);
    await api.patch(ref('v1'), { metadata: { labels: { moved: 'yes' } } });
    expect(api.store.get('example.com/gauges', 'default/a')).toMatchObject({
      apiVersion: 'example.com/v2',
      spec: { text: '1' },
    });
    expect(specs(await api.list(ref('v1')))).toMatchObject([{ size: 1 }, { size: 2 }]);

    const status = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gauges.example.com';
    const { json } = await call(api.url, 'GET', status);
    json.spec.versions = json.spec.versions.filter(({ name }: { name: string }) => name !== 'v1');
    const refused = await call(api.url, 'PUT', status, { body: json });
    expect([refused.status, refused.json.details.causes[0].field]).toEqual([422, 'status.storedVersions[0]']);
    await api.patch(ref('v2', 'b'), { metadata: { labels: { moved: 'yes' } } });
    await call(api.url, 'PATCH', `${status}/status`, {
      contentType: 'merge',
      body: { status: { storedVersions: ['v2'] } },
    });
    const accepted = await call(api.url, 'GET', status);
    accepted.json.spec.versions = json.spec.versions;
    expect((await call(api.url, 'PUT', status, { body: accepted.json })).status).toBe(200);
    expect(specs(await api.list(ref('v2')))).toMatchObject([{ text: '1' }, { text: '2' }]);
  });

  it('differ in nothing but their version where there is no webhook', async () => {
    const api = await server({ crds: [gaugeDefinition('v1', { strategy: 'None' })] });
    await api.create(gauge('a', 'v1', { size: 1 }));
    expect((await api.get(ref('v2')))?.['spec']).toEqual({ shared: 's' });
    await api.create(gauge('b', 'v2', { text: 'x' }));
    expect(specs(await api.list(ref('v1')))).toEqual([
      { size: 1, one: '1', shared: 's' },
      { one: '1', shared: 's' },
    ]);
  });

  it('are shown to admission webhooks in the version that these ask for', async () => {
    const seen: Review[] = [];
    const { api } = await start({
      webhooks: {
        services: {
          'hooks/hook': responding(({ object, kind, requestKind }: Review) => {
            seen.push([kind.version, requestKind.version, object.spec]);
            return {
              patchType: 'JSONPatch',
              patch: Buffer.from(JSON.stringify([{ op: 'replace', path: '/spec/size', value: 40 }])).toString('base64'),
            };
          }),
        },
      },
    });
    await register(api, {
      rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['gauges'], operations: ['CREATE'] }],
    });
    expect((await api.create(gauge('a', 'v2', { text: '4' })))['spec']).toMatchObject({ text: '40' });
    expect(seen).toEqual([['v1', 'v2', { size: 4, shared: 's', two: '2' }]]);
  });
});

describe('a watch in another version', () => {
  const open = (api: ApiServer, query = ''): Promise<WatchStream> =>
    WatchStream.open(api.url, `${gauges('v2')}?watch=1${query}`);
  const shown = ({ type, object }: { type: string; object: Review }): unknown[] => [
    type,
    object.metadata.name,
    object.spec.text,
  ];

  it('shows each state converted, in order, however long the webhook takes', async () => {
    const { api, converter } = await start();
    await api.create(gauge('a', 'v1', { size: 0 }));
    const watch = await open(api);
    expect(shown(await watch.next())).toEqual(['ADDED', 'a', '0']);
    const first = gate();
    converter.before = () => first.passed;
    await api.patch(ref('v1'), { spec: { size: 1 } });
    for (let size = 2; size < 10; size++) await api.patch(ref('v1'), { spec: { size } });
    await api.delete(ref('v1'));
    first.open();
    const lines = await watch.take(10);
    expect(lines.map(shown)).toEqual([
      ...Array.from({ length: 9 }, (_, n) => ['MODIFIED', 'a', String(n + 1)]),
      ['DELETED', 'a', '9'],
    ]);
    const versions = lines.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    // The first change alone, then all that had come meanwhile.
    expect(converter.take()).toEqual(['a to v2', 'a to v2', 'a+a+a+a+a+a+a+a to v2']);
    watch.close();
  });

  it('shares what was converted with all others', async () => {
    const { api, converter } = await start();
    const watches = await Promise.all(Array.from({ length: 20 }, () => open(api)));
    await api.create(gauge('a', 'v1', { size: 1 }));
    for (const watch of watches) expect(shown(await watch.next())).toEqual(['ADDED', 'a', '1']);
    expect(converter.take()).toEqual(['a to v2']);
    for (const watch of watches) watch.close();
  });

  it('tells of selections by fields of that version', async () => {
    const { api } = await start();
    const watch = await open(api, '&fieldSelector=spec.text%3D2');
    for (const size of [1, 2, 3, 2]) await api.apply(gauge('a', 'v1', { size }));
    await api.delete(ref('v1'));
    expect((await watch.take(4)).map(shown)).toEqual([
      ['ADDED', 'a', '2'],
      ['DELETED', 'a', '2'],
      ['ADDED', 'a', '2'],
      ['DELETED', 'a', '2'],
    ]);
    watch.close();
  });

  it('begins with everything converted, then with what came meanwhile', async () => {
    const { api, converter } = await start();
    await api.create(gauge('a', 'v1', { size: 1 }));
    const asked = gate();
    const answer = gate();
    converter.before = async () => {
      asked.open();
      await answer.passed;
    };
    const watch = await open(api, '&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan');
    await asked.passed;
    await api.create(gauge('b', 'v1', { size: 2 }));
    answer.open();
    const lines = await watch.take(3);
    expect(lines.map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['ADDED', 'a'],
      ['BOOKMARK', undefined],
      ['ADDED', 'b'],
    ]);
    watch.close();
  });

  it('is silent while the webhook fails, and goes on when it works again', async () => {
    const { api, converter } = await start();
    const watch = await open(api);
    converter.response = (response) => ({ ...response, result: { status: 'Failure', message: 'not now' } });
    await api.create(gauge('a', 'v1', { size: 1 }));
    await expect(api.list(ref('v2'))).rejects.toThrow('not now');
    expect(watch.lines).toEqual([]);
    converter.response = (response) => response;
    expect(shown(await watch.next())).toEqual(['ADDED', 'a', '1']);
    watch.close();
  });
});

describe('conversions that fail', () => {
  const prefix = 'conversion webhook for example.com/v1, Kind=Gauge';

  it.each<[string, (response: JsonObject) => JsonObject, string]>([
    ['says so', () => ({ result: { status: 'Failure', message: 'no way' } }), 'expected response.uid='],
    [
      'says so by its result',
      (response) => ({ ...response, result: { status: 'Failure', message: 'no way' } }),
      `${prefix} failed: no way`,
    ],
    [
      'leaves one out',
      (response) => ({ ...response, convertedObjects: [] }),
      `${prefix} returned 0 objects, expected 1`,
    ],
    [
      'renames one',
      (response) => changed(response, (object) => ({ ...object, metadata: { name: 'b' } })),
      `${prefix} returned invalid object: must have the same name: a != b`,
    ],
    [
      'converts to another version',
      (response) => changed(response, (object) => ({ ...object, apiVersion: 'example.com/v1' })),
      `${prefix} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)`,
    ],
  ])('are answered with 500 when the webhook %s', async (_what, response, message) => {
    const { api, converter } = await start();
    await api.create(gauge('a', 'v1', { size: 1 }));
    converter.response = response;
    const { status, json } = await call(api.url, 'GET', `${gauges('v2')}/a`);
    expect([status, json.reason, json.message]).toEqual([500, undefined, expect.stringContaining(message)]);
    for (const request of [
      call(api.url, 'GET', gauges('v2')),
      call(api.url, 'DELETE', `${gauges('v2')}/a`),
      call(api.url, 'PATCH', `${gauges('v2')}/a`, { contentType: 'merge', body: { spec: { text: '2' } } }),
    ]) {
      expect((await request).status).toBe(500);
    }
    expect(await api.get(ref('v1'))).toMatchObject({ spec: { size: 1 } });
    // In the version in which it is stored it can be handled all the same.
    await api.delete(ref('v1'));
    converter.response = (given) => given;
  });

  it('restore all metadata but labels and annotations', async () => {
    const { api, converter } = await start();
    await api.create(gauge('a', 'v1', { size: 1 }, { labels: { x: 'y' }, finalizers: ['example.com/f'] }));
    converter.response = (response) =>
      changed(response, (object) => ({
        ...object,
        metadata: { ...object.metadata, labels: { z: '1' }, annotations: { n: '2' }, finalizers: [], generation: 9 },
      }));
    const before = await api.get(ref('v1'));
    expect((await api.get(ref('v2')))?.metadata).toEqual({
      ...before?.metadata,
      labels: { z: '1' },
      annotations: { n: '2' },
    });
  });

  function changed(response: JsonObject, change: (object: KubeObject) => JsonObject): JsonObject {
    return { ...response, convertedObjects: (response['convertedObjects'] as KubeObject[]).map(change) };
  }

  it('end with the server', async () => {
    const { api, converter } = await start();
    await api.create(gauge('a', 'v1', { size: 1 }));
    const asked = gate();
    converter.before = () => {
      asked.open();
      return new Promise(() => undefined);
    };
    const watch = await WatchStream.open(api.url, `${gauges('v2')}?watch=1`);
    const pending = Promise.allSettled([api.get(ref('v2')), call(api.url, 'GET', gauges('v2'))]);
    await asked.passed;
    await api.close();
    expect((await pending).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await watch.ended();
    expect(watch.lines).toEqual([]);
    await api.activity.whenIdle();
  });
});

it('loses no write of any version when writers race under a slow converter', async () => {
  const { api, converter } = await start();
  await api.create(gauge('a', 'v1', { size: 1 }));
  let turn = 0;
  converter.before = async () => {
    for (let left = 20 - (turn++ % 20); left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
  };
  const writers = Array.from({ length: 16 }, (_, n) => n);
  await Promise.all(
    writers.map((n) => api.patch(ref(n % 2 === 0 ? 'v1' : 'v2'), { metadata: { labels: { [`w${n}`]: 'x' } } })),
  );
  const object = await api.get(ref('v1'));
  expect(Object.keys(object?.metadata.labels ?? {})).toHaveLength(writers.length);
  expect(object).toMatchObject({ spec: { size: 1 } });
});
