import { decideChange, type DecisionView } from '../handling/change-decision.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import type { StoredObject } from '../kube-object.js';
import { progressOf } from '../persistence/object-record.js';
import type { ObjectMemory } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import { nextReconcile } from './reconcile-calls.js';
import { loadRecord } from './record-state.js';
import { nextTimer } from './timer-calls.js';

/** When handlers are due next on an object, in monotonic milliseconds. */
export function dueTimes(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
  viewOf: (handler: ResourceHandler) => DecisionView,
): number[] {
  const monotonic = environment.clock.monotonic();
  const times: number[] = [];
  for (const handler of environment.handlers) {
    const view = viewOf(handler);
    if (handler.hasCauses) {
      const progress = progressOf(loadRecord(environment, memory, object), handler.id);
      const decision = decideChange(handler, progress, view);
      if (decision !== undefined) times.push(monotonic + Math.max(0, decision.at - view.now));
    }
    const reconcile = nextReconcile(environment, memory, handler, view);
    if (reconcile !== undefined) times.push(reconcile);
    const timer = nextTimer(environment, memory, handler, view);
    if (timer !== undefined) times.push(timer);
  }
  return times;
}
