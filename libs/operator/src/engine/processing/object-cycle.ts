import type { DaemonKeeper } from '../background/daemon-keeper.js';
import { ChangeView } from '../handling/change-view.js';
import { decideChange, type ChangeDecision, type DecisionView } from '../handling/change-decision.js';
import { ObjectFilterContext } from '../handling/object-handler-context.js';
import { combinePatches, isEmptyPatch, type PatchRequest } from '../handling/object-patch-buffer.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import type { StoredObject } from '../kube-object.js';
import type { HandledState } from '../persistence/handled-state.js';
import { progressOf, withProgress, type ObjectRecord } from '../persistence/object-record.js';
import { withoutSubProgress, withSubProgress } from '../persistence/sub-progress.js';
import type { KeyRun } from '../queueing/work-queue.js';
import { failedAttempt, openAttempt, progressAfterEnd, type AttemptTimes } from './change-outcome.js';
import { deliverEvent } from './event-calls.js';
import { reportFailure } from './failure-report.js';
import { isFinalizerNeeded, OwnFinalizer } from './finalizer.js';
import { FirstSights } from './first-sights.js';
import { callHandler, type CallResult } from './handler-calls.js';
import type { ObjectMemory } from './object-memory.js';
import { OutcomeBasket } from './outcome-basket.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import { isHeld, tellReleaseByForce } from './held-deletion.js';
import { dueTimes } from './due-times.js';
import { isReconcileDue, runReconcile } from './reconcile-calls.js';
import { attendToRecord } from './record-attention.js';
import { loadExternal, loadRecord, storeLastPatch } from './record-state.js';
import { carryRecordOver } from './record-version.js';
import { callParts, type SubHandlerOutcome, type SubHandlerRound } from './sub-handler-calls.js';
import { concludeTimer, nextTimer, timerCall, timerEndsFor } from './timer-calls.js';
import { sawOf, unwrittenPatch } from './unwritten-calls.js';
import { weighResult, type WeighedResult } from './weigh-result.js';

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
  readonly #basket: OutcomeBasket;
  readonly #sights: FirstSights;
  /** A handler ended the operator: no other one is called. */
  #fatal = false;

  constructor(
    private readonly environment: ProcessingEnvironment,
    private readonly memory: ObjectMemory,
    private readonly run: KeyRun,
    private readonly daemons: DaemonKeeper,
  ) {
    this.#finalizer = new OwnFinalizer(environment.config, environment.config.persistence.kopf?.finalizer);
    this.#basket = new OutcomeBasket(environment, memory, () => this.#object);
    this.#sights = new FirstSights(environment, memory, this.#basket, (handler, object) => this.#view(handler, object));
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
    if (await this.#release({ onlyByForce: true })) return this.#end();
    await this.#loadRecord();
    await this.#carryRecordOver();
    this.#takeArrived();
    await this.#basket.resend();
    if (this.#isPaused) {
      await this.#deliverEvents();
      await this.#basket.store();
      return this.#end();
    }
    this.#attendToRecord();
    await this.#adjustFinalizer();
    await this.#deliverEvents();
    this.memory.sight ??= this.#object;
    for (const handler of this.environment.handlers) {
      if (this.#basket.postponed || this.#fatal || this.environment.isStopping()) break;
      if (await this.#release({ onlyByForce: true })) return this.#end();
      if (handler.hasCauses) await this.#runChange(handler);
      if (handler.reconciling.length > 0) await this.#runReconcile(handler);
      if (handler.timing !== undefined) await this.#runTimer(handler);
      if (handler.background !== undefined) this.#adjustDaemon(handler);
    }
    if (!this.#basket.postponed) {
      this.memory.requested = false;
      this.memory.sight = undefined;
    }
    if (!(await this.#release())) await this.#basket.store();
    return this.#end();
  }

  get #isPaused(): boolean {
    const object = this.#object;
    return object !== undefined && this.environment.switches.isPaused(object);
  }

  get #object(): StoredObject | undefined {
    const object = this.environment.store.get(this.run.key);
    return object?.metadata.uid === this.memory.uid ? object : undefined;
  }

  #stateOf(object: StoredObject): Extract<HandledState, { kind: 'essence' }> {
    const cached = this.memory.cachedState;
    if (cached?.object === object && cached.state.kind === 'essence') return cached.state;
    const state = { kind: 'essence', essence: this.environment.essence(object) } as const;
    this.memory.cachedState = { object, state };
    return state;
  }

  #view(handler: ResourceHandler, object: StoredObject): DecisionView {
    const { memory, environment } = this;
    const { essence } = this.#stateOf(object);
    return {
      object,
      essence,
      unwritten: memory.pending?.calls?.get(handler.id),
      ownsFinalizer: !memory.released && this.#finalizer.isIn(object.metadata.finalizers),
      resumeOpen: memory.resumeOpen.has(handler.id),
      resumeAttempt: memory.resumeAttempts?.get(handler.id),
      now: environment.clock.now(),
      retryNow: memory.requested,
      baseDelay: environment.config.retry.initial,
      context: (cause, handled, field) =>
        new ObjectFilterContext(object, environment.resource(), cause, new ChangeView(handled, essence, field)),
    };
  }

  async #loadRecord(): Promise<void> {
    const object = this.#object;
    if (object !== undefined && this.#keepsRecords) await loadExternal(this.environment, this.memory, object);
  }

  #attendToRecord(): void {
    const object = this.#object;
    if (object === undefined || !this.#keepsRecords) return;
    const viewOf = (handler: ResourceHandler): DecisionView => this.#view(handler, object);
    attendToRecord(this.environment, this.memory, object, viewOf, (record) => this.#basket.remember(record));
  }

  get #keepsRecords(): boolean {
    return this.environment.handlers.some(({ hasCauses }) => hasCauses);
  }

  /** A record in another version of the resource is compared in that version, once. */
  async #carryRecordOver(): Promise<void> {
    const { environment, memory } = this;
    const object = this.#object;
    if (object === undefined || object.metadata.deletionTimestamp !== undefined || environment.isStopping()) return;
    if (memory.pending?.record !== undefined || memory.unstorable !== undefined) return;
    if (!this.#keepsRecords) return;
    const record = loadRecord(environment, memory, object);
    if (record.apiVersion === environment.records.apiVersion) return;
    const carried = await carryRecordOver(environment, this.run.key, object, record, this.#stateOf(object));
    if (carried === 'later') this.#basket.postponed = true;
    else this.#basket.remember(carried);
  }

  async #adjustFinalizer(): Promise<void> {
    const object = this.#object;
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
    if (this.#basket.postponed || this.environment.isStopping()) return;
    const needed = this.environment.handlers.some(
      (handler) => handler.mayNeedFinalizer && isFinalizerNeeded(handler, this.#view(handler, object)),
    );
    const { finalizers = [] } = object.metadata;
    if (this.#finalizer.adjust(finalizers, needed) !== finalizers) await this.#setFinalizers(needed);
  }

  async #setFinalizers(needed: boolean): Promise<void> {
    const { writer, signal } = this.environment;
    const change = (list: readonly string[]): readonly string[] => this.#finalizer.adjust(list, needed);
    const outcome = await writer.setFinalizers(this.run.key, this.memory.uid, change, signal);
    if (outcome === 'conflict') this.#basket.postponed = true;
  }

  async #deliverEvents(): Promise<void> {
    const { environment, memory } = this;
    const object = this.#object;
    if (memory.event === undefined || object === undefined || this.#basket.postponed || environment.isStopping())
      return;
    this.#basket.collect(await deliverEvent(environment, memory, this.run, object, this.#stateOf(object).essence));
  }

  async #runReconcile(handler: ResourceHandler): Promise<void> {
    const object = this.#object;
    if (object === undefined || this.#basket.postponed || this.environment.isStopping()) return;
    if (!isReconcileDue(this.environment, this.memory, handler, this.#view(handler, object))) return;
    const call = runReconcile(this.environment, this.memory, this.run, handler, object, this.#stateOf(object).essence);
    this.#basket.collect(await this.#basket.inCompany(call), handler.definition.origin);
    this.#basket.throwFailed();
  }

  #adjustDaemon(handler: ResourceHandler): void {
    const object = this.#object;
    if (object === undefined || this.#basket.postponed || this.environment.isStopping()) return;
    this.daemons.adjust(this.memory, object, handler);
  }

  /** What daemons want changed goes out with the rest. */
  #takeArrived(): void {
    const { arrived } = this.memory;
    this.memory.arrived = undefined;
    if (arrived !== undefined) this.#basket.collect(arrived);
  }

  async #runTimer(handler: ResourceHandler): Promise<void> {
    const { environment, memory } = this;
    const object = this.#object;
    if (object === undefined || this.#basket.postponed || environment.isStopping()) return;
    const due = nextTimer(environment, memory, handler, this.#view(handler, object));
    if (due === undefined || due > environment.clock.monotonic()) return;
    const { essence } = this.#stateOf(object);
    const { call, began } = timerCall(environment, memory, this.run, handler, object, essence, (newer) =>
      timerEndsFor(environment, handler, this.#view(handler, newer)),
    );
    const result = await this.#basket.inCompany(call);
    const { wanted, failure } = weighResult(environment, handler, object, result);
    this.#basket.collect(wanted, handler.definition.origin);
    if (result.outcome.kind !== 'interrupted') {
      this.#fatal = concludeTimer(environment, memory, handler, object, began, failure) === 'fatal' || this.#fatal;
    }
    this.#basket.throwFailed();
  }

  async #runChange(handler: ResourceHandler): Promise<void> {
    const object = this.#object;
    if (object === undefined) return;
    const { environment, memory } = this;
    const view = this.#view(handler, object);
    const record = loadRecord(environment, memory, object);
    const progress = progressOf(record, handler.id);
    const decision = decideChange(handler, progress, view);
    if (decision === undefined || decision.cause === 'resume') this.#sights.settle(handler, record, view);
    if (decision === undefined || decision.at > view.now) return;
    const startedAt = decision.attempt?.startedAt ?? view.now;
    const earlier = unwrittenPatch(memory, handler.id);
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
    const result = await this.#basket.inCompany(call);
    const weighed = weighResult(environment, handler, object, result);
    this.#basket.collect(weighed.wanted, handler.definition.origin);
    const parts = await this.#callParts(handler, decision, object, view, result);
    if (result.outcome.kind !== 'interrupted' && parts?.interrupted !== true) {
      const times = { startedAt, lastAt: view.now, now: environment.clock.now() };
      this.#conclude(handler, decision, object, { ...weighed, earlier }, parts, times);
    }
    this.#basket.throwFailed();
  }

  /** The parts that a successful call has planned. */
  async #callParts(
    handler: ResourceHandler,
    decision: ChangeDecision,
    object: StoredObject,
    view: DecisionView,
    { outcome, parts }: CallResult,
  ): Promise<SubHandlerOutcome | undefined> {
    const { environment, memory, run } = this;
    if (outcome.kind !== 'success' || parts.length === 0) return undefined;
    const inMemory = decision.cause === 'resume';
    const record = (): ObjectRecord => loadRecord(environment, memory, this.#object ?? object);
    const round: SubHandlerRound = {
      handler,
      decision,
      object,
      essence: view.essence,
      memory,
      run,
      retryNow: view.retryNow,
      progressOf: (id) => (inMemory ? memory.resumeParts?.get(id) : record().handlers.get(id)),
      remember: (id, progress) => {
        if (inMemory) (memory.resumeParts ??= new Map()).set(id, progress);
        else {
          this.#sights.settleAll(this.#object ?? object);
          this.#basket.remember(withSubProgress(record(), id, progress), handler.definition.origin);
        }
      },
      collect: (patch) => this.#basket.collect(patch, handler.definition.origin),
      inCompany: (call) => this.#basket.inCompany(call),
    };
    return callParts(environment, round, parts);
  }

  #conclude(
    handler: ResourceHandler,
    decision: ChangeDecision,
    object: StoredObject,
    { wanted, failure, earlier }: WeighedResult & { readonly earlier: PatchRequest | undefined },
    parts: SubHandlerOutcome | undefined,
    times: AttemptTimes,
  ): void {
    const { environment, memory } = this;
    const changes = parts === undefined ? wanted : combinePatches(wanted, parts.patch);
    const found = this.#stateOf(object);
    const saw = sawOf(environment, memory, { id: handler.id, object, found, earlier, wanted: changes });
    const verdict =
      failure &&
      reportFailure(environment, {
        handler,
        cause: decision.cause,
        object,
        failure,
        failures: (decision.attempt?.failures ?? 0) + 1,
        runtime: times.now - times.startedAt,
      });
    if (verdict?.kind === 'fatal' || parts?.fatal === true) this.#fatal = true;
    // Not of the state that the call began with: outcomes of others may have been stored meanwhile.
    const newest = this.#object;
    if (newest === undefined || this.#fatal) return;
    this.#sights.settleAll(newest);
    const loaded = loadRecord(environment, memory, newest);
    const progress = progressOf(loaded, handler.id);
    const again = verdict?.kind === 'retry' || parts?.next !== undefined;
    // The parts of a handler go with what it has dealt with.
    const record = again ? loaded : withoutSubProgress(loaded, handler.id, environment.records.handlers);
    if (again) {
      const attempt =
        verdict?.kind === 'retry'
          ? failedAttempt(decision, verdict, saw, times)
          : openAttempt(decision, parts?.next ?? times.now, saw, times);
      if (decision.cause === 'resume') (memory.resumeAttempts ??= new Map()).set(handler.id, attempt);
      else this.#basket.remember(withProgress(record, handler.id, { ...progress, attempt }), handler.definition.origin);
      return;
    }
    memory.closeResume(handler.id);
    const ended = progressAfterEnd(handler, progress, decision, saw, verdict?.kind === 'final');
    if (record !== loaded) this.#basket.remember(withProgress(record, handler.id, ended), handler.definition.origin);
    else if (ended !== progress && (decision.cause !== 'resume' || !isEmptyPatch(wanted))) {
      this.#basket.remember(withProgress(record, handler.id, ended), handler.definition.origin);
    }
  }

  /** Lets a dying object go when nothing holds it any more, or by force. True when done in place of a write of the record. */
  async #release({ onlyByForce = false } = {}): Promise<boolean> {
    const { environment, memory } = this;
    const object = this.#object;
    if (object?.metadata.deletionTimestamp === undefined || this.#basket.postponed) return false;
    if (memory.released || !this.#finalizer.isIn(object.metadata.finalizers)) return false;
    if (environment.switches.isReleasedByForce(object)) tellReleaseByForce(environment, object);
    else {
      const view = (handler: ResourceHandler): DecisionView => this.#view(handler, object);
      if (onlyByForce || this.daemons.holds(memory) || isHeld(environment, memory, object, view)) return false;
      if ((await storeLastPatch(environment, memory, object)) === 'conflict') this.#basket.postponed = true;
    }
    if (!this.#basket.postponed) await this.#setFinalizers(false);
    // Until the object is known to be free, what its handlers did stays known, so that they do not run again.
    if (!this.#basket.postponed) {
      memory.pending = undefined;
      memory.released = true;
    }
    return true;
  }

  #end(): CycleEnd {
    const { memory, environment } = this;
    const object = this.#object;
    if (object === undefined) return { kind: 'gone' };
    if (this.#basket.postponed || this.#fatal) return { kind: 'postponed' };
    const monotonic = environment.clock.monotonic();
    const times: number[] = [];
    if (memory.event !== undefined) times.push(monotonic);
    if (memory.wakeAt !== undefined) times.push(memory.wakeAt);
    if (memory.restoreAt !== undefined && memory.pending !== undefined) times.push(memory.restoreAt);
    if (this.#isPaused) return { kind: 'done', again: earliest(times) };
    times.push(...dueTimes(environment, memory, object, (handler) => this.#view(handler, object)));
    return { kind: 'done', again: earliest(times) };
  }
}

function earliest(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : Math.min(...times);
}
