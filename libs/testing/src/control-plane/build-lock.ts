import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { ControlPlaneError } from './control-plane-error.js';
import { every, pollUntil, type Deadline } from './wait.js';

const HEARTBEAT = 5_000;
/** A holder that has not touched its lock for this long is taken for dead, whatever its process id says. */
const STALE_AFTER = 60_000;

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly token: string;
}

export interface BuildLockOptions {
  readonly deadline: Deadline;
  readonly signal?: AbortSignal | undefined;
  /** Called once when another process holds the lock. */
  readonly onWait?: (holder: string) => void;
  /** Looked at while waiting: true ends the wait without the lock, since the work is done. */
  readonly done?: () => Promise<boolean>;
}

/**
 * Keeps two processes from building the same binaries at once. It saves work and is not needed for correctness:
 * each builder works in a folder of its own and puts its result in place by a rename.
 */
export class BuildLock {
  readonly #stopHeartbeat: () => void;

  private constructor(
    readonly path: string,
    private readonly token: string,
  ) {
    this.#stopHeartbeat = every(HEARTBEAT, () => {
      const now = new Date();
      // Lost to someone who took it for stale: the release finds out by the token.
      utimes(path, now, now).catch(() => {});
    });
  }

  /** Takes the lock; undefined when `done` became true first. */
  static async acquire(path: string, options: BuildLockOptions): Promise<BuildLock | undefined> {
    await mkdir(dirname(path), { recursive: true });
    const token = randomUUID();
    const own = `${path}.${token}`;
    await writeFile(own, JSON.stringify({ pid: process.pid, host: hostname(), token } satisfies Holder));
    let waiting = false;
    let lastHolder = 'unknown';
    try {
      const outcome = await pollUntil<'done' | 'locked'>(
        async () => {
          if (await options.done?.()) return 'done';
          if (await linked(own, path)) return 'locked';
          const holder = await readHolder(path);
          if (holder === undefined) return undefined;
          lastHolder = `process ${holder.pid} on ${holder.host}`;
          if (await isStale(path, holder)) {
            await takeAway(path, holder);
            return undefined;
          }
          if (!waiting) options.onWait?.(lastHolder);
          waiting = true;
          return undefined;
        },
        { deadline: options.deadline, interval: 250, signal: options.signal },
      );
      if (outcome === 'done') return undefined;
      if (outcome === 'locked') {
        // A hard link shares its times with the file that was written when the wait began.
        const now = new Date();
        await utimes(path, now, now);
        return new BuildLock(path, token);
      }
      throw new ControlPlaneError('CONTROL_PLANE_BUILD_LOCK_TIMEOUT', {
        found: `${lastHolder} still holds the build lock after ${Math.round(options.deadline.timeout / 1000)} s`,
        where: path,
        todo: 'wait for that build, or remove the lock file if no such process exists',
      });
    } finally {
      await rm(own, { force: true });
    }
  }

  async release(): Promise<void> {
    this.#stopHeartbeat();
    if ((await readHolder(this.path))?.token === this.token) await rm(this.path, { force: true });
  }
}

async function linked(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readHolder(path: string): Promise<Holder | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as Holder;
  } catch {
    // A lock arrives by link with its content; anything else is not ours and only its age can free it.
    return { pid: 0, host: '', token: '' };
  }
}

async function isStale(path: string, holder: Holder): Promise<boolean> {
  if (holder.host === hostname() && holder.pid > 0 && !isAlive(holder.pid)) return true;
  try {
    return Date.now() - (await stat(path)).mtimeMs > STALE_AFTER;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Moves a dead holder's lock aside, and puts it back if it turns out to be a new one. */
async function takeAway(path: string, dead: Holder): Promise<void> {
  const aside = `${path}.stale-${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if ((await readHolder(aside))?.token !== dead.token) await linked(aside, path);
  await rm(aside, { force: true });
}
