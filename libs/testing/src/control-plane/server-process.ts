import { ControlPlaneError } from './control-plane-error.js';
import { GuardedProcess } from './guarded-process.js';
import { pollUntil, type Deadline } from './wait.js';

/** What every server of one control plane shares. */
export interface ServerContext {
  /** Data, certificates and credentials; removed as a whole. */
  readonly folder: string;
  readonly deadline: Deadline;
  readonly signal?: AbortSignal | undefined;
  readonly onUnexpectedEnd: (error: ControlPlaneError) => void;
  /** Yields a port that is likely to be free. */
  readonly choosePort: () => Promise<number>;
}

/** One server of the control plane. */
export class ServerProcess {
  readonly process: GuardedProcess;
  readonly #watching: Promise<void>;
  #ready = false;

  constructor(
    private readonly command: string,
    args: readonly string[],
    private readonly context: ServerContext,
  ) {
    this.process = new GuardedProcess(command, args, {
      cwd: context.folder,
      folder: context.folder,
      // Not the whole environment: etcd takes settings from ETCD_*, and proxies have no place on loopback.
      env: { PATH: process.env['PATH'], HOME: context.folder, TMPDIR: context.folder },
    });
    this.#watching = this.process.ended.then(() => {
      if (this.#ready && !this.process.endExpected) context.onUnexpectedEnd(this.endedError());
    });
  }

  /**
   * Asks `probe` until it yields undefined, which means ready; a text says what is still missing.
   * A probe may throw: a server that does not listen yet is not ready.
   */
  async untilReady(probe: () => Promise<string | undefined>): Promise<void> {
    const { deadline, signal } = this.context;
    let missing = 'no answer yet';
    const ready = await pollUntil(
      async () => {
        if (!this.process.running) {
          // Its last words may still be on their way.
          await this.process.ended;
          throw this.endedError();
        }
        try {
          const answer = await probe();
          if (answer === undefined) return this.process.running ? true : undefined;
          missing = answer;
        } catch (error) {
          missing = error instanceof Error ? error.message : String(error);
        }
        return undefined;
      },
      { deadline, interval: 50, signal },
    );
    if (ready === true) {
      this.#ready = true;
      return;
    }
    throw new ControlPlaneError('CONTROL_PLANE_NOT_READY', {
      found: `${this.process.name} was not ready within ${Math.round(deadline.timeout / 1000)} s (${missing})`,
      where: this.command,
      todo: 'give a longer timeout on a busy machine, or read the output below',
      output: this.process.tail.lines,
    });
  }

  endedError(): ControlPlaneError {
    const end = this.process.end;
    const how = end?.signal ? `signal ${end.signal}` : `exit code ${end?.exitCode ?? 'unknown'}`;
    return new ControlPlaneError('CONTROL_PLANE_PROCESS_ENDED', {
      found: `${this.process.name} ended with ${how}`,
      where: this.command,
      todo: 'read the output below; extra arguments and feature gates are the first suspects',
      output: this.process.tail.lines,
    });
  }

  async kill(): Promise<void> {
    await this.process.kill();
    await this.#watching;
  }

  async terminate(grace: number): Promise<void> {
    await this.process.terminate(grace);
    await this.#watching;
  }
}

/** Starts a server on new ports until none of them was taken by someone else in between, five times at most. */
export async function startWithFreePorts<T>(start: () => Promise<T>, clashed: (error: unknown) => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      if (tries >= 5 || !clashed(error)) throw error;
    }
  }
}

/** Whether the error tells of a server that found its port taken. */
export function isPortClash(error: unknown): boolean {
  return (
    error instanceof ControlPlaneError &&
    error.code === 'CONTROL_PLANE_PROCESS_ENDED' &&
    error.output.some((line) => line.includes('address already in use'))
  );
}
