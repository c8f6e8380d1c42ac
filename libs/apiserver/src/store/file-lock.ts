import { closeSync, openSync, readFileSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StateFileInUseError } from '../errors/state-file-in-use.error.js';

/** Files that are locked by this process, which a process number alone cannot tell. */
const own = new Set<string>();

/** Keeps a second server away from a file: a file beside it names the process that uses it. */
export class FileLock {
  private constructor(private readonly path: string) {}

  /** Takes the lock, also from a process that is gone. Throws StateFileInUseError. */
  static take(file: string): FileLock {
    const path = `${join(realpathSync(dirname(file)), basename(file))}.lock`;
    for (let attempt = 0; ; attempt++) {
      if (own.has(path)) throw new StateFileInUseError(file, process.pid, path);
      try {
        const handle = openSync(path, 'wx', 0o600);
        try {
          writeSync(handle, `${process.pid}\n`);
        } finally {
          closeSync(handle);
        }
        own.add(path);
        return new FileLock(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = holderOf(path);
      if (holder !== undefined && holder !== process.pid && isAlive(holder)) {
        throw new StateFileInUseError(file, holder, path);
      }
      if (attempt >= 3) throw new StateFileInUseError(file, holder ?? 0, path);
      rmSync(path, { force: true });
    }
  }

  release(): void {
    own.delete(this.path);
    rmSync(this.path, { force: true });
  }
}

/** Undefined where the lock has gone meanwhile, or was never finished. */
function holderOf(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
