import { EventuallyTimeoutError } from './eventually-timeout.error.js';

/** Options of {@link eventually}. */
export interface EventuallyOptions<T> {
  /** Milliseconds in all. @defaultValue 10 s */
  readonly timeout?: number;
  /** Milliseconds between two attempts. @defaultValue 25 */
  readonly interval?: number;
  /** Judges what an attempt returned. @defaultValue anything but `false` will do */
  readonly until?: (value: T) => boolean;
}

/**
 * Calls `attempt` until it neither throws nor returns what will not do, and resolves with what it returned. For what happens
 * in real time, as on a real cluster; with a virtual clock, move the clock instead.
 *
 * The deadline holds whatever an attempt does: one that hangs is left behind, with its signal aborted.
 *
 * @throws EventuallyTimeoutError (`TESTING_EVENTUALLY_TIMEOUT`) at the deadline: it says what was seen last, and an error of
 * the last attempt is its cause
 */
export async function eventually<T>(
  attempt: (signal: AbortSignal) => T | Promise<T>,
  options: EventuallyOptions<T> = {},
): Promise<T> {
  const { timeout = 10_000, interval = 25, until = (value: T) => value !== false } = options;
  const deadline = new AbortController();
  const { promise: overdue, resolve } = Promise.withResolvers<typeof late>();
  const timer = setTimeout(() => resolve(late), timeout);
  let attempts = 0;
  let seen: Seen = {};
  try {
    for (;;) {
      attempts += 1;
      const outcome = await Promise.race([settle(attempt, deadline.signal), overdue]);
      if (outcome === late) throw new EventuallyTimeoutError({ timeout, attempts, hanging: true, ...seen });
      if ('value' in outcome && until(outcome.value)) return outcome.value;
      seen = outcome;
      if ((await Promise.race([pause(interval), overdue])) === late) {
        throw new EventuallyTimeoutError({ timeout, attempts, hanging: false, ...seen });
      }
    }
  } finally {
    clearTimeout(timer);
    deadline.abort();
  }
}

const late = Symbol('late');

interface Seen {
  readonly value?: unknown;
  readonly error?: unknown;
}

/** Never rejects: what an attempt that was left behind ends with is nobody's business any more. */
async function settle<T>(
  attempt: (signal: AbortSignal) => T | Promise<T>,
  signal: AbortSignal,
): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await attempt(signal) };
  } catch (error) {
    return { error };
  }
}

function pause(interval: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, interval));
}
