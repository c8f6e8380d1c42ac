import { combinePatches, emptyPatch, isEmptyPatch, type PatchRequest } from '../handling/object-patch-buffer.js';
import type { StoredObject } from '../kube-object.js';
import type { ObjectRecord } from '../persistence/object-record.js';
import type { ObjectMemory, PendingWrite } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import { isRefusal, storeOutcomes } from './record-state.js';

/** An outcome does not wait longer than this for those of other handlers. */
const longestCompany = 1_000;

/** What the calls of one cycle want written, and when it goes out: together, but never late. */
export class OutcomeBasket {
  /** Others kept writing: the rest is for a later cycle. */
  postponed = false;
  #oldestOutcome: number | undefined;
  /** What the server refused to take. It fails the cycle, unless what handlers do meanwhile mends it. */
  #refused: { readonly error: unknown; readonly pending: PendingWrite | undefined } | undefined;
  /** The failure of a write beside a call; thrown when the outcome of the call is kept. */
  #failed: { readonly error: unknown } | undefined;

  constructor(
    private readonly environment: ProcessingEnvironment,
    private readonly memory: ObjectMemory,
    private readonly newest: () => StoredObject | undefined,
  ) {}

  /** Takes over the record as it is to be, after a call of this handler. */
  remember(record: ObjectRecord, handler?: string): void {
    if (handler !== undefined) (this.memory.pendingOf ??= new Set()).add(handler);
    this.memory.pending = { ...(this.memory.pending ?? { patch: emptyPatch }), record };
    this.#oldestOutcome ??= this.environment.clock.monotonic();
  }

  /** Takes what a call of this handler wants changed. */
  collect(patch: PatchRequest, handler?: string): void {
    const { memory } = this;
    if (!isEmptyPatch(patch)) {
      if (handler !== undefined) (memory.pendingOf ??= new Set()).add(handler);
      const before = memory.pending ?? { patch: emptyPatch, record: undefined };
      memory.pending = { ...before, patch: combinePatches(before.patch, patch) };
    }
    if (memory.pending !== undefined) this.#oldestOutcome ??= this.environment.clock.monotonic();
  }

  /** Waits for a call; outcomes of earlier ones are sent meanwhile when they have waited long enough. */
  async inCompany<T>(call: Promise<T>): Promise<T> {
    if (this.#oldestOutcome === undefined) return call;
    const { clock } = this.environment;
    const waited = clock.monotonic() - this.#oldestOutcome;
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const timer = clock.setTimer(Math.max(0, longestCompany - waited), () => resolve('late'), { background: true });
    try {
      const first = await Promise.race([call.then(() => 'ended' as const), late]);
      if (first === 'late') await this.store();
    } catch (error) {
      this.#failed = { error };
    } finally {
      timer.cancel();
    }
    return call;
  }

  /** Once the outcome of the call is kept: what went wrong beside it. */
  throwFailed(): void {
    if (this.#failed !== undefined) throw this.#failed.error;
  }

  /** What is known to have been done comes before anything else, so that it is not done again. */
  async resend(): Promise<void> {
    try {
      await this.store();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#refused = { error, pending: this.memory.pending };
    }
  }

  async store(): Promise<void> {
    this.#oldestOutcome = undefined;
    const object = this.newest();
    const { pending } = this.memory;
    if (object === undefined || pending === undefined || this.postponed) return;
    if (this.#refused !== undefined && this.#refused.pending === pending) throw this.#refused.error;
    if ((await storeOutcomes(this.environment, this.memory, object)) === 'conflict') this.postponed = true;
  }
}
