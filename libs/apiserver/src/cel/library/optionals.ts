import { Failure } from '../values/failure.js';
import { DurationValue } from '../values/time.js';
import { ListValue, MapValue, OptionalValue, PlainList, UintValue, type Result, type Value } from '../values/value.js';
import { overload, type Library } from './overload.js';

function isZero(value: Value): boolean {
  if (value === null || value === false || value === '' || value === 0n || value === 0) return true;
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof UintValue) return value.value === 0n;
  if (value instanceof OptionalValue) return value.value === undefined;
  return value instanceof DurationValue && value.nanos === 0n;
}

const noValue = new Failure('optional.none() dereference');
const notOptional = new Failure('no such overload');

function present(list: ListValue): Result {
  const found: Value[] = [];
  for (const item of list) {
    if (!(item instanceof OptionalValue)) return notOptional;
    if (item.value !== undefined) found.push(item.value);
  }
  return new PlainList(found);
}

/** Values that may be absent. `or` and `orValue` are evaluated elsewhere, as they may leave their argument alone. */
export const optionalLibrary: Library = {
  'optional.of': [overload('(T) optional(T)', (value: Value) => new OptionalValue(value))],
  'optional.ofNonZeroValue': [
    overload('(T) optional(T)', (value: Value) => (isZero(value) ? OptionalValue.none : new OptionalValue(value))),
  ],
  'optional.none': [overload('() optional(T)', () => OptionalValue.none)],
  'optional.unwrap': [overload('(list(optional(T))) list(T)', present)],
  unwrapOpt: [overload('list(optional(T)).() list(T)', present)],
  hasValue: [overload('optional(T).() bool', ({ value }: OptionalValue) => value !== undefined)],
  value: [overload('optional(T).() T', ({ value }: OptionalValue) => (value === undefined ? noValue : value))],
  or: [
    overload('optional(T).(optional(T)) optional(T)', (a: OptionalValue, b: OptionalValue) =>
      a.value === undefined ? b : a,
    ),
  ],
  orValue: [overload('optional(T).(T) T', (a: OptionalValue, b: Value) => (a.value === undefined ? b : a.value))],
};
