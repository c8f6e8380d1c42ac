import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SyncTimeoutError } from '../../../src/errors/sync-timeout.error.js';
import { WatchesRefusedError } from '../../../src/errors/watches-refused.error.js';
import type { WatchHealth, WatchTrouble } from '../../../src/engine/watching/watch-health.js';
import { WatchGuard } from '../../../src/engine/watching/watch-guard.js';
import type { GuardedWatch, WatchGuardOptions } from '../../../src/engine/watching/watch-guard.js';
import { FakeClock, settle } from './fake-clock.js';
import { watchingConfig } from './support.js';

class FakeWatch implements GuardedWatch {
  readonly resource: GuardedWatch['resource'];
  health: WatchHealth = {
    state: 'listing',
    since: 0,
    cause: undefined,
    synced: false,
    lastFrameAt: undefined,
    degradedSince: undefined,
    restarts: {},
    lastStatus: undefined,
    lastVerb: undefined,
  };
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly namespace: string | undefined,
    plural = 'widgets',
  ) {
    this.resource = { plural, version: 'v1', group: 'demo.example' };
  }

  get listenerCount(): number {
    return this.listeners.size;
  }

  onHealthChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  set(health: Partial<WatchHealth>): this {
    this.health = { ...this.health, cause: undefined, ...health };
    for (const listener of this.listeners) listener();
    return this;
  }

  sync(): this {
    return this.set({ state: 'watching', synced: true, lastStatus: 200, lastVerb: 'watch' });
  }

  fail(kind: WatchTrouble['kind'], status?: number): this {
    const cause: WatchTrouble = { kind, verb: 'list', status, message: `scripted ${kind}` };
    return this.set({ state: 'degraded', cause, lastStatus: status, lastVerb: 'list' });
  }
}

let clock: FakeClock;
let outcome: unknown;
let controller: AbortController;
let all: FakeWatch[];

function guard(watches: FakeWatch[], config: Partial<WatchGuardOptions['config']> = {}): WatchGuard {
  const made = new WatchGuard({ config: { ...watchingConfig, ...config }, clock });
  all = watches;
  for (const watch of watches) made.add(watch);
  made.run(controller.signal).then(
    () => (outcome = 'stopped'),
    (error: unknown) => (outcome = error),
  );
  return made;
}

beforeEach(() => {
  clock = new FakeClock();
  controller = new AbortController();
  outcome = undefined;
});

afterEach(async () => {
  controller.abort();
  await settle();
  expect(outcome).toBeDefined();
  expect(clock.pending).toBe(0);
  expect(all.map((watch) => watch.listenerCount)).toEqual(all.map(() => 0));
});

describe('first sync', () => {
  it('not reached in syncTimeout is unrecoverable, with a table of what is missing', async () => {
    const widgets = new FakeWatch(undefined).fail('refused', 403);
    const gadgets = new FakeWatch('team-a', 'gadgets').set({ state: 'kind-gone', lastStatus: 404, lastVerb: 'list' });
    const things = new FakeWatch('team-a', 'things').fail('network');
    guard([widgets, gadgets, things, new FakeWatch(undefined, 'others').sync()]);
    await clock.advance(119_999);
    expect(outcome).toBeUndefined();
    await clock.advance(1);
    expect(outcome).toBeInstanceOf(SyncTimeoutError);
    const { message } = outcome as SyncTimeoutError;
    expect(message.split('\n')).toEqual([
      'Not in sync 120 s after the start (watching.syncTimeout):',
      '  RESOURCE                 NAMESPACE  VERB  STATUS  MISSING',
      '  widgets.v1.demo.example  (all)      list  403     rule { apiGroups: ["demo.example"], resources: ["widgets"], verbs: ["list", "watch"] } in a ClusterRole',
      '  gadgets.v1.demo.example  team-a     list  404     CustomResourceDefinition gadgets.demo.example',
      '  things.v1.demo.example   team-a     list  -       scripted network',
    ]);
  });

  it('missed by one namespace among several degrades that one only', async () => {
    guard([new FakeWatch('n1').sync(), new FakeWatch('n2').fail('refused', 403)]);
    await clock.advance(600_000);
    expect(outcome).toBeUndefined();
  });

  it('missed by all namespaces of one resource is unrecoverable, though other resources are in sync', async () => {
    guard([
      new FakeWatch('n1').fail('refused', 403),
      new FakeWatch('n2').fail('refused', 403),
      new FakeWatch('n1', 'gadgets').sync(),
    ]);
    await clock.advance(120_000);
    expect((outcome as SyncTimeoutError).watches.map(({ namespace }) => namespace)).toEqual(['n1', 'n2']);
  });

  it('may wait for a kind that is absent, but no longer than syncTimeout once it is there', async () => {
    const watch = new FakeWatch(undefined).set({ state: 'kind-gone' });
    guard([watch], { missingKind: 'wait' });
    await clock.advance(600_000);
    expect(outcome).toBeUndefined();
    watch.set({ state: 'listing' });
    await clock.advance(119_000);
    expect(outcome).toBeUndefined();
    await clock.advance(1_000);
    expect(outcome).toBeInstanceOf(SyncTimeoutError);
  });

  it('is expected of a watch that comes later from when it comes', async () => {
    const made = guard([new FakeWatch(undefined).sync()]);
    await clock.advance(300_000);
    const late = new FakeWatch(undefined, 'late');
    all.push(late);
    made.add(late);
    await clock.advance(119_000);
    expect(outcome).toBeUndefined();
    const letGo = new FakeWatch(undefined, 'short-lived');
    made.add(letGo)();
    expect(letGo.listenerCount).toBe(0);
    await clock.advance(1_000);
    expect((outcome as SyncTimeoutError).watches).toHaveLength(1);
  });
});

describe('refusals after the first sync', () => {
  it('of all watches for failAfter are unrecoverable', async () => {
    guard([new FakeWatch('n1').sync().fail('refused', 403), new FakeWatch('n2').sync().fail('refused', 401)]);
    await clock.advance(299_999);
    expect(outcome).toBeUndefined();
    await clock.advance(1);
    expect(outcome).toBeInstanceOf(WatchesRefusedError);
    expect((outcome as Error).message).toBe(
      [
        'No watch was in sync for 300 s (watching.failAfter), because all are refused:',
        '  list of widgets.v1.demo.example in namespace n1 (403), missing: rule { apiGroups: ["demo.example"], resources: ["widgets"], verbs: ["list", "watch"] } in a Role in namespace n1',
        '  list of widgets.v1.demo.example in namespace n2 (401), missing: credentials that the server accepts',
      ].join('\n'),
    );
  });

  it('of an operator that was never in sync are left to syncTimeout', async () => {
    guard([new FakeWatch(undefined).fail('refused', 403)], { syncTimeout: 3_600_000 });
    await clock.advance(3_599_999);
    expect(outcome).toBeUndefined();
    await clock.advance(1);
    expect(outcome).toBeInstanceOf(SyncTimeoutError);
  });

  it('are forgotten as soon as one watch is in sync', async () => {
    const watch = new FakeWatch('n1').sync().fail('refused', 403);
    guard([watch, new FakeWatch('n2').sync().fail('refused', 403)]);
    await clock.advance(299_000);
    watch.sync();
    await clock.advance(600_000);
    watch.fail('refused', 403);
    await clock.advance(299_999);
    expect(outcome).toBeUndefined();
    await clock.advance(1);
    expect(outcome).toBeInstanceOf(WatchesRefusedError);
  });

  it('are no matter while any watch is in sync', async () => {
    guard([new FakeWatch('n1').sync(), new FakeWatch('n2').sync().fail('refused', 403)]);
    await clock.advance(3_600_000);
    expect(outcome).toBeUndefined();
  });

  it('do not add up with network trouble, however long', async () => {
    const watch = new FakeWatch(undefined).sync().fail('refused', 403);
    guard([watch]);
    await clock.advance(200_000);
    watch.fail('network');
    await clock.advance(3_600_000);
    expect(outcome).toBeUndefined();
    watch.fail('server', 503);
    await clock.advance(3_600_000);
    expect(outcome).toBeUndefined();
    watch.fail('refused', 403);
    await clock.advance(99_999);
    expect(outcome).toBeUndefined();
    await clock.advance(1);
    expect(outcome).toBeInstanceOf(WatchesRefusedError);
  });

  it('do not count a kind that is gone as a watch that is not in sync', async () => {
    guard([new FakeWatch(undefined).sync().set({ state: 'kind-gone' })]);
    await clock.advance(3_600_000);
    expect(outcome).toBeUndefined();
  });

  it("of one watch end it at once with onForbidden: 'exit', those before the first sync do not", async () => {
    const fresh = new FakeWatch('n2').fail('refused', 403);
    const watch = new FakeWatch('n1').sync();
    guard([watch, fresh], { onForbidden: 'exit' });
    await clock.advance(10_000);
    expect(outcome).toBeUndefined();
    watch.fail('refused', 403);
    await settle();
    expect(outcome).toBeInstanceOf(WatchesRefusedError);
    expect((outcome as Error).message).not.toContain('n2');
  });
});
