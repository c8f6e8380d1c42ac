import type { Clock, Timer } from './clock.js';

/** Node fires a timeout beyond this at once. */
const longestTimeout = 2 ** 31 - 1;

/** The clock of the machine. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  setTimer(delay: number, fire: () => void, options: { background?: boolean } = {}): Timer {
    const due = this.monotonic() + delay;
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      const left = Math.max(0, due - this.monotonic());
      handle = left > longestTimeout ? setTimeout(arm, longestTimeout) : setTimeout(fire, left);
      if (options.background) handle.unref();
    };
    arm();
    return { cancel: () => clearTimeout(handle) };
  }
}
