import { asMember, leaf, nodeOf, type FieldSet } from './field-set.js';
import type { ValueType } from './value-type.js';

/**
 * The set as a schema has it now: where parts of a map or list are owned that is atomic by now, all of it is. What was
 * atomic and is no more stays as it is.
 */
export function asSchemaHasIt(fields: FieldSet, type: ValueType): FieldSet {
  let changed = false;
  const steps: [string, FieldSet][] = [];
  for (const step of Object.keys(fields)) {
    if (step === '.') continue;
    const node = fields[step]!;
    const below = typeBelow(step, type);
    let now = node;
    if (below !== undefined && node !== leaf) {
      // The form that the value may take first decides, as the value itself is not looked at.
      now = isAtomic(below) ? leaf : asSchemaHasIt(node, below);
    }
    if (now !== node) changed = true;
    steps.push([step, now]);
  }
  if (!changed) return fields;
  const node = nodeOf(false, steps)!;
  return '.' in fields ? asMember(node) : node;
}

const isAtomic = ({ map, scalar, list }: ValueType): boolean =>
  map === undefined ? scalar === undefined && list?.atomic === true : map.atomic;

function typeBelow(step: string, type: ValueType): ValueType | undefined {
  if (step.startsWith('f:')) return type.map?.fields.get(step.slice(2)) ?? type.map?.other;
  return type.map === undefined && type.scalar === undefined ? type.list?.item : undefined;
}
