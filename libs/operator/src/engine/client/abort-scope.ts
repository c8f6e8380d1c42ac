import type { Clock, Timer } from '../ports/index.js';

/** One attempt's signal: aborted by any of the given signals or by a deadline on the clock, whichever comes first. */
export class AbortScope {
  readonly #controller = new AbortController();
  readonly #sources: readonly AbortSignal[];
  #timer: Timer | undefined;

  constructor(sources: readonly (AbortSignal | undefined)[]) {
    this.#sources = sources.filter((source) => source !== undefined);
    for (const source of this.#sources) source.addEventListener('abort', this.#follow, { once: true });
    this.#follow();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** At most one deadline at a time. */
  setDeadline(clock: Clock, delay: number, reason: () => Error): void {
    this.clearDeadline();
    this.#timer = clock.setTimer(delay, () => this.abort(reason()));
  }

  clearDeadline(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Lets go of timer and signals. */
  end(): void {
    this.clearDeadline();
    for (const source of this.#sources) source.removeEventListener('abort', this.#follow);
  }

  readonly #follow = (): void => {
    const aborted = this.#sources.find((source) => source.aborted);
    if (aborted !== undefined) this.#controller.abort(aborted.reason);
  };
}
