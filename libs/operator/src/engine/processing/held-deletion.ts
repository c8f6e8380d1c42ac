import { decideChange, type DecisionView } from '../handling/change-decision.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import { objectKey, type StoredObject } from '../kube-object.js';
import { progressOf } from '../persistence/object-record.js';
import type { ObjectMemory } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import { reconcilesReleased } from './reconcile-calls.js';
import { loadRecord } from './record-state.js';

/** Whether a handler keeps a dying object: its deletion is not done, or failed for good and holds. */
export function isHeld(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
  viewOf: (handler: ResourceHandler) => DecisionView,
): boolean {
  const record = loadRecord(environment, memory, object);
  return environment.handlers.some((handler) => {
    const view = viewOf(handler);
    const progress = progressOf(record, handler.id);
    return (
      progress.holds ||
      decideChange(handler, progress, view)?.cause === 'delete' ||
      !reconcilesReleased(memory, handler, view)
    );
  });
}

/** Somebody with the right to annotate the object decided that its clean-up is not waited for. */
export function tellReleaseByForce({ logger, events, name }: ProcessingEnvironment, object: StoredObject): void {
  const fields = { resource: name, key: objectKey(object), uid: object.metadata.uid };
  logger.log('warn', 'A dying object is released by force: its delete handlers are not waited for', fields);
  events.post(object, {
    type: 'Warning',
    reason: 'ReleasedByForce',
    message: 'The annotation force-release lets this object go. What its delete handlers have not done stays undone.',
  });
}
