import { ControlPlaneError } from './control-plane-error.js';
import { runCommand } from './run-command.js';

/** Options of {@link ControlPlaneConnection.kubectl}. */
export interface KubectlOptions {
  /** Given on standard input, for `-f -`. */
  readonly input?: string | Uint8Array;
  /** Whether a non-zero exit code throws. @defaultValue true */
  readonly reject?: boolean;
  /** Milliseconds until it is killed. @defaultValue 60000 */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** What kubectl said. */
export interface KubectlResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Null when it was killed, by its timeout for example. */
  readonly exitCode: number | null;
}

/** Runs kubectl with its own caches and without the user's settings. */
export async function runKubectl(
  setup: { command: string; kubeconfig: string; folder: string },
  args: readonly string[],
  options: KubectlOptions,
): Promise<KubectlResult> {
  const timeout = options.timeout ?? 60_000;
  const result = await runCommand(setup.command, ['--cache-dir', `${setup.folder}/kubectl-cache`, ...args], {
    env: { PATH: process.env['PATH'], HOME: setup.folder, KUBECONFIG: setup.kubeconfig, KUBERC: 'off' },
    timeout,
    ...(options.input === undefined ? {} : { input: options.input }),
    signal: options.signal,
  });
  if (result.exitCode !== 0 && options.reject !== false) {
    throw new ControlPlaneError('CONTROL_PLANE_KUBECTL_FAILED', {
      found: result.timedOut
        ? `kubectl was killed after ${timeout} ms`
        : `kubectl ended with exit code ${result.exitCode ?? 'unknown'}`,
      // Arguments may carry tokens, so only the first word is shown.
      where: `${setup.command} ${args[0] ?? ''}`,
      todo: 'correct the command by the output below, or pass reject: false to get the exit code',
      output: result.stderr.trimEnd().split('\n').slice(-20),
    });
  }
  return { stdout: result.stdout, stderr: result.stderr, exitCode: result.exitCode };
}
