import { asMember, nodeOf, type FieldSet } from './field-set.js';
import { anyValue, type ValueType } from './value-type.js';

/**
 * The set in which also the structs that have something in it are members, so that removing the set removes a struct
 * of which nothing is left.
 */
export function withNamedFields(fields: FieldSet, type: ValueType): FieldSet {
  let changed = false;
  const steps: [string, FieldSet][] = [];
  for (const step of Object.keys(fields)) {
    if (step === '.') continue;
    const node = fields[step]!;
    const name = step.startsWith('f:') ? step.slice(2) : undefined;
    const field = name === undefined ? undefined : type.map?.fields.get(name);
    const below = field ?? (name === undefined ? type.list?.item : type.map?.other) ?? anyValue;
    let named = withNamedFields(node, below);
    if (field !== undefined) named = asMember(named);
    if (named !== node) changed = true;
    steps.push([step, named]);
  }
  return changed ? nodeOf('.' in fields, steps)! : fields;
}
