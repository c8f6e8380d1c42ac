import { judgeFailure } from '../handling/attempt-outcome.js';
import { ChangeView } from '../handling/change-view.js';
import { matchesObject, matchesValue } from '../handling/filter-match.js';
import { ObjectFilterContext } from '../handling/object-handler-context.js';
import { combinePatches, emptyPatch, type PatchRequest } from '../handling/object-patch-buffer.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import { objectKey, type StoredObject } from '../kube-object.js';
import type { KeyRun } from '../queueing/work-queue.js';
import type { Essence } from './essence.js';
import { callHandler } from './handler-calls.js';
import type { ObjectMemory } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/**
 * Tells every event handler what happened to the object and was not told yet, in declaration order. Their errors are
 * logged; there is no second call. What a filter throws is thrown before anybody is told.
 */
export async function deliverEvent(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  run: KeyRun,
  object: StoredObject,
  essence: Essence,
): Promise<PatchRequest> {
  const { event: type } = memory;
  if (type === undefined) return emptyPatch;
  const context = new ObjectFilterContext(object, environment.resource(), 'event', new ChangeView(undefined, essence));
  const matching = environment.handlers.filter((handler) =>
    handler.events.some(({ filter }) => matchesValue(filter, context) && matchesObject(filter, context)),
  );
  memory.event = undefined;
  let wanted = emptyPatch;
  for (const handler of matching) {
    if (environment.isStopping()) break;
    const patch = await tell(environment, memory, run, handler, object, essence, type);
    wanted = combinePatches(wanted, patch);
  }
  return wanted;
}

async function tell(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  run: KeyRun,
  handler: ResourceHandler,
  object: StoredObject,
  essence: Essence,
  type: EventType,
): Promise<PatchRequest> {
  const now = environment.clock.now();
  const result = await callHandler(environment, {
    handler,
    object,
    essence,
    memory,
    run,
    cause: 'event',
    eventType: type,
    retry: 0,
    startedAt: now,
  });
  if (result.outcome.kind === 'success') result.report.succeeded();
  if (result.outcome.kind !== 'failure') return result.patch;
  const { definition } = handler;
  const verdict = judgeFailure({
    error: result.outcome.error,
    policy: definition.policy,
    failures: 1,
    runtime: 0,
    retry: environment.config.retry,
    random: environment.random,
  });
  // There is no second call, whatever the error asks for.
  result.report.judged(
    verdict.kind === 'retry' ? { kind: 'final', error: verdict.error, reason: 'permanent' } : verdict,
  );
  const key = objectKey(object);
  if (verdict.kind === 'fatal')
    environment.fatal(verdict.error, `handler ${definition.origin} of ${environment.name} ${key}`);
  else {
    const fields = { handler: definition.origin, resource: environment.name, key, uid: memory.uid, type };
    environment.logger.log('error', 'Event handler failed; events are not repeated', fields, verdict.error);
  }
  return result.patch;
}
