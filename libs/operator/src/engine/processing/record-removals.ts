import type { ObjectKey } from '../kube-object.js';
import type { RecordOwner } from '../persistence/record-store.js';
import type { ProcessingEnvironment } from './processing-environment.js';

interface Removal {
  readonly owner: RecordOwner;
  failures: number;
  /** Monotonic milliseconds. */
  due: number;
}

/** Records in a store of the application whose objects seem to be gone: removed when the server says so too. */
export class RecordRemovals {
  readonly #open = new Map<ObjectKey, Removal[]>();

  constructor(private readonly environment: ProcessingEnvironment) {}

  add(key: ObjectKey, owner: RecordOwner): void {
    const removals = this.#open.get(key) ?? [];
    if (removals.some((removal) => removal.owner.uid === owner.uid)) return;
    removals.push({ owner, failures: 0, due: this.environment.clock.monotonic() });
    this.#open.set(key, removals);
  }

  /** Does what is due for this key. Milliseconds until more is; `undefined`: nothing. Never more than one call at a time for a key. */
  async run(key: ObjectKey): Promise<number | undefined> {
    const removals = this.#open.get(key);
    if (removals === undefined) return undefined;
    const { clock, isStopping } = this.environment;
    for (const removal of removals.slice()) {
      if (isStopping()) return undefined;
      if (removal.due <= clock.monotonic() && (await this.#remove(key, removal))) {
        removals.splice(removals.indexOf(removal), 1);
      }
    }
    if (removals.length === 0) {
      this.#open.delete(key);
      return undefined;
    }
    return Math.max(0, Math.min(...removals.map(({ due }) => due)) - clock.monotonic());
  }

  /** False: to be tried again. */
  async #remove(key: ObjectKey, removal: Removal): Promise<boolean> {
    const { writer, external, signal, logger, name, clock, config } = this.environment;
    const { owner } = removal;
    const fields = { resource: name, key, uid: owner.uid };
    try {
      // What left a watch is not gone for that.
      const found = await writer.read(key, signal);
      if (found?.metadata.uid === owner.uid) return true;
      await external?.remove(owner, signal);
      logger.log('debug', 'The record of an object that is gone was removed from its store', fields);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      const { throttle } = config.queue;
      const delay = throttle[Math.min(removal.failures, throttle.length - 1)];
      // Without a throttle, what goes wrong with one object is unrecoverable.
      if (delay === undefined) throw error;
      removal.failures += 1;
      removal.due = clock.monotonic() + delay;
      logger.log('error', 'The record of an object that is gone could not be removed', { ...fields, delay }, error);
      return false;
    }
  }
}
