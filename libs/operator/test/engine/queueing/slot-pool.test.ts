import { describe, expect, it } from 'vitest';
import { SlotPool } from '../../../src/engine/queueing/slot-pool.js';

describe('SlotPool', () => {
  it('hands out as many slots as it has', () => {
    const pool = new SlotPool(2);
    const unused = (): void => undefined;
    expect([pool.take(unused), pool.take(unused), pool.take(unused)]).toEqual([true, true, false]);
  });

  it('gives a returned slot to who waits longest, and puts who wants more at the end', () => {
    const pool = new SlotPool(1);
    const turns: string[] = [];
    const greedy = (name: string): (() => void) => {
      const onFree = (): void => {
        while (pool.take(onFree)) turns.push(name);
      };
      return onFree;
    };
    for (const name of ['a', 'b', 'c']) greedy(name)();
    for (let n = 0; n < 6; n += 1) pool.release();
    expect(turns).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('passes the turn on when who waited longest needs no slot any more', () => {
    const pool = new SlotPool(1);
    const taken: string[] = [];
    pool.take(() => undefined);
    pool.take(() => undefined);
    pool.take(function next() {
      if (pool.take(next)) taken.push('second');
    });
    pool.release();
    expect(taken).toEqual(['second']);
  });
});
