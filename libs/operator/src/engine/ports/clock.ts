/** A pending timer. Whoever started it ends it. */
export interface Timer {
  cancel(): void;
}

/**
 * The only source of time. The engine never reads the system's clock or timers directly, so that it runs whole under a
 * virtual clock.
 */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump. */
  now(): number;
  /** Milliseconds from an arbitrary start. Never goes back. */
  monotonic(): number;
  /**
   * Calls `fire` once after `delay` milliseconds. Delays beyond 2^31-1 ms work.
   *
   * A timer keeps the process alive unless `background` is set.
   */
  setTimer(delay: number, fire: () => void, options?: { background?: boolean }): Timer;
}
