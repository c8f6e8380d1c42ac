import { isBigNumber, isObject, setKey, type JsonObject } from '../json.js';
import { applyBuiltinDefaults } from './defaults/builtin-defaults.js';
import { base64Error } from './go-base64.js';
import { canonicalTime, TimeError } from './go-time.js';
import type { GoField, GoStruct, GoType } from './go-types.js';
import { canonicalQuantity, QuantityError } from './quantity.js';

/** A value that does not fit its type; the message is the real server's. */
export class DecodingError extends Error {
  override name = 'DecodingError';
}

/** Where a value comes from: a JSON text, or what a strategic merge patch made. The messages differ. */
export type DecodingSource = 'json' | 'unstructured';

export interface Decoded {
  /** The value as the real server prints it: what is empty left out or filled in, as the type has it. */
  readonly value: unknown;
  /** Paths of members that the type does not know. */
  readonly unknown: readonly string[];
}

/**
 * Reads a value as one of a Go type.
 *
 * @throws DecodingError for the first thing that does not fit
 */
export function decodeTyped(value: unknown, type: GoType, source: DecodingSource = 'json'): Decoded {
  const decoder = new Decoder(source);
  const decoded = decoder.value(value, type, '');
  if (decoder.first !== undefined) throw new DecodingError(decoder.first);
  return { value: decoded ?? zeroOf(type), unknown: decoder.unknown };
}

/** A member of a struct where nothing is said of it; undefined where it is left out then. */
export function emptyMember(type: GoType, name: string): unknown {
  const field = type.kind === 'struct' ? type.struct.fields.get(name) : undefined;
  return field === undefined ? undefined : printedField(field, undefined);
}

class Decoder {
  readonly unknown: string[] = [];
  /** What did not fit first: the rest is read all the same, as a time or a quantity that cannot be read counts more. */
  first: string | undefined;
  #struct: GoStruct | undefined;
  #fields: readonly string[] = [];
  #quiet = false;

  constructor(private readonly source: DecodingSource) {}

  /** Undefined for null, which leaves the value as it was: empty. */
  value(value: unknown, type: GoType, path: string): unknown {
    if (value === null || value === undefined) return undefined;
    switch (type.kind) {
      case 'string':
        return typeof value === 'string' ? value : this.#mismatch(value, type);
      case 'bool':
        return typeof value === 'boolean' ? value : this.#mismatch(value, type);
      case 'int32':
      case 'int64':
        return this.#integer(value, type);
      case 'float64':
        return typeof value === 'number' ? value : isBigNumber(value) ? value : this.#mismatch(value, type);
      case 'bytes':
        return this.#bytes(value, type);
      case 'time':
      case 'microTime':
      case 'quantity':
      case 'intOrString':
        return this.#special(value, type.kind);
      case 'raw':
        return value;
      case 'list':
        if (!Array.isArray(value)) return this.#mismatch(value, type);
        return value.map((item, index) => this.value(item, type.item, `${path}[${index}]`) ?? zeroOf(type.item));
      case 'map':
        return isObject(value) ? this.#map(value, type.item, path) : this.#mismatch(value, type);
      case 'union':
        return this.#union(value, type.or, type.item);
      case 'struct':
        return isObject(value) ? this.#structValue(value, type.struct, path) : this.#mismatch(value, type);
    }
  }

  #map(value: JsonObject, item: GoType, path: string): JsonObject {
    const out: JsonObject = {};
    for (const key of Object.keys(value)) {
      setKey(out, key, this.value(value[key], item, join(path, key)) ?? zeroOf(item));
    }
    return out;
  }

  #structValue(value: JsonObject, struct: GoStruct, path: string): JsonObject {
    const found = new Map<string, unknown>();
    const outer = { struct: this.#struct, fields: this.#fields };
    this.#struct = struct;
    for (const key of Object.keys(value)) {
      const field = struct.fields.get(key);
      if (field === undefined) {
        if (!this.#quiet) this.unknown.push(join(path, key));
        continue;
      }
      this.#fields = [...outer.fields, ...(field.inline === undefined ? [] : field.inline.split('.')), key];
      found.set(key, this.value(value[key], field.type, join(path, key)));
    }
    this.#struct = outer.struct;
    this.#fields = outer.fields;
    const out = printed(struct, found);
    applyBuiltinDefaults(struct.definition, out);
    return out;
  }

  #integer(value: unknown, type: GoType): unknown {
    const exact = typeof value === 'number' ? value : isBigNumber(value) ? BigInt(value.rawJSON) : undefined;
    if (exact === undefined) return this.#mismatch(value, type);
    const bits = type.kind === 'int32' ? 32 : 64;
    if (typeof exact === 'number' && !Number.isInteger(exact)) {
      return this.source === 'json'
        ? this.#save(this.#message(`number ${exact}`, type.name))
        : this.#save(`cannot convert float64 to ${type.name}`);
    }
    const whole = BigInt(exact);
    if (BigInt.asIntN(bits, whole) === whole) return value;
    if (this.source === 'json') return this.#save(this.#message(`number ${whole}`, type.name));
    // The conversion that the real server uses here takes the lower bits, and says nothing.
    return Number(BigInt.asIntN(bits, whole));
  }

  #bytes(value: unknown, type: GoType): unknown {
    if (typeof value !== 'string') return this.#mismatch(value, type);
    const error = base64Error(value);
    // Printed anew: without line breaks and stray bits.
    return error === undefined ? Buffer.from(value, 'base64').toString('base64') : this.#save(error);
  }

  /** Types that read their own text: what they refuse is refused at once. */
  #special(value: unknown, kind: 'time' | 'microTime' | 'quantity' | 'intOrString'): unknown {
    if (kind === 'intOrString') {
      if (typeof value === 'string') return value;
      return this.#now(() => this.#integer(value, { kind: 'int32', name: 'int32' }));
    }
    try {
      if (kind === 'quantity') {
        const text = isBigNumber(value) ? value.rawJSON : typeof value === 'string' ? value : JSON.stringify(value);
        return canonicalQuantity(text);
      }
      if (typeof value !== 'string') {
        throw new DecodingError(this.#message(word(value), 'string'));
      }
      return canonicalTime(value, kind === 'microTime');
    } catch (error) {
      if (error instanceof TimeError || error instanceof QuantityError) throw new DecodingError(error.message);
      throw error;
    }
  }

  #union(value: unknown, or: 'bool' | 'list' | 'strings', item: GoType): unknown {
    if (or === 'bool' && typeof value === 'boolean') return value;
    if (or !== 'bool' && Array.isArray(value)) {
      const type: GoType = or === 'list' ? item : { kind: 'string', name: 'string' };
      return this.#now(() => value.map((member) => this.value(member, type, '') ?? zeroOf(type)));
    }
    if (isObject(value)) return this.#now(() => this.value(value, item, ''));
    if (or === 'bool') throw new DecodingError('boolean or JSON schema expected');
    return undefined;
  }

  /** Decodes by itself: unknown members are not told of, and what does not fit is refused at once. */
  #now<T>(decode: () => T): T {
    const outer = { first: this.first, quiet: this.#quiet };
    this.first = undefined;
    this.#quiet = true;
    const value = decode();
    if (this.first !== undefined) throw new DecodingError(this.first);
    this.first = outer.first;
    this.#quiet = outer.quiet;
    return value;
  }

  #mismatch(value: unknown, type: GoType): undefined {
    if (this.source === 'json') return this.#save(this.#message(word(value), type.name));
    const found = goKind(value);
    switch (type.kind) {
      case 'struct':
        return this.#save(`cannot restore struct from: ${found}`);
      case 'map':
        return this.#save(`cannot restore map from ${found}`);
      case 'list':
      case 'bytes':
        return this.#save(`cannot restore slice from ${found}`);
      case 'string':
        if (found === 'int64') return this.#save(`cannot convert int64 to ${type.name}`);
        return this.#save('unrecognized type: string');
      default:
        return this.#save(`unrecognized type: ${type.kind}`);
    }
  }

  #message(found: string, wanted: string): string {
    const struct = this.source === 'json' ? this.#struct : undefined;
    const where = struct === undefined ? 'value' : `struct field ${struct.name}.${this.#fields.join('.')}`;
    return `json: cannot unmarshal ${found} into Go ${where} of type ${wanted}`;
  }

  #save(message: string): undefined {
    if (this.source === 'unstructured') throw new DecodingError(message);
    this.first ??= message;
    return undefined;
  }
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

const word = (value: unknown): string =>
  Array.isArray(value)
    ? 'array'
    : typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'number' || isBigNumber(value)
        ? 'number'
        : typeof value;

const goKind = (value: unknown): string =>
  Array.isArray(value)
    ? 'slice'
    : typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'number'
        ? Number.isInteger(value)
          ? 'int64'
          : 'float64'
        : isBigNumber(value)
          ? 'int64'
          : typeof value === 'object'
            ? 'map'
            : typeof value;

/** A struct with the members found, as it is printed. */
function printed(struct: GoStruct, found: ReadonlyMap<string, unknown>): JsonObject {
  const out: JsonObject = {};
  for (const field of struct.fields.values()) {
    const value = printedField(field, found.get(field.name));
    if (value !== undefined || field.standard !== undefined)
      out[field.name] = value === undefined ? field.standard : value;
  }
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
      return Array.isArray(value) && value.length > 0 ? value : field.keep ? null : undefined;
    case 'map':
      return isObject(value) && Object.keys(value).length > 0 ? value : field.keep ? null : undefined;
    default:
      return value ?? (field.omitZero ? undefined : zeroOf(field.type));
  }
}

/** How an empty value of a type is printed. */
function zeroOf(type: GoType): unknown {
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
    case 'struct': {
      const out = printed(type.struct, new Map());
      applyBuiltinDefaults(type.struct.definition, out);
      return out;
    }
    default:
      return null;
  }
}
