import { isObject, setKey, type JsonObject } from '../json.js';
import { fieldType } from './typed-values.js';
import type { ValueType } from './value-type.js';

const reach = new WeakMap<ValueType, boolean>();

/** Whether a type or one below it has zero values. */
function hasZeros(type: ValueType): boolean {
  const known = reach.get(type);
  if (known !== undefined) return known;
  const seen = new Set<ValueType>([type]);
  for (const next of seen) {
    if (next.map !== undefined && !next.map.atomic) {
      if (next.map.zeros.size > 0) {
        reach.set(type, true);
        return true;
      }
      for (const field of next.map.fields.values()) seen.add(field);
      if (next.map.other !== undefined) seen.add(next.map.other);
    }
    if (next.list !== undefined && !next.list.atomic) seen.add(next.list.item);
  }
  reach.set(type, false);
  return false;
}

/** An object of a built-in type with what the real server's would hold of fields that were never set. */
export function withZeros(value: unknown, type: ValueType): unknown {
  if (!hasZeros(type)) return value;
  if (Array.isArray(value)) return withZerosInList(value, type);
  return isObject(value) && type.map !== undefined && !type.map.atomic ? withZerosInMap(value, type) : value;
}

function withZerosInList(items: readonly unknown[], { list }: ValueType): unknown {
  if (list === undefined || list.atomic) return items;
  let changed = false;
  const out = items.map((item) => {
    const filled = withZeros(item, list.item);
    if (filled !== item) changed = true;
    return filled;
  });
  return changed ? out : items;
}

function withZerosInMap(members: JsonObject, { map }: ValueType): unknown {
  let out: JsonObject | undefined;
  for (const name of Object.keys(members)) {
    const type = fieldType(map!, name);
    const filled = type === undefined ? members[name] : withZeros(members[name], type);
    if (filled !== members[name]) setKey((out ??= { ...members }), name, filled);
  }
  for (const [name, zero] of map!.zeros) {
    if (members[name] === undefined) setKey((out ??= { ...members }), name, zero);
  }
  return out ?? members;
}
