import { vi } from 'vitest';
import { GuardedProcess, type ProcessEnd } from '../../../../testing/src/control-plane/guarded-process.js';

/** A client that runs for a while, and not beyond the tests. */
export class ClientProcess {
  readonly #process: GuardedProcess;
  readonly #lines: string[] = [];

  constructor(command: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.#process = new GuardedProcess(command, args, { ...options, onLine: (line) => this.#lines.push(line) });
  }

  /** What it has printed so far. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Repeats a check until it passes. Says what the client printed when it never does, or when the client ends first. */
  async until(check: () => void | Promise<void>, timeout = 90_000): Promise<void> {
    let last: Error | undefined;
    try {
      await vi.waitFor(
        async () => {
          try {
            await check();
            last = undefined;
          } catch (error) {
            last = error instanceof Error ? error : new Error(String(error));
            if (this.#process.running) throw error;
          }
        },
        { timeout, interval: 100 },
      );
      if (last !== undefined) throw last;
    } catch (error) {
      const { running, end, name } = this.#process;
      const state = running ? 'runs' : `ended with ${end?.exitCode ?? end?.signal}`;
      const message = error instanceof Error ? error.message : String(error);
      throw new Error([message, `${name} ${state}; it said last:`, ...this.#lines.slice(-30)].join('\n'), {
        cause: error,
      });
    }
  }

  /** Asks it to end, and kills it when it has not after 30 s. */
  stop(): Promise<ProcessEnd> {
    return this.#process.terminate(30_000);
  }
}
