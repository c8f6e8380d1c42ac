import { afterEach, describe, expect, it } from 'vitest';
import { startApiServer, type ApiServer } from '../src/index.js';
import { conformanceDefinition } from './conformance/run-case.js';
import { open, send, type Target } from './conformance/target.js';
import { after, eventsIn, flawsOf, versionOf, type WatchEvent } from './properties/history.js';
import { checkHistories } from './properties/suite.js';

const started: ApiServer[] = [];
const bugs: unknown[] = [];

async function embedded(): Promise<Target> {
  const api = await startApiServer({
    crds: [conformanceDefinition],
    onInternalError: (error) => void bugs.push(error),
  });
  started.push(api);
  return { name: 'embedded', url: api.url, compact: () => Promise.resolve(api.compact()) };
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((api) => api.close()));
  expect(bugs.splice(0)).toEqual([]);
});

describe('every view of a collection tells the same history', () => {
  it.each([1, 2, 3])('seed %i', async (seed) => {
    const logs = await checkHistories(await embedded(), { seed, clients: 5, writes: 80, samples: 15 });
    const events = [...logs.values()].flat();
    for (const type of ['ADDED', 'MODIFIED', 'DELETED']) {
      expect(events.filter((event) => event.type === type).length, type).toBeGreaterThan(20);
    }
  });

  it('and none from before a compaction', async () => {
    const target = await embedded();
    const logs = await checkHistories(target, { seed: 4, clients: 3, writes: 40, samples: 3 });
    const [collection, log] = [...logs][0]!;
    const middle = versionOf(log[Math.floor(log.length / 2)]!.object);
    started[0]!.compact(Number(middle));
    for (const version of [middle, middle + 1n]) {
      const path = `${collection.path}?watch=1&resourceVersion=${version}`;
      const reader = await open(target, { method: 'GET', path });
      const wanted = after(log, version);
      await reader.lines(wanted.length);
      expect(eventsIn(reader.text)).toEqual(wanted);
    }
    const old = await send(target, {
      method: 'GET',
      path: `${collection.path}?watch=1&resourceVersion=${middle - 1n}`,
    });
    expect(JSON.parse(old.text)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    const query = `resourceVersionMatch=Exact&resourceVersion=${middle - 1n}`;
    expect((await send(target, { method: 'GET', path: `${collection.path}?${query}` })).status).toBe(410);
  });
});

describe('a log is found to be wrong', () => {
  const object = (name: string, version: number, uid = name, data = String(version)) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, uid, resourceVersion: String(version) },
    data: { a: data },
  });
  const event = (type: WatchEvent['type'], ...args: Parameters<typeof object>): WatchEvent => ({
    type,
    object: object(...args),
  });
  const right = [
    event('ADDED', 'a', 1),
    event('MODIFIED', 'a', 2),
    event('DELETED', 'a', 3),
    event('ADDED', 'a', 4, 'b'),
  ];

  it('but a right one is not', () => {
    expect(flawsOf(right)).toEqual([]);
  });

  it.each<[string, WatchEvent[]]>([
    ['a gap', right.slice(1)],
    ['a lost deletion', [...right.slice(0, 2), right[3]!]],
    ['an event twice', [right[0]!, ...right]],
    ['a deletion with the version of the last change', [...right.slice(0, 2), event('DELETED', 'a', 2)]],
    ['an older version', [right[0]!, event('ADDED', 'b', 5), event('ADDED', 'c', 4)]],
    ['another uid without a deletion', [right[0]!, event('MODIFIED', 'a', 2, 'other')]],
    ['a uid that comes back', [...right.slice(0, 3), event('ADDED', 'a', 4)]],
    ['an event without a change', [right[0]!, event('MODIFIED', 'a', 2, 'a', '1')]],
  ])('%s', (_, log) => {
    expect(flawsOf(log)).not.toEqual([]);
  });
});
