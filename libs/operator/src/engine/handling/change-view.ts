import { deepFreeze } from '../json/deep-freeze.js';
import { diffJson, type DiffItem } from '../json/diff.js';
import type { FieldPath } from '../json/field-path.js';
import type { HandledState } from '../persistence/handled-state.js';
import { essencePart, type Essence } from '../processing/essence.js';

/**
 * Old, new and their difference, reduced to a field where a handler watches one. Worked out when asked for, and frozen:
 * what users see is what the record and the store hold.
 */
export class ChangeView {
  #diff: readonly DiffItem[] | undefined;

  constructor(
    private readonly handled: HandledState | undefined,
    private readonly essence: Essence,
    private readonly field: FieldPath = [],
  ) {}

  get old(): unknown {
    return this.handled?.kind === 'essence' ? deepFreeze(essencePart(this.handled.essence, this.field)) : undefined;
  }

  get new(): unknown {
    return deepFreeze(essencePart(this.essence, this.field));
  }

  get diff(): readonly DiffItem[] {
    this.#diff ??= this.handled?.kind === 'essence' ? diffJson(this.old, this.new) : [];
    return this.#diff;
  }
}
