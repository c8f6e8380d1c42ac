import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApiServer } from '@nestjs-operator/apiserver';
import type { ApiServer, WatchCut } from '@nestjs-operator/apiserver';
import { createApiClient } from '../../../src/engine/client/create-api-client.js';
import type { ClosableApiClient } from '../../../src/engine/client/create-api-client.js';
import { defaultConfig } from '../../../src/engine/defaults.js';
import type { OperatorConfig } from '../../../src/engine/operator-config.js';
import { SystemClock } from '../../../src/engine/ports/index.js';
import { Reflector } from '../../../src/engine/watching/reflector.js';
import type { Resource } from '../../../src/engine/resource.js';
import { recordedLogs, storeRig } from './support.js';
import type { StoreRig } from './support.js';

const configMaps: Resource = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  singular: 'configmap',
  shortNames: ['cm'],
  categories: [],
  namespaced: true,
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  subresources: { status: false, scale: false },
};

let api: ApiServer;
let client: ClosableApiClient;
let rig: StoreRig;
let controller: AbortController;
let running: Promise<void>;
let reflector: Reflector;

beforeEach(async () => {
  api = await startApiServer();
});

afterEach(async () => {
  controller.abort(new Error('test over'));
  await running;
  await client.close();
  await api.close();
});

/** Real time, with waits short enough for a test. */
async function start(config: Partial<OperatorConfig['watching']> = {}): Promise<void> {
  const { logger } = recordedLogs();
  const clock = new SystemClock();
  const random = { next: () => 0 };
  client = createApiClient({ kubeConfig: api.kubeConfig(), config: defaultConfig.client, clock, random, logger });
  rig = storeRig({ resource: configMaps });
  controller = new AbortController();
  const backoff = { initial: 5, factor: 2, cap: 40, reset: 120_000 };
  reflector = new Reflector({
    client,
    resource: configMaps,
    namespace: undefined,
    store: rig.store,
    config: { ...defaultConfig.watching, backoff, ...config },
    clock,
    random,
    logger,
    resolveKind: () => Promise.resolve('served'),
  });
  running = reflector.run(controller.signal);
  await Promise.race([reflector.synced, running]);
  rig.news();
}

async function put(name: string, value: string): Promise<void> {
  const metadata = { name, namespace: 'default' };
  await api.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value } });
}

async function remove(name: string): Promise<void> {
  await api.delete({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'default' });
}

async function truth(): Promise<string[]> {
  const objects = await api.list({ apiVersion: 'v1', kind: 'ConfigMap' });
  return objects
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}@${metadata.resourceVersion} ${metadata.uid}`)
    .toSorted();
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(2);
}

async function converged(): Promise<void> {
  await until(async () => JSON.stringify(rig.content()) === JSON.stringify(await truth()));
  expect(rig.content()).toEqual(await truth());
}

const restarts = (): number => Object.values(reflector.health.restarts).reduce((sum, count) => sum + count, 0);
const lists = (): number => api.requests.filter(({ verb }) => verb === 'list').length;

describe.each([
  ['WatchList', true],
  ['pages', false],
])('first list by %s', (_, watchList) => {
  it('shows everything there is, and then follows', async () => {
    for (let index = 0; index < 30; index++) await put(`n${index}`, 'x');
    await start({ watchList, pageSize: 7 });
    expect(rig.content()).toEqual(await truth());
    expect(rig.changes.every((change) => change.type === 'added' && change.initial)).toBe(true);
    expect(lists()).toBe(watchList ? 0 : 5);
    await put('n3', 'y');
    await put('new', 'z');
    await remove('n5');
    await converged();
    expect(rig.news()).toHaveLength(3);
  });
});

it.each(['end', 'reset', 'midline'] as WatchCut[])(
  'comes back after a stream broken by %s: no list, each change once',
  async (how) => {
    await start();
    await put('a', '0');
    await put('b', '0');
    await converged();
    rig.news();
    for (let round = 1; round <= 6; round++) {
      const before = restarts();
      api.watches.cut({ how });
      await until(() => restarts() > before);
      await put('a', String(round));
      await converged();
      expect(rig.news()).toHaveLength(1);
      await until(() => api.watches.list().length === 1);
    }
    expect(lists()).toBe(0);
    expect(reflector.health).toMatchObject({ state: 'watching' });
  },
);

it('comes back after the server was away', async () => {
  await start();
  await put('a', '0');
  await converged();
  await api.faults.refuseConnections(true);
  await until(() => reflector.health.state === 'degraded');
  await put('a', '1');
  await pause(50);
  api.faults.add({ match: { verb: 'watch', times: 2 }, do: { action: 'answer', status: 502 } });
  await api.faults.refuseConnections(false);
  await converged();
  expect(lists()).toBe(0);
});

it('notices a stalled connection by its silence', async () => {
  await start({ silence: 150 });
  api.watches.cut({ how: 'stall' });
  await put('a', '1');
  await converged();
  expect(reflector.health.restarts.silent).toBeGreaterThan(0);
});

it('does not condemn a stream because the event loop was blocked', async () => {
  await api.close();
  api = await startApiServer({ bookmarkInterval: 50 });
  await start({ silence: 300 });
  for (let round = 0; round < 4; round++) {
    const heard = reflector.health.lastFrameAt;
    await until(() => reflector.health.lastFrameAt !== heard);
    const blockedUntil = performance.now() + 400;
    while (performance.now() < blockedUntil);
  }
  await put('a', '1');
  await converged();
  expect(reflector.health.restarts).toEqual({});
});

it('lists anew after compaction, and yields what vanished meanwhile', async () => {
  for (const name of ['a', 'b', 'c']) await put(name, '0');
  await start({ watchList: false });
  await api.faults.refuseConnections(true);
  await until(() => reflector.health.state === 'degraded');
  await put('b', '1');
  await remove('c');
  api.compact();
  await api.faults.refuseConnections(false);
  await converged();
  expect(rig.news().map((change) => change.split('@')[0])).toEqual(['modified default/b', 'removed default/c']);
  expect(reflector.health.restarts.gone).toBe(1);
});

it.each([true, false])('follows a server whose history was set back (WatchList: %s)', async (watchList) => {
  await put('a', '0');
  const snapshot = api.snapshot();
  await start({ watchList, silence: 100 });
  for (let round = 0; round < 10; round++) await put('a', `later ${round}`);
  await put('lost', '0');
  await converged();
  api.restore(snapshot);
  await converged();
  await put('a', 'second history');
  await converged();
});

it('takes no older list for the newest', async () => {
  await put('a', '0');
  const items = await api.list({ apiVersion: 'v1', kind: 'ConfigMap' });
  const metadata = { resourceVersion: String(api.store.revision) };
  const body = { kind: 'ConfigMapList', apiVersion: 'v1', metadata, items };
  await start({ watchList: false });
  await put('b', '0');
  await converged();
  rig.news();
  api.faults.add({ match: { verb: 'list', times: 1 }, do: { action: 'answer', status: 200, body } });
  api.watches.inject('{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}');
  await until(() => lists() === 3);
  await put('c', '0');
  await converged();
  expect(rig.news().map((change) => change.split('@')[0])).toEqual(['added default/c']);
});

it.each([1, 7, 4_096])('reads long lines and odd characters in chunks of %i bytes without a change', async (bytes) => {
  const odd = '👩‍🚀 é שלום \u2028 \u2029 \uFEFF \u0085 \\ "';
  const long = 'ö'.repeat({ 1: 20_000, 7: 100_000 }[bytes] ?? 450_000);
  await put('first', odd + long);
  api.faults.add({ match: { resource: 'configmaps' }, do: { action: 'rechunk', bytes } });
  await start();
  await put('second', odd + long);
  await converged();
  for (const name of ['first', 'second']) {
    expect(rig.store.get(`default/${name}`)?.['data']).toEqual({ value: odd + long });
  }
});

it('ends equal to the server whatever is done to its connections', async () => {
  let state = 7;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
  await start({ silence: 200, pageSize: 3 });
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  for (let round = 0; round < 300; round++) {
    const name = names[below(names.length)]!;
    if (below(4) === 0 && (await api.get({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace: 'default' })))
      await remove(name);
    else await put(name, String(round));
    const dice = below(40);
    if (dice < 3) {
      api.watches.cut({ how: (['end', 'reset', 'midline'] as const)[dice]! });
      // The reset that follows half a line comes a turn later; an event in between would make it a broken one.
      await pause(1);
    } else if (dice === 3) api.watches.cut({ how: 'stall' });
    else if (dice === 4) api.compact();
    else if (dice === 5)
      api.faults.add({ match: { verb: ['list', 'watch'], times: 2 }, do: { action: 'answer', status: 500 } });
    else if (dice === 6)
      api.faults.add({ match: { verb: ['list', 'watch'], times: 1 }, do: { action: 'cut', afterBytes: below(2_000) } });
    else if (dice === 7)
      api.faults.add({ match: { verb: ['list', 'watch'], times: 1 }, do: { action: 'reset', when: 'afterHeaders' } });
    else if (dice < 20) await pause(below(4));
  }
  api.faults.clear();
  await converged();
  expect(api.watches.list().length).toBeLessThanOrEqual(1);
});
