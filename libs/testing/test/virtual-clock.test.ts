import { describe, expect, it } from 'vitest';
import { EventLoopRest, VirtualClock } from '../src/index.js';

describe('VirtualClock', () => {
  it('fires timers in order of their time, then of their making, and stands still otherwise', async () => {
    const clock = new VirtualClock();
    const fired: string[] = [];
    clock.setTimer(20, () => fired.push(`late ${clock.monotonic()}`));
    clock.setTimer(10, () => fired.push(`first ${clock.monotonic()}`));
    clock.setTimer(10, () => fired.push(`second ${clock.monotonic()}`));
    await clock.settle();
    expect([fired, clock.untilNext]).toEqual([[], 10]);
    await clock.advance(15);
    expect(fired).toEqual(['first 10', 'second 10']);
    await clock.advance(15);
    expect([fired.at(-1), clock.monotonic(), clock.pending]).toEqual(['late 20', 30, 0]);
  });

  it('lets what a timer began come to rest before the next one fires', async () => {
    const rest = new EventLoopRest();
    const clock = new VirtualClock(rest);
    const order: string[] = [];
    let working = false;
    rest.watch(() => (working ? 'work' : undefined));
    clock.setTimer(1, () => {
      working = true;
      setTimeout(() => {
        order.push('work done');
        working = false;
      }, 30);
    });
    clock.setTimer(2, () => order.push('next timer'));
    await clock.advance(5);
    expect(order).toEqual(['work done', 'next timer']);
  });

  it('knows delays of more than 24.8 days, and cancelled timers', async () => {
    const clock = new VirtualClock();
    const month = 30 * 86_400_000;
    let fired = 0;
    clock.setTimer(month, () => (fired += 1));
    clock.setTimer(month, () => (fired += 1)).cancel();
    await clock.advance(month - 1);
    expect(fired).toBe(0);
    await clock.advance(1);
    expect(fired).toBe(1);
  });

  it('moves its wall clock alone when told to', async () => {
    const clock = new VirtualClock();
    const before = [clock.now(), clock.monotonic()] as const;
    clock.jump(-3_600_000);
    expect([clock.now(), clock.monotonic()]).toEqual([before[0] - 3_600_000, before[1]]);
  });

  it('advances until a condition holds, and gives up at the limit', async () => {
    const clock = new VirtualClock();
    let ticks = 0;
    const tick = (): void => {
      ticks += 1;
      clock.setTimer(1_000, tick);
    };
    tick();
    await clock.advanceUntil(() => ticks === 4);
    expect(clock.monotonic()).toBe(3_000);
    await expect(clock.advanceUntil(() => false, 10_000)).rejects.toThrow('10000 ms of virtual time');
    expect(clock.monotonic()).toBe(13_000);
  });

  it('moves on for as long as a piece of work needs, and settles like it', async () => {
    const clock = new VirtualClock();
    const work = new Promise<string>((resolve) => clock.setTimer(5_000, () => resolve('done')));
    expect([await clock.during(work), clock.monotonic()]).toEqual(['done', 5_000]);
    const failing = new Promise<string>((_resolve, reject) => clock.setTimer(1, () => reject(new Error('not done'))));
    await expect(clock.during(failing)).rejects.toThrow('not done');
  });

  it('takes texts for durations, and refuses what is none', async () => {
    const clock = new VirtualClock();
    await clock.advance('1h30m');
    expect(clock.monotonic()).toBe(5_400_000);
    for (const wrong of ['soon', -1, Number.NaN, Infinity]) {
      await expect(clock.advance(wrong)).rejects.toMatchObject({ code: 'OPERATOR_INVALID_DURATION' });
    }
  });

  it('settles what is due now, without moving', async () => {
    const clock = new VirtualClock();
    const fired: string[] = [];
    clock.setTimer(0, () => clock.setTimer(0, () => fired.push('now')));
    clock.setTimer(1, () => fired.push('later'));
    await clock.settle();
    expect([fired, clock.monotonic()]).toEqual([['now'], 0]);
  });

  it('makes one movement at a time', async () => {
    const clock = new VirtualClock();
    const [first, second] = [clock.advance(10), clock.advance(10)];
    await Promise.all([first, second]);
    expect(clock.monotonic()).toBe(20);
  });
});
