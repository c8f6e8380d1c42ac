import { unlessAborted } from '../client/wait.js';
import type { Clock, Logger } from '../ports/index.js';

export interface TakeoverOptions {
  /** For records. */
  readonly resource: string;
  /** Resolves when this replica leads; `undefined`: nothing has to be waited for. */
  readonly leads: Promise<void> | undefined;
  /** Resolves when the stores show what the server had when it was called. */
  readonly catchUp: (signal: AbortSignal) => Promise<unknown>;
  /** Called once, when handlers may begin. */
  readonly begin: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Holds back what handles the objects of one resource until this replica leads, and has seen what another one wrote last. */
export class Takeover {
  readonly #options: TakeoverOptions;
  readonly #begun = Promise.withResolvers<void>();
  #isBegun = false;

  constructor(options: TakeoverOptions) {
    this.#options = options;
  }

  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Resolves when handlers may begin. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** At once where nothing has to be waited for. */
  start(): void {
    if (this.#options.leads === undefined) this.#begin();
  }

  /** False: the signal was aborted before. */
  async wait(signal: AbortSignal): Promise<boolean> {
    const { leads, catchUp, clock, logger, resource } = this.#options;
    try {
      await unlessAborted(leads ?? Promise.resolve(), signal);
      const since = clock.monotonic();
      await catchUp(signal);
      signal.throwIfAborted();
      const milliseconds = Math.round(clock.monotonic() - since);
      logger.log('debug', 'Store shows what the server had when the lead began', { resource, milliseconds });
    } catch (error) {
      if (!signal.aborted) throw error;
      return false;
    }
    this.#begin();
    return true;
  }

  #begin(): void {
    this.#isBegun = true;
    this.#options.begin();
    this.#begun.resolve();
  }
}
