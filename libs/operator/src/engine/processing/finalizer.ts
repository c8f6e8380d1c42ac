import type { DecisionView } from '../handling/change-decision.js';
import { matchesObject, matchesValue } from '../handling/filter-match.js';
import type { ResourceHandler } from '../handling/resource-handler.js';

export function finalizerName(operator: string): string {
  return `${operator}/finalizer`;
}

/** Whether the object must not vanish before this handler was called for its deletion. */
export function isFinalizerNeeded(handler: ResourceHandler, view: DecisionView): boolean {
  return (
    handler.deleting.some((trigger) => {
      if (trigger.optional) return false;
      const context = view.context('delete', undefined);
      return matchesValue(trigger.filter, context) && matchesObject(trigger.filter, context);
    }) ||
    handler.reconciling.some(
      (trigger) => trigger.finalizer && matchesObject(trigger.filter, view.context('create', undefined)),
    )
  );
}
