import { existsSync, fstatSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CorruptStateFileError, StateFileInUseError, type ApiServer, type JsonObject } from '../../src/index.js';
import type { KubeObject } from '../../src/json.js';
import { StateFile } from '../../src/store/state-file.js';
import { Store } from '../../src/store/store.js';
import { configMap, configMaps, server, widget, widgetDefinition, widgets } from '../support/fixtures.js';
import { call, WatchStream } from '../support/http.js';
import { seeded } from '../support/seeded.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'apiserver-state-'));
  path = join(folder, 'state.jsonl');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fail = (error: unknown): never => {
  throw error;
};

/** Everything that can be seen of a store. */
function seen(store: Store): unknown {
  const resources = store.resources().filter((resource) => store.count(resource) > 0);
  return JSON.parse(
    JSON.stringify({
      revision: store.revision,
      compacted: store.compactedRevision,
      objects: resources.toSorted().map((resource) => [resource, store.list(resource)]),
      events: store
        .resources()
        .toSorted()
        .map((resource) => store.eventsSince(resource, store.compactedRevision)),
    }),
  );
}

const thing = (name: string, value: unknown): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Thing', metadata: { name }, value }) as KubeObject;

/** A store in a file, after so many writes at random. */
function randomStore(seed: number, writes: number, historySize = 1_000): { store: Store; file: StateFile } {
  const { file } = StateFile.open(path, fail);
  const store = new Store(historySize);
  const random = seeded(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  for (let index = 0; index < 5; index++) store.put('g/things', `before/${index}`, thing(`${index}`, index));
  store.compact();
  store.keepIn(file);
  for (let index = 0; index < writes; index++) {
    const resource = `g/${['things', 'others'][below(2)]}`;
    const key = `ns${below(3)}/n${below(10)}`;
    if (below(3) === 0 && store.get(resource, key) !== undefined) store.remove(resource, key);
    else store.put(resource, key, thing(key.split('/')[1]!, `${index} \u2028 ü`));
    if (below(40) === 0) store.compact(store.compactedRevision + below(store.revision - store.compactedRevision));
  }
  return { store, file };
}

function reopened(): Store {
  const { file, state } = StateFile.open(path, fail);
  const store = new Store(1_000);
  try {
    store.keepIn(file, state);
    return store;
  } finally {
    file.close();
  }
}

describe('a state file', () => {
  it.each([1, 2, 3])('gives back revision, objects and history after any writes (seed %i)', (seed) => {
    const { store, file } = randomStore(seed, 400);
    file.close();
    expect(seen(reopened())).toEqual(seen(store));
    // A second time, from what the first reading left.
    expect(seen(reopened())).toEqual(seen(store));
  });

  it('is written anew before it grows beyond bounds, and says the same', () => {
    const { store, file } = randomStore(4, 300);
    const bound = (): number => 2 * (store.count('g/things') + store.count('g/others') + 400) + 1_000;
    for (let index = 0; index < 20_000; index++) {
      store.put('g/things', 'ns/a', thing('a', index));
      if (index % 200 === 0) store.compact();
    }
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.length).toBeLessThan(bound());
    file.close();
    expect(seen(reopened())).toEqual(seen(store));
    expect(existsSync(`${path}.new`)).toBe(false);
  });

  it('follows a store that goes back to a snapshot', () => {
    const { store, file } = randomStore(5, 50);
    const snapshot = store.snapshot();
    const before = seen(store);
    for (let index = 0; index < 10; index++) store.put('g/things', `ns/${index}`, thing(`${index}`, index));
    store.restore(snapshot);
    store.put('g/things', 'ns/after', thing('after', 1));
    file.close();
    expect(seen(reopened())).toEqual(seen(store));
    expect(seen(store)).not.toEqual(before);
  });

  it('keeps numbers that no double holds, names that are special, and deep values', () => {
    const { file } = StateFile.open(path, fail);
    const store = new Store(100);
    const text = `{"apiVersion":"v1","kind":"Thing","metadata":{"name":"a"},"big":${'{"a":'.repeat(450)}12345678901234567890${'}'.repeat(450)}}`;
    store.keepIn(file);
    const object = JSON.parse(text, (_key, value, context?: { source?: string }) =>
      context?.source === '12345678901234567890'
        ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(context.source)
        : (value as unknown),
    ) as KubeObject;
    Object.defineProperty(object, '__proto__', { value: { x: 1 }, enumerable: true });
    store.put('g/things', 'a', object);
    file.close();
    const read = reopened().get('g/things', 'a')!;
    expect(JSON.stringify(read)).toBe(JSON.stringify(store.get('g/things', 'a')));
    expect(JSON.stringify(read)).toContain('12345678901234567890');
    expect(Object.hasOwn(read, '__proto__')).toBe(true);
  });

  it('is read whole however the last write was torn: all that was written before counts', () => {
    const { store, file } = randomStore(6, 12);
    const states = new Map<number, unknown>();
    for (let index = 0; index < 3; index++) {
      states.set(statSync(path).size, seen(store));
      if (index === 1) store.remove('g/things', 'ns/0');
      else store.put('g/things', `ns/${index}`, thing(`${index}`, 'é'.repeat(5)));
    }
    states.set(statSync(path).size, seen(store));
    file.close();
    const whole = readFileSync(path);
    const [first] = states.keys();
    const last = [...states.keys()].at(-2)!;
    for (let size = first!; size <= whole.length; size += size < last ? 7 : 1) {
      // What a machine that went down leaves of a write: less of it, or zeros in its place.
      for (const rest of size % 4 === 0 ? ['', '\0\0\0\0'] : ['']) {
        writeFileSync(path, Buffer.concat([whole.subarray(0, size), Buffer.from(rest)]));
        const kept = [...states.keys()].filter((each) => each <= size).at(-1)!;
        expect(seen(reopened()), `cut at ${size}`).toEqual(states.get(kept));
        expect(statSync(path).size).toBe(kept);
      }
    }
  });

  it('goes on after a torn write as if it had never begun', () => {
    const { store, file } = randomStore(7, 20);
    file.close();
    writeFileSync(path, '{"revision":99,"type":"ADD', { flag: 'a' });
    const again = StateFile.open(path, fail);
    const next = new Store(1_000);
    next.keepIn(again.file, again.state);
    next.put('g/things', 'ns/next', thing('next', 1));
    again.file.close();
    const last = reopened();
    expect(last.revision).toBe(store.revision + 1);
    expect(seen(last)).toEqual(seen(next));
  });

  it.each<[string, (lines: string[]) => void, number, string]>([
    ['a line is no JSON', (lines) => (lines[8] = '{"revision":'), 9, 'it is no JSON'],
    ['a line is no object', (lines) => (lines[8] = '[]'), 9, 'it is no JSON object'],
    ['a line is missing', (lines) => lines.splice(8, 1), 9, 'revision 10 follows 8'],
    ['a line is there twice', (lines) => lines.splice(8, 0, lines[7]!), 9, 'revision 8 follows 8'],
    ['an object is missing', (lines) => lines.splice(2, 1), 6, 'an event comes while 1 objects are missing'],
    ['it is of another program', (lines) => (lines[0] = '{"hello":1}'), 1, 'it does not begin a state file'],
    [
      'it is of another version',
      (lines) => (lines[0] = lines[0]!.replace('"version":1', '"version":2')),
      1,
      'it has version 2 of the format, and this server reads 1',
    ],
    [
      'an event is about an object that cannot be',
      (lines) => (lines[8] = lines[8]!.replace(/"key":"[^"]*"/, '"key":"ns9/n9"').replace('ADDED', 'MODIFIED')),
      9,
      'an event MODIFIED of an object that is absent',
    ],
    [
      'an event has no object',
      (lines) => (lines[8] = '{"revision":9,"type":"ADDED","resource":"x/y","key":"z"}'),
      9,
      'it carries no object',
    ],
  ])('says what is wrong and where when %s', (_, damage, line, problem) => {
    const { file } = randomStore(8, 30);
    file.close();
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    damage(lines);
    const text = `${lines.join('\n')}\n`;
    writeFileSync(path, text);
    let error: unknown;
    try {
      reopened();
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(CorruptStateFileError);
    const { code, line: at, offset, message } = error as CorruptStateFileError;
    expect([code, at]).toEqual(['APISERVER_CORRUPT_STATE_FILE', line]);
    expect(offset).toBe(Buffer.byteLength(lines.slice(0, line - 1).join('\n')) + (line > 1 ? 1 : 0));
    expect(message).toMatch(new RegExp(`${path}.*line ${line}, which begins at byte ${offset}: (${problem})`));
    // Nothing was changed, and the lock is free.
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('is not taken for one when it is something else', () => {
    for (const text of ['dear diary', 'dear diary\n', '\n']) {
      writeFileSync(path, text);
      expect(() => StateFile.open(path, fail)).toThrow(CorruptStateFileError);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });

  it('that ends among its objects is not whole: it was cut', () => {
    const { file } = randomStore(9, 5);
    file.close();
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, `${lines.slice(0, 4).join('\n')}\n`);
    expect(() => StateFile.open(path, fail)).toThrow(/line 5.*2 objects are missing/);
  });

  it('serves one server at a time, and the next one after it, or after its end', () => {
    const { file } = randomStore(10, 5);
    expect(() => StateFile.open(path, fail)).toThrow(StateFileInUseError);
    file.close();
    // Process 1 lives, and is not ours; no process has the other number.
    writeFileSync(`${path}.lock`, '1\n');
    expect(() => StateFile.open(path, fail)).toThrow(
      expect.objectContaining({ code: 'APISERVER_STATE_FILE_IN_USE', pid: 1 }) as Error,
    );
    for (const left of ['4194999\n', '']) {
      writeFileSync(`${path}.lock`, left);
      StateFile.open(path, fail).file.close();
      expect(existsSync(`${path}.lock`)).toBe(false);
    }
  });

  it('leaves what a rename left behind', () => {
    writeFileSync(`${path}.new`, 'half a state');
    const { store, file } = randomStore(11, 5);
    file.close();
    expect(seen(reopened())).toEqual(seen(store));
    expect(existsSync(`${path}.new`)).toBe(false);
  });
});

describe('a write that does not reach the file', () => {
  it('does not take effect, and what was there stays whole', () => {
    const { store, file } = randomStore(12, 20);
    const before = seen(store);
    const told: number[] = [];
    store.subscribe(({ revision }) => told.push(revision));
    // The file's own handle is closed under it, as no disk can be filled here.
    file.close();
    expect(() => store.put('g/things', 'ns/x', thing('x', 1))).toThrow(
      expect.objectContaining({ code: 'APISERVER_STATE_FILE_WRITE' }) as Error,
    );
    expect(() => store.remove('g/things', 'before/0')).toThrow(/cannot be written/);
    expect([seen(store), told]).toEqual([before, []]);
    expect(seen(reopened())).toEqual(before);
  });
});

describe('a server with a state file', () => {
  const start = (more: object = {}): Promise<ApiServer> => server({ stateFile: path, ...more });

  it('goes on where it ended: same objects, revisions, history, definitions', async () => {
    const first = await start();
    await first.create(configMap('a', { n: '1' }));
    const then = first.store.revision;
    await call(first.url, 'POST', widgets, { body: widget('w') });
    await first.patch({ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }, { data: { n: '2' } });
    await first.create(configMap('gone'));
    await first.delete({ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone' });
    const list = (await call(first.url, 'GET', configMaps)).text;
    const custom = (await call(first.url, 'GET', widgets)).text;
    await first.close();

    const second = await start();
    expect((await call(second.url, 'GET', configMaps)).text).toBe(list);
    expect((await call(second.url, 'GET', widgets)).text).toBe(custom);
    const old = await call(second.url, 'GET', `${configMaps}?resourceVersion=${then}&resourceVersionMatch=Exact`);
    expect(old.json.items[0].data.n).toBe('1');
    const watch = await WatchStream.open(second.url, `${configMaps}?watch=1&resourceVersion=${then}`);
    expect((await watch.take(3)).map(({ type }) => type)).toEqual(['MODIFIED', 'ADDED', 'DELETED']);
    watch.close();
    const next = await call(second.url, 'POST', configMaps, { body: configMap('b') });
    expect(Number(next.json.metadata.resourceVersion)).toBe(Number(JSON.parse(list).metadata.resourceVersion) + 1);
  });

  it('does not bring back objects that were deleted, and brings its definitions up to date', async () => {
    const objects = [configMap('a', { n: '1' }), configMap('b')];
    const first = await start({ objects });
    await first.delete({ apiVersion: 'v1', kind: 'ConfigMap', name: 'a' });
    await first.delete({ apiVersion: 'v1', kind: 'Namespace', name: 'kube-node-lease' });
    await first.activity.whenIdle();
    const before = first.store.revision;
    await first.close();

    const same = await start({ objects });
    expect(same.store.revision).toBe(before);
    expect((await same.list({ apiVersion: 'v1', kind: 'ConfigMap' })).map(({ metadata }) => metadata.name)).toEqual([
      'b',
    ]);
    expect(await same.get({ apiVersion: 'v1', kind: 'Namespace', name: 'kube-node-lease' })).toBeUndefined();
    await same.close();

    const changed = structuredClone(widgetDefinition) as JsonObject & { spec: { names: { shortNames: string[] } } };
    changed.spec.names.shortNames = ['wdg'];
    const other = structuredClone(widgetDefinition) as JsonObject & {
      metadata: { name: string };
      spec: { names: object };
    };
    other.metadata.name = 'gadgets.example.com';
    other.spec.names = { plural: 'gadgets', kind: 'Gadget' };
    const renewed = await start({ crds: [changed, other] });
    const names = (await call(renewed.url, 'GET', '/apis/example.com/v1')).json.resources as {
      name: string;
      shortNames?: string[];
    }[];
    expect(names.find(({ name }) => name === 'widgets')!.shortNames).toEqual(['wdg']);
    expect(names.some(({ name }) => name === 'gadgets')).toBe(true);
  });

  it('finishes what its controllers had begun', async () => {
    const first = await start({ namespaceController: false, gc: false });
    await first.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    const owner = await first.create(configMap('owner'));
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid! };
    await first.create(configMap('child', {}, { ownerReferences: [reference] }));
    await first.create(configMap('in-team', {}, { namespace: 'team' }));
    await first.delete({ apiVersion: 'v1', kind: 'Namespace', name: 'team' });
    await first.delete({ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner' });
    await first.close();
    const second = await start();
    await second.waitFor(
      async () => (await second.get({ apiVersion: 'v1', kind: 'Namespace', name: 'team' })) === undefined,
    );
    await second.waitFor(
      async () => (await second.get({ apiVersion: 'v1', kind: 'ConfigMap', name: 'child' })) === undefined,
    );
    expect(second.store.count('/configmaps')).toBe(0);
  });

  it('begins anew when its start failed half-way', async () => {
    await expect(start({ objects: [widget('a', { spec: { size: 99 } })] })).rejects.toThrow(/is refused/);
    const api = await start({ objects: [widget('a')] });
    expect(await api.list({ apiVersion: 'example.com/v1', kind: 'Widget' })).toHaveLength(1);
  });

  it('keeps others away until it is closed, and is gone from the file then', async () => {
    const first = await start();
    await expect(start()).rejects.toBeInstanceOf(StateFileInUseError);
    await first.close();
    await (await start()).close();
    expect(existsSync(`${path}.lock`)).toBe(false);
    // No handle of the file is left open.
    expect(() => fstatSync(2 ** 20)).toThrow('EBADF');
  });

  it('answers 500 to a write that the file does not take, and to that alone', async () => {
    const bugs: unknown[] = [];
    const api = await start({ onInternalError: (error: unknown) => bugs.push(error) });
    await api.create(configMap('a'));
    const { append } = StateFile.prototype;
    StateFile.prototype.append = () => fail(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    try {
      const answer = await call(api.url, 'POST', configMaps, { body: configMap('b') });
      expect([answer.status, answer.json.reason]).toEqual([500, 'InternalError']);
    } finally {
      StateFile.prototype.append = append;
    }
    expect(bugs).toHaveLength(1);
    expect((await call(api.url, 'GET', configMaps)).json.items).toHaveLength(1);
    expect((await call(api.url, 'POST', configMaps, { body: configMap('b') })).status).toBe(201);
  });
});
