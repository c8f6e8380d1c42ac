import type { RandomSource } from '../random.js';
import type { FaultAction } from './fault.js';
import { seededRandom } from './seeded-random.js';

type ActionName = FaultAction['action'];

/** What has to be done to one request, in the order in which the faults were added. */
export class RequestFaults {
  static readonly none = new RequestFaults();
  readonly #actions: { readonly action: FaultAction; readonly seed: number }[] = [];

  get actions(): FaultAction[] {
    return this.#actions.map(({ action }) => action);
  }

  /** Nothing has to be done. */
  get empty(): boolean {
    return this.#actions.length === 0;
  }

  add(action: FaultAction, seed: number): void {
    this.#actions.push({ action, seed });
  }

  has(name: ActionName): boolean {
    return this.#actions.some(({ action }) => action.action === name);
  }

  /** The first action of a kind. */
  find<N extends ActionName>(name: N): Extract<FaultAction, { action: N }> | undefined {
    const found = this.#actions.find(({ action }) => action.action === name);
    return found?.action as Extract<FaultAction, { action: N }> | undefined;
  }

  /** Calls `visit` with each action and a source of chance of its own. */
  forEach(visit: (action: FaultAction, random: RandomSource) => void): void {
    for (const { action, seed } of this.#actions) visit(action, seededRandom(seed));
  }
}
