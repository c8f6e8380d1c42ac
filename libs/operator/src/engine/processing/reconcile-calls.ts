import { parseDuration } from '../../duration.js';
import { judgeFailure } from '../handling/attempt-outcome.js';
import type { DecisionView } from '../handling/change-decision.js';
import { retryLevel } from '../handling/failure-level.js';
import type { PatchRequest } from '../handling/object-patch-buffer.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import type { StoredObject } from '../kube-object.js';
import type { KeyRun } from '../queueing/work-queue.js';
import type { Essence } from './essence.js';
import { isReconciled } from './finalizer.js';
import { callHandler } from './handler-calls.js';
import type { ObjectMemory, ReconcileProgress } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';

/** Whether a level-based handler is to be called now: something changed, or it asked for the time that has come. */
export function isReconcileDue(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  handler: ResourceHandler,
  view: DecisionView,
): boolean {
  const due = nextReconcile(environment, memory, handler, view);
  return due !== undefined && due <= environment.clock.monotonic();
}

/** Monotonic milliseconds of the handler's next call; `undefined` when it waits for a change. */
export function nextReconcile(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  handler: ResourceHandler,
  view: DecisionView,
): number | undefined {
  if (!applies(handler, view)) return undefined;
  const progress = memory.reconciles?.get(handler.id);
  if (progress === undefined || progress.seen !== memory.changes) return environment.clock.monotonic();
  return progress.due;
}

/** Whether nothing that this handler has to do keeps a dying object. */
export function reconcilesReleased(memory: ObjectMemory, handler: ResourceHandler, view: DecisionView): boolean {
  if (!handler.reconciling.some((trigger) => trigger.finalizer) || !applies(handler, view)) return true;
  return memory.reconciles?.get(handler.id)?.released === true;
}

/** One level-based call. Its errors back off in memory; nothing of it is written to the object. */
export async function runReconcile(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  run: KeyRun,
  handler: ResourceHandler,
  object: StoredObject,
  essence: Essence,
): Promise<PatchRequest> {
  const { clock, config, random, logger, name } = environment;
  const before = memory.reconciles?.get(handler.id);
  const progress: ReconcileProgress = {
    seen: memory.changes,
    failures: before?.failures ?? 0,
    failingSince: 0,
    due: undefined,
    released: false,
  };
  const startedAt = before !== undefined && before.failures > 0 ? before.failingSince : clock.now();
  progress.failingSince = startedAt;
  const forChange =
    before !== undefined && before.seen !== memory.changes && (before.due ?? Infinity) > clock.monotonic();
  const { outcome, patch, report } = await callHandler(environment, {
    handler,
    object,
    essence,
    memory,
    run,
    cause: 'reconcile',
    retry: progress.failures,
    startedAt,
  });
  if (outcome.kind === 'interrupted') return patch;
  memory.reconciles ??= new Map();
  memory.reconciles.set(handler.id, progress);
  const fields = { handler: handler.definition.origin, resource: name, key: run.key, uid: memory.uid };
  let failure = outcome.kind === 'failure' ? { error: outcome.error } : undefined;
  if (outcome.kind === 'success') {
    try {
      const after = requeueAfter(outcome.value, () =>
        logger.log('warn', 'Reconcile handler returned something else than { requeueAfter }, which is ignored', fields),
      );
      progress.failures = 0;
      progress.due = after === undefined ? undefined : clock.monotonic() + after;
      progress.released = object.metadata.deletionTimestamp !== undefined && after === undefined;
    } catch (error) {
      failure = { error };
    }
  }
  if (failure === undefined) {
    report.succeeded();
    return patch;
  }
  // A change is tried at once, and neither shortens nor lengthens the back-off.
  progress.failures = forChange ? Math.max(1, progress.failures) : progress.failures + 1;
  const verdict = judgeFailure({
    error: failure.error,
    policy: handler.definition.policy,
    failures: progress.failures,
    runtime: clock.now() - startedAt,
    retry: config.retry,
    random,
  });
  report.judged(verdict);
  if (verdict.kind === 'fatal') {
    environment.fatal(verdict.error, `handler ${handler.definition.origin} of ${name} ${run.key}`);
  } else if (verdict.kind === 'retry') {
    progress.due = clock.monotonic() + verdict.delay;
    const more = { ...fields, attempt: progress.failures, delay: Math.ceil(verdict.delay) };
    logger.log(retryLevel(verdict.error), 'Reconciliation failed and will be repeated', more, verdict.error);
  } else {
    progress.released = verdict.kind === 'final' && object.metadata.deletionTimestamp !== undefined;
    progress.failures = 0;
    logger.log('error', 'Reconciliation failed for good until the object changes', fields, verdict.error);
  }
  return patch;
}

function applies(handler: ResourceHandler, view: DecisionView): boolean {
  return handler.reconciling.some((trigger) => isReconciled(trigger, view));
}

function requeueAfter(value: unknown, onOther: () => void): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || !('requeueAfter' in value)) {
    onOther();
    return undefined;
  }
  return value.requeueAfter === undefined ? undefined : parseDuration(value.requeueAfter);
}
