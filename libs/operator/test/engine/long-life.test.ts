import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startApiServer, type ApiServer } from '@nestjs-operator/apiserver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AbortScope } from '../../src/engine/client/abort-scope.js';
import { ObjectMemory } from '../../src/engine/processing/object-memory.js';
import { engineRig, widgetDefinition, widgetType, type EngineRig } from './engine-rig.js';
import { on } from './processing/rig.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const names = 10;
/** Per name: creation, update and deletion. */
const rounds = 60;
const cuts = 90;

const NativeController = globalThis.AbortController;
let signals: WeakRef<AbortSignal>[];
let server: ApiServer;
let rig: EngineRig;

beforeEach(async () => {
  signals = [];
  globalThis.AbortController = class extends NativeController {
    constructor() {
      super();
      signals.push(new WeakRef(this.signal));
    }
  };
  // A history as short as what it must hold: what the server keeps is not to be taken for the operator's.
  server = await startApiServer({ crds: [widgetDefinition], historySize: 200, eventTtl: 1_000 });
});

afterEach(async () => {
  await rig.engine.stop();
  await rig.close();
  await server.close();
  globalThis.AbortController = NativeController;
});

/** What an operator holds on to while it has nothing to do. */
interface Held {
  /** Per signal that is alive, without those that nobody listens to. */
  readonly listeners: readonly number[];
  readonly timers: number;
  readonly memories: number;
  readonly scopes: number;
  readonly maps: number;
  readonly sets: number;
  readonly controllers: number;
  readonly promises: number;
  readonly errors: number;
  readonly heap: number;
}

async function held(): Promise<Held> {
  while (rig.engine.getStatus().due > 0 || server.watches.list({ resource: 'widgets' }).length === 0) await pause(5);
  // What the server keeps is not the operator's: requests, its history and the frames made of it.
  server.requests.clear();
  server.compact();
  // Connections are given back, and weak references let go of, in later turns of the event loop.
  for (let turn = 0; turn < 5; turn += 1) {
    await pause(10);
    collectGarbage();
  }
  signals = signals.filter((signal) => signal.deref() !== undefined);
  const count = (constructor: new (...none: never[]) => object): number =>
    queryObjects(constructor, { format: 'count' });
  return {
    listeners: signals
      .map((signal) => getEventListeners(signal.deref() as AbortSignal, 'abort').length)
      .filter((listeners) => listeners > 0)
      .toSorted((a, b) => a - b),
    timers: rig.clock.pending.size,
    memories: count(ObjectMemory),
    scopes: count(AbortScope),
    maps: count(Map),
    sets: count(Set),
    controllers: count(NativeController),
    promises: count(Promise),
    errors: count(Error),
    heap: process.memoryUsage().heapUsed,
  };
}

/** Objects come, change and go, some of them while their handlers run, some when all is done. */
async function live(name: string): Promise<void> {
  const metadata = { name, namespace: 'default' };
  const present = async (): Promise<Awaited<ReturnType<ApiServer['list']>>[number] | undefined> =>
    (await server.list(widgetType)).find((widget) => widget.metadata.name === name);
  for (let round = 0; round < rounds; round += 1) {
    await server.apply({ ...widgetType, metadata, spec: { size: round } });
    if (round % 3 !== 0) while ((await present())?.['status'] === undefined) await pause(1);
    await server.apply({ ...widgetType, metadata, spec: { size: -round } });
    if (round % 5 === 0) await pause(1);
    await server.delete({ ...widgetType, ...metadata });
    while ((await present()) !== undefined) await pause(1);
  }
}

const churn = (): Promise<unknown> => Promise.all(Array.from({ length: names }, (_, n) => live(`w${n}`)));

async function reconnect(): Promise<void> {
  const ways = ['end', 'reset', 'midline'] as const;
  for (let cut = 0; cut < cuts; cut += 1) {
    while (server.watches.list({ resource: 'widgets' }).length === 0) await pause(1);
    server.watches.cut({ how: ways[cut % ways.length] ?? 'end', resource: 'widgets' });
  }
}

describe('an operator that has lived long', () => {
  it('holds no more than a young one: listeners, timers, what it remembers of objects and requests', async () => {
    let calls = 0;
    rig = engineRig({
      server,
      handlers: {
        ensure: [on.create(), on.update()],
        seen: [on.event()],
        level: [on.reconcile()],
        remove: [on.delete()],
      },
      invoke: (handler, context) => {
        calls += 1;
        if (handler !== 'ensure') return undefined;
        context.memo.set('call', calls);
        context.event({ reason: 'Called', message: 'once more' });
        if (calls % 97 === 0) throw new Error('now and then');
        return { size: calls };
      },
      config: { retry: { initial: 20, factor: 2, cap: 100, jitter: 0 } },
    });
    await rig.engine.start();
    await rig.engine.whenSynced();
    // Whatever is made at the first time of everything counts as young.
    await churn();
    await reconnect();
    const young = await held();
    expect(young).toMatchObject({ memories: 0 });
    await churn();
    await reconnect();
    const old = await held();
    const errors = rig.records.filter(({ level }) => level === 'error').map(({ message }) => message);
    expect(new Set(errors)).toEqual(new Set(['Handler failed and will be called again']));
    const exact = ({ listeners, timers, memories, scopes }: Held): unknown => ({ listeners, timers, memories, scopes });
    expect(exact(old)).toEqual(exact(young));
    // The server in this process, undici and the test itself hold some that come and go; a leak would be one per round.
    for (const kind of ['maps', 'sets', 'controllers', 'promises', 'errors'] as const) {
      expect(old[kind], kind).toBeLessThan(young[kind] + cuts / 2);
    }
    expect(old.heap - young.heap, 'bytes').toBeLessThan(1_000_000);
  }, 180_000);
});
