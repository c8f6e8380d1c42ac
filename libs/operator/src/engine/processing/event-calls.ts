import { judgeFailure } from '../handling/attempt-outcome.js';
import { ChangeView } from '../handling/change-view.js';
import { matchesObject, matchesValue } from '../handling/filter-match.js';
import { ObjectFilterContext } from '../handling/object-handler-context.js';
import { combinePatches, emptyPatch, type PatchRequest } from '../handling/object-patch-buffer.js';
import { objectKey, type StoredObject } from '../kube-object.js';
import type { KeyRun } from '../queueing/work-queue.js';
import type { Essence } from './essence.js';
import { callHandler } from './handler-calls.js';
import type { ObjectMemory } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';

/** Tells every event handler of one change, in declaration order. Their errors are logged; there is no second call. */
export async function deliverEvent(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  run: KeyRun,
  object: StoredObject,
  essence: Essence,
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
): Promise<PatchRequest> {
  const context = new ObjectFilterContext(object, environment.resource(), 'event', new ChangeView(undefined, essence));
  let wanted = emptyPatch;
  for (const handler of environment.handlers) {
    const matching = handler.events.some(
      ({ filter }) => matchesValue(filter, context) && matchesObject(filter, context),
    );
    if (!matching) continue;
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
    wanted = combinePatches(wanted, result.patch);
    if (result.outcome.kind !== 'failure') continue;
    const { definition } = handler;
    const verdict = judgeFailure({
      error: result.outcome.error,
      policy: definition.policy,
      failures: 1,
      runtime: 0,
      retry: environment.config.retry,
      random: environment.random,
    });
    const key = objectKey(object);
    if (verdict.kind === 'fatal')
      environment.fatal(verdict.error, `handler ${definition.origin} of ${environment.name} ${key}`);
    else {
      const fields = { handler: definition.origin, resource: environment.name, key, uid: memory.uid, type };
      environment.logger.log('error', 'Event handler failed; events are not repeated', fields, verdict.error);
    }
  }
  return wanted;
}
