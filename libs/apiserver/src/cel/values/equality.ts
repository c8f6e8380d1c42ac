import { DurationValue, TimestampValue } from './time.js';
import { ListValue, MapValue, OpaqueValue, OptionalValue, TypeValue, UintValue, type Value } from './value.js';

/** Whether two values are equal. Numbers are compared by what they stand for; values of other kinds are unequal. */
export function isEqual(a: Value, b: Value): boolean {
  if (a === b) return typeof a !== 'number' || !Number.isNaN(a);
  const order = compareNumbers(a, b);
  if (order !== undefined) return order === 0;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (a instanceof ListValue) return b instanceof ListValue && (a.equalTo?.(b) ?? areListsEqual(a, b));
  if (a instanceof MapValue) return b instanceof MapValue && areMapsEqual(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof TimestampValue) return b instanceof TimestampValue && a.nanos === b.nanos;
  if (a instanceof DurationValue) return b instanceof DurationValue && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof OptionalValue) {
    if (!(b instanceof OptionalValue)) return false;
    return a.value === undefined || b.value === undefined ? a.value === b.value : isEqual(a.value, b.value);
  }
  if (a instanceof OpaqueValue) return b instanceof OpaqueValue && a.typeName === b.typeName && a.equals(b);
  return false;
}

function areListsEqual(a: ListValue, b: ListValue): boolean {
  if (a.size !== b.size) return false;
  for (let index = 0; index < a.size; index++) if (!isEqual(a.at(index), b.at(index))) return false;
  return true;
}

function areMapsEqual(a: MapValue, b: MapValue): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const other = b.get(key);
    if (other === undefined || !isEqual(a.get(key)!, other)) return false;
  }
  return true;
}

/** The order of two numbers of any type; NaN where one of them is NaN, undefined where one is no number. */
export function compareNumbers(a: Value, b: Value): number | undefined {
  const x = a instanceof UintValue ? a.value : a;
  const y = b instanceof UintValue ? b.value : b;
  if (!isNumber(x) || !isNumber(y)) return undefined;
  if (typeof x === typeof y) return x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN;
  // Integers meet doubles as doubles, as in cel-go.
  const [left, right] = [Number(x), Number(y)];
  return left < right ? -1 : left > right ? 1 : left === right ? 0 : Number.NaN;
}

const isNumber = (value: Value): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

/** The order of two values that can be ordered; undefined for others. */
export function compareValues(a: Value, b: Value): number | undefined {
  const numbers = compareNumbers(a, b);
  if (numbers !== undefined) return numbers;
  if (typeof a === 'string') return typeof b === 'string' ? compareStrings(a, b) : undefined;
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : undefined;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? Buffer.compare(a, b) : undefined;
  if (a instanceof TimestampValue) return b instanceof TimestampValue ? order(a.nanos, b.nanos) : undefined;
  if (a instanceof DurationValue) return b instanceof DurationValue ? order(a.nanos, b.nanos) : undefined;
  return undefined;
}

const order = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** By bytes of UTF-8, which differs from the order of UTF-16 above the basic plane. */
function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  // eslint-disable-next-line no-control-regex
  if (/^[\x00-\ud7ff]*$/.test(a) && /^[\x00-\ud7ff]*$/.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
