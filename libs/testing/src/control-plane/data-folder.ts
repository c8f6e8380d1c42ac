import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GuardedProcess } from './guarded-process.js';

const SHARED_MEMORY = '/dev/shm';
/** etcd reserves 64 MB for its log at once; containers often get no more than that. */
const ROOM = 512 * 1024 * 1024;

/** A folder for the data of one control plane that goes when it is removed, or with the process that made it. */
export class DataFolder {
  private constructor(
    readonly path: string,
    private readonly guard: GuardedProcess,
  ) {}

  /** Only its owner can enter it. It lies on tmpfs where there is room, else in the system's temporary folder. */
  static async create(): Promise<DataFolder> {
    const path = await makeFolder();
    // Watches over the folder also while no server does: before the first, between two, and after the last.
    const guard = new GuardedProcess('cat', [], { env: { PATH: process.env['PATH'] }, folder: path, stdin: true });
    return new DataFolder(path, guard);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    await this.guard.kill();
  }
}

async function makeFolder(): Promise<string> {
  // The owner's id is for whoever finds one and wonders.
  const prefix = `nestjs-operator-control-plane-${process.pid}-`;
  if (await hasRoom(SHARED_MEMORY)) {
    try {
      return await mkdtemp(join(SHARED_MEMORY, prefix));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EACCES' && code !== 'EROFS') throw error;
    }
  }
  return mkdtemp(join(tmpdir(), prefix));
}

async function hasRoom(folder: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= ROOM;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
