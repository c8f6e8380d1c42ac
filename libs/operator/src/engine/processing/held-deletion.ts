import { decideChange, type DecisionView } from '../handling/change-decision.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import type { StoredObject } from '../kube-object.js';
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
