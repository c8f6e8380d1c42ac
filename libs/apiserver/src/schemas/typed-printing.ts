import { isObject, type JsonObject } from '../json.js';
import { applyBuiltinDefaults } from './defaults/builtin-defaults.js';
import type { GoField, GoStruct, GoType } from './go-types.js';

/** A member of a struct where nothing is said of it; undefined where it is left out then. */
export function emptyMember(type: GoType, name: string): unknown {
  const field = type.kind === 'struct' ? type.struct.fields.get(name) : undefined;
  return field === undefined ? undefined : printedField(field, undefined);
}

/** A struct with the members found and its defaults, as it is printed. */
export function printed(struct: GoStruct, found: ReadonlyMap<string, unknown>): JsonObject {
  const out: JsonObject = {};
  for (const field of struct.fields.values()) {
    const value = printedField(field, found.get(field.name));
    if (value !== undefined || field.standard !== undefined)
      out[field.name] = value === undefined ? field.standard : value;
  }
  applyBuiltinDefaults(struct.definition, out);
  return out;
}

function printedField(field: GoField, value: unknown): unknown {
  if (field.pointer) return value ?? (field.keep ? null : undefined);
  switch (field.type.kind) {
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64': {
      const zero = zeroOf(field.type);
      return (value ?? zero) === zero && !field.keep ? undefined : (value ?? zero);
    }
    case 'bytes':
      return value === undefined || value === '' ? (field.keep ? null : undefined) : value;
    case 'list':
      return Array.isArray(value) && (value.length > 0 || field.keep) ? value : field.keep ? null : undefined;
    case 'map':
      return isObject(value) && (Object.keys(value).length > 0 || field.keep) ? value : field.keep ? null : undefined;
    default:
      return value ?? (field.omitZero ? undefined : zeroOf(field.type));
  }
}

/** How an empty value of a type is printed. */
export function zeroOf(type: GoType): unknown {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'float64':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'struct':
      return printed(type.struct, new Map());
    default:
      return null;
  }
}
