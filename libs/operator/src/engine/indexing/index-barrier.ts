import type { OperatorConfig } from '../operator-config.js';
import type { Clock, Logger } from '../ports/index.js';

export interface IndexBarrierOptions {
  /** There are index methods. */
  readonly needed: boolean;
  readonly config: Pick<OperatorConfig['watching'], 'missingKind' | 'syncTimeout'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Nothing waits any longer when it is aborted. */
  readonly signal: AbortSignal;
}

/**
 * Holds back all cycles at the start until the indexes show every object that is there. A kind that is waited for without
 * limit holds nobody back, nor does one that cannot be listed for longer than the first sync may take.
 */
export class IndexBarrier {
  readonly #options: IndexBarrierOptions;
  readonly #open = Promise.withResolvers<void>();
  readonly #work: Promise<void>[] = [];
  #isOpen = false;
  #closing = false;

  constructor(options: IndexBarrierOptions) {
    this.#options = options;
    if (!options.needed) this.#isOpen = true;
  }

  /** What is waited for; `undefined` once there is nothing. */
  pending(): Promise<void> | undefined {
    return this.#isOpen || this.#options.signal.aborted ? undefined : this.#open.promise;
  }

  /** One resource is being indexed. */
  add(indexed: Promise<void>): void {
    this.#work.push(indexed);
  }

  /** All resources that are served were found. */
  onRound(): void {
    if (this.#options.config.missingKind === 'wait') this.onAllFound();
  }

  /** Nothing more will be added that cycles have to wait for. */
  onAllFound(): void {
    if (this.#isOpen || this.#closing) return;
    this.#closing = true;
    const { clock, config, logger, signal } = this.#options;
    const timer = clock.setTimer(
      config.syncTimeout,
      () => {
        logger.log('warn', 'Handlers begin though not every index is complete', { timeout: config.syncTimeout });
        open();
      },
      { background: true },
    );
    const open = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', open);
      this.#isOpen = true;
      this.#open.resolve();
    };
    signal.addEventListener('abort', open, { once: true });
    if (signal.aborted) open();
    // A watch that fails for good ends the operator by itself, and with it the wait.
    Promise.all(this.#work).then(open, open);
  }
}
