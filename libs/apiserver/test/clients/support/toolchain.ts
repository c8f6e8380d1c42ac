import { findOnPath } from '../../../../testing/src/control-plane/find-executable.js';
import { isOlder } from '../../../../testing/src/control-plane/go-toolchain.js';
import { runCommand } from '../../../../testing/src/control-plane/run-command.js';

/** What a client is built with or runs on. */
export interface ToolchainRequest {
  /** The command, looked for on PATH. */
  readonly command: string;
  /** Makes it print its version. */
  readonly args: readonly string[];
  /** Its own version in what it prints. */
  readonly version: RegExp;
  readonly oldest: string;
  /** What needs it, for the message. */
  readonly neededBy: string;
}

export interface Toolchain {
  readonly path: string;
  readonly version: string;
}

/** Finds a command of that version or newer. A test without its toolchain fails: it would prove nothing. */
export async function findToolchain(request: ToolchainRequest, env: NodeJS.ProcessEnv): Promise<Toolchain> {
  const { command, oldest, neededBy } = request;
  const todo = `Install ${command} ${oldest} or newer and put it on PATH.`;
  const path = await findOnPath(command, env);
  if (path === undefined) {
    throw new Error(`${neededBy} needs the command "${command}", which is not on PATH (${env['PATH'] ?? ''}). ${todo}`);
  }
  // A toolchain may have to fetch the one that is asked for.
  const { stdout, exitCode, tail } = await runCommand(path, request.args, { env, timeout: 300_000 });
  const version = request.version.exec(stdout)?.[1];
  if (exitCode !== 0 || version === undefined) {
    throw new Error(`${path} does not tell its version (exit code ${exitCode}): ${tail.join(' | ')}. ${todo}`);
  }
  if (isOlder(version, oldest)) {
    throw new Error(`${neededBy} needs ${command} ${oldest}, and ${path} is ${version}. ${todo}`);
  }
  return { path, version };
}

/** Runs one step of a build and fails with the last lines of its output. */
export async function buildStep(
  path: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd?: string },
): Promise<void> {
  const { exitCode, timedOut, tail } = await runCommand(path, args, { ...options, timeout: 1_500_000 });
  if (exitCode === 0) return;
  const how = timedOut ? 'took longer than 25 min' : `ended with exit code ${exitCode}`;
  throw new Error([`${path} ${args.join(' ')} ${how}; its package registry has to be in reach:`, ...tail].join('\n'));
}
