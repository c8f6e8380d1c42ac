import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SHARED_MEMORY = '/dev/shm';
/** etcd reserves 64 MB for its log at once; containers often get no more than that. */
const ROOM = 512 * 1024 * 1024;

/** A new folder that only its owner can enter: on tmpfs where there is room, else in the system's temporary folder. */
export async function createDataFolder(): Promise<string> {
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

export async function removeDataFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
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
