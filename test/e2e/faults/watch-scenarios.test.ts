import 'reflect-metadata';
import type { RequestRecord } from '@nestjs-operator/apiserver';
import { HandlerContext, OnWatchEvent, ResourceHandlers } from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import type { EmbeddedWorld } from '../../support/embedded-world.js';
import { Gadget, Widget } from '../../support/kinds.js';
import { openWorld } from '../trials/open-world.js';
import { createWidget, ref, requests, setN, startWithOne, WidgetCalls } from '../trials/widgets.js';

const widgets = { resource: 'widgets' } as const;

@ResourceHandlers(Widget)
class WidgetEvents {
  readonly events: string[] = [];

  @OnWatchEvent()
  see(ctx: HandlerContext<Widget>): void {
    this.events.push(`${ctx.eventType} ${ctx.meta.name} ${String(ctx.spec['n'])}`);
  }
}

@ResourceHandlers(Gadget)
class GadgetEvents {
  @OnWatchEvent()
  note(): void {}
}

/** Lists of all widgets: not those that only ask for the version. */
const fullLists = (world: EmbeddedWorld): RequestRecord[] => [
  ...requests(world, 'list').filter(({ query }) => query.get('limit') !== '1'),
  ...requests(world, 'watch').filter(({ query }) => query.has('sendInitialEvents')),
];
/** Watches that go on from a version. */
const resumes = (world: EmbeddedWorld): RequestRecord[] =>
  requests(world, 'watch').filter(({ query }) => !query.has('sendInitialEvents'));
const versionOf = ({ query }: RequestRecord): string => query.get('resourceVersion') ?? '';
const gaps = (times: readonly number[]): number[] => times.slice(1).map((at, index) => at - times[index]!);

/** The stream ends, and the server refuses the next one, so that changes can be made that no watch shows. */
async function whileNotWatching(world: EmbeddedWorld, change: () => Promise<unknown>): Promise<void> {
  const { api } = world.stage;
  const refusal = api.faults.add({
    match: { verb: 'watch', ...widgets, times: 1 },
    do: { action: 'answer', status: 502 },
  });
  api.watches.cut({ how: 'end', ...widgets });
  await world.until(() => refusal.hits === 1);
  expect(api.watches.list(widgets)).toHaveLength(0);
  await change();
}

describe('watches under faults', () => {
  it('[FS-02] a 410 event relists: what vanished is told with its last state, what is unchanged not at all', async () => {
    const world = await openWorld();
    const { api } = world.stage;
    for (const name of ['kept', 'gone']) await createWidget(world, name, 1);
    const running = await world.startOperator({ providers: [WidgetCalls, WidgetEvents] });
    const { calls } = running.module.get(WidgetCalls);
    const { events } = running.module.get(WidgetEvents);
    await running.settled();
    await setN(world, 'gone', 2);
    await running.settled();
    calls.length = 0;
    events.length = 0;
    api.requests.clear();

    await whileNotWatching(world, () => api.delete(ref('gone')));
    const expired = api.faults.add({ match: { verb: 'watch', ...widgets, times: 1 }, do: { action: 'expire' } });
    await world.until(() => expired.hits === 1 && api.watches.list(widgets).length === 1);
    await running.settled();

    expect(events).toEqual(['DELETED gone 2']);
    expect(calls).toEqual([]);
    expect(fullLists(world)).toHaveLength(1);
    await world.expectQuiet();
  });

  it('[FS-03] a 410 on connecting and again on the list ends in a list without a version, paced', async () => {
    const world = await openWorld();
    const { api } = world.stage;
    const { calls } = await startWithOne(world);
    await setN(world, 'a', 2);
    await world.until(() => calls.length === 2);
    api.requests.clear();
    const gone = api.faults.add({
      match: { verb: 'watch', ...widgets, times: 4 },
      do: { action: 'answer', status: 410, reason: 'Expired' },
    });
    api.watches.cut({ how: 'end', ...widgets });
    await setN(world, 'a', 3);
    await world.until(() => calls.length === 3);

    expect(gone.hits).toBe(4);
    const [resumed, ...listed] = requests(world, 'watch').slice(0, 5);
    expect(Number(versionOf(resumed!))).toBeGreaterThan(0);
    expect(listed.every(({ query }) => query.get('sendInitialEvents') === 'true')).toBe(true);
    expect(listed.slice(1).map(versionOf)).toEqual(['', '', '']);
    // Each repetition waits.
    for (const gap of gaps([resumed!, ...listed].map(({ at }) => at))) expect(gap).toBeGreaterThanOrEqual(800);
    expect(calls).toEqual(['create a 1', 'update a 2', 'update a 3']);
    await world.expectQuiet();
  });

  it('[FS-04] a list or a watch refused with 504 for a version from the future is repeated without one', async () => {
    const world = await openWorld();
    const { api } = world.stage;
    const tooLarge = {
      action: 'answer',
      status: 504,
      reason: 'Timeout',
      body: {
        apiVersion: 'v1',
        kind: 'Status',
        status: 'Failure',
        message: 'Too large resource version: 99, current: 9',
        reason: 'Timeout',
        details: {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
        code: 504,
      },
    } as const;
    await createWidget(world, 'a', 1);
    const atStart = [
      api.faults.add({ match: { verb: 'watch', ...widgets, times: 1 }, do: tooLarge }),
      api.faults.add({ match: { verb: 'list', ...widgets, times: 1 }, do: tooLarge }),
    ];
    const running = await world.startOperator({
      providers: [WidgetCalls],
      operator: { watching: { watchList: false } },
    });
    const { calls } = running.module.get(WidgetCalls);
    await running.settled();
    expect(calls).toEqual(['create a 1']);
    expect(atStart[1]!.hits).toBe(1);
    await world.until(() => api.watches.list(widgets).length === 1);

    // Now while it watches: what it goes on from is not known to the server.
    api.requests.clear();
    const fault = api.faults.add({ match: { verb: 'watch', ...widgets, times: 1 }, do: tooLarge });
    api.watches.cut({ how: 'end', ...widgets });
    await setN(world, 'a', 2);
    await world.until(() => calls.length === 2);
    expect(fault.hits).toBe(1);
    expect(fullLists(world).map(versionOf)).toEqual(['']);
    expect(calls).toEqual(['create a 1', 'update a 2']);
    expect(running.exit.exits).toEqual([]);
    await world.expectQuiet();
  });

  it('[FS-05] a watch refused with 429 waits as long as Retry-After says and resumes without a list', async () => {
    const world = await openWorld();
    const { api } = world.stage;
    const { calls } = await startWithOne(world);
    api.requests.clear();
    const fault = api.faults.add({
      match: { verb: 'watch', ...widgets, times: 1 },
      do: { action: 'answer', status: 429, retryAfter: 7 },
    });
    api.watches.cut({ how: 'end', ...widgets });
    await setN(world, 'a', 2);
    await world.until(() => calls.length === 2);

    expect(fault.hits).toBe(1);
    const [refused, resumed, ...more] = requests(world, 'watch');
    expect(more).toEqual([]);
    expect(resumed!.at - refused!.at).toBeGreaterThanOrEqual(7_000);
    expect(resumed!.at - refused!.at).toBeLessThan(15_000);
    expect(versionOf(resumed!)).toBe(versionOf(refused!));
    expect(fullLists(world)).toEqual([]);
    await world.expectQuiet();
  });

  it('[FS-06] five server errors at the start delay the first sync by growing, jittered steps', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    await createWidget(world, 'a', 1);
    const steps: number[][] = [];
    for (const watchList of [true, false]) {
      api.requests.clear();
      const verb = watchList ? 'watch' : 'list';
      const fault = api.faults.add({ match: { verb, ...widgets, times: 5 }, do: { action: 'answer', status: 500 } });
      const running = await world.startOperator({
        providers: [WidgetCalls],
        operator: { name: `${verb}.example.com`, watching: { watchList } },
        synced: false,
      });
      await clock.during(running.operator.whenSynced());
      await running.settled();
      expect(fault.hits).toBe(5);
      expect(running.module.get(WidgetCalls).calls).toEqual(['create a 1']);
      const waits = gaps(
        requests(world, verb)
          .slice(0, 6)
          .map(({ at }) => at),
      );
      for (const [index, wait] of waits.entries()) {
        expect(wait).toBeGreaterThanOrEqual(800 * 2 ** index - 1);
        expect(wait).toBeLessThanOrEqual(2 * 800 * 2 ** index + 1);
      }
      expect(waits).toHaveLength(5);
      steps.push(waits);
      expect(running.exit.exits).toEqual([]);
      await running.close();
    }
    // They are not the bare steps: many replicas must not come back at the same moment.
    expect(steps.flat().some((wait, index) => Math.abs(wait - 800 * 2 ** (index % 5)) > 10)).toBe(true);
  });

  it('[FS-09] a WatchList that never sends its end mark is named as waiting and replaced by pages', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    await createWidget(world, 'a', 1);
    const unmarked = api.faults.add({ match: { verb: 'watch', ...widgets }, do: { action: 'omitInitialEventsEnd' } });
    const running = await world.startOperator({ providers: [WidgetCalls], synced: false });
    const { calls } = running.module.get(WidgetCalls);
    await clock.advance(59_000);
    expect(unmarked.hits).toBe(1);
    expect(calls).toEqual([]);
    expect(running.operator.getStatus().watches).toMatchObject([
      { resource: 'widgets.v1.demo.example', synced: false, state: 'listing' },
    ]);
    // In time for the default time-out of the first sync, two minutes.
    await world.until(() => calls.length === 1, 30_000);
    expect(requests(world, 'list').map(({ query }) => query.get('limit'))).toEqual(['500']);
    expect(running.operator.getStatus().watches).toMatchObject([{ synced: true }]);
    expect(running.exit.exits).toEqual([]);
    await world.expectQuiet();
  });

  it('[FS-09] a sync that never comes ends the operator, which names what it waited for', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    api.faults.add({ match: { verb: 'watch', ...widgets }, do: { action: 'omitInitialEventsEnd' } });
    api.faults.add({ match: { verb: 'list', ...widgets }, do: { action: 'answer', status: 500 } });
    const running = await world.startOperator({
      providers: [WidgetCalls],
      operator: { watching: { syncTimeout: '2m' } },
      synced: false,
    });
    const ended = running.operator.done.catch((error: unknown) => error);
    await clock.advance(150_000);
    const error = await ended;
    expect(String((error as Error).stack)).toBeDefined();
    const [report] = running.logs
      .find({ message: /.*/ })
      .filter(({ error: cause }) => JSON.stringify(chain(cause)).includes('widgets.v1.demo.example'));
    expect(report).toBeDefined();
    expect(running.exit.exits).toEqual([1]);
  });

  it.each([400, 422])(
    '[FS-10] a server that refuses WatchList with %d is asked for pages at once, and not again',
    async (status) => {
      const world = await openWorld();
      const { api, clock } = world.stage;
      await createWidget(world, 'a', 1);
      const refusal = api.faults.add({
        match: { verb: 'watch', where: ({ query }) => query.has('sendInitialEvents') },
        do: { action: 'answer', status, reason: status === 400 ? 'BadRequest' : 'Invalid' },
      });
      const begun = clock.monotonic();
      const running = await world.startOperator({ providers: [WidgetCalls, GadgetEvents] });
      // At once: no wait in between.
      expect(clock.monotonic() - begun).toBeLessThan(500);
      expect(running.module.get(WidgetCalls).calls).toEqual(['create a 1']);
      // Once for each of those that had begun.
      const asked = refusal.hits;
      expect(asked).toBeLessThanOrEqual(2);
      api.compact();
      api.faults.add({ match: { verb: 'watch', times: 2 }, do: { action: 'answer', status: 410 } });
      api.watches.cut({ how: 'end' });
      await clock.advance(60_000);
      expect(api.watches.list()).toHaveLength(2);
      expect(refusal.hits).toBe(asked);
      expect(running.exit.exits).toEqual([]);
    },
  );

  it('[FS-11] a continue token that expires half-way restarts the list, without duplicates and false deletions', async () => {
    const world = await openWorld();
    const { api } = world.stage;
    const names = Array.from({ length: 2_000 }, (_, index) => `w${String(index).padStart(4, '0')}`);
    for (const name of names) await createWidget(world, name, 1);
    const running = await world.startOperator({
      providers: [WidgetEvents],
      operator: { watching: { watchList: false } },
    });
    const { events } = running.module.get(WidgetEvents);
    await running.settled();
    expect(events.toSorted()).toEqual(names.map((name) => `ADDED ${name} 1`));
    events.length = 0;
    api.requests.clear();
    const expired = api.faults.add({
      match: {
        verb: 'list',
        ...widgets,
        nth: 3,
        where: ({ query }) => query.has('limit') && query.get('limit') !== '1',
      },
      do: { action: 'expire' },
    });
    await whileNotWatching(world, async () => {
      await api.delete(ref('w0000'));
      await setN(world, 'w1999', 2);
    });
    api.faults.add({ match: { verb: 'watch', ...widgets, times: 1 }, do: { action: 'answer', status: 410 } });
    await world.until(() => events.length === 2 && api.watches.list(widgets).length === 1);
    await running.settled();
    expect(expired.hits).toBe(1);
    // Two pages, the one that was refused, and the list that was begun anew, in one piece.
    expect(fullLists(world).map(({ status, query }) => `${status} ${query.has('limit')}`)).toEqual([
      '200 true',
      '200 true',
      '410 true',
      '200 false',
    ]);
    expect(events.toSorted()).toEqual(['DELETED w0000 1', 'MODIFIED w1999 2']);
    expect(running.operator.getStatus().objects).toEqual({ 'widgets.v1.demo.example': 1_999 });
    await world.expectQuiet();
  });

  it('[FS-12] after ten minutes of bookmarks only and a compaction, a reconnect resumes without a list', async () => {
    const world = await openWorld();
    const { api, clock } = world.stage;
    const { calls } = await startWithOne(world);
    const first = Number(api.watches.list(widgets)[0]!.revision);
    // Others write, so that the version that the watch began with grows old.
    for (let minute = 0; minute < 10; minute += 1) {
      await api.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `noise-${minute}` } });
      await clock.advance(60_000);
    }
    await clock.advance(60_000);
    api.compact();
    api.requests.clear();
    api.watches.cut({ how: 'reset', ...widgets });
    await setN(world, 'a', 2);
    await world.until(() => calls.length === 2);
    expect(resumes(world)).toHaveLength(1);
    expect(Number(versionOf(resumes(world)[0]!))).toBeGreaterThan(first);
    expect(fullLists(world)).toEqual([]);
    expect(calls).toEqual(['create a 1', 'update a 2']);
    await world.expectQuiet();
  });

  it('[FS-36] repeated and older events never overwrite what is newer', async () => {
    const world = await openWorld();
    const { api } = world.stage;
    const running = await world.startOperator({ providers: [WidgetCalls, WidgetEvents] });
    const { calls } = running.module.get(WidgetCalls);
    const { events } = running.module.get(WidgetEvents);
    await createWidget(world, 'a', 1);
    await running.settled();
    const old = (await api.get(ref('a')))!;
    await setN(world, 'a', 2);
    await running.settled();
    const before = [...events];
    api.faults.add({
      match: { verb: 'watch', ...widgets, times: 1 },
      do: [
        { action: 'inject', line: { type: 'ADDED', object: old }, afterEvents: 0 },
        { action: 'inject', line: { type: 'MODIFIED', object: old }, afterEvents: 0 },
        { action: 'duplicateEvents' },
      ],
    });
    api.watches.cut({ how: 'end', ...widgets });
    await setN(world, 'a', 3);
    await world.until(() => calls.length === 3);
    await running.settled();
    expect(calls).toEqual(['create a 1', 'update a 2', 'update a 3']);
    expect(events.slice(before.length)).toEqual(['MODIFIED a 3']);

    // Two changes of one object in the wrong order: the older one comes late, and is nothing any more.
    api.faults.add({
      match: { verb: 'watch', ...widgets, times: 1 },
      do: { action: 'reorderEvents', events: { name: 'a', nth: 1, times: 1 } },
    });
    await whileNotWatching(world, async () => {
      await setN(world, 'a', 4);
      await setN(world, 'a', 5);
    });
    await world.until(() => calls.includes('update a 5'));
    await running.settled();
    expect(calls.slice(3)).toEqual(['update a 5']);
    expect((await api.get(ref('a')))!['spec']).toEqual({ n: 5 });
    await world.expectQuiet();
  });
});

function chain(error: unknown): string[] {
  const texts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) texts.push(at.message);
  return texts;
}
