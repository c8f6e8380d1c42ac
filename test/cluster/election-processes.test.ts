import { eventually } from '@nestjs-operator/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Widget } from '../support/kinds.js';
import { Replicas, type Replica, type Said } from './replicas.js';

beforeAll(() => Replicas.prepare());
afterAll(() => Replicas.remove());

const open: Replicas[] = [];
afterEach(async () => {
  for (const replicas of open.splice(0)) await replicas.close();
});

async function openReplicas(): Promise<Replicas> {
  const replicas = await Replicas.open();
  open.push(replicas);
  return replicas;
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const second = 1_000;

/** Who wrote to the widgets, in the order of the server: by handlers through the client (labels), and by the engine (status). */
async function followWrites(replicas: Replicas): Promise<{ readonly writers: string[]; stop(): void }> {
  const { admin, namespace } = replicas.world;
  const stop = new AbortController();
  const writers: string[] = [];
  const seen = new Map<string, string>();
  const watching = (async () => {
    for await (const event of admin.watch(Widget, { namespace, signal: stop.signal })) {
      const { metadata, status } = event.object as {
        metadata: { name: string; labels?: Record<string, string> };
        status?: { by?: string };
      };
      for (const [kind, writer] of [
        ['label', metadata.labels?.['writer']],
        ['status', status?.by],
      ] as const) {
        const key = `${metadata.name} ${kind}`;
        if (writer === undefined || seen.get(key) === writer) continue;
        seen.set(key, writer);
        writers.push(writer);
      }
    }
  })();
  // It ends with its signal.
  watching.catch(() => undefined);
  await sleep(200);
  return { writers, stop: () => stop.abort(new Error('The test is over.')) };
}

const of = (said: readonly Said[], what: string): readonly Said[] => said.filter((one) => one.what === what);

describe('two replicas', () => {
  test('[FS-29] renewals blocked for 12 s while a handler is at work: aborted before the lease ends, and the old leader writes nothing after the new one began', async () => {
    const replicas = await openReplicas();
    const a = await replicas.start('a');
    await replicas.leading(a);
    const b = await replicas.start('b');
    await b.program.printed('Another replica leads');
    const { writers, stop } = await followWrites(replicas);
    await replicas.create('one', { work: 60_000 });
    await a.program.printed('@@ a begins one');
    const lastRenewal = performance.timeOrigin + performance.now();
    const blocked = sleep(12 * second);
    a.proxy.hold = (method, path) => (path.includes('/leases/') && method === 'PUT' ? blocked : undefined);
    await a.program.printed('@@ a aborted one');
    await blocked;
    a.proxy.hold = undefined;
    expect(await a.program.ended()).toBe(1);
    await replicas.leading(b, 30_000);
    await b.program.printed('@@ b begins one');
    await replicas.create('two');
    await b.program.printed('@@ b wrote two');
    const [aborted] = of(replicas.said, 'aborted');
    // The lease ran from the last renewal on, up to a retry period before.
    expect(aborted!.at - lastRenewal).toBeLessThan(13 * second);
    expect(of(replicas.said, 'refused').map(({ by }) => by)).toEqual(['a']);
    expect(of(replicas.said, 'wrote').map(({ by }) => by)).toEqual(['b']);
    await eventually(() => writers.length >= 2, { timeout: 10_000 });
    stop();
    expect(new Set(writers)).toEqual(new Set(['b']));
    expect(a.program.output).toContain('OPERATOR_LEADERSHIP_LOST');
  });

  test('a leader that was stopped for 20 s finds itself replaced, writes nothing and ends with 1', async () => {
    const replicas = await openReplicas();
    const a = await replicas.start('a');
    await replicas.leading(a);
    const b = await replicas.start('b');
    await b.program.printed('Another replica leads');
    const { writers, stop } = await followWrites(replicas);
    for (let index = 0; index < 5; index += 1) await replicas.create(`w${index}`, { work: 3 * second });
    await eventually(() => of(replicas.said, 'begins').length === 5, { timeout: 10_000, interval: 10 });
    a.program.send('SIGSTOP');
    await replicas.leading(b, 30_000);
    await eventually(() => of(replicas.said, 'wrote').filter(({ by }) => by === 'b').length === 5, { timeout: 20_000 });
    a.program.send('SIGCONT');
    expect(await a.program.ended()).toBe(1);
    await sleep(second);
    stop();
    expect(new Set(writers)).toEqual(new Set(['b']));
    expect(of(replicas.said, 'wrote').filter(({ by }) => by === 'a')).toEqual([]);
  });

  test('[FS-39] with 2 s of latency on each call and 50 handlers at work the lease is renewed on time', async () => {
    const replicas = await openReplicas();
    const a = await replicas.start('a');
    a.proxy.hold = () => sleep(2 * second);
    await replicas.leading(a);
    for (let index = 0; index < 50; index += 1) await replicas.create(`w${index}`, { work: 5 * second });
    await eventually(() => of(replicas.said, 'begins').length >= 10, { timeout: 60_000 });
    const busy = performance.now();
    await eventually(() => of(replicas.said, 'wrote').length === 50, { timeout: 100_000 });
    const renewals = a.proxy.requests.filter(
      ({ method, path, at }) => method === 'PUT' && path.includes('/leases/') && at > busy,
    );
    const gaps = renewals.slice(1).map(({ at }, index) => at - renewals[index]!.at);
    expect(gaps.length).toBeGreaterThan(5);
    // Sent with the answer of the one before, or a retry period after it was sent.
    expect(Math.max(...gaps)).toBeLessThan(5 * second);
    expect(a.program.output).not.toContain('could not be renewed');
  }, 200_000);
});

describe('after a kill', () => {
  const kill = async (
    what: string,
    leader: Parameters<Replicas['start']>,
    follower: Parameters<Replicas['start']>,
    leaseDuration: number,
  ): Promise<void> => {
    const replicas = await openReplicas();
    const a = await replicas.start(...leader);
    await replicas.leading(a);
    const b = await replicas.start(...follower);
    await b.program.printed('Another replica leads');
    expect(b.program.output, what).toMatch(/Another replica leads; this one stands by.*holder.*a.*until/s);
    await sleep(4 * second);
    a.program.kill();
    const killed = performance.now();
    await replicas.leading(b, leaseDuration + 10 * second);
    const took = performance.now() - killed;
    expect(took, what).toBeLessThan(leaseDuration + 2 * second);
    expect(took, what).toBeGreaterThan(leaseDuration - 3 * second);
  };

  test('[TC-66] the standby leads within the lease time and 2 s, whatever its clock and its own settings say; an identity may come back', async () => {
    const minutes = 60 * second;
    await Promise.all([
      kill('clock ten minutes ahead', ['a'], ['b', {}, 10 * minutes], 15 * second),
      kill('clock ten minutes behind', ['a'], ['b', {}, -10 * minutes], 15 * second),
      kill(
        'another duration set',
        ['a', { leaseDuration: '20s' }],
        ['b', { leaseDuration: '6s', renewDeadline: '3s', retryPeriod: '1s' }],
        20 * second,
      ),
      kill('the same identity again', ['a'], ['a'], 15 * second),
    ]);
  }, 200_000);
});

test('three replicas, updated one after the other under load: every object is handled once, and none is left out', async () => {
  const replicas = await openReplicas();
  let generation: readonly Replica[] = await Promise.all([
    replicas.start('a1'),
    replicas.start('b1'),
    replicas.start('c1'),
  ]);
  await eventually(() => generation.some((one) => one.leads()), { timeout: 60_000 });
  let count = 0;
  const load = { over: false };
  const loading = (async () => {
    while (!load.over) {
      await replicas.create(`w${count}`, { work: 200 });
      count += 1;
      await sleep(100);
    }
  })();
  await sleep(2 * second);
  const next: Replica[] = [];
  for (const [index, old] of generation.entries()) {
    const fresh = await replicas.start(`${'abc'[index]}2`);
    await fresh.program.printed('Another replica leads');
    old.program.send('SIGTERM');
    expect(await old.program.ended()).toBe(0);
    next.push(fresh);
    await sleep(2 * second);
  }
  generation = next;
  await sleep(3 * second);
  load.over = true;
  await loading;
  await eventually(() => of(replicas.said, 'wrote').length >= count, { timeout: 30_000 });
  await sleep(2 * second);
  const begun = of(replicas.said, 'begins').map(({ name }) => name);
  expect(begun.toSorted()).toEqual(Array.from({ length: count }, (_none, index) => `w${index}`).toSorted());
  expect(of(replicas.said, 'refused')).toEqual([]);
  expect(of(replicas.said, 'failed')).toEqual([]);
  expect(new Set(of(replicas.said, 'begins').map(({ by }) => by)).size).toBeGreaterThan(1);
}, 200_000);
