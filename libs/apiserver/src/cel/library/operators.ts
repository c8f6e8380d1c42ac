import { operators } from '../syntax/ast.js';
import { itemAt, memberAt, optionalItemAt } from '../values/access.js';
import { compareValues, isEqual } from '../values/equality.js';
import { Failure, noSuchOverload, overflow } from '../values/failure.js';
import { DurationValue, TimestampValue } from '../values/time.js';
import {
  leastInt,
  ListValue,
  MapValue,
  mostInt,
  mostUint,
  PlainList,
  UintValue,
  type Result,
  type Value,
} from '../values/value.js';
import { overload, type Library, type Overload } from './overload.js';

const int = (value: bigint): Result => (value > mostInt || value < leastInt ? overflow('integer') : value);
const uint = (value: bigint): Result =>
  value > mostUint || value < 0n ? overflow('unsigned integer') : new UintValue(value);
// Go's durations are integers, and fail as such.
const duration = (nanos: bigint): Result => DurationValue.of(nanos) ?? overflow('integer');
const timestamp = (nanos: bigint, offset: number): Result => TimestampValue.of(nanos, offset) ?? overflow('timestamp');

const divided = (a: bigint, b: bigint, then: (a: bigint, b: bigint) => Result, text = 'division by zero'): Result =>
  b === 0n ? new Failure(text) : then(a, b);

const isOrdered =
  (test: (order: number) => boolean) =>
  (a: Value, b: Value): Result => {
    const order = compareValues(a, b);
    return order === undefined ? noSuchOverload() : test(order);
  };

const numbers = ['int', 'uint', 'double'];

function comparison(test: (order: number) => boolean): Overload[] {
  const apply = isOrdered(test);
  return [
    ...['bool', 'string', 'bytes', 'timestamp', 'duration'].map((type) => overload(`(${type}, ${type}) bool`, apply)),
    ...numbers.flatMap((a) => numbers.map((b) => overload(`(${a}, ${b}) bool`, apply))),
  ];
}

/** The items of two lists, one after the other. */
export function concatenate(a: ListValue, b: ListValue): ListValue {
  return a.merge?.(b) ?? new PlainList([...a, ...b]);
}

export function isIn(value: Value, container: ListValue | MapValue): boolean {
  if (container instanceof MapValue) return container.has(value);
  for (const item of container) if (isEqual(value, item)) return true;
  return false;
}

/** Operators that evaluate all their operands, and then only look at them. */
export const operatorLibrary: Library = {
  [operators.add]: [
    overload('(int, int) int', (a: bigint, b: bigint) => int(a + b)),
    overload('(uint, uint) uint', (a: UintValue, b: UintValue) => uint(a.value + b.value)),
    overload('(double, double) double', (a: number, b: number) => a + b),
    overload('(string, string) string', (a: string, b: string) => a + b),
    overload('(bytes, bytes) bytes', (a: Uint8Array, b: Uint8Array) => Uint8Array.from([...a, ...b])),
    overload('(list(A), list(A)) list(A)', concatenate),
    overload('(duration, duration) duration', (a: DurationValue, b: DurationValue) => duration(a.nanos + b.nanos)),
    overload('(timestamp, duration) timestamp', (a: TimestampValue, b: DurationValue) =>
      timestamp(a.nanos + b.nanos, a.offset),
    ),
    overload('(duration, timestamp) timestamp', (a: DurationValue, b: TimestampValue) =>
      timestamp(a.nanos + b.nanos, b.offset),
    ),
  ],
  [operators.subtract]: [
    overload('(int, int) int', (a: bigint, b: bigint) => int(a - b)),
    overload('(uint, uint) uint', (a: UintValue, b: UintValue) => uint(a.value - b.value)),
    overload('(double, double) double', (a: number, b: number) => a - b),
    overload('(duration, duration) duration', (a: DurationValue, b: DurationValue) => duration(a.nanos - b.nanos)),
    overload('(timestamp, duration) timestamp', (a: TimestampValue, b: DurationValue) =>
      timestamp(a.nanos - b.nanos, a.offset),
    ),
    overload('(timestamp, timestamp) duration', (a: TimestampValue, b: TimestampValue) => duration(a.nanos - b.nanos)),
  ],
  [operators.multiply]: [
    overload('(int, int) int', (a: bigint, b: bigint) => int(a * b)),
    overload('(uint, uint) uint', (a: UintValue, b: UintValue) => uint(a.value * b.value)),
    overload('(double, double) double', (a: number, b: number) => a * b),
  ],
  [operators.divide]: [
    overload('(int, int) int', (a: bigint, b: bigint) => divided(a, b, () => int(a / b))),
    overload('(uint, uint) uint', (a: UintValue, b: UintValue) =>
      divided(a.value, b.value, (x, y) => new UintValue(x / y)),
    ),
    overload('(double, double) double', (a: number, b: number) => a / b),
  ],
  [operators.modulo]: [
    overload('(int, int) int', (a: bigint, b: bigint) =>
      divided(a, b, () => (a === leastInt && b === -1n ? overflow('integer') : a % b), 'modulus by zero'),
    ),
    overload('(uint, uint) uint', (a: UintValue, b: UintValue) =>
      divided(a.value, b.value, (x, y) => new UintValue(x % y), 'modulus by zero'),
    ),
  ],
  [operators.negate]: [overload('(int) int', (a: bigint) => int(-a)), overload('(double) double', (a: number) => -a)],
  [operators.not]: [overload('(bool) bool', (a: boolean) => !a)],
  [operators.less]: comparison((order) => order < 0),
  [operators.lessEquals]: comparison((order) => order <= 0),
  [operators.greater]: comparison((order) => order > 0),
  [operators.greaterEquals]: comparison((order) => order >= 0),
  [operators.equals]: [overload('(A, A) bool', isEqual)],
  [operators.notEquals]: [overload('(A, A) bool', (a: Value, b: Value) => !isEqual(a, b))],
  [operators.in]: [overload('(A, list(A)) bool', isIn), overload('(A, map(A, B)) bool', isIn)],
  [operators.index]: [
    overload('(list(A), int) A', itemAt),
    overload('(map(A, B), A) B', memberAt),
    overload('(optional(list(A)), int) optional(A)', optionalItemAt),
    overload('(optional(map(A, B)), A) optional(B)', optionalItemAt),
  ],
  [operators.optionalIndex]: [
    overload('(list(A), int) optional(A)', optionalItemAt),
    overload('(optional(list(A)), int) optional(A)', optionalItemAt),
    overload('(map(A, B), A) optional(B)', optionalItemAt),
    overload('(optional(map(A, B)), A) optional(B)', optionalItemAt),
  ],
  // These do not evaluate all their operands, which is done elsewhere.
  [operators.conditional]: [
    overload('(bool, A, A) A', (condition: boolean, yes: Value, no: Value) => (condition ? yes : no)),
  ],
  [operators.and]: [overload('(bool, bool) bool', (a: boolean, b: boolean) => a && b)],
  [operators.or]: [overload('(bool, bool) bool', (a: boolean, b: boolean) => a || b)],
  [operators.notStrictlyFalse]: [overload('(bool) bool', (value: Value) => value !== false)],
};
