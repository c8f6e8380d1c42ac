import { Worker } from 'node:worker_threads';
import type { Logger } from '../ports/index.js';
import type { StopWatchdog } from './supervisor.js';

/** How long past the deadline the event loop may still be blocked. */
const margin = 5_000;

/**
 * Waits for a word from the main thread, and kills the process when none comes in time. SIGKILL, since nothing that needs
 * the main thread works any more. Source text, so that it needs no file of its own, built or not.
 */
const source = `
const { workerData } = require('node:worker_threads');
const word = new Int32Array(workerData.word);
if (Atomics.wait(word, 0, 0, workerData.limit) === 'timed-out' && Atomics.load(word, 0) === 0) {
  require('node:fs').writeSync(2, workerData.lastWords);
  process.kill(process.pid, 'SIGKILL');
}
`;

/** A thread that ends the process (137) when its event loop is still blocked some time past the deadline of the stop. */
export class WatchdogThread implements StopWatchdog {
  readonly #logger: Logger;
  readonly #margin: number;
  #word: Int32Array<SharedArrayBuffer> | undefined;

  /** `options.margin`: milliseconds past the deadline, 5 s by default. */
  constructor(logger: Logger, options: { readonly margin?: number } = {}) {
    this.#logger = logger.child('Watchdog');
    this.#margin = options.margin ?? margin;
  }

  arm(deadline: number): void {
    if (this.#word !== undefined) return;
    const word = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    try {
      const thread = new Worker(source, {
        eval: true,
        name: 'stop-watchdog',
        // Nothing of the application's loaders and options belongs into this thread.
        execArgv: [],
        env: {},
        workerData: {
          word,
          limit: deadline + this.#margin,
          lastWords: 'The event loop is blocked beyond the deadline of the stop; the process is killed.\n',
        },
        resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4, codeRangeSizeMb: 8 },
      });
      thread.unref();
      thread.on('error', (error) => this.#logger.log('warn', 'The watchdog thread failed', {}, error));
      this.#word = new Int32Array(word);
    } catch (error) {
      // Threads may be forbidden, or memory short: the stop must go on without.
      this.#logger.log('warn', 'The watchdog thread could not be started', {}, error);
    }
  }

  disarm(): void {
    if (this.#word === undefined) return;
    Atomics.store(this.#word, 0, 1);
    Atomics.notify(this.#word, 0);
    this.#word = undefined;
  }
}
