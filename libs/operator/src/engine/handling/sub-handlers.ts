/** How attempts of a sub-handler are repeated. */
export interface SubHandlerOptions {
  /**
   * Attempts in all.
   * @defaultValue no limit
   */
  readonly retries?: number;
  /**
   * Time for one attempt (milliseconds, or `'90s'`); then its signal is aborted.
   * @defaultValue none
   */
  readonly timeout?: number | string;
  /**
   * Time over all attempts.
   * @defaultValue none
   */
  readonly giveUpAfter?: number | string;
  /**
   * The wait before the next attempt.
   * @defaultValue the operator's `retry`
   */
  readonly backoff?: number | string | ((failures: number) => number | string);
  /**
   * What an arbitrary error means.
   * @defaultValue 'temporary'
   */
  readonly errors?: 'temporary' | 'permanent' | 'ignored';
}

/**
 * Takes the parts of a handler's work while it runs. They are called one after another when it has returned, each until it
 * succeeds or fails for good; the handler itself is called again in each round, and plans anew. A part that is done is not
 * repeated, unless what the handler watches has changed meanwhile.
 */
export interface SubHandlers<Context> {
  /**
   * Adds a part.
   *
   * @param name - unique within the handler: its progress is kept under it
   * @throws RangeError when the name is taken, or none
   */
  add(name: string, part: (ctx: Context) => unknown, options?: SubHandlerOptions): void;
  /** Adds parts by name: an object, a Map, or a list of pairs. */
  addAll(
    parts: Iterable<readonly [string, (ctx: Context) => unknown]> | Readonly<Record<string, (ctx: Context) => unknown>>,
    options?: SubHandlerOptions,
  ): void;
}
