import { GuardedProcess, type ProcessEnd } from '../../../../testing/src/control-plane/guarded-process.js';
import { runCommand } from '../../../../testing/src/control-plane/run-command.js';
import { controlPlane, type ClientTarget } from './client-target.js';

export interface Outcome {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A kubectl that goes on, such as one that watches. */
export interface Running {
  /** The lines of its output so far. */
  readonly lines: readonly string[];
  /** Asks it to end. */
  stop(): Promise<ProcessEnd>;
}

/** kubectl of the control plane's version, built beside it, with one server and without the settings of whoever runs it. */
export class Kubectl {
  readonly #command: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(target: ClientTarget) {
    const command = controlPlane().binaries.kubectl;
    if (command === undefined) throw new Error('the control plane of this run came without kubectl');
    this.#command = command;
    this.#env = { PATH: process.env['PATH'], HOME: target.folder, KUBECONFIG: target.kubeconfig, KUBERC: 'off' };
  }

  /** Runs it to its end, whatever that is. */
  async run(args: readonly string[], input?: string): Promise<Outcome> {
    const { exitCode, stdout, stderr } = await runCommand(this.#command, args, {
      env: this.#env,
      timeout: 90_000,
      ...(input === undefined ? {} : { input }),
    });
    return { code: exitCode, out: stdout.trimEnd(), err: stderr.trimEnd() };
  }

  /** What it says on success; fails on any other exit code than 0. */
  async ok(args: readonly string[], input?: string): Promise<string> {
    const { code, out, err } = await this.run(args, input);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${err}`);
    return out;
  }

  /** Starts it and returns at once. */
  start(args: readonly string[]): Running {
    const lines: string[] = [];
    const running = new GuardedProcess(this.#command, args, { env: this.#env, onLine: (line) => lines.push(line) });
    return { lines, stop: () => running.terminate(5_000) };
  }
}
