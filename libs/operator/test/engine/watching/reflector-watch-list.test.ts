import { afterEach, describe, expect, it } from 'vitest';
import { reflectorRig } from './reflector-rig.js';
import type { ReflectorRig, RigOptions } from './reflector-rig.js';
import { widget } from './support.js';

let rig: ReflectorRig;

async function start(options: RigOptions = {}): Promise<ReflectorRig> {
  rig = await reflectorRig({ ...options, config: { watchList: true, ...options.config } });
  return rig;
}

afterEach(async () => {
  await rig.stop();
  expect(rig.ended).toBe(true);
  expect(rig.failure).toBeUndefined();
  expect(rig.client.openStreams).toBe(0);
  expect(rig.clock.pending).toBe(0);
});

const unset = {
  watch: true,
  allowWatchBookmarks: true,
  sendInitialEvents: true,
  resourceVersionMatch: 'NotOlderThan',
  timeoutSeconds: 300,
};

it('lists and watches in one stream, and gives the store nothing before the end of the list', async () => {
  await start();
  const call = rig.client.next('watch');
  expect(call.query).toEqual(unset);
  const stream = await call.open();
  await stream.event('ADDED', widget({ name: 'b', uid: 'u2', version: 9 }));
  await stream.event('ADDED', widget({ version: 3 }));
  await stream.event('MODIFIED', widget({ version: 11 }));
  await stream.event('ADDED', widget({ name: 'c', uid: 'u3', version: 4 }));
  await stream.event('DELETED', widget({ name: 'c', uid: 'u3', version: 12 }));
  expect(rig.news()).toEqual([]);
  expect(rig.reflector.health).toMatchObject({ state: 'listing', synced: false });
  await stream.bookmark(12, true);
  expect(rig.news()).toEqual(['added ns/b@9', 'added ns/a@11']);
  expect(rig.changes).toMatchObject([{ initial: true, origin: 'list' }, { initial: true }]);
  expect(rig.reflector.health).toMatchObject({ state: 'watching', synced: true });
  await stream.event('ADDED', widget({ name: 'd', uid: 'u4', version: 13 }));
  expect(rig.changes.at(-1)).toMatchObject({ initial: false, origin: 'watch' });
  await rig.clock.advance(5_000);
  await stream.end();
  expect(rig.client.next('watch').query).toMatchObject({ resourceVersion: '13' });
  expect(rig.client.count('list')).toBe(0);
});

it('relists with the last version, and yields what vanished meanwhile', async () => {
  await start();
  let stream = await rig.client.next('watch').open();
  await stream.event('ADDED', widget({ version: 3 }));
  await stream.bookmark(10, true);
  await stream.error(410, { reason: 'Expired' });
  await rig.backOff();
  const call = rig.client.next('watch');
  expect(call.query).toEqual({ ...unset, resourceVersion: '10' });
  stream = await call.open();
  await stream.bookmark(20, true);
  expect(rig.news()).toEqual(['added ns/a@3', 'removed ns/a@3']);
});

it('relists with resourceVersion unset when the last version is too old for a list as well', async () => {
  await start();
  let stream = await rig.client.next('watch').open();
  await stream.bookmark(10, true);
  for (const query of [{ ...unset, resourceVersion: '10' }, unset]) {
    await stream.error(410, { reason: 'Expired' });
    await rig.backOff();
    const call = rig.client.next('watch');
    expect(call.query).toEqual(query);
    stream = await call.open();
  }
});

it('asks again with resourceVersion unset when the list shows less than was seen', async () => {
  await start();
  let stream = await rig.client.next('watch').open();
  await stream.bookmark(50, true);
  await stream.error(410);
  await rig.backOff();
  stream = await rig.client.next('watch').open();
  await stream.event('ADDED', widget({ version: 3 }));
  await stream.bookmark(40, true);
  expect(stream.closed).toBe(1);
  expect(rig.news()).toEqual([]);
  const call = rig.client.next('watch');
  expect(call.query).toEqual(unset);
  stream = await call.open();
  await stream.event('ADDED', widget({ version: 3 }));
  await stream.bookmark(40, true);
  expect(rig.news()).toEqual(['added ns/a@3']);
  await rig.clock.advance(5_000);
  await stream.end();
  expect(rig.client.next('watch').query).toMatchObject({ resourceVersion: '40' });
});

describe('a stream that ends before its list is whole', () => {
  it.each(['end', 'cut', 'error'] as const)(
    'by %s gives nothing to the store; a second one leads to pages',
    async (how) => {
      await start();
      for (let round = 0; round < 2; round++) {
        const stream = await rig.client.next('watch').open();
        await stream.event('ADDED', widget({ version: 3 }));
        if (how === 'error') await stream.error(500, { message: 'storage is not ready' });
        else await stream[how]();
        expect(rig.news()).toEqual([]);
        expect(rig.reflector.health).toMatchObject({ state: 'degraded', synced: false });
        await rig.backOff();
      }
      await rig.client.next('list').reply([widget({ version: 3 })], 10);
      expect(rig.news()).toEqual(['added ns/a@3']);
      const stream = await rig.client.next('watch').open();
      await stream.error(410);
      await rig.backOff();
      expect(rig.client.next('watch').query).toMatchObject({ sendInitialEvents: true });
    },
  );

  it('is tried again with the same request after a refused connection and after 429', async () => {
    await start();
    await rig.client.next('watch').refuse(503);
    await rig.backOff();
    await rig.client.next('watch').refuse(429, { retryAfter: 5_000 });
    await rig.clock.advance(4_900);
    expect(rig.client.waiting).toBe(0);
    await rig.clock.advance(100);
    expect(rig.client.next('watch').query).toEqual(unset);
  });

  it('by silence leads to pages', async () => {
    await start();
    const stream = await rig.client.next('watch').open();
    await stream.event('ADDED', widget({ version: 3 }));
    await rig.clock.advance(75_000);
    expect(stream.closed).toBe(1);
    await rig.backOff();
    rig.client.next('list');
    expect(rig.news()).toEqual([]);
  });
});

describe('a server that does not offer WatchList', () => {
  it.each([400, 405, 422])('and says so with %i is asked for pages at once, and from then on', async (status) => {
    const watchListSupport = { offered: true };
    await start({ options: { watchListSupport } });
    await rig.client.next('watch').refuse(status);
    const stream = await rig.sync([widget({ version: 3 })], 10);
    expect(rig.reflector.health.state).toBe('watching');
    expect(watchListSupport.offered).toBe(false);
    await stream.error(410);
    await rig.backOff();
    rig.client.next('list');
    await rig.stop();
    await start({ options: { watchListSupport } });
    rig.client.next('list');
  });

  it('and says so in the stream is asked for pages at once', async () => {
    await start();
    const stream = await rig.client.next('watch').open();
    await stream.error(422, { reason: 'Invalid' });
    expect(stream.closed).toBe(1);
    await rig.sync([], 10);
  });

  it('and never ends the list, though it sends bookmarks, is asked for pages in time for the first sync', async () => {
    await start();
    const stream = await rig.client.next('watch').open();
    await rig.clock.advance(40_000);
    await stream.event('ADDED', widget({ version: 3 }));
    await rig.clock.advance(20_000);
    await stream.bookmark(10);
    expect(stream.closed).toBe(0);
    await rig.clock.advance(20_000);
    await stream.bookmark(11);
    expect(stream.closed).toBe(1);
    expect(rig.news()).toEqual([]);
    await rig.client.next('list').reply([widget({ version: 3 })], 12);
    expect(rig.news()).toEqual(['added ns/a@3']);
  });

  it('for this resource, though it is served, is asked for pages', async () => {
    await start();
    await rig.client.next('watch').refuse(404);
    await rig.client.next('list').refuse(404);
    expect(rig.reflector.health).toMatchObject({ state: 'degraded', cause: { kind: 'refused' } });
  });
});

it('waits for a kind that is absent at the start', async () => {
  await start();
  rig.kind = 'gone';
  await rig.client.next('watch').refuse(404);
  expect(rig.reflector.health).toMatchObject({ state: 'kind-gone', synced: false });
  await rig.clock.advance(20_000);
  rig.kind = 'served';
  await rig.clock.advance(4_000);
  const stream = await rig.client.next('watch').open();
  await stream.event('ADDED', widget({ version: 3 }));
  await stream.bookmark(4, true);
  await rig.reflector.synced;
  expect(rig.changes).toMatchObject([{ type: 'added', initial: true }]);
});
