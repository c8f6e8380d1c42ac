import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { basename } from 'node:path';
import { ControlPlaneError } from './control-plane-error.js';
import { LineTail } from './line-tail.js';
import { after } from './wait.js';

/**
 * Starts the command in place of the shell (same process id), next to a small watcher in the same process group.
 * File descriptor 3 is a pipe whose other end only this process holds: a line on it means that the command has ended
 * in good order, its end without a line means that this process is gone, however it went. The watcher then kills the
 * command and removes the folder. It is forked before the command starts, so there is no moment without it, and while
 * it lives the group's id (`$$`) cannot be given to another process. There is no exit handler beside it on purpose: one
 * that is itself cut short by SIGKILL would have killed the watcher and not yet removed the folder.
 */
const GUARD = `folder=$1
shift
(
  trap '' HUP INT TERM
  if read -r line <&3; then exit 0; fi
  kill -KILL $$
  tries=0
  while [ -n "$folder" ] && [ -e "$folder" ] && [ $tries -lt 100 ]; do
    rm -rf -- "$folder"
    tries=$((tries + 1))
    sleep 0.1
  done
  kill -KILL 0
) </dev/null >/dev/null 2>&1 &
exec "$@" 3<&-
`;

/** How a process ended. */
export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface GuardedProcessOptions {
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
  /** Removed by the watcher when this process ends without having ended the command. */
  readonly folder?: string;
  /** Whether standard input is a pipe.  @defaultValue false */
  readonly stdin?: boolean;
  readonly onLine?: (line: string) => void;
}

/** A command in its own process group that cannot outlive this process. */
export class GuardedProcess {
  readonly name: string;
  readonly tail: LineTail;
  /** Settles when the command has ended and its output was read; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  readonly child: ChildProcess;
  #end: ProcessEnd | undefined;
  #expected = false;

  constructor(command: string, args: readonly string[], options: GuardedProcessOptions) {
    if (process.platform === 'win32') {
      throw new ControlPlaneError('CONTROL_PLANE_PLATFORM_UNSUPPORTED', {
        found: 'the control plane runs on POSIX systems only',
        where: `platform ${process.platform}`,
        todo: 'run these tests on Linux or macOS, for example in WSL',
      });
    }
    this.name = basename(command);
    this.tail = new LineTail(40, options.onLine);
    this.child = spawn('/bin/sh', ['-c', GUARD, 'guard', options.folder ?? '', command, ...args], {
      detached: true,
      stdio: [options.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
      env: options.env,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => this.tail.push(chunk));
    }
    const guardPipe = this.child.stdio[3] as Socket;
    // The watcher may be killed together with its group; that its pipe breaks then is expected.
    guardPipe.on('error', () => {});
    // Nothing is ever sent back; reading lets the end of the pipe be noticed, so that the handle is freed.
    guardPipe.resume();
    const settle = (how: ProcessEnd): void => {
      if (this.#end !== undefined) return;
      this.#end = how;
      guardPipe.end('ended\n');
    };
    this.ended = new Promise((resolve) => {
      this.child.once('exit', (exitCode, signal) => settle({ exitCode, signal }));
      this.child.once('close', () => resolve(this.#end ?? { exitCode: null, signal: null }));
      this.child.once('error', (error) => {
        this.tail.push(`${error.message}\n`);
        if (this.child.pid !== undefined) return;
        settle({ exitCode: 127, signal: null });
        resolve({ exitCode: 127, signal: null });
      });
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get running(): boolean {
    return this.#end === undefined;
  }

  /** How it ended, if it has. */
  get end(): ProcessEnd | undefined {
    return this.#end;
  }

  /** Whether {@link kill} or {@link terminate} asked for the end. */
  get endExpected(): boolean {
    return this.#expected;
  }

  /** Signals the command alone, not its watcher: a command that runs may be stopped, it is still watched. */
  signal(signal: NodeJS.Signals): void {
    if (this.running) this.child.kill(signal);
  }

  /** Kills the whole group and waits for the end. */
  kill(): Promise<ProcessEnd> {
    this.killGroup();
    return this.ended;
  }

  /** SIGTERM, then {@link kill} when `grace` milliseconds have passed. */
  async terminate(grace: number): Promise<ProcessEnd> {
    this.#expected = true;
    this.signal('SIGCONT');
    this.signal('SIGTERM');
    const cancel = after(grace, () => this.killGroup());
    try {
      return await this.ended;
    } finally {
      cancel();
    }
  }

  /** Kills the whole group without waiting for the end. */
  killGroup(): void {
    this.#expected = true;
    if (!this.running || this.pid === undefined) return;
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
