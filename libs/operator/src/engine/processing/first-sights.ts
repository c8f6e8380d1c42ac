import { decideChange, type DecisionView } from '../handling/change-decision.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import type { StoredObject } from '../kube-object.js';
import { progressOf, withProgress, type ObjectRecord } from '../persistence/object-record.js';
import { settledProgress } from './change-outcome.js';
import type { ObjectMemory } from './object-memory.js';
import type { OutcomeBasket } from './outcome-basket.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import { loadRecord } from './record-state.js';

/** Takes as handled, within one cycle, what needs no call: the first sight of a handler without a creation, a change that it refuses. */
export class FirstSights {
  #settled = false;

  constructor(
    private readonly environment: ProcessingEnvironment,
    private readonly memory: ObjectMemory,
    private readonly basket: OutcomeBasket,
    private readonly viewOf: (handler: ResourceHandler, object: StoredObject) => DecisionView,
  ) {}

  settle(handler: ResourceHandler, record: ObjectRecord, view: DecisionView): void {
    // What changed while the handlers before it were at work is a change to it.
    const { sight = view.object } = this.memory;
    const before = sight === view.object ? view : this.viewOf(handler, sight);
    const settled = settledProgress(handler, progressOf(record, handler.id), view, before);
    if (settled !== undefined) this.basket.remember(withProgress(record, handler.id, settled));
  }

  /**
   * Before the first outcome is kept: the record that holds it may be the last that this process writes, and another
   * process would begin with a later state.
   */
  settleAll(object: StoredObject): void {
    if (this.#settled) return;
    this.#settled = true;
    for (const handler of this.environment.handlers) {
      if (!handler.tracksState) continue;
      const record = loadRecord(this.environment, this.memory, object);
      const view = this.viewOf(handler, object);
      const decision = decideChange(handler, progressOf(record, handler.id), view);
      if (decision === undefined || decision.cause === 'resume') this.settle(handler, record, view);
    }
  }
}
