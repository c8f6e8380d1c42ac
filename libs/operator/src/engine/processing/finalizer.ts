import type { DecisionView } from '../handling/change-decision.js';
import { matchesObject, matchesValue } from '../handling/filter-match.js';
import type { FilterContext } from '../handling/handler-context.js';
import type { HandlerFilter } from '../handling/handler-definition.js';
import type { ResourceHandler } from '../handling/resource-handler.js';

export function finalizerName(operator: string): string {
  return `${operator}/finalizer`;
}

/** The operator's finalizer on an object, under its present name or a former one. */
export class OwnFinalizer {
  readonly #name: string;
  readonly #former: ReadonlySet<string>;

  /** @param ofKopf - the finalizer that the operator had when it was written with Kopf */
  constructor(operator: { readonly name: string; readonly formerNames: readonly string[] }, ofKopf?: string) {
    this.#name = finalizerName(operator.name);
    this.#former = new Set([...operator.formerNames.map(finalizerName), ...(ofKopf === undefined ? [] : [ofKopf])]);
  }

  isIn(finalizers: readonly string[] = []): boolean {
    return finalizers.some((finalizer) => this.#isOurs(finalizer));
  }

  /** The list as it is to be. Returns the list itself when it is right already. */
  adjust(finalizers: readonly string[], needed: boolean): readonly string[] {
    const isWanted = (finalizer: string): boolean => (needed && finalizer === this.#name) || !this.#isOurs(finalizer);
    const kept = finalizers.every(isWanted) ? finalizers : finalizers.filter(isWanted);
    return needed && !kept.includes(this.#name) ? [...kept, this.#name] : kept;
  }

  #isOurs(finalizer: string): boolean {
    return finalizer === this.#name || this.#former.has(finalizer);
  }
}

/** Whether the object must not vanish before this handler was called for its deletion. */
export function isFinalizerNeeded(handler: ResourceHandler, view: DecisionView): boolean {
  return (
    handler.deleting.some((trigger) => {
      if (trigger.optional) return false;
      return matchesNow(trigger.filter, view.context('delete', undefined, trigger.filter.field));
    }) ||
    handler.reconciling.some((trigger) => trigger.finalizer && isReconciled(trigger, view)) ||
    (handler.timing?.finalizer === true && matchesNow(handler.timing.filter, view.context('timer'))) ||
    (handler.background?.finalizer === true && matchesNow(handler.background.filter, view.context('daemon')))
  );
}

function matchesNow(filter: HandlerFilter, context: FilterContext): boolean {
  return matchesValue(filter, context) && matchesObject(filter, context);
}

/** Whether a level-based trigger serves the object. */
export function isReconciled({ filter }: ResourceHandler['reconciling'][number], view: DecisionView): boolean {
  return matchesNow(filter, view.context('reconcile'));
}
