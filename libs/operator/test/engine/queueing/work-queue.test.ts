import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { ProcessingFailedError } from '../../../src/errors/processing-failed.error.js';
import { SlotPool } from '../../../src/engine/queueing/slot-pool.js';
import { WorkQueue } from '../../../src/engine/queueing/work-queue.js';
import { createLogger } from '../../../src/engine/ports/index.js';
import { FakeClock } from '../client/fake-clock.js';
import { pseudoRandom, queueRig, ticks } from './support.js';

describe('WorkQueue', () => {
  describe('keys', () => {
    it('runs a key once for all that was asked while it waited, and once more for all that was asked while it ran', async () => {
      const { queue, begun, openRun } = queueRig();
      queue.add('a');
      for (let n = 0; n < 1_000; n += 1) queue.add('a');
      expect(begun).toEqual(['a']);
      await openRun('a').end();
      expect(begun).toEqual(['a', 'a']);
      await openRun('a').end();
      expect(begun).toEqual(['a', 'a']);
      expect(queue.size).toBe(0);
    });

    it('runs different keys beside each other, as many as its concurrency allows', async () => {
      const { queue, begun, openRun } = queueRig({ concurrency: 2 });
      for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
      expect(begun).toEqual(['a', 'b']);
      expect([queue.running, queue.ready]).toEqual([2, 2]);
      await openRun('b').end();
      expect(begun).toEqual(['a', 'b', 'c']);
    });

    it('runs no key in the asynchronous context of whoever asked for it, now or later', async () => {
      const storage = new AsyncLocalStorage<string>();
      const contexts: Array<string | undefined> = [];
      const { queue, clock } = queueRig({
        process: () => {
          contexts.push(storage.getStore());
          return Promise.resolve(undefined);
        },
      });
      storage.run('a handler of another key', () => {
        queue.add('a');
        queue.add('b', { after: 1_000 });
      });
      await ticks();
      clock.advance(1_000);
      expect(contexts).toEqual([undefined, undefined]);
    });

    it('begins nothing before its task runs, and then all that was asked for', async () => {
      const { queue, begun } = queueRig({ start: false });
      queue.add('a');
      expect(begun).toEqual([]);
      const controller = new AbortController();
      const done = queue.run(controller.signal);
      expect(begun).toEqual(['a']);
      controller.abort();
      await done;
    });
  });

  describe('due times', () => {
    it('waits for the due time, and runs earlier when something earlier is asked for', async () => {
      const { queue, clock, begun, openRun } = queueRig();
      queue.add('a', { after: 10_000 });
      queue.add('b', { after: 5_000 });
      clock.advance(4_999);
      expect(begun).toEqual([]);
      clock.advance(1);
      expect(begun).toEqual(['b']);
      queue.add('a', { after: 1_000 });
      queue.add('a', { after: 60_000 });
      clock.advance(1_000);
      expect(begun).toEqual(['b', 'a']);
      await openRun('a').end();
      clock.advance(100_000);
      expect(begun).toEqual(['b', 'a']);
    });

    it('runs a key again when its run said so, or earlier when it was asked for meanwhile', async () => {
      const { queue, clock, begun, openRun } = queueRig();
      queue.add('a');
      await openRun('a').end({ after: 3_000, priority: 'live' });
      clock.advance(2_999);
      expect(begun).toEqual(['a']);
      clock.advance(1);
      expect(begun).toEqual(['a', 'a']);
      queue.add('a');
      await openRun('a').end({ after: 3_000, priority: 'live' });
      expect(begun).toEqual(['a', 'a', 'a']);
    });

    it('keeps no timer when nothing waits any more', async () => {
      const { queue, clock, openRun } = queueRig();
      queue.add('a');
      await openRun('a').end({ after: 36_000_000, priority: 'background' });
      expect(clock.pending).toBe(1);
      queue.add('a');
      await openRun('a').end();
      expect([queue.size, clock.pending]).toEqual([0, 0]);
    });

    it('honours delays beyond what one timer of the platform takes', () => {
      const { queue, clock, begun } = queueRig();
      queue.add('a', { after: 2 ** 32 });
      clock.advance(2 ** 32 - 1);
      expect(begun).toEqual([]);
      clock.advance(1);
      expect(begun).toEqual(['a']);
    });
  });

  describe('priorities', () => {
    it('runs live keys before background ones', async () => {
      const { queue, begun, openRun } = queueRig({ concurrency: 1 });
      queue.add('first');
      queue.add('background', { priority: 'background' });
      queue.add('live');
      await openRun('first').end();
      expect(begun).toEqual(['first', 'live']);
    });

    it('lets a background key pass live ones when it has been due for 60 s', async () => {
      const { queue, clock, begun, openRun } = queueRig({ concurrency: 1 });
      queue.add('first');
      queue.add('old', { priority: 'background' });
      clock.advance(1);
      queue.add('young', { priority: 'background' });
      clock.advance(59_999);
      queue.add('live');
      await openRun('first').end();
      await openRun('old').end();
      expect(begun).toEqual(['first', 'old', 'live']);
    });

    it('raises a background key that is asked for live, waiting or ready, and never lowers one', async () => {
      const { queue, clock, begun, openRun } = queueRig({ concurrency: 1 });
      queue.add('first');
      queue.add('x', { priority: 'background' });
      queue.add('ready', { priority: 'background' });
      queue.add('waiting', { priority: 'background', after: 10 });
      queue.add('ready');
      queue.add('ready', { priority: 'background' });
      queue.add('waiting', { after: 20 });
      clock.advance(20);
      for (const key of ['first', 'ready', 'waiting', 'x']) await openRun(key).end();
      expect(begun).toEqual(['first', 'ready', 'waiting', 'x']);
    });
  });

  describe('slots', () => {
    it('shares the slots of the pool with other queues in turn, however much waits in one', async () => {
      const slots = new SlotPool(1);
      const clock = new FakeClock();
      const [busy, quiet] = [queueRig({ slots, clock }), queueRig({ slots, clock })];
      for (let n = 0; n < 10; n += 1) busy.queue.add(`busy-${n}`);
      quiet.queue.add('quiet');
      await busy.openRun('busy-0').end();
      expect([busy.begun, quiet.begun]).toEqual([['busy-0', 'busy-1'], []]);
      await busy.openRun('busy-1').end();
      expect([busy.begun, quiet.begun]).toEqual([['busy-0', 'busy-1'], ['quiet']]);
      await quiet.openRun('quiet').end();
      expect(busy.begun).toEqual(['busy-0', 'busy-1', 'busy-2']);
    });

    it('gives the slot of a stuck run to others, while its own key stays excluded', async () => {
      const { queue, begun, openRun } = queueRig({ slots: new SlotPool(1) });
      queue.add('stuck');
      queue.add('other');
      const stuck = openRun('stuck');
      stuck.run.freeSlot();
      stuck.run.freeSlot();
      queue.add('stuck');
      expect(begun).toEqual(['stuck', 'other']);
      await openRun('other').end();
      expect(begun).toEqual(['stuck', 'other']);
      await stuck.end();
      expect(begun).toEqual(['stuck', 'other', 'stuck']);
      // The slot was given back once, not twice.
      queue.add('next');
      expect(begun).toHaveLength(3);
    });

    it('plans what a run asks for that had given its slot away', async () => {
      const { queue, clock, begun, openRun } = queueRig();
      queue.add('stuck');
      const stuck = openRun('stuck');
      stuck.run.freeSlot();
      await stuck.end({ after: 1_000, priority: 'live' });
      clock.advance(1_000);
      expect(begun).toEqual(['stuck', 'stuck']);
    });
  });

  describe('failures', () => {
    it('rejects its task with the first failure and logs exactly one record for each failing key', async () => {
      const { queue, done, records, openRun, begun } = queueRig();
      const [first, second] = [new Error('first'), new Error('second')];
      queue.add('a');
      queue.add('b');
      queue.add('c', { after: 10 });
      const b = openRun('b');
      await openRun('a').fail(first);
      await b.fail(second);
      const failure = await done.then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(ProcessingFailedError);
      expect((failure as Error).cause).toBe(first);
      expect(records.map(({ level, fields, error }) => [level, fields['key'], fields['uid'], error])).toEqual([
        ['error', 'a', 'u1', first],
        ['error', 'b', 'u1', second],
      ]);
      queue.add('d');
      expect(begun).toEqual(['a', 'b']);
    });

    it('reports a processor that throws before it returns a promise', async () => {
      const { queue, done, records } = queueRig({
        process: () => {
          throw new Error('at once');
        },
      });
      queue.add('a');
      await expect(done).rejects.toBeInstanceOf(ProcessingFailedError);
      expect(records).toHaveLength(1);
    });

    it('reports the failure even when the object cannot be described', async () => {
      const cause = new Error('processing');
      const { queue, done, records, openRun } = queueRig({
        describe: () => {
          throw new Error('describing');
        },
      });
      queue.add('a');
      await openRun('a').fail(cause);
      await expect(done).rejects.toMatchObject({ cause });
      expect(records.filter(({ level }) => level === 'error').map(({ error }) => error)).toEqual([cause]);
    });

    it('rejects its task when its own timer fails to work', async () => {
      const cause = new Error('no timers');
      const clock = new FakeClock();
      const { queue, done, records } = queueRig({ clock });
      clock.setTimer = () => {
        throw cause;
      };
      queue.add('a', { after: 10 });
      await expect(done).rejects.toMatchObject({ cause });
      expect(records.map(({ error }) => error)).toEqual([cause]);
    });

    it('rejects a task that begins after the failure', async () => {
      const clock = new FakeClock();
      const { queue, done, openRun } = queueRig({ clock });
      queue.add('a');
      await openRun('a').fail(new Error('no'));
      await expect(done).rejects.toThrow(ProcessingFailedError);
      await expect(queue.run(new AbortController().signal)).rejects.toThrow(ProcessingFailedError);
    });
  });

  describe('stopping', () => {
    it('begins nothing once it is closed, lets runs end, and is drained when the last one has', async () => {
      const { queue, begun, openRun, clock } = queueRig({ concurrency: 1 });
      queue.add('a');
      queue.add('b');
      queue.add('later', { after: 5 });
      queue.close();
      expect(clock.pending).toBe(0);
      let drained = false;
      const wait = queue.drained().then(() => (drained = true));
      await ticks();
      expect(drained).toBe(false);
      await openRun('a').end({ after: 0, priority: 'live' });
      await wait;
      expect(begun).toEqual(['a']);
      await queue.drained();
    });

    it('ends its task when its signal is aborted', async () => {
      const { queue, stop, done, begun } = queueRig();
      stop();
      await done;
      queue.add('a');
      expect(begun).toEqual([]);
    });

    it('ends at once under a signal that is aborted already', async () => {
      const { queue } = queueRig({ start: false });
      await expect(queue.run(AbortSignal.abort())).resolves.toBeUndefined();
    });
  });

  it('loses no wake-up: in any order of events, whatever is asked for runs afterwards, one run per key at a time', async () => {
    for (let seed = 1; seed <= 40; seed += 1) await play(seed);
  });
});

/** Several queues on one small pool under random events. */
async function play(seed: number): Promise<void> {
  const random = pseudoRandom(seed);
  const clock = new FakeClock();
  const slots = new SlotPool(1 + Math.floor(random() * 3));
  /** Keys that were asked for and have not begun a run since. */
  const owed = new Set<string>();
  const running = new Set<string>();
  const ends: Array<() => void> = [];
  const stop = new AbortController();
  const queues = Array.from({ length: 3 }, (_, number) => {
    const name = `q${number}`;
    const used = { slots: 0, most: 1 + Math.floor(random() * 2) };
    const queue = new WorkQueue({
      resource: name,
      clock,
      slots,
      concurrency: used.most,
      logger: createLogger(({ message, error }) => {
        throw new Error(message, { cause: error });
      }),
      describe: () => ({}),
      process: async ({ key, freeSlot }) => {
        const id = `${name}/${key}`;
        expect(running.has(id)).toBe(false);
        running.add(id);
        owed.delete(id);
        used.slots += 1;
        const pause = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
        await pause();
        const stuck = random() < 0.2;
        if (stuck) {
          used.slots -= 1;
          freeSlot();
          await pause();
        }
        running.delete(id);
        if (!stuck) used.slots -= 1;
        if (random() < 0.7) return undefined;
        owed.add(id);
        return { after: Math.floor(random() * 50), priority: random() < 0.5 ? 'live' : 'background' };
      },
    });
    return { name, queue, used, done: queue.run(stop.signal) };
  });
  /** Nothing that is due waits while there is a slot for it. */
  const checkBusy = (): void => {
    const all = queues.reduce((sum, { used }) => sum + used.slots, 0);
    expect(all).toBeLessThanOrEqual(slots.size);
    for (const { queue, used } of queues) {
      expect(used.slots).toBeLessThanOrEqual(used.most);
      if (all < slots.size && used.slots < used.most) expect({ seed, ready: queue.ready }).toEqual({ seed, ready: 0 });
    }
  };
  const endOne = async (): Promise<void> => {
    ends.splice(Math.floor(random() * ends.length), 1)[0]?.();
    await ticks();
  };
  for (let step = 0; step < 200; step += 1) {
    const dice = random();
    if (dice < 0.5) {
      const target = queues[Math.floor(random() * queues.length)] as (typeof queues)[number];
      const key = `k${Math.floor(random() * 4)}`;
      owed.add(`${target.name}/${key}`);
      const after = random() < 0.5 ? 0 : Math.floor(random() * 50);
      target.queue.add(key, { after, priority: random() < 0.5 ? 'live' : 'background' });
      await ticks();
    } else if (dice < 0.8) {
      await endOne();
    } else {
      clock.advance(Math.floor(random() * 20));
      await ticks();
    }
    checkBusy();
  }
  for (let rounds = 0; rounds < 2_000 && queues.some(({ queue }) => queue.size > 0); rounds += 1) {
    clock.advance(5);
    await ticks();
    while (ends.length > 0) await endOne();
    checkBusy();
  }
  expect({ seed, left: queues.map(({ queue }) => queue.size), owed: [...owed] }).toEqual({
    seed,
    left: [0, 0, 0],
    owed: [],
  });
  stop.abort();
  await Promise.all(queues.map(({ done }) => done));
}
