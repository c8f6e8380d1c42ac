import { afterEach, describe, expect, it } from 'vitest';
import { MalformedObjectError } from '../../../src/errors/malformed-object.error.js';
import { CredentialsError } from '../../../src/errors/credentials.error.js';
import { WatchFailedError } from '../../../src/errors/watch-failed.error.js';
import type { StoredObject } from '../../../src/engine/kube-object.js';
import { settle } from './fake-clock.js';
import { reflectorRig } from './reflector-rig.js';
import type { ReflectorRig, RigOptions } from './reflector-rig.js';
import { networkError } from './scripted-client.js';
import { watchingConfig, widget, widgets } from './support.js';

let rig: ReflectorRig;

async function start(options?: RigOptions): Promise<ReflectorRig> {
  rig = await reflectorRig(options);
  return rig;
}

afterEach(async () => {
  await rig.stop();
  expect(rig.ended).toBe(true);
  expect(rig.client.openStreams).toBe(0);
  expect(rig.clock.pending).toBe(0);
  const before = [rig.changes.length, rig.client.calls.length];
  await rig.clock.advance(600_000);
  expect([rig.changes.length, rig.client.calls.length]).toEqual(before);
});

describe('listing in pages', () => {
  it('asks for the most recent state in pages, then watches from the version of the list, not of its items', async () => {
    await start({ config: { pageSize: 2 }, random: () => 0.5 });
    const first = rig.client.next('list');
    expect(first.request.path).toBe('/apis/demo.example/v1/widgets');
    expect(first.query).toEqual({ limit: 2 });
    await first.reply([widget({ version: 3 }), widget({ name: 'b', uid: 'u2', version: 9 })], 10, 'token');
    const second = rig.client.next('list');
    expect(second.query).toEqual({ limit: 2, continue: 'token' });
    expect(rig.news()).toEqual([]);
    await second.reply([widget({ name: 'c', uid: 'u3', version: 4 })], 10);
    expect(rig.content()).toEqual(['ns/a@3 u1', 'ns/b@9 u2', 'ns/c@4 u3']);
    expect(rig.changes.every((change) => change.type === 'added' && change.initial)).toBe(true);
    const watch = rig.client.next('watch');
    expect(watch.query).toEqual({ watch: true, allowWatchBookmarks: true, resourceVersion: '10', timeoutSeconds: 450 });
  });

  it('builds list, watch and probe from one description', async () => {
    const options = { namespace: 'team a', labelSelector: 'x=y', fieldSelector: 'metadata.name=a' };
    await start({ options: { ...options, resource: { ...widgets, group: '', version: 'v1' } } });
    const list = rig.client.next('list');
    await list.reply([], 5);
    const watch = rig.client.next('watch');
    for (const { request, query } of [list, watch]) {
      expect(request.path).toBe('/api/v1/namespaces/team%20a/widgets');
      expect(query).toMatchObject({ labelSelector: 'x=y', fieldSelector: 'metadata.name=a' });
    }
  });

  it('starts over in one piece when a page has expired, without duplicates or false deletions', async () => {
    await start({ config: { pageSize: 1 } });
    await rig.client.next('list').reply([widget({ version: 3 })], 10, 'one');
    await rig.client.next('list').reply([widget({ name: 'b', uid: 'u2', version: 4 })], 10, 'two');
    await rig.client.next('list').refuse(410, { reason: 'Expired' });
    expect(rig.news()).toEqual([]);
    await rig.backOff();
    const again = rig.client.next('list');
    expect(again.query).toEqual({});
    await again.reply([widget({ version: 3 }), widget({ name: 'b', uid: 'u2', version: 4 })], 12);
    expect(rig.news()).toEqual(['added ns/a@3', 'added ns/b@4']);
    expect(rig.client.next('watch').query).toMatchObject({ resourceVersion: '12' });
  });

  it.each([
    ['a Table', { kind: 'Table', metadata: { resourceVersion: '5' }, rows: [] }],
    ['no version', { kind: 'WidgetList', metadata: {}, items: [] }],
    ['nothing', null],
  ])('does not take %s for a list', async (_, body) => {
    await start();
    await rig.client.next('list').replyBody(body);
    expect(rig.reflector.health).toMatchObject({ state: 'degraded', cause: { kind: 'broken' } });
    await rig.backOff();
    await rig.client.next('list').reply([], 5);
    rig.client.next('watch');
  });

  it('takes a list without items for an empty one', async () => {
    await start();
    await rig.client.next('list').replyBody({ kind: 'WidgetList', metadata: { resourceVersion: '5' }, items: null });
    expect(rig.client.next('watch').query).toMatchObject({ resourceVersion: '5' });
  });
});

describe('following', () => {
  it('applies events and resumes after a clean end from the last one, at once and without a list', async () => {
    await start();
    const stream = await rig.sync([widget({ version: 3 })], 10);
    await stream.event('MODIFIED', widget({ version: 11 }));
    await stream.event('DELETED', widget({ version: 12 }));
    await rig.clock.advance(60_000);
    await stream.end();
    expect(rig.news()).toEqual(['added ns/a@3', 'modified ns/a@11', 'removed ns/a@11']);
    const watch = rig.client.next('watch');
    expect(watch.query).toMatchObject({ resourceVersion: '12' });
    expect(rig.reflector.health.state).toBe('watching');
    await watch.open();
    expect(rig.client.count('list')).toBe(1);
    expect(rig.reflector.health.restarts).toEqual({ end: 1 });
  });

  it('resumes from a bookmark', async () => {
    await start();
    const stream = await rig.sync([], 10);
    await stream.bookmark(40);
    await stream.bookmark(30);
    await rig.clock.advance(5_000);
    await stream.end();
    expect(rig.client.next('watch').query).toMatchObject({ resourceVersion: '40' });
  });

  it('accepts an event behind a bookmark, but does not step back to it', async () => {
    await start();
    const stream = await rig.sync([], 10);
    await stream.bookmark(40);
    await stream.event('ADDED', widget({ version: 35 }));
    await rig.clock.advance(5_000);
    await stream.end();
    expect(rig.content()).toEqual(['ns/a@35 u1']);
    expect(rig.client.next('watch').query).toMatchObject({ resourceVersion: '40' });
  });

  it.each(['reset', 'in mid-line'])('resumes without a list after a cut (%s), and loses no event', async (how) => {
    await start();
    const stream = await rig.sync([], 10);
    await stream.event('ADDED', widget({ version: 11 }));
    await stream.bytes(Buffer.from(JSON.stringify({ type: 'MODIFIED', object: widget({ version: 12 }) }).slice(0, 40)));
    if (how === 'reset') await stream.cut();
    else await stream.end();
    expect(rig.reflector.health).toMatchObject({ state: 'degraded', cause: { kind: 'cut' } });
    expect(rig.client.waiting).toBe(0);
    await rig.clock.advance(799);
    expect(rig.client.waiting).toBe(0);
    await rig.clock.advance(1);
    const watch = rig.client.next('watch');
    expect(watch.query).toMatchObject({ resourceVersion: '11' });
    const again = await watch.open();
    await again.event('MODIFIED', widget({ version: 12 }));
    expect(rig.news()).toEqual(['added ns/a@11', 'modified ns/a@12']);
    expect(rig.reflector.health).toMatchObject({ state: 'watching', cause: undefined });
    expect(rig.client.count('list')).toBe(1);
    expect(rig.logs.messages('error')).toEqual([]);
  });

  it('ignores an object of another kind and a Table, and does not step on with them', async () => {
    await start();
    const stream = await rig.sync([], 10);
    await stream.event('ADDED', { ...widget({ version: 50 }), kind: 'Gadget' });
    await stream.event('MODIFIED', {
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '60' },
    } as unknown as StoredObject);
    await stream.event('BOOKMARK', { ...widget({ version: 70 }), apiVersion: 'demo.example/v2' });
    expect(rig.news()).toEqual([]);
    expect(rig.logs.messages('warn')).toHaveLength(3);
    await rig.clock.advance(5_000);
    await stream.end();
    expect(rig.client.next('watch').query).toMatchObject({ resourceVersion: '10' });
  });

  it('takes up one watch for each abrupt close, and never holds two', async () => {
    await start();
    let stream = await rig.sync([], 10);
    for (let cut = 0; cut < 20; cut++) {
      await stream.event('ADDED', widget({ name: `n${cut}`, uid: `u${cut}`, version: 11 + cut }));
      await stream.cut();
      expect(stream.closed).toBe(1);
      await rig.backOff();
      const watch = rig.client.next('watch');
      expect(rig.client.waiting).toBe(0);
      expect(rig.client.openStreams).toBe(0);
      stream = await watch.open();
    }
    expect(rig.client.count('watch')).toBe(21);
    expect(rig.client.openStreams).toBe(1);
    expect(rig.store.size).toBe(20);
  });
});

describe('back-off', () => {
  it('doubles up to its cap, each wait 1 to 2 times that, and starts over after 2 minutes of health', async () => {
    let random = 0;
    await start({ random: () => random });
    await rig.client.next('list').reply([], 10);
    const waits: number[] = [];
    const fail = async (): Promise<void> => {
      await rig.client.next('watch').fail(networkError('ECONNREFUSED'));
      const from = rig.clock.monotonic();
      while (rig.client.waiting === 0) await rig.clock.advance(100);
      waits.push(rig.clock.monotonic() - from);
    };
    for (let attempt = 0; attempt < 7; attempt++) await fail();
    random = 0.999_999;
    await fail();
    expect(waits).toEqual([800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 60_000]);
    random = 0;
    let stream = await rig.client.next('watch').open();
    await rig.clock.advance(60_000);
    await stream.bookmark(11);
    await rig.clock.advance(59_000);
    await stream.cut();
    await rig.clock.advance(29_000);
    expect(rig.client.waiting).toBe(0);
    await rig.clock.advance(1_000);
    stream = await rig.client.next('watch').open();
    await rig.clock.advance(60_000);
    await stream.bookmark(12);
    await rig.clock.advance(60_000);
    await stream.cut();
    await rig.clock.advance(800);
    rig.client.next('watch');
    expect(rig.client.count('list')).toBe(1);
  });

  it('grows on while streams live shorter than that, however long it goes on', async () => {
    await start();
    let stream = await rig.sync([], 10);
    const waits: number[] = [];
    for (let round = 0; round < 5; round++) {
      await rig.clock.advance(60_000);
      await stream.bookmark(11 + round);
      await stream.cut();
      const from = rig.clock.monotonic();
      await rig.backOff();
      waits.push(rig.clock.monotonic() - from);
      stream = await rig.client.next('watch').open();
    }
    expect(waits).toEqual([800, 1_600, 3_200, 6_400, 12_800]);
  });

  it('warns once for a trouble that lasts, and tells when it is over', async () => {
    await start();
    const stream = await rig.sync([], 10);
    await stream.cut();
    for (let attempt = 0; attempt < 4; attempt++) {
      await rig.backOff();
      await rig.client.next('watch').refuse(403);
    }
    await rig.backOff();
    await rig.client.next('watch').open();
    expect(rig.logs.messages('warn')).toHaveLength(2);
    expect(rig.logs.messages('info')).toContain('Watch recovered');
  });

  it.each([
    ['as status of a watch', 'watch'],
    ['as an ERROR event', 'event'],
  ])('waits as long as 429 asks (%s), then goes on from the same version without a list', async (_, shape) => {
    await start();
    const stream = await rig.sync([], 10);
    if (shape === 'event') {
      await stream.error(429, { details: { retryAfterSeconds: 20 } });
    } else {
      await rig.clock.advance(2_000);
      await stream.end();
      await rig.client.next('watch').refuse(429, { retryAfter: 20_000 });
    }
    await rig.clock.advance(19_900);
    expect(rig.client.waiting).toBe(0);
    await rig.clock.advance(100);
    expect(rig.client.next('watch').query).toMatchObject({ resourceVersion: '10' });
  });

  it('paces a stream that ends as soon as it has begun', async () => {
    await start();
    const stream = await rig.sync([], 10);
    await stream.end();
    expect(rig.client.waiting).toBe(0);
    expect(rig.reflector.health).toMatchObject({ state: 'degraded', cause: { kind: 'empty' } });
    await rig.backOff();
    rig.client.next('watch');
  });

  it('takes up a short stream with frames at once, but paces a run of them', async () => {
    await start();
    let stream = await rig.sync([], 10);
    for (let round = 0; round < 3; round++) {
      await stream.bookmark(11 + round);
      await stream.end();
      if (round < 2) stream = await rig.client.next('watch').open();
    }
    expect(rig.client.waiting).toBe(0);
    await rig.backOff();
    expect(rig.client.next('watch').query).toMatchObject({ resourceVersion: '13' });
  });

  it('stays at one list a step when every watch is answered 410', async () => {
    await start();
    await rig.client.next('list').reply([], 10);
    for (let elapsed = 0; elapsed < 60_000; elapsed += 100) {
      if (rig.client.waiting > 0) {
        const call = rig.client.calls.at(-1)!;
        if (call.request.verb === 'list') await rig.client.next('list').reply([], 10);
        else await rig.client.next('watch').refuse(410, { reason: 'Expired' });
      } else {
        await rig.clock.advance(100);
      }
    }
    expect(rig.client.count('list')).toBeLessThanOrEqual(10);
  });
});

describe('a version that is too old or too new', () => {
  const before = [
    widget({ version: 3 }),
    widget({ name: 'b', uid: 'u2', version: 4 }),
    widget({ name: 'c', uid: 'u3', version: 5 }),
  ];
  const after = [widget({ version: 3 }), widget({ name: 'b', uid: 'u2', version: 20 })];
  const news = ['modified ns/b@20', 'removed ns/c@5'];

  it.each([
    ['410 as the status of a watch', 'gone', { resourceVersion: '10', resourceVersionMatch: 'NotOlderThan' }],
    ['410 as an ERROR event', 'gone', { resourceVersion: '10', resourceVersionMatch: 'NotOlderThan' }],
    ['504 ResourceVersionTooLarge as the status of a watch', 'too-large', {}],
    ['504 as an ERROR event', 'too-large', {}],
  ])('%s: lists anew and yields what changed meanwhile, nothing else', async (shape, kind, query) => {
    await start();
    const stream = await rig.sync(before, 10);
    rig.news();
    const code = shape.startsWith('410') ? 410 : 504;
    if (shape.endsWith('event')) {
      await stream.error(code, { reason: code === 410 ? 'Expired' : 'Timeout' });
    } else {
      await rig.clock.advance(2_000);
      await stream.end();
      await rig.client.next('watch').refuse(code, { causes: code === 504 ? ['ResourceVersionTooLarge'] : [] });
    }
    expect(rig.reflector.health).toMatchObject({ state: 'degraded', cause: { kind } });
    await rig.backOff();
    const list = rig.client.next('list');
    expect(list.query).toEqual({ limit: 500, ...query });
    await list.reply(after, 21);
    expect(rig.news()).toEqual(news);
    expect(rig.changes.slice(-2)).toMatchObject([{ initial: false }, { previous: before[2] }]);
    await rig.client.next('watch').open();
    expect(rig.reflector.health).toMatchObject({ state: 'watching', restarts: { [kind]: 1 } });
  });

  it.each([410, 504])('%i on the relist as well: the next one has resourceVersion unset', async (status) => {
    await start();
    const stream = await rig.sync(before, 10);
    await stream.error(410);
    await rig.backOff();
    await rig.client.next('list').refuse(status, { causes: ['ResourceVersionTooLarge'] });
    const from = rig.clock.monotonic();
    await rig.backOff();
    expect(rig.clock.monotonic() - from).toBeGreaterThanOrEqual(800);
    expect(rig.client.next('list').query).toEqual({ limit: 500 });
  });

  it('a plain 504 of a gateway is no reason to list', async () => {
    await start();
    const stream = await rig.sync(before, 10);
    await stream.cut();
    await rig.backOff();
    await rig.client.next('watch').refuse(504);
    await rig.backOff();
    expect(rig.client.next('watch').query).toMatchObject({ resourceVersion: '10' });
  });

  it('a list that shows less than was seen is asked for again with resourceVersion unset, at once', async () => {
    await start();
    const stream = await rig.sync([], 10);
    await stream.event('ADDED', widget({ version: 50 }));
    await stream.error(410);
    await rig.backOff();
    await rig.client.next('list').reply([], 40);
    const again = rig.client.next('list');
    expect(again.query).toEqual({ limit: 500 });
    await again.reply([widget({ version: 50 })], 51);
    expect(rig.news()).toEqual(['added ns/a@50']);
    expect(rig.client.next('watch').query).toMatchObject({ resourceVersion: '51' });
  });

  it('a list that shows less when asked for again is the truth', async () => {
    await start();
    const stream = await rig.sync([], 10);
    await stream.event('ADDED', widget({ version: 50 }));
    await stream.error(410);
    await rig.backOff();
    await rig.client.next('list').reply([], 40);
    await rig.client.next('list').reply([widget({ name: 'b', uid: 'u2', version: 39 })], 41);
    expect(rig.content()).toEqual(['ns/b@39 u2']);
    expect(rig.client.next('watch').query).toMatchObject({ resourceVersion: '41' });
    expect(rig.logs.messages('warn')).toContain('The server shows an older history: the store was replaced');
  });
});

describe('two streams in a row without a frame', () => {
  async function twoEmptyStreams(): Promise<void> {
    await start();
    let stream = await rig.sync([widget({ version: 9 })], 10);
    await rig.clock.advance(5_000);
    await stream.end();
    stream = await rig.client.next('watch').open();
    await rig.clock.advance(5_000);
    await stream.end();
  }

  it('lead to a probe, and back to the watch when the server is not behind', async () => {
    await twoEmptyStreams();
    const probe = rig.client.next('list');
    expect(probe.query).toEqual({ limit: 1 });
    await probe.reply([widget({ version: 9 })], 12, 'more');
    expect(rig.client.next('watch').query).toMatchObject({ resourceVersion: '10' });
  });

  it.each([8, 'opaque'])('lead to the full list when the server is at %s', async (version) => {
    await twoEmptyStreams();
    await rig.client.next('list').reply([], version);
    const list = rig.client.next('list');
    expect(list.query).toEqual({ limit: 500 });
    if (version === 8) {
      await list.reply([], 8);
      await rig.client.next('list').reply([], 8);
    } else {
      await list.reply([], version);
    }
    expect(rig.content()).toEqual([]);
    expect(rig.client.next('watch').query).toMatchObject({ resourceVersion: String(version) });
  });

  it('are not counted when a frame came between', async () => {
    await start();
    let stream = await rig.sync([], 10);
    for (let round = 0; round < 6; round++) {
      if (round % 2 === 1) await stream.bookmark(11 + round);
      await rig.clock.advance(5_000);
      await stream.end();
      stream = await rig.client.next('watch').open();
    }
    expect(rig.client.count('list')).toBe(1);
  });
});

describe('what cannot be read', () => {
  const lines = ['{"type":"MODIFIED","object":{', '"text"', '{"type":"MOVED","object":{}}', '{"type":"ADDED"}'];

  it.each([...lines, 'ERROR'])('%s: the stream is given up and the state listed anew', async (line) => {
    await start();
    const stream = await rig.sync([], 10);
    if (line === 'ERROR') await stream.error(500, { message: 'etcd trouble' });
    else await stream.line(line);
    expect(stream.closed).toBe(1);
    await stream.event('ADDED', widget({ version: 11 }));
    expect(rig.news()).toEqual([]);
    await rig.backOff();
    await rig.client.next('list').reply([widget({ version: 11 })], 12);
    expect(rig.news()).toEqual(['added ns/a@11']);
  });

  async function breakOnce(stream: { line(text: string): Promise<void> }): Promise<void> {
    await stream.line(lines[0]!);
    if (rig.ended) return;
    await rig.backOff();
  }

  it('is unrecoverable the fifth time within 2 minutes, with the cause and without the content', async () => {
    await start({ config: { backoff: { ...watchingConfig.backoff, cap: 1_000 } } });
    let stream = await rig.sync([], 10);
    for (let round = 1; round <= 5; round++) {
      expect(rig.ended).toBe(false);
      if (round === 3) await stream.error(500, { message: 'etcd trouble' });
      else await stream.line('{"type":"MODIFIED","object":{"password":"hunter2"');
      await rig.backOff();
      if (round < 5) stream = await rig.sync([], 10);
    }
    expect(rig.failure).toBeInstanceOf(WatchFailedError);
    expect(rig.failure).toMatchObject({ code: 'OPERATOR_WATCH_FAILED', cause: { code: 'OPERATOR_BROKEN_STREAM' } });
    expect(String(rig.failure)).toContain('widgets.v1.demo.example');
    expect(JSON.stringify(rig.logs.records) + String(rig.failure)).not.toContain('hunter2');
    expect(rig.reflector.health.state).toBe('failed');
  });

  it('is forgiven after 2 minutes', async () => {
    await start();
    let stream = await rig.sync([], 10);
    for (let round = 0; round < 8; round++) {
      await breakOnce(stream);
      stream = await rig.sync([], 10);
      await rig.clock.advance(20_000);
      await stream.bookmark(10);
      await rig.clock.advance(20_000);
    }
    expect(rig.ended).toBe(false);
  });

  it('is never added up with network errors, HTTP statuses, clean ends and cuts', async () => {
    await start({ config: { backoff: { ...watchingConfig.backoff, cap: 800 } } });
    const stream = await rig.sync([], 10);
    await stream.cut();
    for (let round = 0; round < 40; round++) {
      await rig.backOff();
      const watch = rig.client.next('watch');
      if (round % 4 === 0) await watch.fail(networkError());
      else if (round % 4 === 1) await watch.refuse(500);
      else {
        const next = await watch.open();
        await next.bookmark(10 + round);
        await (round % 4 === 2 ? next.cut() : next.end());
      }
    }
    expect(rig.ended).toBe(false);
    expect(rig.client.count('list')).toBe(1);
  });

  it('is met with a relist when an object has no identity, in a watch or in a list, up to the fifth', async () => {
    await start();
    const nameless = { apiVersion: 'demo.example/v1', kind: 'Widget', metadata: { uid: 'u', resourceVersion: '11' } };
    const stream = await rig.sync([], 10);
    await stream.event('ADDED', nameless as unknown as StoredObject);
    for (let round = 2; round <= 5; round++) {
      expect(rig.ended).toBe(false);
      await rig.backOff();
      await rig.client.next('list').reply([nameless as unknown as StoredObject], 10 + round);
    }
    expect(rig.failure).toBeInstanceOf(WatchFailedError);
    expect((rig.failure as Error).cause).toBeInstanceOf(MalformedObjectError);
  });

  it('hands on what the listener of the store throws', async () => {
    const trouble = new Error('demultiplexer broke');
    await start();
    await rig.stop();
    const { store } = (await import('./support.js')).storeRig({
      onChange: () => {
        throw trouble;
      },
    });
    await start({ options: { store } });
    await rig.client.next('list').reply([widget({ version: 1 })], 2);
    expect(rig.failure).toBe(trouble);
  });

  it('hands on that there are no credentials', async () => {
    await start();
    await rig.client.next('list').fail(new CredentialsError('no token file'));
    expect(rig.failure).toBeInstanceOf(CredentialsError);
  });
});

describe('refusals', () => {
  it.each([401, 403])('%i degrades the watch with its cause, is retried, and costs no list', async (status) => {
    await start();
    const stream = await rig.sync([], 10);
    await rig.clock.advance(2_000);
    await stream.end();
    await rig.client.next('watch').refuse(status);
    expect(rig.reflector.health).toMatchObject({
      state: 'degraded',
      cause: { kind: 'refused', status, verb: 'watch' },
      lastStatus: status,
      lastVerb: 'watch',
      synced: true,
    });
    await rig.backOff();
    await rig.client.next('watch').open();
    expect(rig.reflector.health).toMatchObject({ state: 'watching', cause: undefined });
    expect(rig.client.count('list')).toBe(1);
  });

  it('is not in sync while lists are allowed and watches are not', async () => {
    await start();
    let synced = false;
    const waiting = rig.reflector.synced.then(() => (synced = true));
    await rig.client.next('list').reply([widget({ version: 1 })], 10);
    await rig.client.next('watch').refuse(403);
    await rig.backOff();
    expect(synced).toBe(false);
    expect(rig.reflector.health.synced).toBe(false);
    await rig.client.next('watch').open();
    await waiting;
    expect(rig.reflector.health.synced).toBe(true);
  });

  it('404 counts as a refusal when discovery says that the resource is served', async () => {
    await start();
    const stream = await rig.sync([], 10);
    await stream.cut();
    await rig.backOff();
    await rig.client.next('watch').refuse(404);
    expect(rig.reflector.health).toMatchObject({ state: 'degraded', cause: { kind: 'refused', status: 404 } });
    await rig.backOff();
    rig.client.next('watch');
  });

  it.each(['unknown' as const, new Error('discovery is down')])(
    '404 decides nothing when discovery does not (%s)',
    async (kind) => {
      await start();
      const stream = await rig.sync([widget({ version: 1 })], 10);
      await stream.cut();
      await rig.backOff();
      rig.kind = kind;
      await rig.client.next('watch').refuse(404);
      expect(rig.reflector.health).toMatchObject({ state: 'degraded', cause: { kind: 'not-found' } });
      expect(rig.content()).toEqual(['ns/a@1 u1']);
      await rig.backOff();
      rig.client.next('watch');
    },
  );

  it('a kind that is gone takes its objects with it, and is listed anew soon after it is back', async () => {
    await start();
    const stream = await rig.sync([widget({ version: 1 })], 10);
    await stream.cut();
    await rig.backOff();
    rig.news();
    rig.kind = 'gone';
    await rig.client.next('watch').refuse(404);
    expect(rig.reflector.health.state).toBe('kind-gone');
    expect(rig.news()).toEqual(['removed ns/a@1']);
    await rig.clock.advance(60_000);
    expect(rig.client.waiting).toBe(0);
    expect(rig.asked).toBeLessThan(40);
    rig.kind = 'unknown';
    await rig.clock.advance(10_000);
    expect(rig.client.waiting).toBe(0);
    rig.kind = 'served';
    await rig.clock.advance(4_000);
    await rig.client.next('list').replyBody({ kind: 'Table' });
    await rig.backOff();
    const list = rig.client.next('list');
    expect(list.query).toEqual({ limit: 500 });
    await list.reply([widget({ uid: 'u2', version: 30 })], 31);
    expect(rig.news()).toEqual(['added ns/a@30']);
    await rig.client.next('watch').open();
    expect(rig.reflector.health.state).toBe('watching');
    // The cut, and the answer that was no list.
    expect(rig.logs.messages('warn')).toHaveLength(2);
  });
});

describe('silence', () => {
  it('of 75 s ends a stream, counted from its start, and the next one resumes', async () => {
    await start();
    const stream = await rig.sync([], 10);
    await rig.clock.advance(74_999);
    expect(stream.closed).toBe(0);
    await rig.clock.advance(1);
    expect(stream.closed).toBe(1);
    expect(rig.reflector.health).toMatchObject({ state: 'degraded', cause: { kind: 'silent' } });
    await rig.clock.advance(800);
    const watch = rig.client.next('watch');
    expect(watch.query).toMatchObject({ resourceVersion: '10', timeoutSeconds: 60 });
    const next = await watch.open();
    await next.bookmark(11);
    await rig.clock.advance(60_000);
    await next.end();
    expect(rig.client.next('watch').query).toMatchObject({ timeoutSeconds: 300 });
    expect(rig.client.count('list')).toBe(1);
  });

  it('is counted from the last frame', async () => {
    await start();
    const stream = await rig.sync([], 10);
    for (let minute = 0; minute < 10; minute++) {
      await rig.clock.advance(60_000);
      await stream.bookmark(11 + minute);
    }
    expect(stream.closed).toBe(0);
    expect(rig.reflector.health.lastFrameAt).toBe(rig.clock.now());
    await rig.clock.advance(75_000);
    expect(stream.closed).toBe(1);
  });

  it('is not held against a stream whose bytes lay ready while the loop was blocked', async () => {
    await start();
    const stream = await rig.sync([], 10);
    await rig.clock.advance(30_000);
    rig.clock.block(90_000);
    stream.push(Buffer.from(`${JSON.stringify({ type: 'ADDED', object: widget({ version: 11 }) })}\n`));
    await settle();
    expect(stream.closed).toBe(0);
    expect(rig.news()).toEqual(['added ns/a@11']);
    await rig.clock.advance(74_000);
    expect(stream.closed).toBe(0);
    await rig.clock.advance(1_000);
    expect(stream.closed).toBe(1);
  });

  it('of a blocked loop and a dead stream is noticed all the same', async () => {
    await start();
    const stream = await rig.sync([], 10);
    rig.clock.block(90_000);
    await settle();
    expect(stream.closed).toBe(1);
  });
});

describe('stopping', () => {
  it.each(['list', 'page', 'connect', 'stream', 'back-off', 'discovery'])(
    'during %s ends run and lets nothing come after',
    async (phase) => {
      await start({ options: phase === 'discovery' ? { resolveKind: () => new Promise(() => undefined) } : {} });
      const list = rig.client.next('list');
      if (phase === 'list') {
        await rig.stop();
        await list.reply([widget({ version: 1 })], 2);
      } else if (phase === 'page') {
        await list.reply([widget({ version: 1 })], 2, 'token');
        const page = rig.client.next('list');
        await rig.stop();
        await page.reply([], 2);
      } else {
        await list.reply([], 2);
        const watch = rig.client.next('watch');
        if (phase === 'connect') {
          await rig.stop();
          const stream = await watch.open();
          expect(stream.closed).toBe(1);
          await stream.event('ADDED', widget({ version: 3 }));
        } else if (phase === 'stream') {
          const stream = await watch.open();
          const line = (version: number): string =>
            `${JSON.stringify({ type: 'ADDED', object: widget({ version }) })}\n`;
          stream.push(Buffer.from(line(3) + line(4)));
          await rig.stop();
          expect(stream.closed).toBe(1);
          await stream.event('ADDED', widget({ version: 5 }));
        } else if (phase === 'back-off') {
          await watch.refuse(500);
        } else {
          await watch.refuse(404);
        }
      }
      await rig.stop();
      expect(rig.ended).toBe(true);
      expect(rig.failure).toBeUndefined();
      expect(rig.news()).toEqual([]);
      expect(rig.reflector.health.state).toBe('stopped');
    },
  );

  it('at any turn of a chunk on its way lets nothing come after', async () => {
    for (let turns = 0; turns < 20; turns++) {
      await start();
      const stream = await rig.sync([], 2);
      const lines = [3, 4, 5].map((version) => `${JSON.stringify({ type: 'ADDED', object: widget({ version }) })}\n`);
      stream.push(Buffer.from(lines.join('')));
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const stopping = rig.stop();
      const before = rig.changes.length;
      await stopping;
      expect(rig.changes).toHaveLength(before);
    }
  });

  it('by a listener of the store ends before the next event of the same chunk', async () => {
    const { storeRig } = await import('./support.js');
    const seen: string[] = [];
    let stopping: Promise<void> | undefined;
    const { store } = storeRig({
      onChange: (change) => {
        seen.push(change.key);
        stopping = rig.stop();
      },
    });
    await start({ options: { store } });
    const stream = await rig.sync([], 2);
    const line = (name: string, version: number): string =>
      `${JSON.stringify({ type: 'ADDED', object: widget({ name, version }) })}\n`;
    await stream.bytes(Buffer.from(line('a', 3) + line('b', 4)));
    await stopping;
    expect(seen).toEqual(['ns/a']);
  });
});
