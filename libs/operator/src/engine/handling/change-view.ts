import { diffJson, type DiffItem } from '../json/diff.js';
import { valueAt, type FieldPath } from '../json/field-path.js';
import type { HandledState } from '../persistence/handled-state.js';
import type { Essence } from '../processing/essence.js';

/** Old, new and their difference, reduced to a field where a handler watches one; worked out when first asked for. */
export class ChangeView {
  readonly old: unknown;
  readonly new: unknown;
  #diff: readonly DiffItem[] | undefined;
  readonly #known: boolean;

  constructor(handled: HandledState | undefined, essence: Essence, field: FieldPath = []) {
    this.#known = handled?.kind === 'essence';
    this.old = handled?.kind === 'essence' ? valueAt(handled.essence, field) : undefined;
    this.new = valueAt(essence, field);
  }

  get diff(): readonly DiffItem[] {
    this.#diff ??= this.#known ? diffJson(this.old, this.new) : [];
    return this.#diff;
  }
}
