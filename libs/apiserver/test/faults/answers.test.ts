import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { InvalidFaultError, type FaultAction } from '../../src/index.js';
import { configMap, configMaps, server } from '../support/fixtures.js';
import { call, WatchStream } from '../support/http.js';
import { ManualClock } from '../support/manual-clock.js';
import { RawConnection } from './raw-connection.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

/** Long enough for anything that would come without time passing. */
async function settle(): Promise<void> {
  for (let index = 0; index < 20; index++) await turn();
}

const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' };

describe('an answer that is held back (slow headers)', () => {
  it('comes late though the write is done at once, and nothing counts as busy meanwhile', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    api.faults.add({ match: { resource: 'configmaps' }, do: { action: 'delay', ms: 5_000, when: 'beforeAnswer' } });
    const connection = new RawConnection(api, 'GET', configMaps);
    const created = call(api.url, 'POST', configMaps, { body: configMap('a') });
    await until(() => clock.timers === 2);
    await settle();
    expect(await api.get(ref)).toBeDefined();
    expect([connection.received, api.activity.count]).toEqual(['', 0]);
    clock.advance(5_000);
    expect((await created).status).toBe(201);
    await connection.until(({ body }) => body !== '');
    expect(connection.received).toMatch(/^HTTP\/1.1 200 OK/);
    connection.close();
  });

  it('is a refusal, a document, or the headers of a watch', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    api.faults.add({ do: { action: 'delay', ms: 100, when: 'beforeAnswer' } });
    const answers: number[] = [];
    const ask = (path: string): Promise<number> =>
      call(api.url, 'GET', path).then(({ status }) => answers.push(status));
    const asked = [ask(`${configMaps}/absent`), ask('/version'), ask(`${configMaps}?limit=x`), ask('/nowhere')];
    const opening = WatchStream.open(api.url, `${configMaps}?watch=1`);
    await until(() => clock.timers === 5);
    expect([answers, api.watches.list()]).toEqual([[], []]);
    clock.advance(100);
    await Promise.all(asked);
    expect(answers.sort((a, b) => a - b)).toEqual([200, 400, 404, 404]);
    const watch = await opening;
    expect(watch.status).toBe(200);
    watch.close();
  });

  it('is given up when its client leaves', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    api.faults.add({ do: { action: 'delay', ms: 100, when: 'beforeAnswer' } });
    const connection = new RawConnection(api, 'GET', configMaps);
    await until(() => clock.timers === 1);
    connection.close();
    await until(() => clock.timers === 0);
    expect(api.requests.all()[0]!.status).toBeUndefined();
  });
});

describe('an answer that is cut', () => {
  it.each([
    ['reset', 'ECONNRESET'],
    ['close', 'FIN'],
  ] as const)('ends after n bytes with a %s', async (how, ending) => {
    const api = await server();
    api.faults.add({ do: { action: 'cut', afterBytes: 10, how } });
    const connection = new RawConnection(api, 'GET', configMaps);
    await connection.until(({ ended }) => ended !== undefined);
    expect([connection.ended, connection.body]).toEqual([ending, '{"kind":"C']);
  });

  it('after all of its bytes comes whole, and the connection is lost all the same', async () => {
    const api = await server();
    const whole = (await call(api.url, 'GET', '/version')).text;
    api.faults.add({ do: { action: 'cut', afterBytes: whole.length, how: 'close' } });
    const connection = new RawConnection(api, 'GET', '/version');
    await connection.until(({ ended }) => ended !== undefined);
    expect([connection.ended, connection.body]).toEqual(['FIN', whole]);
  });
});

describe('an answer that stalls', () => {
  it('after n bytes goes on when the time has come', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    api.faults.add({ match: { times: 1 }, do: { action: 'stall', afterBytes: 10, ms: 1_000 } });
    const connection = new RawConnection(api, 'GET', configMaps);
    await connection.until(({ body }) => body.length >= 10);
    await settle();
    expect(connection.body).toBe('{"kind":"C');
    clock.advance(1_000);
    await connection.until(({ body }) => body.endsWith(']}\n'));
    expect(connection.body).toBe((await call(api.url, 'GET', configMaps)).text);
    connection.close();
  });

  it('before it begins: the request waits, then is processed', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    api.faults.add({ do: { action: 'stall', ms: 1_000 } });
    const created = call(api.url, 'POST', configMaps, { body: configMap('a') });
    await until(() => clock.timers === 1);
    expect(await api.get(ref)).toBeUndefined();
    clock.advance(1_000);
    expect((await created).status).toBe(201);
  });

  it('for ever is a half-open connection: no byte, no end, whatever the client sends', async () => {
    const api = await server();
    api.faults.add({ match: { times: 1 }, do: { action: 'stall', afterBytes: 3 } });
    const socket = connect(api.port, '127.0.0.1');
    let received = '';
    let ended = false;
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('end', () => (ended = true));
    socket.on('error', () => (ended = true));
    const ask = `GET ${configMaps} HTTP/1.1\r\nhost: x\r\n\r\n`;
    socket.write(ask);
    await until(() => received.endsWith('\r\n\r\n{"k'));
    const before = received;
    socket.write(ask);
    await call(api.url, 'GET', configMaps);
    await settle();
    expect([received, ended, api.requests.length]).toEqual([before, false, 2]);
    socket.destroy();
  });

  it('in a watch goes on in order, with everything that happened meanwhile', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    api.faults.add({ match: { verb: 'watch' }, do: { action: 'stall', afterEvents: 1, ms: 1_000 } });
    const watch = await WatchStream.open(api.url, `${configMaps}?watch=1&timeoutSeconds=1`);
    await until(() => api.watches.list().length === 1);
    await api.create(configMap('a'));
    await watch.next();
    for (const name of ['b', 'c', 'd']) await api.create(configMap(name));
    await settle();
    expect(watch.lines).toHaveLength(1);
    clock.advance(500);
    await settle();
    expect(watch.lines).toHaveLength(1);
    // The stream's own time ends in the same moment as the stall, and comes after what it carries.
    clock.advance(500);
    expect((await watch.take(3)).map(({ object }) => object.metadata.name)).toEqual(['b', 'c', 'd']);
    expect(await watch.ended()).toBe('end');
  });

  it('in a watch after n bytes, in the middle of a line', async () => {
    const clock = new ManualClock();
    const api = await server({ clock });
    api.faults.add({ match: { verb: 'watch' }, do: { action: 'stall', afterBytes: 25, ms: 10 } });
    const watch = await WatchStream.open(api.url, `${configMaps}?watch=1`);
    await api.create(configMap('a'));
    await until(() => watch.rest !== '');
    await settle();
    expect(watch.rest).toBe('{"type":"ADDED","object":');
    clock.advance(10);
    expect((await watch.next()).object.metadata.name).toBe('a');
    watch.close();
  });
});

describe('410 at will', () => {
  it('on a list, on a page, and in a watch, though all of the history is there', async () => {
    const api = await server();
    for (const name of ['a', 'b', 'c']) await api.create(configMap(name));
    const first = await call(api.url, 'GET', `${configMaps}?limit=1`);
    const token = first.json.metadata.continue as string;
    const fault = api.faults.add({ do: { action: 'expire', afterEvents: 1 } });

    const list = await call(api.url, 'GET', `${configMaps}?resourceVersion=${api.store.revision}`);
    expect([list.status, list.json.reason, list.json.message]).toEqual([
      410,
      'Expired',
      'The resourceVersion for the provided list is too old.',
    ]);
    const page = await call(api.url, 'GET', `${configMaps}?limit=1&continue=${token}`);
    expect([page.status, page.json.reason]).toEqual([410, 'Expired']);
    const watch = await WatchStream.open(api.url, `${configMaps}?watch=1&resourceVersion=${api.store.revision}`);
    await api.create(configMap('d'));
    const [event, error] = await watch.take(2);
    expect(event).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'd' } } });
    expect(error).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
    expect(await watch.ended()).toBe('end');
    expect(api.watches.list()).toEqual([]);
    expect((await call(api.url, 'GET', `${configMaps}/a`)).status).toBe(200);
    fault.remove();

    const rest = page.json.metadata.continue as string;
    const second = await call(api.url, 'GET', `${configMaps}?limit=1&continue=${rest}`);
    expect(second.json.items[0].metadata.name).toBe('b');
  });

  it('in a watch as a whole: at once, before the state', async () => {
    const api = await server();
    await api.create(configMap('a'));
    api.faults.add({ do: { action: 'expire' } });
    const watch = await WatchStream.open(api.url, `${configMaps}?watch=1&resourceVersion=1`);
    expect((await watch.next()).object).toMatchObject({ code: 410, reason: 'Expired' });
    expect(await watch.ended()).toBe('end');
  });
});

describe('a read of the past', () => {
  it('that was compacted away is 410: in the answer of a list, within a watch', async () => {
    const api = await server();
    api.faults.add({ do: { action: 'stale', revision: 1 } });
    expect((await call(api.url, 'GET', configMaps)).json).toMatchObject({ code: 410, reason: 'Expired' });
    const watch = await WatchStream.open(api.url, `${configMaps}?watch=1`);
    expect(await watch.next()).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    expect(await watch.ended()).toBe('end');
  });
});

describe('a spoilt body', () => {
  it.each(['truncate', 'garble'] as const)('is no JSON (%s)', async (how) => {
    const { url, faults } = await server();
    const whole = (await call(url, 'GET', configMaps)).text;
    faults.add({ do: { action: 'corrupt', how } });
    const { text, status } = await call(url, 'GET', configMaps);
    expect(status).toBe(200);
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(text.length).toBe(how === 'truncate' ? Math.floor(whole.length / 2) : whole.length);
  });
});

describe('chance', () => {
  const answer: FaultAction = { action: 'answer', status: 418 };

  it('hits the same requests under the same seed, and others under another', async () => {
    const run = async (faultSeed: number): Promise<string> => {
      const { url, faults } = await server({ faultSeed });
      expect(faults.seed).toBe(faultSeed);
      const fault = faults.add({ match: { resource: 'configmaps', probability: 0.5 }, do: answer });
      let hits = '';
      for (let index = 0; index < 40; index++) {
        // Neither other faults nor requests that do not match have a say.
        if (index === 20) faults.add({ match: { resource: 'secrets', probability: 0.5 }, do: answer });
        await call(url, 'GET', '/api/v1/secrets');
        hits += (await call(url, 'GET', configMaps)).status === 418 ? '1' : '0';
      }
      expect(fault.hits).toBe(hits.replaceAll('0', '').length);
      return hits;
    };
    const first = await run(7);
    expect(first).toMatch(/^(?=.*1.*1.*1)(?=.*0.*0.*0)/);
    expect(await run(7)).toBe(first);
    expect(await run(8)).not.toBe(first);
  });

  it('of 0 and of 1 are certainties, and count with nth and times', async () => {
    const { url, faults } = await server();
    const never = faults.add({ match: { probability: 0 }, do: answer });
    const always = faults.add({ match: { probability: 1, nth: 2, times: 1 }, do: { ...answer, status: 420 } });
    const statuses: number[] = [];
    for (let index = 0; index < 4; index++) statuses.push((await call(url, 'GET', configMaps)).status);
    expect(statuses).toEqual([200, 420, 200, 200]);
    expect([never.hits, always.hits]).toEqual([0, 1]);
  });

  it('has a seed of its own where none is given', async () => {
    expect((await server()).faults.seed).not.toBe((await server()).faults.seed);
  });
});

describe('a fault that makes no sense', () => {
  it('is refused with everything that is wrong about it', async () => {
    const { faults } = await server();
    let refusal: unknown;
    try {
      faults.add({
        match: { nth: 0, times: 1.5, probability: 2 },
        do: [
          { action: 'delay', ms: -1 },
          { action: 'stall', afterBytes: 1, afterEvents: 1 },
          { action: 'dropEvents', events: { nth: -1 } },
          { action: 'reorderEvents', by: 0 },
          { action: 'rechunk', bytes: Number.NaN },
        ],
      });
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(InvalidFaultError);
    expect((refusal as InvalidFaultError).code).toBe('APISERVER_INVALID_FAULT');
    expect((refusal as InvalidFaultError).problems).toEqual([
      'match.nth must be an integer from 1 on, got 0',
      'match.times must be an integer from 1 on, got 1.5',
      'match.probability must lie between 0 and 1, got 2',
      'delay.ms must be a number of milliseconds from 0 on, got -1',
      'stall.afterBytes and stall.afterEvents exclude each other',
      'dropEvents.events.nth must be an integer from 1 on, got -1',
      'reorderEvents.by must be an integer from 1 on, got 0',
      'rechunk.bytes must be an integer from 1 on, got NaN',
    ]);
    expect(() => faults.add({ do: [] })).toThrow('there is no action');
  });
});
