import { createHash } from 'node:crypto';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BuildLock } from '../../../../testing/src/control-plane/build-lock.js';
import { cacheRoot } from '../../../../testing/src/control-plane/build-recipe.js';
import { Deadline } from '../../../../testing/src/control-plane/wait.js';

/** Milliseconds for a hook that builds: long enough for a cold cache on a small machine. */
export const buildTimeout = 1_800_000;

/**
 * Builds a client outside of the repository, beside the binaries of the control plane, and keeps it until one of the
 * inputs changes. Answers the folder; a build that was broken off is begun again.
 */
export async function buildOnce(
  client: string,
  inputs: readonly string[],
  build: (folder: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256');
  for (const input of inputs) hash.update(`${Buffer.byteLength(input)}:`).update(input);
  const key = `${client}-${process.platform}-${process.arch}-${hash.digest('hex').slice(0, 16)}`;
  const root = join(dirname(cacheRoot(process.env)), 'clients', key);
  const folder = join(root, 'build');
  const mark = join(root, 'complete');
  const done = async (): Promise<boolean> => {
    try {
      await access(mark);
      return true;
    } catch {
      // Not there yet.
      return false;
    }
  };
  if (await done()) return folder;
  const lock = await BuildLock.acquire(join(root, '.lock'), { deadline: new Deadline(buildTimeout), done });
  if (lock === undefined) return folder;
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    process.stderr.write(`building ${client} for its test; seconds with warm caches, minutes without\n`);
    await build(folder);
    await writeFile(mark, '');
  } finally {
    await lock.release();
  }
  return folder;
}
