import { formatDouble } from '../library/double-text.js';
import { Failure, noSuchKey } from './failure.js';
import { typeNameOf } from './type-name.js';
import { ListValue, MapValue, OptionalValue, UintValue, type Result, type Value } from './value.js';

/** A key as messages show it. */
export function keyText(key: Value): string {
  if (key instanceof UintValue) return String(key.value);
  if (typeof key === 'number') return formatDouble(key, 21);
  if (typeof key === 'object' && key !== null) return typeNameOf(key);
  return String(key);
}

function indexOf(key: Value): number | Failure {
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof UintValue) return Number(key.value);
  if (typeof key === 'number') {
    return Number.isInteger(key) ? key : new Failure(`unsupported index value ${keyText(key)} in list`);
  }
  return new Failure(`unsupported index type '${typeNameOf(key)}' in list`);
}

/** An item of a list. */
export function itemAt(list: ListValue, key: Value): Result {
  const index = indexOf(key);
  if (index instanceof Failure) return index;
  return index >= 0 && index < list.size ? list.at(index) : new Failure(`index out of bounds: ${index}`);
}

/** A member of a map. */
export function memberAt(map: MapValue, key: Value): Result {
  return map.get(key) ?? (map.has(key) ? null : noSuchKey(keyText(key)));
}

/** What is found under a key in any value, also within an optional one, which makes the answer optional. */
export function valueAt(value: Value, key: Value): Result {
  if (value instanceof ListValue) return itemAt(value, key);
  if (value instanceof MapValue) return memberAt(value, key);
  if (value instanceof OptionalValue) return optionalItemAt(value, key);
  return noSuchKey(keyText(key));
}

/** As `valueAt`, with nothing instead of a failure where the key is absent. */
export function optionalItemAt(value: Value, key: Value): Result {
  const inside = value instanceof OptionalValue ? value.value : value;
  if (inside === undefined) return OptionalValue.none;
  if (inside instanceof ListValue) {
    const index = indexOf(key);
    if (index instanceof Failure) return index;
    return index >= 0 && index < inside.size ? new OptionalValue(inside.at(index)) : OptionalValue.none;
  }
  if (inside instanceof MapValue) {
    const member = inside.get(key);
    return member === undefined ? OptionalValue.none : new OptionalValue(member);
  }
  return OptionalValue.none;
}
