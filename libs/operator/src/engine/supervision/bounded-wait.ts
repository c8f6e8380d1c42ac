import type { Clock } from '../ports/index.js';

/**
 * Waits for the end of `work`, at most `limit` milliseconds; tells whether it ended. `work` must not reject: whoever made
 * it deals with its failure, which may come after this wait.
 */
export function endsWithin(clock: Clock, work: Promise<unknown>, limit: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(Math.max(0, limit), () => resolve(false));
    work.then(
      () => {
        timer.cancel();
        resolve(true);
      },
      (error: unknown) => {
        timer.cancel();
        reject(error instanceof Error ? error : new Error('A wait was given work that rejects', { cause: error }));
      },
    );
  });
}

/** Resolves in a fresh macrotask: no caller's frame, and no hook that a caller awaits, is below it any more. */
export function freshMacrotask(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimer(0, resolve);
  });
}
