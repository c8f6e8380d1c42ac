import { compareValues, isEqual } from '../values/equality.js';
import { Failure, noSuchOverload, overflow } from '../values/failure.js';
import { DurationValue } from '../values/time.js';
import { typeNameOf } from '../values/type-name.js';
import {
  keyToken,
  ListValue,
  mostInt,
  leastInt,
  mostUint,
  OptionalValue,
  PlainList,
  UintValue,
  type Result,
  type Value,
} from '../values/value.js';
import { overload, type Library, type Overload } from './overload.js';

const summable = ['int', 'uint', 'double', 'duration'];
const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

const forEach = (
  types: readonly string[],
  signature: (type: string) => string,
  apply: (...args: never[]) => Result,
): Overload[] => types.map((type) => overload(signature(type), apply));

function isSorted(list: ListValue): Result {
  let before: Value | undefined;
  for (const item of list) {
    if (before !== undefined) {
      // Items that cannot be compared do not count as out of order.
      if ((compareValues(before, item) ?? 0) > 0) return false;
    }
    before = item;
  }
  return true;
}

/** The sum of a list; an empty one sums up to the zero of its type. */
const sumFrom =
  (zero: Value) =>
  (list: ListValue): Result => {
    let sum: Value = zero;
    for (const item of list) {
      const next = plus(sum, item);
      if (next instanceof Failure) return next;
      sum = next;
    }
    return sum;
  };

function plus(a: Value, b: Value): Result {
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    const sum = a + b;
    return sum > mostInt || sum < leastInt ? overflow('integer') : sum;
  }
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (a instanceof UintValue && b instanceof UintValue) {
    const sum = a.value + b.value;
    return sum > mostUint ? overflow('unsigned integer') : new UintValue(sum);
  }
  if (a instanceof DurationValue && b instanceof DurationValue) {
    return DurationValue.of(a.nanos + b.nanos) ?? overflow('integer');
  }
  return noSuchOverload();
}

const zeros: Readonly<Record<string, Value>> = {
  int: 0n,
  uint: new UintValue(0n),
  double: 0,
  duration: new DurationValue(0n),
};

const extreme =
  (name: string, sign: number) =>
  (list: ListValue): Result => {
    let best: Value | undefined;
    for (const item of list) {
      if (best === undefined) {
        best = item;
        continue;
      }
      const order = compareValues(item, best);
      if (order === undefined) return noSuchOverload();
      if (order * sign > 0) best = item;
    }
    return best ?? new Failure(`${name} called on empty list`);
  };

function indexOf(list: ListValue, wanted: Value): Result {
  for (let index = 0; index < list.size; index++) if (isEqual(list.at(index), wanted)) return BigInt(index);
  return -1n;
}

function lastIndexOf(list: ListValue, wanted: Value): Result {
  for (let index = list.size - 1; index >= 0; index--) if (isEqual(list.at(index), wanted)) return BigInt(index);
  return -1n;
}

function slice(list: ListValue, start: bigint, end: bigint): Result {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new Failure(`${call}, negative indexes not supported`);
  if (start > end) return new Failure(`${call}, start index must be less than or equal to end index`);
  if (end > list.size) return new Failure(`${call}, list is length ${list.size}`);
  return new PlainList([...list].slice(Number(start), Number(end)));
}

function flatten(list: ListValue, depth = 1n): Result {
  if (depth < 0n) return new Failure('level must be non-negative');
  const walk = (items: ListValue, left: bigint): Value[] =>
    [...items].flatMap((item) => (item instanceof ListValue && left > 0n ? walk(item, left - 1n) : [item]));
  return new PlainList(walk(list, depth));
}

function distinct(list: ListValue): Result {
  const found: Value[] = [];
  const tokens = new Set<string>();
  for (const item of list) {
    const token = keyToken(item);
    if (token === undefined ? found.some((other) => isEqual(item, other)) : tokens.has(token)) continue;
    if (token !== undefined) tokens.add(token);
    found.push(item);
  }
  return new PlainList(found);
}

/** Sorts items by keys of one type. */
function sortByKeys(list: ListValue, keys: ListValue): Result {
  if (list.size !== keys.size) {
    return new Failure(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    );
  }
  const first = keys.size === 0 ? undefined : keys.at(0);
  if (first === undefined) return list;
  const type = typeNameOf(first);
  if (compareValues(first, first) === undefined) return new Failure('list elements must be comparable');
  const pairs = [...keys].map((key, index) => ({ key, item: list.at(index) }));
  if (pairs.some(({ key }) => typeNameOf(key) !== type)) return new Failure('list elements must have the same type');
  pairs.sort((a, b) => compareValues(a.key, b.key) ?? 0);
  return new PlainList(pairs.map(({ item }) => item));
}

const mostInRange = 1_000_000n;

function range(size: bigint): Result {
  if (size > mostInRange) return new Failure(`lists.range of more than ${mostInRange} elements is not supported`);
  return new PlainList(Array.from({ length: Math.max(0, Number(size)) }, (_, index) => BigInt(index)));
}

const itemAt = (list: ListValue, index: number): Result =>
  list.size === 0 ? OptionalValue.none : new OptionalValue(list.at(index));

/** Functions of lists: those of Kubernetes, and those that cel-go adds to the language. */
export const listLibrary: Library = {
  isSorted: forEach(comparable, (type) => `list(${type}).() bool`, isSorted),
  sum: summable.map((type) => overload(`list(${type}).() ${type}`, sumFrom(zeros[type]!))),
  min: forEach(comparable, (type) => `list(${type}).() ${type}`, extreme('min', -1)),
  max: forEach(comparable, (type) => `list(${type}).() ${type}`, extreme('max', 1)),
  indexOf: [overload('list(T).(T) int', indexOf)],
  lastIndexOf: [overload('list(T).(T) int', lastIndexOf)],
  slice: [overload('list(T).(int, int) list(T)', slice)],
  flatten: [overload('list(list(T)).() list(T)', flatten), overload('list(dyn).(int) list(dyn)', flatten)],
  distinct: [overload('list(T).() list(T)', distinct)],
  reverse: [overload('list(T).() list(T)', (list: ListValue) => new PlainList([...list].toReversed()))],
  sort: forEach(
    comparable,
    (type) => `list(${type}).() list(${type})`,
    (list: ListValue) => sortByKeys(list, list),
  ),
  '@sortByAssociatedKeys': forEach(comparable, (type) => `list(T).(list(${type})) list(T)`, sortByKeys),
  'lists.range': [overload('(int) list(int)', range)],
  first: [overload('list(T).() optional(T)', (list: ListValue) => itemAt(list, 0))],
  last: [overload('list(T).() optional(T)', (list: ListValue) => itemAt(list, list.size - 1))],
};
