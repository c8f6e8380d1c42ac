/** A pending timer. Whoever started it ends it. */
export interface Timer {
  cancel(): void;
}

/**
 * The server's only source of time. Structurally equal to the clock of `nestjs-operator`, so that one virtual clock can
 * drive both.
 */
export interface Clock {
  /** Wall clock, milliseconds since 1970. */
  now(): number;
  /** Milliseconds from an arbitrary start. Never goes back. */
  monotonic(): number;
  /** Calls `fire` once after `delay` milliseconds; the timer does not keep the process alive when `background` is set. */
  setTimer(delay: number, fire: () => void, options?: { background?: boolean }): Timer;
}

const longestDelay = 2 ** 31 - 1;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(delay, fire, options) {
    let handle: NodeJS.Timeout;
    let left = Math.max(0, delay);
    const arm = (): void => {
      const step = Math.min(left, longestDelay);
      left -= step;
      handle = setTimeout(() => (left > 0 ? arm() : fire()), step);
      if (options?.background) handle.unref();
    };
    arm();
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Resolves after `delay` milliseconds of `clock`, or at once when the signal is aborted. */
export function pause(clock: Clock, delay: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      timer.cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.setTimer(delay, done, { background: true });
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** A text for a time, made once a second. */
function bySecond(format: (date: Date) => string): (clock: Clock) => string {
  let second = Number.NaN;
  let text = '';
  return (clock) => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) {
      text = format(new Date(now * 1000));
      second = now;
    }
    return text;
  };
}

/** RFC 3339 in whole seconds, as metav1.Time is printed. */
export const timestamp = bySecond((date) => date.toISOString().replace('.000Z', 'Z'));

/** As the header `Date` has it. */
export const httpDate = bySecond((date) => date.toUTCString());
