/** A point in time that a whole operation has to keep, however many waits it is made of. */
export class Deadline {
  readonly #end: number;

  /** @param timeout - milliseconds from now */
  constructor(readonly timeout: number) {
    this.#end = performance.now() + timeout;
  }

  /** Milliseconds left, never negative. */
  get remaining(): number {
    return Math.max(0, this.#end - performance.now());
  }

  get expired(): boolean {
    return this.remaining === 0;
  }
}

/** Waits `milliseconds`; rejects with the signal's reason when it aborts. */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Runs `action` when `milliseconds` have passed; the returned function calls it off. */
export function after(milliseconds: number, action: () => void): () => void {
  const timer = setTimeout(action, milliseconds);
  return () => clearTimeout(timer);
}

/** Runs `action` every `milliseconds` until the returned function is called. */
export function every(milliseconds: number, action: () => void): () => void {
  const timer = setInterval(action, milliseconds);
  return () => clearInterval(timer);
}

/**
 * Repeats `attempt` until it yields something other than undefined; undefined when the deadline came first.
 * An attempt that throws ends the wait: "not yet" is said by returning undefined.
 */
export async function pollUntil<T>(
  attempt: () => Promise<T | undefined>,
  options: { deadline: Deadline; interval?: number; signal?: AbortSignal | undefined },
): Promise<T | undefined> {
  for (;;) {
    options.signal?.throwIfAborted();
    const result = await attempt();
    if (result !== undefined) return result;
    if (options.deadline.expired) return undefined;
    await delay(Math.min(options.interval ?? 50, options.deadline.remaining), options.signal);
  }
}
