import { describe, expect, it } from 'vitest';
import { EventLoopMonitor } from '../../../src/engine/health/event-loop-monitor.js';
import { FakeClock } from '../client/fake-clock.js';

/** A clock whose loop may stop turning while time goes on. */
class BusyClock extends FakeClock {
  #blocked = 0;

  override monotonic(): number {
    return super.monotonic() + this.#blocked;
  }

  /** The next timer is late by that much. */
  block(milliseconds: number): void {
    this.#blocked += milliseconds;
    super.advance(this.next ?? 0);
  }
}

describe('EventLoopMonitor', () => {
  it('finds a loop that turns punctual', () => {
    const clock = new BusyClock();
    const monitor = new EventLoopMonitor(clock, 5_000);
    monitor.read();
    clock.advance(10_500);
    expect(monitor.read()).toEqual({ lag: 0, worst: 0, late: 0 });
  });

  it('tells how late timers are, the worst of the last minute, and how many in a row were late', () => {
    const clock = new BusyClock();
    const monitor = new EventLoopMonitor(clock, 5_000);
    monitor.read();
    clock.block(6_000);
    expect(monitor.read()).toEqual({ lag: 6_000, worst: 6_000, late: 1 });
    clock.block(8_000);
    clock.block(7_000);
    expect(monitor.read()).toEqual({ lag: 7_000, worst: 8_000, late: 3 });
    clock.advance(3_000);
    expect(monitor.read()).toMatchObject({ lag: 0, worst: 8_000, late: 0 });
    clock.advance(61_000);
    expect(monitor.read()).toMatchObject({ lag: 0, worst: 0, late: 0 });
  });

  it('measures only while somebody looks, and not at all once it is closed', () => {
    const clock = new BusyClock();
    const monitor = new EventLoopMonitor(clock, 5_000);
    expect(clock.pending).toBe(0);
    monitor.read();
    expect(clock.pending).toBe(1);
    clock.advance(125_000);
    expect(clock.pending).toBe(0);
    monitor.read();
    expect(clock.pending).toBe(1);
    monitor.close();
    expect(monitor.read()).toEqual({ lag: 0, worst: 0, late: 0 });
    expect(clock.pending).toBe(0);
  });
});
