import { createLogger, type LogRecord } from '../../../src/engine/ports/index.js';
import { SlotPool } from '../../../src/engine/queueing/slot-pool.js';
import {
  WorkQueue,
  type KeyRun,
  type NextRun,
  type WorkQueueOptions,
} from '../../../src/engine/queueing/work-queue.js';
import { FakeClock } from '../client/fake-clock.js';

/** Repeatable numbers from 0 to below 1. */
export function pseudoRandom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** Lets everything that waits for nothing but promises go on. */
export async function ticks(count = 20): Promise<void> {
  for (let n = 0; n < count; n += 1) await Promise.resolve();
}

/** A run that lasts until it is ended. */
export interface OpenRun {
  readonly key: string;
  readonly run: KeyRun;
  end(next?: NextRun): Promise<void>;
  fail(error: unknown): Promise<void>;
}

export interface QueueRig {
  readonly clock: FakeClock;
  readonly queue: WorkQueue;
  readonly slots: SlotPool;
  readonly records: LogRecord[];
  /** Every key whose run began, in order. */
  readonly begun: string[];
  /** Runs that last. */
  readonly open: OpenRun[];
  readonly stop: () => void;
  readonly done: Promise<void>;
  openRun(key: string): OpenRun;
}

export function queueRig(options: Partial<WorkQueueOptions> & { readonly start?: boolean } = {}): QueueRig {
  const clock = (options.clock as FakeClock | undefined) ?? new FakeClock();
  const slots = options.slots ?? new SlotPool(50);
  const records: LogRecord[] = [];
  const begun: string[] = [];
  const open: OpenRun[] = [];
  const queue = new WorkQueue({
    resource: 'widgets.v1.demo.example',
    concurrency: 10,
    logger: createLogger((record) => records.push(record)),
    describe: () => ({ uid: 'u1' }),
    process: (run) => {
      begun.push(run.key);
      const { promise, resolve, reject } = Promise.withResolvers<NextRun | undefined>();
      const settle = async (act: () => void): Promise<void> => {
        open.splice(open.indexOf(entry), 1);
        act();
        await ticks();
      };
      const entry: OpenRun = {
        key: run.key,
        run,
        end: (next) => settle(() => resolve(next)),
        fail: (error) => settle(() => reject(error)),
      };
      open.push(entry);
      return promise;
    },
    ...options,
    clock,
    slots,
  });
  const controller = new AbortController();
  const done = options.start === false ? Promise.resolve() : queue.run(controller.signal);
  // Tests that expect a failure look at `done` themselves.
  done.catch(() => undefined);
  return {
    clock,
    queue,
    slots,
    records,
    begun,
    open,
    done,
    stop: () => controller.abort(),
    openRun: (key) => {
      const found = open.find((run) => run.key === key);
      if (found === undefined) throw new Error(`No run of ${key} is open.`);
      return found;
    },
  };
}
