import { judgeFailure, type FailureVerdict } from '../handling/attempt-outcome.js';
import { ChangeView } from '../handling/change-view.js';
import {
  decideChange,
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
import { progressOf, withProgress, type HandlerProgress, type ObjectRecord } from '../persistence/object-record.js';
import type { KeyRun } from '../queueing/work-queue.js';
import { failedAttempt, progressAfterEnd } from './change-outcome.js';
import { essenceOf, type Essence } from './essence.js';
import { callHandler, type CallResult } from './handler-calls.js';
import { finalizerName, isFinalizerNeeded } from './finalizer.js';
import type { ObjectMemory } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import { deliverEvent } from './event-calls.js';
import { isReconcileDue, nextReconcile, reconcilesReleased, runReconcile } from './reconcile-calls.js';
import { loadRecord, storeOutcomes } from './record-state.js';

/** An outcome does not wait longer than this for those of other handlers. */
const longestCompany = 1_000;

/** How a cycle ended. `again`: monotonic milliseconds of the next due thing; `gone`: there is no such object any more. */
export type CycleEnd = { readonly kind: 'gone' } | { readonly kind: 'done'; readonly again: number | undefined };

/**
 * One pass over one object: the finalizer first, then every handler that is due, in declaration order and each with the
 * newest state, then one write of all outcomes. Throws what must throttle the object.
 */
export class ObjectCycle {
  readonly #finalizer: string;
  #oldestOutcome: number | undefined;
  /** Others kept writing: the rest is for a later cycle. */
  #conflicted = false;

  constructor(
    private readonly environment: ProcessingEnvironment,
    private readonly memory: ObjectMemory,
    private readonly run: KeyRun,
  ) {
    this.#finalizer = finalizerName(environment.config.name);
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
    await this.#store();
    await this.#adjustFinalizer();
    await this.#deliverEvents();
    for (const handler of this.environment.handlers) {
      if (this.environment.isStopping()) break;
      await this.#runChange(handler);
      await this.#runReconcile(handler);
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
      ownsFinalizer: object.metadata.finalizers?.includes(this.#finalizer) === true,
      resumeOpen: memory.resumeOpen.has(handler.id),
      resumeAttempt: memory.resumeAttempts.get(handler.id),
      now: environment.clock.now(),
      baseDelay: environment.config.retry.initial,
      context: (cause, handled) =>
        new ObjectFilterContext(object, environment.resource(), cause, new ChangeView(handled, essence)),
    };
  }

  async #adjustFinalizer(): Promise<void> {
    const object = this.#object;
    if (object === undefined || object.metadata.deletionTimestamp !== undefined || this.environment.isStopping())
      return;
    const own = this.#finalizer;
    const present = object.metadata.finalizers?.includes(own) === true;
    const needed = this.environment.handlers.some((handler) => isFinalizerNeeded(handler, this.#view(handler, object)));
    if (present === needed) return;
    await this.#setFinalizers((list) =>
      needed ? (list.includes(own) ? list : [...list, own]) : list.filter((finalizer) => finalizer !== own),
    );
  }

  async #setFinalizers(change: (list: readonly string[]) => readonly string[]): Promise<void> {
    const { writer, signal } = this.environment;
    const outcome = await writer.setFinalizers(this.run.key, this.memory.uid, change, signal);
    if (outcome === 'conflict') this.#conflicted = true;
  }

  async #deliverEvents(): Promise<void> {
    const { memory } = this;
    const type = memory.event;
    const object = this.#object;
    if (type === undefined || object === undefined || this.environment.isStopping()) return;
    memory.event = undefined;
    this.#collect(await deliverEvent(this.environment, memory, this.run, object, this.#stateOf(object).essence, type));
  }

  async #runReconcile(handler: ResourceHandler): Promise<void> {
    const object = this.#object;
    if (object === undefined || this.#conflicted || this.environment.isStopping()) return;
    if (!isReconcileDue(this.environment, this.memory, handler, this.#view(handler, object))) return;
    const call = runReconcile(this.environment, this.memory, this.run, handler, object, this.#stateOf(object).essence);
    this.#collect(await this.#inCompany(call));
  }

  async #runChange(handler: ResourceHandler): Promise<void> {
    const object = this.#object;
    if (object === undefined || this.#conflicted) return;
    const view = this.#view(handler, object);
    const record = this.#settle(handler, view);
    const progress = progressOf(record, handler.id);
    const decision = decideChange(handler, progress, view);
    if (decision === undefined || decision.at > view.now) return;
    const startedAt = decision.attempt?.startedAt ?? view.now;
    const call = callHandler(this.environment, {
      handler,
      object,
      essence: view.essence,
      memory: this.memory,
      run: this.run,
      cause: decision.cause,
      handled: decision.handled,
      field: decision.field,
      retry: decision.attempt?.failures ?? 0,
      startedAt,
    });
    const result = await this.#inCompany(call);
    this.#conclude(handler, decision, object, result, {
      startedAt,
      lastAt: view.now,
      now: this.environment.clock.now(),
    });
  }

  /** The record, in which the handler has taken its first sight as handled if it has nothing to do for a creation. */
  #settle(handler: ResourceHandler, view: DecisionView): ObjectRecord {
    const record = loadRecord(this.environment, this.memory, view.object);
    const progress = progressOf(record, handler.id);
    if (!settlesFirstSight(handler, progress, view)) return record;
    if (decideChange(handler, progress, view)?.cause === 'create') return record;
    const settled: HandlerProgress = {
      ...progress,
      handled: this.#stateOf(view.object),
      // A creation that its filters keep back may still come.
      creationOpen: handler.creating.some((trigger) => trigger.on === 'create'),
    };
    return this.#remember(withProgress(record, handler.id, settled));
  }

  #remember(record: ObjectRecord): ObjectRecord {
    this.memory.pending = { patch: this.memory.pending?.patch ?? emptyPatch, record };
    return record;
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
      // The call must not be left running unwatched, whatever happened to the write.
      await call;
      throw error;
    } finally {
      timer.cancel();
    }
    return call;
  }

  #conclude(
    handler: ResourceHandler,
    decision: ChangeDecision,
    object: StoredObject,
    { outcome, patch }: CallResult,
    times: { readonly startedAt: number; readonly lastAt: number; readonly now: number },
  ): void {
    if (outcome.kind === 'interrupted') {
      this.#collect(patch);
      return;
    }
    const { memory } = this;
    const value = outcome.kind === 'success' ? resultPatch(handler, outcome.value) : emptyPatch;
    const wanted = combinePatches(patch, value);
    const { error, saw } = this.#whatItSaw(
      object,
      wanted,
      outcome.kind === 'failure' ? { error: outcome.error } : undefined,
    );
    this.#collect(error === undefined || outcome.kind === 'failure' ? wanted : emptyPatch);
    const record = loadRecord(this.environment, memory, object);
    const progress = progressOf(record, handler.id);
    const verdict = error === undefined ? undefined : this.#judge(handler, decision, object, error.error, times);
    if (verdict?.kind === 'fatal') return;
    if (verdict?.kind === 'retry') {
      const attempt = failedAttempt(decision, verdict, saw, times);
      if (decision.cause === 'resume') memory.resumeAttempts.set(handler.id, attempt);
      else this.#remember(withProgress(record, handler.id, { ...progress, attempt }));
      return;
    }
    memory.resumeOpen.delete(handler.id);
    memory.resumeAttempts.delete(handler.id);
    const after = progressAfterEnd(handler, progress, decision, saw, verdict?.kind === 'final');
    if (after !== progress && (decision.cause !== 'resume' || !isEmptyPatch(wanted))) {
      this.#remember(withProgress(record, handler.id, after));
    }
  }

  /** The state to count as handled: what the handler saw, with what it changes itself. Its functions are its own code and may throw. */
  #whatItSaw(
    object: StoredObject,
    wanted: PatchRequest,
    failure: { readonly error: unknown } | undefined,
  ): { readonly error: { readonly error: unknown } | undefined; readonly saw: HandledState } {
    if (isEmptyPatch(wanted)) return { error: failure, saw: this.#stateOf(object) };
    try {
      const essence: Essence = essenceOf(applyPatch(object, wanted), this.environment.watchedPaths);
      return { error: failure, saw: { kind: 'essence', essence } };
    } catch (error) {
      return { error: failure ?? { error }, saw: this.#stateOf(object) };
    }
  }

  #judge(
    handler: ResourceHandler,
    decision: ChangeDecision,
    object: StoredObject,
    error: unknown,
    times: { readonly startedAt: number; readonly now: number },
  ): FailureVerdict {
    const { config, random, events, fatal, name, logger } = this.environment;
    const { definition } = handler;
    const failures = (decision.attempt?.failures ?? 0) + 1;
    const verdict = judgeFailure({
      error,
      policy: definition.policy,
      failures,
      runtime: times.now - times.startedAt,
      retry: config.retry,
      random,
    });
    const fields = {
      handler: definition.origin,
      resource: name,
      key: this.run.key,
      uid: this.memory.uid,
      cause: decision.cause,
      attempt: failures,
    };
    switch (verdict.kind) {
      case 'fatal':
        fatal(verdict.error, `handler ${definition.origin} of ${name} ${this.run.key}`);
        break;
      case 'retry':
        logger.log(
          'warn',
          'Handler failed and will be called again',
          { ...fields, delay: Math.ceil(verdict.delay) },
          verdict.error,
        );
        if (failures === 1)
          events.post(object, { type: 'Warning', reason: 'HandlerFailed', message: eventText(handler, verdict.error) });
        break;
      case 'final':
        logger.log('error', 'Handler failed for good', { ...fields, reason: verdict.reason }, verdict.error);
        events.post(object, { type: 'Warning', reason: 'HandlerGaveUp', message: eventText(handler, verdict.error) });
        break;
      case 'ignored':
        logger.log('warn', 'Handler failed; the error is ignored', fields, verdict.error);
    }
    return verdict;
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
    if (object === undefined || this.memory.pending === undefined || this.#conflicted) return;
    if ((await storeOutcomes(this.environment, this.memory, this.run.key, object)) === 'conflict')
      this.#conflicted = true;
  }

  /** Lets a dying object go when nothing holds it any more: true when it was done instead of a write of the record. */
  async #release(): Promise<boolean> {
    const object = this.#object;
    if (object?.metadata.deletionTimestamp === undefined || this.#conflicted) return false;
    if (object.metadata.finalizers?.includes(this.#finalizer) !== true) return false;
    const record = loadRecord(this.environment, this.memory, object);
    const held = this.environment.handlers.some((handler) => {
      const view = this.#view(handler, object);
      const progress = progressOf(record, handler.id);
      return (
        progress.holds ||
        decideChange(handler, progress, view)?.cause === 'delete' ||
        !reconcilesReleased(this.memory, handler, view)
      );
    });
    if (held) return false;
    const patch = this.memory.pending?.patch ?? emptyPatch;
    this.memory.pending = isEmptyPatch(patch) ? undefined : { patch, record: undefined };
    await this.#store();
    await this.#setFinalizers((list) => list.filter((finalizer) => finalizer !== this.#finalizer));
    return true;
  }

  #end(): CycleEnd {
    const { memory, environment } = this;
    const object = this.#object;
    if (object === undefined) return { kind: 'gone' };
    const monotonic = environment.clock.monotonic();
    if (this.#conflicted) return { kind: 'done', again: monotonic + environment.config.retry.initial };
    const record = loadRecord(environment, memory, object);
    const times: number[] = [];
    if (memory.event !== undefined) times.push(monotonic);
    if (memory.restoreAt !== undefined && memory.pending !== undefined) times.push(memory.restoreAt);
    for (const handler of environment.handlers) {
      const view = this.#view(handler, object);
      const decision = decideChange(handler, progressOf(record, handler.id), view);
      if (decision !== undefined) times.push(monotonic + Math.max(0, decision.at - view.now));
      const reconcile = nextReconcile(environment, memory, handler, view);
      if (reconcile !== undefined) times.push(reconcile);
    }
    return { kind: 'done', again: times.length === 0 ? undefined : Math.min(...times) };
  }
}

/** What a returned value does to the object: an object is merged into the status, or kept under the handler's id. */
function resultPatch(handler: ResourceHandler, value: unknown): PatchRequest {
  if (value === undefined || value === null) return emptyPatch;
  if (handler.definition.policy.result === 'byHandler') {
    return { merge: { status: { [handler.id]: structuredClone(value) } }, functions: [] };
  }
  if (typeof value !== 'object' || Array.isArray(value)) return emptyPatch;
  return { merge: { status: structuredClone(value) }, functions: [] };
}

function eventText(handler: ResourceHandler, error: unknown): string {
  return `${handler.id}: ${error instanceof Error ? error.message : String(error)}`;
}
