import type { Clock } from '../ports/index.js';

/** Resolves after `delay` milliseconds; rejects with the signal's reason as soon as it is aborted. */
export function wait(clock: Clock, delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(asError(signal.reason));
      return;
    }
    const timer = clock.setTimer(delay, () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    const abort = (): void => {
      timer.cancel();
      reject(asError(signal.reason));
    };
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** Settles like `work`, or rejects with the signal's reason if that comes first. The work itself goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(asError(signal.reason));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const settle = (done: () => void): void => {
      signal.removeEventListener('abort', abort);
      done();
    };
    work.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(asError(error))),
    );
  });
}

/** Reasons may be anything, and are handed on as they are. */
function asError(reason: unknown): Error {
  return reason as Error;
}
