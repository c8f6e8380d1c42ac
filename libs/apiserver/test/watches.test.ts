import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../src/index.js';
import { configMap, configMaps, server, widget, widgetDefinition, widgets } from './support/fixtures.js';
import { call, WatchStream, type WatchLine } from './support/http.js';
import { ManualClock } from './support/manual-clock.js';
import { seeded } from './support/seeded.js';

const shape = (lines: readonly WatchLine[]): [string, string][] =>
  lines.map(({ type, object }) => [type, object.metadata.name ?? object.metadata.resourceVersion]);

const ref = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name });

/** Resolves when the server has an open watch of the resource. */
async function opened(api: ApiServer, resource: string): Promise<void> {
  while (api.watches.list({ resource }).length === 0) await new Promise((resolve) => setImmediate(resolve));
}

describe('where a watch begins', () => {
  it('resourceVersion N: with what came after it', async () => {
    const api = await server();
    await api.create(configMap('a'));
    const then = api.store.revision;
    await api.create(configMap('b'));
    await api.delete(ref('a'));
    const watch = await WatchStream.open(api.url, `${configMaps}?watch=true&resourceVersion=${then}`);
    expect(shape(await watch.take(2))).toEqual([
      ['ADDED', 'b'],
      ['DELETED', 'a'],
    ]);
    await api.create(configMap('c'));
    expect(shape([await watch.next()])).toEqual([['ADDED', 'c']]);
  });

  it.each(['', '&resourceVersion=0'])(
    'unset or 0 (%s): with the present state and, if wanted, the end bookmark',
    async (version) => {
      const api = await server();
      await api.create(configMap('a'));
      await api.create(configMap('b'));
      const bookmarks = await WatchStream.open(api.url, `${configMaps}?watch=1&allowWatchBookmarks=1${version}`);
      const lines = await bookmarks.take(3);
      expect(shape(lines.slice(0, 2))).toEqual([
        ['ADDED', 'a'],
        ['ADDED', 'b'],
      ]);
      expect(lines[2]).toEqual({
        type: 'BOOKMARK',
        object: {
          kind: 'ConfigMap',
          apiVersion: 'v1',
          metadata: {
            resourceVersion: String(api.store.revision),
            annotations: { 'k8s.io/initial-events-end': 'true' },
          },
        },
      });
      const plain = await WatchStream.open(api.url, `${configMaps}?watch=1${version}`);
      await plain.take(2);
      await api.create(configMap('c'));
      expect(shape([await plain.next()])).toEqual([['ADDED', 'c']]);
    },
  );

  it('sendInitialEvents=true: as a WatchList; =false: from now on', async () => {
    const api = await server();
    await api.create(configMap('a'));
    const list = await WatchStream.open(
      api.url,
      `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=${api.store.revision}`,
    );
    expect((await list.take(2)).map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK']);
    const now = await WatchStream.open(
      api.url,
      `${configMaps}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
    );
    await api.create(configMap('b'));
    expect(shape([await now.next()])).toEqual([['ADDED', 'b']]);
  });

  it('a compacted version: ERROR 410 in the stream, which ends', async () => {
    const api = await server();
    const then = api.store.revision;
    await api.create(configMap('a'));
    api.compact();
    const watch = await WatchStream.open(api.url, `${configMaps}?watch=1&resourceVersion=${then}`);
    expect(watch.status).toBe(200);
    expect(await watch.next()).toEqual({
      type: 'ERROR',
      object: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `too old resource version: ${then} (${api.store.revision})`,
        reason: 'Expired',
        code: 410,
      },
    });
    expect(await watch.ended()).toBe('end');
  });

  it('a future version: silence until it has passed; with initial events an ERROR 504 after 3 s', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    const future = api.store.revision + 2;
    const silent = await WatchStream.open(api.url, `${configMaps}?watch=1&resourceVersion=${future}`);
    for (const name of ['a', 'b', 'c']) await api.create(configMap(name));
    expect(shape([await silent.next()])).toEqual([['ADDED', 'c']]);
    const late = await WatchStream.open(
      api.url,
      `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=${api.store.revision + 9}`,
    );
    await opened(api, 'configmaps');
    clock.advance(3000);
    const error = await late.next();
    expect([error.type, error.object.code, error.object.reason]).toEqual(['ERROR', 504, 'Timeout']);
    expect(await late.ended()).toBe('end');
  });

  it.each([
    ['sendInitialEvents=true', 422],
    ['resourceVersionMatch=NotOlderThan&resourceVersion=5', 422],
    ['resourceVersion=abc', 500],
    ['labelSelector=a+in+b', 400],
  ])('%s is refused before the stream begins', async (query, code) => {
    const { url } = await server();
    const { status, json } = await call(url, 'GET', `${widgets}?watch=1&${query}`);
    expect([status, json.code]).toEqual([code, code]);
  });
});

describe('what a watch tells', () => {
  it('of objects that enter, stay in and leave a selection', async () => {
    const api = await server();
    const label = (app: string) => api.patch(ref('a'), { metadata: { labels: { app } } });
    await api.create(configMap('a', { n: '1' }, { labels: { app: 'y' } }));
    const watch = await WatchStream.open(
      api.url,
      `${configMaps}?watch=1&labelSelector=app%3Dx&resourceVersion=${api.store.revision}`,
    );
    await api.create(configMap('other'));
    const entered = await label('x');
    await api.patch(ref('a'), { data: { n: '2' } });
    await label('y');
    const left = api.store.revision;
    await api.patch(ref('a'), { data: { n: '3' } });
    await label('x');
    await api.delete(ref('a'));
    const lines = await watch.take(5);
    expect(lines.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED', 'ADDED', 'DELETED']);
    expect(lines[0]!.object).toEqual(entered);
    // The state before, under the version of the write that made it leave.
    expect(lines[2]!.object).toMatchObject({
      metadata: { labels: { app: 'x' }, resourceVersion: String(left) },
      data: { n: '2' },
    });
    expect(lines[4]!.object.metadata.resourceVersion).toBe(String(api.store.revision));
  });

  it('of one namespace or of all, of one name', async () => {
    const api = await server({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } }] });
    const from = api.store.revision;
    const one = await WatchStream.open(api.url, `${configMaps}?watch=1&resourceVersion=${from}`);
    const all = await WatchStream.open(api.url, `/api/v1/configmaps?watch=1&resourceVersion=${from}`);
    const named = await WatchStream.open(
      api.url,
      `/api/v1/configmaps?watch=1&resourceVersion=${from}&fieldSelector=metadata.name%3Db`,
    );
    await api.create(configMap('a', {}, { namespace: 'other' }));
    await api.create(configMap('b'));
    expect(shape([await one.next()])).toEqual([['ADDED', 'b']]);
    expect(shape(await all.take(2))).toEqual([
      ['ADDED', 'a'],
      ['ADDED', 'b'],
    ]);
    expect(shape([await named.next()])).toEqual([['ADDED', 'b']]);
  });

  it('as tables and as metadata only', async () => {
    const api = await server();
    const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const watch = await WatchStream.open(api.url, `${widgets}?watch=1`, { accept: table });
    await opened(api, 'widgets');
    await api.create(widget('a'));
    await api.create(widget('b'));
    const [first, second] = await watch.take(2);
    expect(first!.object).toMatchObject({
      kind: 'Table',
      columnDefinitions: [{ name: 'Name' }, { name: 'Size' }, { name: 'Age' }],
      rows: [{ cells: ['a', 1, expect.any(String)], object: { kind: 'PartialObjectMetadata' } }],
    });
    expect(second!.object.columnDefinitions).toBeNull();
    const partial = await WatchStream.open(api.url, `${widgets}?watch=1`, {
      accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    });
    const { object } = await partial.next();
    expect(object).toMatchObject({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'a' },
    });
    expect(object).not.toHaveProperty('spec');
  });

  it.each([31, 32, 33])('so that its fold equals a list, from any start (seed %i)', async (seed) => {
    const api = await server();
    const random = seeded(seed);
    const versions: number[] = [api.store.revision];
    for (let step = 0; step < 60; step++) {
      const name = `k${Math.floor(random() * 6)}`;
      const known = await api.get(ref(name));
      if (known === undefined) await api.create(configMap(name, { step: String(step) }));
      else if (random() < 0.3) await api.delete(ref(name));
      else await api.patch(ref(name), { data: { step: String(step) } });
      versions.push(api.store.revision);
    }
    const final = (await call(api.url, 'GET', configMaps)).json;
    for (const from of versions.filter((_, index) => index % 10 === 0)) {
      const start = (await call(api.url, 'GET', `${configMaps}?resourceVersion=${from}&resourceVersionMatch=Exact`))
        .json;
      const state = new Map<string, unknown>(
        start.items.map((item: { metadata: { name: string } }) => [item.metadata.name, item]),
      );
      const watch = await WatchStream.open(
        api.url,
        `${configMaps}?watch=1&resourceVersion=${from}&allowWatchBookmarks=1&timeoutSeconds=3600`,
      );
      let last = from;
      const events = api.store.eventsSince('/configmaps', from).length;
      for (const { type, object } of await watch.take(events)) {
        const revision = Number(object.metadata.resourceVersion);
        expect(revision).toBeGreaterThan(last);
        last = revision;
        const { apiVersion: _apiVersion, kind: _kind, ...item } = object;
        if (type === 'DELETED') state.delete(object.metadata.name);
        else state.set(object.metadata.name, item);
      }
      watch.close();
      expect([...state.values()]).toEqual(expect.arrayContaining(final.items as unknown[]));
      expect(state.size).toBe(final.items.length);
    }
  });
});

describe('the life of a watch', () => {
  it('bookmarks come each minute of the clock and two seconds before the end; the end is clean', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    const path = `${configMaps}?watch=1&resourceVersion=${api.store.revision}&timeoutSeconds=150`;
    const watch = await WatchStream.open(api.url, `${path}&allowWatchBookmarks=true`);
    const silent = await WatchStream.open(api.url, path);
    await opened(api, 'configmaps');
    clock.advance(60_000);
    await api.create(widget('elsewhere'));
    clock.advance(60_000);
    clock.advance(28_000);
    expect(shape(await watch.take(3))).toEqual([
      ['BOOKMARK', String(api.store.revision - 1)],
      ['BOOKMARK', String(api.store.revision)],
      ['BOOKMARK', String(api.store.revision)],
    ]);
    expect(watch.over).toBeUndefined();
    clock.advance(2_000);
    expect([await watch.ended(), await silent.ended()]).toEqual(['end', 'end']);
    expect([watch.lines.length, silent.lines.length]).toEqual([3, 0]);
    expect(api.watches.list()).toEqual([]);
    expect(clock.timers).toBe(0);
  });

  it('without timeoutSeconds ends after 30 to 60 minutes', async () => {
    const clock = new ManualClock();
    const api = await server({ clock, random: () => 0.5 });
    const watch = await WatchStream.open(api.url, `${configMaps}?watch=1&resourceVersion=${api.store.revision}`);
    await opened(api, 'configmaps');
    clock.advance(45 * 60_000 - 1);
    expect(api.watches.list()).toHaveLength(1);
    clock.advance(1);
    expect(await watch.ended()).toBe('end');
  });

  it('ends when the spec of its definition changes, not when only the status or labels do', async () => {
    const api = await server();
    const watch = await WatchStream.open(api.url, `${widgets}?watch=1`);
    await opened(api, 'widgets');
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: 'widgets.example.com',
    };
    await api.patch(crd, { metadata: { labels: { a: 'b' } } });
    await api.create(widget('a'));
    expect(shape([await watch.next()])).toEqual([['ADDED', 'a']]);
    const changed = structuredClone(widgetDefinition) as unknown as { spec: { names: { shortNames: string[] } } };
    changed.spec.names.shortNames = ['wdg'];
    await api.patch(crd, { spec: changed.spec });
    expect(await watch.ended()).toBe('end');
  });

  it('lets go of a watch whose client is gone', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    const watch = await WatchStream.open(api.url, `${configMaps}?watch=1`);
    await opened(api, 'configmaps');
    watch.close();
    while (api.watches.list().length > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(clock.timers).toBe(0);
  });

  it('serves many watchers from one serialization of each event', async () => {
    const api = await server();
    const watches = await Promise.all(
      Array.from({ length: 50 }, () => WatchStream.open(api.url, `${configMaps}?watch=1`)),
    );
    while (api.watches.list().length < 50) await new Promise((resolve) => setImmediate(resolve));
    const stringify = JSON.stringify;
    let serialized = 0;
    JSON.stringify = ((value: unknown, ...rest: []) => {
      const { name } = (value as { metadata?: { name?: string } } | undefined)?.metadata ?? {};
      if (name === 'a' && rest.length === 0) serialized++;
      return stringify(value, ...rest);
    }) as typeof JSON.stringify;
    try {
      api.store.put('/configmaps', 'default/a', configMap('a', {}, { namespace: 'default' }) as never);
    } finally {
      JSON.stringify = stringify;
    }
    expect(serialized).toBe(1);
    for (const watch of watches) expect((await watch.next()).type).toBe('ADDED');
  });
});
