/**
 * Calls `attempt` until it neither throws nor returns false, and resolves with what it returned. For what happens in
 * real time, as on a real cluster; with a virtual clock, move the clock instead.
 *
 * @throws the last attempt's error once `timeout` milliseconds (default 10 s) have passed
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  { timeout = 10_000, interval = 25 }: { readonly timeout?: number; readonly interval?: number } = {},
): Promise<T> {
  const end = performance.now() + timeout;
  for (;;) {
    let failure: unknown;
    try {
      const value = await attempt();
      if (value !== false) return value;
      failure = new Error(`The condition did not come true within ${timeout} ms: ${String(attempt)}`);
    } catch (error) {
      failure = error;
    }
    if (performance.now() >= end) throw failure;
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}
