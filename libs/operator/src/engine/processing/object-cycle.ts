import { ChangeView } from '../handling/change-view.js';
import {
  decideChange,
  refusesChange,
  settlesFirstSight,
  type ChangeDecision,
  type DecisionView,
} from '../handling/change-decision.js';
import { ObjectFilterContext } from '../handling/object-handler-context.js';
import {
  applyPatch,
  combinePatches,
  emptyPatch,
  isEmptyPatch,
  type PatchRequest,
} from '../handling/object-patch-buffer.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import type { StoredObject } from '../kube-object.js';
import type { HandledState } from '../persistence/handled-state.js';
import { progressOf, withProgress, type ObjectRecord } from '../persistence/object-record.js';
import type { KeyRun } from '../queueing/work-queue.js';
import { failedAttempt, progressAfterEnd, type AttemptTimes } from './change-outcome.js';
import { essenceOf } from './essence.js';
import { deliverEvent } from './event-calls.js';
import { reportFailure } from './failure-report.js';
import { isFinalizerNeeded, OwnFinalizer } from './finalizer.js';
import { callHandler, type CallResult } from './handler-calls.js';
import type { ObjectMemory, PendingWrite } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import { isReconcileDue, nextReconcile, reconcilesReleased, runReconcile } from './reconcile-calls.js';
import { isRefusal, loadRecord, storeLastPatch, storeOutcomes } from './record-state.js';
import { carryRecordOver } from './record-version.js';
import { resultPatch } from './result-patch.js';

/** An outcome does not wait longer than this for those of other handlers. */
const longestCompany = 1_000;

/**
 * How a cycle ended. `again`: monotonic milliseconds of the next due thing; `postponed`: not all was done, and the rest
 * is not to be tried before the base delay; `gone`: there is no such object any more.
 */
export type CycleEnd =
  { readonly kind: 'gone' | 'postponed' } | { readonly kind: 'done'; readonly again: number | undefined };

/**
 * One pass over one object: the finalizer first, then every handler that is due, in declaration order and each with the
 * newest state, then one write of all outcomes. Throws what must throttle the object.
 */
export class ObjectCycle {
  readonly #finalizer: OwnFinalizer;
  #oldestOutcome: number | undefined;
  /** Others kept writing: the rest is for a later cycle. */
  #postponed = false;
  /** A handler ended the operator: no other one is called. */
  #fatal = false;
  /** What the server refused to take. It fails the cycle, unless what handlers do meanwhile mends it. */
  #refused: { readonly error: unknown; readonly pending: PendingWrite | undefined } | undefined;
  /** The failure of a write beside a call; thrown when the outcome of the call is kept. */
  #failed: { readonly error: unknown } | undefined;

  constructor(
    private readonly environment: ProcessingEnvironment,
    private readonly memory: ObjectMemory,
    private readonly run: KeyRun,
  ) {
    this.#finalizer = new OwnFinalizer(environment.config);
  }

  async execute(): Promise<CycleEnd> {
    try {
      return await this.#pass();
    } finally {
      this.memory.cachedState = undefined;
      this.memory.cachedRecord = undefined;
    }
  }

  async #pass(): Promise<CycleEnd> {
    await this.#carryRecordOver();
    await this.#resend();
    await this.#adjustFinalizer();
    await this.#deliverEvents();
    for (const handler of this.environment.handlers) {
      if (this.#postponed || this.#fatal || this.environment.isStopping()) break;
      if (handler.hasCauses) await this.#runChange(handler);
      if (handler.reconciling.length > 0) await this.#runReconcile(handler);
    }
    if (!(await this.#release())) await this.#store();
    return this.#end();
  }

  get #object(): StoredObject | undefined {
    const object = this.environment.store.get(this.run.key);
    return object?.metadata.uid === this.memory.uid ? object : undefined;
  }

  #stateOf(object: StoredObject): Extract<HandledState, { kind: 'essence' }> {
    const cached = this.memory.cachedState;
    if (cached?.object === object && cached.state.kind === 'essence') return cached.state;
    const state = { kind: 'essence', essence: essenceOf(object, this.environment.watchedPaths) } as const;
    this.memory.cachedState = { object, state };
    return state;
  }

  #view(handler: ResourceHandler, object: StoredObject): DecisionView {
    const { memory, environment } = this;
    const { essence } = this.#stateOf(object);
    return {
      object,
      essence,
      ownsFinalizer: !memory.released && this.#finalizer.isIn(object.metadata.finalizers),
      resumeOpen: memory.resumeOpen.has(handler.id),
      resumeAttempt: memory.resumeAttempts?.get(handler.id),
      now: environment.clock.now(),
      baseDelay: environment.config.retry.initial,
      context: (cause, handled, field) =>
        new ObjectFilterContext(object, environment.resource(), cause, new ChangeView(handled, essence, field)),
    };
  }

  /** A record in another version of the resource is compared in that version, once. */
  async #carryRecordOver(): Promise<void> {
    const { environment, memory } = this;
    const object = this.#object;
    if (object === undefined || object.metadata.deletionTimestamp !== undefined || environment.isStopping()) return;
    if (memory.pending?.record !== undefined || memory.unstorable !== undefined) return;
    if (!environment.handlers.some(({ hasCauses }) => hasCauses)) return;
    const record = loadRecord(environment, memory, object);
    if (record.apiVersion === environment.records.apiVersion) return;
    const carried = await carryRecordOver(environment, this.run.key, object, record, this.#stateOf(object));
    if (carried === 'later') this.#postponed = true;
    else this.#remember(carried);
  }

  /** What is known to have been done comes before anything else, so that it is not done again. */
  async #resend(): Promise<void> {
    try {
      await this.#store();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#refused = { error, pending: this.memory.pending };
    }
  }

  async #adjustFinalizer(): Promise<void> {
    const object = this.#object;
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
    if (this.#postponed || this.environment.isStopping()) return;
    const needed = this.environment.handlers.some(
      (handler) =>
        (handler.deleting.length > 0 || handler.reconciling.length > 0) &&
        isFinalizerNeeded(handler, this.#view(handler, object)),
    );
    const { finalizers = [] } = object.metadata;
    if (this.#finalizer.adjust(finalizers, needed) !== finalizers) await this.#setFinalizers(needed);
  }

  async #setFinalizers(needed: boolean): Promise<void> {
    const { writer, signal } = this.environment;
    const change = (list: readonly string[]): readonly string[] => this.#finalizer.adjust(list, needed);
    const outcome = await writer.setFinalizers(this.run.key, this.memory.uid, change, signal);
    if (outcome === 'conflict') this.#postponed = true;
  }

  async #deliverEvents(): Promise<void> {
    const { environment, memory } = this;
    const object = this.#object;
    if (memory.event === undefined || object === undefined || this.#postponed || environment.isStopping()) return;
    this.#collect(await deliverEvent(environment, memory, this.run, object, this.#stateOf(object).essence));
  }

  async #runReconcile(handler: ResourceHandler): Promise<void> {
    const object = this.#object;
    if (object === undefined || this.#postponed || this.environment.isStopping()) return;
    if (!isReconcileDue(this.environment, this.memory, handler, this.#view(handler, object))) return;
    const call = runReconcile(this.environment, this.memory, this.run, handler, object, this.#stateOf(object).essence);
    this.#collect(await this.#inCompany(call));
    this.#throwFailed();
  }

  async #runChange(handler: ResourceHandler): Promise<void> {
    const object = this.#object;
    if (object === undefined) return;
    const { environment, memory } = this;
    const view = this.#view(handler, object);
    const record = loadRecord(environment, memory, object);
    const progress = progressOf(record, handler.id);
    const decision = decideChange(handler, progress, view);
    if (decision === undefined || decision.cause === 'resume') this.#settle(handler, record, view);
    if (decision === undefined || decision.at > view.now) return;
    const startedAt = decision.attempt?.startedAt ?? view.now;
    const call = callHandler(environment, {
      handler,
      object,
      essence: view.essence,
      memory,
      run: this.run,
      cause: decision.cause,
      handled: decision.handled,
      field: decision.field,
      retry: decision.attempt?.failures ?? 0,
      startedAt,
    });
    const result = await this.#inCompany(call);
    this.#conclude(handler, decision, object, result, { startedAt, lastAt: view.now, now: environment.clock.now() });
    this.#throwFailed();
  }

  /** Takes as handled what needs no call: the first sight of a handler without a creation, a change that it refuses. */
  #settle(handler: ResourceHandler, record: ObjectRecord, view: DecisionView): void {
    const progress = progressOf(record, handler.id);
    const handled = this.#stateOf(view.object);
    if (settlesFirstSight(handler, progress, view)) {
      // A creation that its filters keep back may still come.
      const creationOpen = handler.creating.some((trigger) => trigger.on === 'create');
      this.#remember(withProgress(record, handler.id, { ...progress, handled, creationOpen }));
    } else if (refusesChange(handler, progress, view)) {
      this.#remember(withProgress(record, handler.id, { ...progress, handled, attempt: undefined }));
    }
  }

  #remember(record: ObjectRecord): void {
    this.memory.pending = { patch: this.memory.pending?.patch ?? emptyPatch, record };
    this.#oldestOutcome ??= this.environment.clock.monotonic();
  }

  /** Waits for a call; outcomes of earlier ones are sent meanwhile when they have waited long enough. */
  async #inCompany<T>(call: Promise<T>): Promise<T> {
    if (this.#oldestOutcome === undefined) return call;
    const { clock } = this.environment;
    const waited = clock.monotonic() - this.#oldestOutcome;
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const timer = clock.setTimer(Math.max(0, longestCompany - waited), () => resolve('late'), { background: true });
    try {
      const first = await Promise.race([call.then(() => 'ended' as const), late]);
      if (first === 'late') await this.#store();
    } catch (error) {
      this.#failed = { error };
    } finally {
      timer.cancel();
    }
    return call;
  }

  #throwFailed(): void {
    if (this.#failed !== undefined) throw this.#failed.error;
  }

  #conclude(
    handler: ResourceHandler,
    decision: ChangeDecision,
    object: StoredObject,
    result: CallResult,
    times: AttemptTimes,
  ): void {
    if (result.outcome.kind === 'interrupted') {
      this.#collect(result.patch);
      return;
    }
    const { environment, memory } = this;
    const { wanted, saw, failure } = this.#weigh(handler, object, result);
    this.#collect(wanted);
    const verdict =
      failure && reportFailure(environment, { handler, decision, object, error: failure.error, ...times });
    if (verdict?.kind === 'fatal') this.#fatal = true;
    // Not of the state that the call began with: outcomes of others may have been stored meanwhile.
    const newest = this.#object;
    if (newest === undefined || verdict?.kind === 'fatal') return;
    const record = loadRecord(environment, memory, newest);
    const progress = progressOf(record, handler.id);
    if (verdict?.kind === 'retry') {
      const attempt = failedAttempt(decision, verdict, saw, times);
      if (decision.cause === 'resume') (memory.resumeAttempts ??= new Map()).set(handler.id, attempt);
      else this.#remember(withProgress(record, handler.id, { ...progress, attempt }));
      return;
    }
    memory.closeResume(handler.id);
    const after = progressAfterEnd(handler, progress, decision, saw, verdict?.kind === 'final');
    if (after !== progress && (decision.cause !== 'resume' || !isEmptyPatch(wanted))) {
      this.#remember(withProgress(record, handler.id, after));
    }
  }

  /**
   * What a call wants changed, and the state that it has dealt with: what it saw, with what it changes itself. A result
   * or a patch that cannot be put on the object is the handler's own failure.
   */
  #weigh(
    handler: ResourceHandler,
    object: StoredObject,
    { outcome, patch }: CallResult,
  ): { wanted: PatchRequest; saw: HandledState; failure: { readonly error: unknown } | undefined } {
    const failure = outcome.kind === 'failure' ? { error: outcome.error } : undefined;
    const unchanged = this.#stateOf(object);
    try {
      const result =
        outcome.kind === 'success'
          ? resultPatch(handler, outcome.value, this.environment.logger, {
              resource: this.environment.name,
              key: this.run.key,
            })
          : emptyPatch;
      const wanted = combinePatches(patch, result);
      if (isEmptyPatch(wanted)) return { wanted, saw: unchanged, failure };
      const essence = essenceOf(applyPatch(object, wanted), this.environment.watchedPaths);
      return { wanted, saw: { kind: 'essence', essence }, failure };
    } catch (error) {
      if (failure !== undefined) {
        const { logger, name } = this.environment;
        const fields = { handler: handler.definition.origin, resource: name, key: this.run.key, uid: this.memory.uid };
        logger.log('warn', 'The patch of a failed handler is not sent, since it failed as well', fields, error);
      }
      return { wanted: emptyPatch, saw: unchanged, failure: failure ?? { error } };
    }
  }

  #collect(patch: PatchRequest): void {
    const { memory } = this;
    if (!isEmptyPatch(patch)) {
      memory.pending = {
        patch: combinePatches(memory.pending?.patch ?? emptyPatch, patch),
        record: memory.pending?.record,
      };
    }
    if (memory.pending !== undefined) this.#oldestOutcome ??= this.environment.clock.monotonic();
  }

  async #store(): Promise<void> {
    this.#oldestOutcome = undefined;
    const object = this.#object;
    const { pending } = this.memory;
    if (object === undefined || pending === undefined || this.#postponed) return;
    if (this.#refused !== undefined && this.#refused.pending === pending) throw this.#refused.error;
    if ((await storeOutcomes(this.environment, this.memory, this.run.key, object)) === 'conflict')
      this.#postponed = true;
  }

  /** Lets a dying object go when nothing holds it any more. True when that was done instead of a write of the record. */
  async #release(): Promise<boolean> {
    const { environment, memory } = this;
    const object = this.#object;
    if (object?.metadata.deletionTimestamp === undefined || this.#postponed) return false;
    if (memory.released || !this.#finalizer.isIn(object.metadata.finalizers)) return false;
    const record = loadRecord(environment, memory, object);
    const held = environment.handlers.some((handler) => {
      const view = this.#view(handler, object);
      const progress = progressOf(record, handler.id);
      return (
        progress.holds ||
        decideChange(handler, progress, view)?.cause === 'delete' ||
        !reconcilesReleased(memory, handler, view)
      );
    });
    if (held) return false;
    if ((await storeLastPatch(environment, memory, this.run.key, object)) === 'conflict') this.#postponed = true;
    else await this.#setFinalizers(false);
    // Until the object is known to be free, what its handlers did stays known, so that they do not run again.
    if (!this.#postponed) {
      memory.pending = undefined;
      memory.released = true;
    }
    return true;
  }

  #end(): CycleEnd {
    const { memory, environment } = this;
    const object = this.#object;
    if (object === undefined) return { kind: 'gone' };
    if (this.#postponed || this.#fatal) return { kind: 'postponed' };
    const monotonic = environment.clock.monotonic();
    const times: number[] = [];
    if (memory.event !== undefined) times.push(monotonic);
    if (memory.wakeAt !== undefined) times.push(memory.wakeAt);
    if (memory.restoreAt !== undefined && memory.pending !== undefined) times.push(memory.restoreAt);
    for (const handler of environment.handlers) {
      const view = this.#view(handler, object);
      if (handler.hasCauses) {
        const progress = progressOf(loadRecord(environment, memory, object), handler.id);
        const decision = decideChange(handler, progress, view);
        if (decision !== undefined) times.push(monotonic + Math.max(0, decision.at - view.now));
      }
      const reconcile = nextReconcile(environment, memory, handler, view);
      if (reconcile !== undefined) times.push(reconcile);
    }
    return { kind: 'done', again: times.length === 0 ? undefined : Math.min(...times) };
  }
}
