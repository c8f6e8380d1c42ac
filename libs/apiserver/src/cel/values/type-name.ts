import { DurationValue, TimestampValue } from './time.js';
import { ListValue, MapValue, OptionalValue, TypeValue, UintValue, type Value } from './value.js';

/** The name of a value's type at run time. */
export function typeNameOf(value: Value): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
  }
  if (value === null) return 'null_type';
  if (value instanceof UintValue) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof ListValue) return 'list';
  if (value instanceof MapValue) return 'map';
  if (value instanceof TimestampValue) return 'google.protobuf.Timestamp';
  if (value instanceof DurationValue) return 'google.protobuf.Duration';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof OptionalValue) return 'optional_type';
  return value.typeName;
}
