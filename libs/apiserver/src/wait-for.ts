import type { Clock } from './clock.js';
import { ClosedError } from './errors/closed.error.js';
import { WaitTimeoutError } from './errors/wait-timeout.error.js';
import type { Store } from './store/store.js';

/** Options of `waitFor`. */
export interface WaitOptions {
  /** Milliseconds of the server's clock after which waiting is given up. @defaultValue 30000 */
  timeout?: number;
  /** Ends the waiting with its reason. */
  signal?: AbortSignal;
}

/** What is waited for: a change of the store, before time is up or the server closed. */
export interface WaitSource {
  readonly store: Store;
  readonly clock: Clock;
  readonly closing: AbortSignal;
}

/** Resolves with what `look` answers as soon as it is truthy. Looks again after each write, never by time. */
export async function waitFor<T>(
  { store, clock, closing }: WaitSource,
  look: () => T | Promise<T>,
  condition: string,
  { timeout = 30_000, signal }: WaitOptions = {},
): Promise<NonNullable<T>> {
  const over = Promise.withResolvers<never>();
  // It may end while nobody races against it; the next race sees that.
  over.promise.catch(() => undefined);
  let news = Promise.withResolvers<void>();
  const changed = (): void => news.resolve();
  const aborted = (): void => over.reject(signal?.reason);
  const closed = (): void => over.reject(new ClosedError());
  const forget = [store.subscribe(changed), store.onRestore(changed)];
  const timer = clock.setTimer(timeout, () => over.reject(new WaitTimeoutError(timeout, condition)), {
    background: true,
  });
  signal?.addEventListener('abort', aborted, { once: true });
  closing.addEventListener('abort', closed, { once: true });
  if (signal?.aborted === true) aborted();
  if (closing.aborted) closed();
  try {
    for (;;) {
      const value = await Promise.race([over.promise, look()]);
      if (value) return value;
      await Promise.race([over.promise, news.promise]);
      news = Promise.withResolvers<void>();
    }
  } finally {
    for (const each of forget) each();
    timer.cancel();
    signal?.removeEventListener('abort', aborted);
    closing.removeEventListener('abort', closed);
  }
}
