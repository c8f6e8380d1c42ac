import { unlessAborted, wait } from '../client/wait.js';
import type { Clock } from '../ports/index.js';
import type { ListEnd } from './list-reader.js';
import { compareVersions } from './resource-version.js';

/** What catching up sees of a watch, and may ask of it. */
export interface FollowedWatch {
  readonly clock: Clock;
  /** The version that the store shows. */
  reached(): string | undefined;
  /** Lists that were applied. */
  lists(): number;
  /** A watch is accepted. */
  isFollowing(): boolean;
  /** It may soon be: a list is on its way, or what failed is tried again. */
  isTrying(): boolean;
  readVersion(signal: AbortSignal): Promise<ListEnd>;
  /** Has the server say soon how far it is. */
  hurry(): void;
  /** Has everything listed again. */
  relist(): void;
  /** Calls the listener when any of this changes. Returns what ends that. */
  onProgress(listener: () => void): () => void;
}

/** A server that says nothing for that long does not tell how far it is: everything is listed. */
const patience = 8_000;
const pause = 1_000;

/**
 * Waits until the store shows what the server has now. The version comes from a consistent list of one object. A watch of
 * something that does not change says how far it is once a minute only, so it is taken up again for a moment.
 */
export async function catchUp(watch: FollowedWatch, signal: AbortSignal): Promise<void> {
  for (;;) {
    await until(watch, () => watch.isFollowing() || !watch.isTrying(), signal);
    if (!watch.isFollowing()) return;
    const end = await watch.readVersion(signal);
    if (end.by !== 'items') await wait(watch.clock, pause, signal);
    else if (await reach(watch, end.version, signal)) return;
  }
}

/** False: the watch was interrupted meanwhile. */
async function reach(watch: FollowedWatch, version: string, signal: AbortSignal): Promise<boolean> {
  const isReached = (): boolean => isAtLeast(watch.reached(), version);
  if (isReached()) return true;
  watch.hurry();
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  const told = until(watch, () => isReached() || !watch.isFollowing(), ended).then(() => true);
  const late = wait(watch.clock, patience, ended).then(() => false);
  try {
    if (await Promise.race([told, late])) return isReached();
  } finally {
    over.abort(new Error('The wait is over.'));
    // One of the two has lost the race.
    await Promise.allSettled([told, late]);
  }
  const before = watch.lists();
  watch.relist();
  await until(watch, () => watch.lists() > before || !(watch.isFollowing() || watch.isTrying()), signal);
  return true;
}

function isAtLeast(reached: string | undefined, version: string): boolean {
  const order = reached === undefined ? undefined : compareVersions(reached, version);
  return order !== undefined && order >= 0;
}

async function until(watch: FollowedWatch, condition: () => boolean, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (condition()) resolve();
  };
  const unsubscribe = watch.onProgress(look);
  look();
  try {
    await unlessAborted(promise, signal);
  } finally {
    unsubscribe();
  }
}
