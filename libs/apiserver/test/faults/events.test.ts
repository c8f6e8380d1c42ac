import { describe, expect, it } from 'vitest';
import type { ApiServer, EventMatch, FaultAction } from '../../src/index.js';
import { configMap, configMaps, server } from '../support/fixtures.js';
import { call, WatchStream } from '../support/http.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function watching(api: ApiServer, query = ''): Promise<WatchStream> {
  const before = api.watches.list().length;
  const watch = await WatchStream.open(api.url, `${configMaps}?watch=1&resourceVersion=${api.store.revision}${query}`);
  while (api.watches.list().length === before) await turn();
  return watch;
}

/** A watch under a fault, while six objects are made. What is sent, in short. */
async function seen(todo: FaultAction | FaultAction[], faultSeed = 1): Promise<string> {
  const api = await server({ faultSeed });
  api.faults.add({ match: { verb: 'watch' }, do: todo });
  const watch = await watching(api);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await api.create(configMap(name));
  api.watches.cut({ how: 'end' });
  expect(await watch.ended()).toBe('end');
  return watch.lines.map(({ type, object }) => (type === 'ADDED' ? object.metadata.name : `${type}!`)).join(' ');
}

describe('events', () => {
  it('are dropped', async () => {
    expect(await seen({ action: 'dropEvents', events: { nth: 2, times: 2 } })).toBe('a d e f');
  });

  it('are sent twice', async () => {
    expect(await seen({ action: 'duplicateEvents', events: { name: 'c' } })).toBe('a b c c d e f');
  });

  it('change places with the next one, or with several', async () => {
    expect(await seen({ action: 'reorderEvents', events: { name: 'b' } })).toBe('a c b d e f');
    expect(await seen({ action: 'reorderEvents', by: 3, events: { name: 'b' } })).toBe('a c d e b f');
    // What is held back at the end of the stream is sent before it.
    expect(await seen({ action: 'reorderEvents', by: 3, events: { name: 'e' } })).toBe('a b c d f e');
  });

  it('have a type that nobody knows', async () => {
    expect(await seen({ action: 'changeEvents', type: 'BOGUS', events: { nth: 6 } })).toBe('a b c d e BOGUS!');
  });

  it('are led by a line that does not belong there, or followed by it', async () => {
    const line = { type: 'ERROR', object: { kind: 'Status', code: 500 } };
    expect(await seen({ action: 'inject', line })).toBe('ERROR! a b c d e f');
    expect(await seen({ action: 'inject', line: JSON.stringify(line), afterEvents: 2 })).toBe('a b ERROR! c d e f');
  });

  it('go through all faults of the stream one after another', async () => {
    const todo: FaultAction[] = [
      { action: 'duplicateEvents', events: { name: 'b' } },
      { action: 'dropEvents', events: { name: 'b', times: 1 } },
      { action: 'reorderEvents', events: { name: 'b' } },
      { action: 'inject', line: { type: 'X' }, afterEvents: 3 },
      { action: 'changeEvents', type: 'Y', events: { type: 'X' } },
      { action: 'endStream', afterEvents: 5 },
    ];
    expect(await seen(todo)).toBe('a c b Y! d');
  });

  it('are hit by chance, under the same seed the same ones, in each stream anew', async () => {
    const todo: FaultAction = { action: 'dropEvents', events: { probability: 0.5 } };
    const first = await seen(todo, 3);
    expect(first).not.toBe('a b c d e f');
    expect(await seen(todo, 3)).toBe(first);
    const others = await Promise.all([4, 5, 6].map((seed) => seen(todo, seed)));
    expect(new Set([first, ...others]).size).toBeGreaterThan(1);
  });

  it.each<[EventMatch, string]>([
    [{ type: 'MODIFIED' }, 'ADDED a, DELETED a, ADDED b'],
    [{ name: 'a' }, 'ADDED b'],
    [{ namespace: 'elsewhere' }, 'ADDED a, MODIFIED a, DELETED a, ADDED b'],
    [{ namespace: 'default', type: 'ADDED', nth: 2 }, 'ADDED a, MODIFIED a, DELETED a'],
  ])('are picked by what they are: %o', async (events, rest) => {
    for (const accept of ['application/json', 'application/json;as=Table;v=v1;g=meta.k8s.io']) {
      const api = await server();
      api.faults.add({ do: { action: 'dropEvents', events } });
      const path = `${configMaps}?watch=1&resourceVersion=${api.store.revision}`;
      const watch = await WatchStream.open(api.url, path, { accept });
      while (api.watches.list().length === 0) await turn();
      await api.create(configMap('a'));
      const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' };
      await api.patch(ref, { data: { x: 'y' } });
      await api.delete(ref);
      await api.create(configMap('b'));
      api.watches.cut({ how: 'end' });
      await watch.ended();
      const name = ({ object }: { object: { metadata: { name?: string }; rows?: [{ cells: [string] }] } }): string =>
        object.metadata.name ?? object.rows![0].cells[0];
      expect(watch.lines.map((line) => `${line.type} ${name(line)}`).join(', ')).toBe(rest);
    }
  });
});

describe('an object of a watch', () => {
  it('is of another kind, or changed by a function', async () => {
    const api = await server();
    const other = { kind: 'Table', apiVersion: 'meta.k8s.io/v1', rows: [] };
    api.faults.add({
      do: [
        { action: 'changeEvents', object: other, events: { name: 'a' } },
        {
          action: 'changeEvents',
          object: (object) => ({ ...object, data: { spoilt: 'yes' } }),
          events: { name: 'b' },
        },
      ],
    });
    const watch = await watching(api);
    for (const name of ['a', 'b', 'c']) await api.create(configMap(name, { n: name }));
    const lines = await watch.take(3);
    expect(lines[0]).toEqual({ type: 'ADDED', object: other });
    expect(lines[1]!.object).toMatchObject({ metadata: { name: 'b' }, data: { spoilt: 'yes' } });
    expect(lines[2]!.object.data).toEqual({ n: 'c' });
    watch.close();
  });

  it.each(['truncate', 'garble'] as const)('is no JSON, but a line still (%s)', async (how) => {
    const api = await server();
    api.faults.add({ do: { action: 'corrupt', how, events: { nth: 2, times: 1 } } });
    const response = await fetch(`${api.url}${configMaps}?watch=1&resourceVersion=${api.store.revision}`);
    while (api.watches.list().length === 0) await turn();
    for (const name of ['a', 'b', 'c']) await api.create(configMap(name));
    api.watches.cut({ how: 'end' });
    const lines = (await response.text()).split('\n');
    expect(lines).toHaveLength(4);
    expect(lines.map((line) => line.endsWith('}}'))).toEqual([true, how === 'garble', true, false]);
    expect(() => JSON.parse(lines[1]!) as unknown).toThrow(SyntaxError);
    expect((JSON.parse(lines[2]!) as { object: { metadata: { name: string } } }).object.metadata.name).toBe('c');
  });
});

describe('the end of the initial events', () => {
  const accepts = [
    'application/json',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  ];
  it.each(accepts)('comes without its mark: %s', async (accept) => {
    const api = await server();
    await api.create(configMap('a', {}, { annotations: { 'k8s.io/initial-events-end': 'true' } }));
    const query = '?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const open = (): Promise<WatchStream> => WatchStream.open(api.url, configMaps + query, { accept });
    const whole = await open();
    const fault = api.faults.add({ do: { action: 'omitInitialEventsEnd' } });
    const faulty = await open();
    for (const watch of [whole, faulty]) {
      const [added, bookmark] = await watch.take(2);
      expect([added!.type, bookmark!.type]).toEqual(['ADDED', 'BOOKMARK']);
      // An annotation that a user made is none of the stream's.
      expect(JSON.stringify(added)).toContain('initial-events-end');
      expect(JSON.stringify(bookmark).includes('initial-events-end')).toBe(watch === whole);
      expect(JSON.stringify(bookmark)).toContain(`"resourceVersion":"${api.store.revision}"`);
      watch.close();
    }
    expect(fault.hits).toBe(1);
  });
});

describe('a stream', () => {
  it('that ends among its initial events ends there, and the server lives on', async () => {
    const api = await server();
    for (let index = 0; index < 50; index++) await api.create(configMap(`c${index}`));
    for (const todo of [
      { action: 'endStream', afterEvents: 3 },
      { action: 'cut', afterBytes: 1_000 },
      { action: 'expire', afterEvents: 3 },
    ] as const) {
      const fault = api.faults.add({ do: todo });
      const watch = await WatchStream.open(api.url, `${configMaps}?watch=1&allowWatchBookmarks=1`);
      expect(await watch.ended()).toBe(todo.action === 'cut' ? 'ECONNRESET' : 'end');
      if (todo.action === 'endStream') expect(watch.lines).toHaveLength(3);
      if (todo.action === 'expire') expect(watch.lines.at(-1)!.type).toBe('ERROR');
      fault.remove();
      await api.activity.whenIdle();
    }
    expect((await call(api.url, 'GET', configMaps)).json.items).toHaveLength(50);
  });

  it('of other requests is none: faults of events leave them alone', async () => {
    const api = await server();
    const plain = (await call(api.url, 'GET', configMaps)).text;
    api.faults.add({
      do: [
        { action: 'dropEvents' },
        { action: 'duplicateEvents' },
        { action: 'reorderEvents' },
        { action: 'changeEvents', type: 'X' },
        { action: 'inject', line: 'x' },
        { action: 'omitInitialEventsEnd' },
        { action: 'delayEvents', ms: 100_000 },
        { action: 'endStream' },
      ],
    });
    expect((await call(api.url, 'GET', configMaps)).text).toBe(plain);
  });
});
