/**
 * How much the server is doing right now. `count` is above zero from the moment a request is seen until its answer is
 * written, and while controllers have work; open watches and requests that only wait for time do not count. A virtual
 * clock may move on while it is zero.
 */
export class Activity {
  #count = 0;
  #endOfTurn: (() => void) | undefined;
  #idle: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  /** Resolves when nothing is being processed. */
  whenIdle(): Promise<void> {
    return this.#count === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Counts until this turn of the event loop is over: what was written has reached its socket then. */
  untilNextTurn(): void {
    if (this.#endOfTurn !== undefined) return;
    this.#endOfTurn = this.begin();
    setImmediate(() => {
      const done = this.#endOfTurn;
      this.#endOfTurn = undefined;
      done?.();
    });
  }

  /** Counts something until the returned function is called (once; later calls do nothing). */
  begin(): () => void {
    this.#count++;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      if (--this.#count > 0) return;
      const idle = this.#idle;
      this.#idle = [];
      for (const resolve of idle) resolve();
    };
  }
}
