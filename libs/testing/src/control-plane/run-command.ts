import { GuardedProcess } from './guarded-process.js';
import { after } from './wait.js';

export interface CommandOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** Removed when this process ends while the command runs. */
  readonly folder?: string;
  /** Milliseconds until the command and its children are killed. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CommandResult {
  /** Null when a signal ended the command. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** The last lines of both streams in order of arrival. */
  readonly tail: readonly string[];
}

/** Runs a command to its end. Its exit code is data; only an abort rejects. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  options.signal?.throwIfAborted();
  const guarded = new GuardedProcess(command, args, {
    env: options.env,
    stdin: options.input !== undefined,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.folder === undefined ? {} : { folder: options.folder }),
  });
  let stdout = '';
  let stderr = '';
  guarded.child.stdout?.on('data', (chunk: string) => (stdout += chunk));
  guarded.child.stderr?.on('data', (chunk: string) => (stderr += chunk));
  if (options.input !== undefined) {
    // A command that ends without reading its input breaks the pipe; its exit code tells the story.
    guarded.child.stdin?.on('error', () => {});
    guarded.child.stdin?.end(options.input);
  }
  let timedOut = false;
  const kill = (): void => guarded.killGroup();
  const cancel = after(options.timeout, () => {
    timedOut = true;
    kill();
  });
  options.signal?.addEventListener('abort', kill, { once: true });
  const { exitCode } = await guarded.ended;
  cancel();
  options.signal?.removeEventListener('abort', kill);
  options.signal?.throwIfAborted();
  return { exitCode, stdout, stderr, timedOut, tail: guarded.tail.lines };
}
