import type { ChangeDecision } from '../handling/change-decision.js';
import { ResourceHandler } from '../handling/resource-handler.js';
import type { PlannedPart } from '../handling/sub-handler-plan.js';
import { combinePatches, emptyPatch, type PatchRequest } from '../handling/object-patch-buffer.js';
import type { StoredObject } from '../kube-object.js';
import { isSeenAt } from '../handling/unwritten-call.js';
import type { HandledState } from '../persistence/handled-state.js';
import { nothingHandled, type Attempt, type HandlerProgress } from '../persistence/object-record.js';
import { subId } from '../persistence/sub-progress.js';
import type { KeyRun } from '../queueing/work-queue.js';
import type { Essence } from './essence.js';
import { reportFailure } from './failure-report.js';
import { callHandler } from './handler-calls.js';
import type { ObjectMemory } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import { sawOf, unwrittenPatch } from './unwritten-calls.js';
import { weighResult } from './weigh-result.js';

/** The handler whose parts are called, and the round that it is in. */
export interface SubHandlerRound {
  readonly handler: ResourceHandler;
  readonly decision: ChangeDecision;
  readonly object: StoredObject;
  readonly essence: Essence;
  readonly memory: ObjectMemory;
  readonly run: KeyRun;
  readonly retryNow: boolean;
  /** Where progress is kept: the record, or memory for resumption. */
  readonly progressOf: (id: string) => HandlerProgress | undefined;
  readonly remember: (id: string, progress: HandlerProgress) => void;
  /** Takes what a part wants changed, before its progress. */
  readonly collect: (patch: PatchRequest) => void;
  /** Waits for a call while outcomes of others go out in time. */
  readonly inCompany: <T>(call: Promise<T>) => Promise<T>;
}

/** What came of the parts. `patch`: all that they want changed, collected already. `next`: milliseconds since 1970 of the next round, while any of them is open. */
export interface SubHandlerOutcome {
  readonly patch: PatchRequest;
  readonly next: number | undefined;
  /** The operator ends. */
  readonly fatal: boolean;
  readonly interrupted: boolean;
}

/** Calls the parts that are due, in the order of the plan, and theirs after each. */
export async function callParts(
  environment: ProcessingEnvironment,
  round: SubHandlerRound,
  parts: readonly PlannedPart[],
): Promise<SubHandlerOutcome> {
  let patch = emptyPatch;
  let next: number | undefined;
  for (const part of parts) {
    const outcome = await callPart(environment, round, part);
    patch = combinePatches(patch, outcome.patch);
    if (outcome.fatal || outcome.interrupted) return { ...outcome, patch, next: environment.clock.now() };
    if (outcome.next !== undefined) next = Math.min(next ?? Infinity, outcome.next);
  }
  return { patch, next, fatal: false, interrupted: false };
}

async function callPart(
  environment: ProcessingEnvironment,
  round: SubHandlerRound,
  { name, call: body, policy }: PlannedPart,
): Promise<SubHandlerOutcome> {
  const { clock } = environment;
  const { decision, object, essence, memory } = round;
  const handler = partHandler(round.handler, name, policy);
  const progress = round.progressOf(handler.id) ?? nothingHandled;
  const done: SubHandlerOutcome = { patch: emptyPatch, next: undefined, fatal: false, interrupted: false };
  if (isDone(progress, handler.id, round)) return done;
  const now = clock.now();
  const attempt = attemptOf(progress, handler.id, round);
  if (attempt !== undefined && attempt.nextAt > now && !round.retryNow) return { ...done, next: attempt.nextAt };
  const startedAt = attempt?.startedAt ?? now;
  const earlier = unwrittenPatch(memory, handler.id);
  const call = callHandler(environment, {
    handler,
    object,
    essence,
    memory,
    run: round.run,
    cause: decision.cause,
    handled: decision.handled,
    field: decision.field,
    retry: attempt?.failures ?? 0,
    startedAt,
    invoke: (context) => body(context),
  });
  const result = await round.inCompany(call);
  if (result.outcome.kind === 'interrupted') {
    round.collect(result.patch);
    return { ...done, patch: result.patch, interrupted: true };
  }
  const { wanted, failure } = weighResult(environment, handler, object, result);
  round.collect(wanted);
  const found = { kind: 'essence', essence } as const;
  const saw = sawOf(environment, memory, { id: handler.id, object, found, earlier, wanted });
  const kept = decision.cause === 'create' || decision.cause === 'update' ? saw : undefined;
  if (failure !== undefined) {
    const failures = (attempt?.failures ?? 0) + 1;
    const runtime = clock.now() - startedAt;
    const verdict = reportFailure(environment, {
      handler,
      cause: decision.cause,
      object,
      failure,
      failures,
      runtime,
    });
    if (verdict.kind === 'fatal') return { ...done, patch: wanted, fatal: true };
    if (verdict.kind === 'retry') {
      const nextAt = clock.now() + Math.ceil(verdict.delay);
      const failed: Attempt = { cause: decision.cause, saw: kept, failures, startedAt, lastAt: now, nextAt };
      round.remember(handler.id, { ...progress, attempt: failed });
      return { ...done, patch: wanted, next: nextAt };
    }
  }
  const inner = await callParts(environment, { ...round, handler }, result.parts);
  const patch = combinePatches(wanted, inner.patch);
  if (inner.fatal || inner.interrupted) return { ...inner, patch };
  if (inner.next !== undefined) {
    const open: Attempt = { cause: decision.cause, saw: kept, failures: 0, startedAt, lastAt: now, nextAt: inner.next };
    round.remember(handler.id, { ...progress, attempt: open });
    return { ...done, patch, next: inner.next };
  }
  round.remember(handler.id, {
    ...progress,
    attempt: undefined,
    creationOpen: false,
    deletionDone: true,
    handled: saw,
  });
  return { ...done, patch };
}

/** A part is a handler like any other, with the triggers of the one that it belongs to. */
function partHandler({ definition }: ResourceHandler, name: string, policy: PlannedPart['policy']): ResourceHandler {
  return new ResourceHandler({
    id: subId(definition.id, name),
    origin: `${definition.origin}/${name}`,
    resource: definition.resource,
    triggers: definition.triggers,
    policy,
  });
}

/** It succeeded, or failed for good, with what the handler watches as it is now. */
function isDone(progress: HandlerProgress, id: string, round: SubHandlerRound): boolean {
  const { decision } = round;
  const { handled } = progress;
  if (handled === undefined || progress.creationOpen) return false;
  if (decision.cause === 'delete' || decision.cause === 'resume') return progress.deletionDone;
  return isSeen(handled, id, round);
}

function attemptOf({ attempt }: HandlerProgress, id: string, round: SubHandlerRound): Attempt | undefined {
  if (attempt?.cause !== round.decision.cause) return undefined;
  const { saw } = attempt;
  if (saw === undefined) return attempt;
  return isSeen(saw, id, round) ? attempt : undefined;
}

/** Whether all that the handler watches is what it is in a state that its part has seen. */
function isSeen(state: HandledState, id: string, round: SubHandlerRound): boolean {
  const { decision, handler, essence, object, memory } = round;
  const unwritten = memory.pending?.calls?.get(id);
  return handler
    .watchedBy(decision.cause)
    .every((path) => isSeenAt(state, essence, path, object.metadata.uid, unwritten));
}
