import { isUtf8 } from 'node:buffer';
import { Failure, overflow } from '../values/failure.js';
import { DurationValue, parseDuration, parseTimestamp, TimestampValue } from '../values/time.js';
import { typeNameOf } from '../values/type-name.js';
import {
  ListValue,
  MapValue,
  mostInt,
  mostUint,
  leastInt,
  TypeValue,
  UintValue,
  type Result,
  type Value,
} from '../values/value.js';
import { formatDouble } from './double-text.js';
import { overload, type Library } from './overload.js';

const cannotConvert = (type: string): Failure => new Failure(`type conversion error from 'string' to '${type}'`);

const trueWords = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const falseWords = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

function boolOf(text: string): Result {
  if (trueWords.has(text)) return true;
  return falseWords.has(text) ? false : cannotConvert('bool');
}

function intOf(text: string): Result {
  if (!/^[+-]?\d+$/.test(text)) return cannotConvert('int');
  const value = BigInt(text.replace(/^\+/, ''));
  return value > mostInt || value < leastInt ? cannotConvert('int') : value;
}

function uintOf(text: string): Result {
  if (!/^\d+$/.test(text)) return cannotConvert('uint');
  const value = BigInt(text);
  return value > mostUint ? cannotConvert('uint') : new UintValue(value);
}

/** Go's own forms: also words, hexadecimal fractions, and underscores between digits. */
function doubleOf(given: string): Result {
  const text = given.replaceAll(/(?<=[\da-f])_(?=[\da-f])/gi, '');
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (word !== null) {
    if (/nan/i.test(text)) return word[1] === '' ? Number.NaN : cannotConvert('double');
    return word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  const hex = /^([+-]?)0x([0-9a-f]*)(?:\.([0-9a-f]*))?p([+-]?\d+)$/i.exec(text);
  if (hex !== null) {
    const [, sign, whole = '', fraction = '', exponent = '0'] = hex;
    if (whole + fraction === '') return cannotConvert('double');
    const digits = Number(BigInt(`0x${whole}${fraction}`));
    return (sign === '-' ? -1 : 1) * digits * 2 ** (Number(exponent) - 4 * fraction.length);
  }
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return cannotConvert('double');
  const value = Number(text);
  return Number.isFinite(value) ? value : cannotConvert('double');
}

function intOfDouble(value: number): Result {
  // The bounds themselves are refused, as doubles near them stand for several integers.
  if (!(value < 2 ** 63 && value > -(2 ** 63))) return overflow('integer');
  return BigInt(Math.trunc(value));
}

function uintOfDouble(value: number): Result {
  if (!(value < 2 ** 64 && value >= 0)) return overflow('unsigned integer');
  return new UintValue(BigInt(Math.trunc(value)));
}

const stringOfBytes = (value: Uint8Array): Result =>
  isUtf8(value) ? Buffer.from(value).toString() : new Failure('invalid UTF-8 in bytes, cannot convert to string');

const timestampOf = (seconds: bigint): Result => TimestampValue.of(seconds * 1_000_000_000n) ?? overflow('timestamp');

const sizeOf = (value: ListValue | MapValue | Uint8Array | string): Result => {
  if (typeof value === 'string') return BigInt(Array.from(value).length);
  return BigInt(value instanceof Uint8Array ? value.length : value.size);
};

/** Conversions between types, and the size of things. */
export const conversionLibrary: Library = {
  bool: [overload('(bool) bool', (value: boolean) => value), overload('(string) bool', boolOf)],
  int: [
    overload('(int) int', (value: bigint) => value),
    overload('(uint) int', ({ value }: UintValue) => (value > mostInt ? overflow('integer') : value)),
    overload('(double) int', intOfDouble),
    overload('(string) int', intOf),
    overload('(timestamp) int', (value: TimestampValue) => value.seconds),
    overload('(duration) int', (value: DurationValue) => value.nanos),
  ],
  uint: [
    overload('(uint) uint', (value: UintValue) => value),
    overload('(int) uint', (value: bigint) => (value < 0n ? overflow('unsigned integer') : new UintValue(value))),
    overload('(double) uint', uintOfDouble),
    overload('(string) uint', uintOf),
  ],
  double: [
    overload('(double) double', (value: number) => value),
    overload('(int) double', (value: bigint) => Number(value)),
    overload('(uint) double', ({ value }: UintValue) => Number(value)),
    overload('(string) double', doubleOf),
  ],
  string: [
    overload('(string) string', (value: string) => value),
    overload('(bool) string', String),
    overload('(int) string', String),
    overload('(uint) string', ({ value }: UintValue) => String(value)),
    overload('(double) string', (value: number) => formatDouble(value)),
    overload('(bytes) string', stringOfBytes),
    overload('(timestamp) string', (value: TimestampValue) => value.toString()),
    overload('(duration) string', (value: DurationValue) => value.toString()),
  ],
  bytes: [
    overload('(bytes) bytes', (value: Uint8Array) => value),
    overload('(string) bytes', (value: string) => Uint8Array.from(Buffer.from(value))),
  ],
  timestamp: [
    overload('(timestamp) timestamp', (value: TimestampValue) => value),
    overload('(int) timestamp', timestampOf),
    overload(
      '(string) timestamp',
      (text: string) => parseTimestamp(text) ?? cannotConvert('google.protobuf.Timestamp'),
    ),
  ],
  duration: [
    overload('(duration) duration', (value: DurationValue) => value),
    overload('(int) duration', (nanos: bigint) => DurationValue.of(nanos) ?? overflow('integer')),
    overload('(string) duration', (text: string) => parseDuration(text) ?? cannotConvert('google.protobuf.Duration')),
  ],
  dyn: [overload('(A) dyn', (value: Value) => value)],
  type: [overload('(A) type(A)', (value: Value) => new TypeValue(typeNameOf(value)))],
  size: ['string', 'bytes', 'list(A)', 'map(A, B)'].flatMap((type) => [
    overload(`(${type}) int`, sizeOf),
    overload(`${type}.() int`, sizeOf),
  ]),
};
