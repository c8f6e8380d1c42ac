import type { LeadershipLostError } from '../../errors/leadership-lost.error.js';
import { ObjectSupersededError, type SupersededBecause } from '../../errors/object-superseded.error.js';
import type { OperatorStoppingError } from '../../errors/operator-stopping.error.js';
import { ChangeView } from '../handling/change-view.js';
import { matchesObject, matchesValue } from '../handling/filter-match.js';
import { ObjectFilterContext } from '../handling/object-handler-context.js';
import { combinePatches, emptyPatch, type PatchRequest } from '../handling/object-patch-buffer.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import { objectKey, type ObjectKey, type StoredObject } from '../kube-object.js';
import type { DaemonSlot, ObjectMemory } from '../processing/object-memory.js';
import type { ProcessingEnvironment } from '../processing/processing-environment.js';
import { Daemon } from './daemon.js';

/** The daemons of one resource: started in cycles, told to stop at once, and each awaited to its end. */
export class DaemonKeeper {
  readonly #living = new Set<Daemon>();
  readonly #failure = Promise.withResolvers<never>();
  #endWaiters: Array<() => void> = [];

  constructor(
    private readonly environment: ProcessingEnvironment,
    private readonly schedule: (key: ObjectKey) => void,
  ) {
    // Observed by run() only.
    this.#failure.promise.catch(() => undefined);
  }

  /** Daemons that have not ended. */
  get size(): number {
    return this.#living.size;
  }

  /** The root task: until it is cancelled, or something fails that is none of the handlers'. */
  async run(signal: AbortSignal): Promise<void> {
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    const cancel = (): void => resolve();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) resolve();
    try {
      await Promise.race([cancelled, this.#failure.promise]);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** In a cycle: starts what is to run, and tells what is not to run to stop. */
  adjust(memory: ObjectMemory, object: StoredObject, handler: ResourceHandler): void {
    const { background } = handler;
    if (background === undefined) return;
    const slot = memory.daemons?.get(handler.id);
    if (this.environment.isPaused()) {
      // In a cycle that had begun before. Whether one is to live is asked again afterwards.
      slot?.daemon?.stop('paused');
      this.schedule(objectKey(object));
      return;
    }
    const because = this.#unwanted(handler, object);
    if (because !== undefined) {
      slot?.daemon?.stop(because);
      return;
    }
    if (slot?.daemon !== undefined) return;
    if (slot?.doneAt !== undefined) {
      const again = background.restart === 'onChange' && slot.doneAt !== memory.essentialChanges;
      if (!again) return;
    }
    this.#start(memory, object, handler);
  }

  /** At once: a newer state may end daemons long before the next cycle of its object. */
  onState(memory: ObjectMemory, object: StoredObject): void {
    for (const { daemon } of memory.daemons?.values() ?? []) {
      if (daemon === undefined) continue;
      let because: SupersededBecause | undefined;
      try {
        because = this.#unwanted(daemon.handler, object);
      } catch {
        // The next cycle asks the same filter, and deals with its error.
      }
      if (because !== undefined) daemon.stop(because);
    }
  }

  onGone(memory: ObjectMemory): void {
    for (const { daemon } of memory.daemons?.values() ?? []) daemon?.stop('gone');
  }

  stopAll(reason: OperatorStoppingError | ObjectSupersededError | LeadershipLostError): void {
    for (const daemon of this.#living) {
      daemon.stop(reason instanceof ObjectSupersededError ? reason.because : reason);
    }
  }

  /** Resolves when no daemon lives. */
  ended(): Promise<void> {
    if (this.#living.size === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endWaiters.push(resolve);
    return promise;
  }

  /** Whether a dying object has to wait for its daemons. */
  holds(memory: ObjectMemory): boolean {
    for (const { daemon } of memory.daemons?.values() ?? []) {
      if (daemon !== undefined && daemon.state !== 'abandoned') return true;
    }
    return false;
  }

  #start(memory: ObjectMemory, object: StoredObject, handler: ResourceHandler): void {
    const { background: trigger } = handler;
    if (trigger === undefined) return;
    const key = objectKey(object);
    const daemon = new Daemon({
      environment: this.environment,
      handler,
      trigger,
      memory,
      object,
      send: (newest, patch) => this.#send(memory, newest, patch),
      onAbandoned: () => this.schedule(key),
    });
    const slot: DaemonSlot = { daemon, doneAt: undefined };
    (memory.daemons ??= new Map()).set(handler.id, slot);
    this.#living.add(daemon);
    daemon
      .live()
      .then((end) => {
        slot.daemon = undefined;
        // One that was told to stop starts anew when its object is as it wants it again.
        if (end === 'done') slot.doneAt = memory.essentialChanges;
        else memory.daemons?.delete(handler.id);
      })
      .catch((error: unknown) => this.#failure.reject(error as Error))
      .finally(() => {
        this.#living.delete(daemon);
        if (this.#living.size === 0) for (const resolve of this.#endWaiters.splice(0)) resolve();
        this.schedule(key);
      });
  }

  /** A cycle writes it. Once no cycle begins any more, it goes out by itself. */
  #send(memory: ObjectMemory, object: StoredObject, patch: PatchRequest): Promise<void> | undefined {
    const { environment } = this;
    const key = objectKey(object);
    if (!environment.isStopping() && !environment.isPaused()) {
      memory.arrived = combinePatches(memory.arrived ?? emptyPatch, patch);
      this.schedule(key);
      return undefined;
    }
    return this.#write(memory, key, patch);
  }

  async #write(memory: ObjectMemory, key: ObjectKey, patch: PatchRequest): Promise<void> {
    const { writer, signal, logger, name } = this.environment;
    const fields = { resource: name, key, uid: memory.uid };
    try {
      const outcome = await writer.write(key, memory.uid, patch, undefined, signal);
      if (outcome === 'conflict')
        logger.log('warn', 'The last patch of a daemon was not written: others kept writing', fields);
    } catch (error) {
      const level = signal.aborted ? 'debug' : 'error';
      logger.log(level, 'The last patch of a daemon could not be written', fields, error);
    }
  }

  #unwanted({ background }: ResourceHandler, object: StoredObject): SupersededBecause | undefined {
    const { switches, resource, essence } = this.environment;
    if (object.metadata.deletionTimestamp !== undefined) return 'deleting';
    if (switches.isPaused(object)) return 'paused';
    if (background === undefined) return 'mismatch';
    const { filter } = background;
    const context = new ObjectFilterContext(object, resource(), 'daemon', new ChangeView(undefined, essence(object)));
    return matchesValue(filter, context) && matchesObject(filter, context) ? undefined : 'mismatch';
  }
}
