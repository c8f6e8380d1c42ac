import { isBigNumber, isObject, setKey, type JsonObject } from '../json.js';
import { base64Error } from './go-base64.js';
import { canonicalTime, TimeError } from './go-time.js';
import type { GoStruct, GoType } from './go-types.js';
import { canonicalQuantity, QuantityError } from './quantity.js';
import { printed, zeroOf } from './typed-printing.js';

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
  const decoded = decoder.value(value, type, undefined);
  if (decoder.first !== undefined) throw new DecodingError(decoder.first);
  // What was put together in memory is gone through by name.
  const unknown = source === 'unstructured' ? decoder.unknown.toSorted() : decoder.unknown;
  return { value: decoded ?? zeroOf(type), unknown };
}

/** Where a value stands. Written out only where there is something to say of it. */
interface Place {
  readonly outer: Place | undefined;
  /** A member of a struct or a map, or the index of an item. */
  readonly step: string | number;
  /** Set for members of structs. */
  readonly struct?: GoStruct;
}

/** Such as `spec.containers[0].name`. */
function pathOf(place: Place | undefined): string {
  if (place === undefined) return '';
  const { outer, step } = place;
  if (typeof step === 'number') return `${pathOf(outer)}[${step}]`;
  return outer === undefined ? step : `${pathOf(outer)}.${step}`;
}

/** The fields of structs on the way to a place, embedded ones included. */
function fieldsOf(place: Place | undefined): string[] {
  if (place === undefined) return [];
  const before = fieldsOf(place.outer);
  if (place.struct === undefined) return before;
  const name = String(place.step);
  const inline = place.struct.fields.get(name)?.inline;
  return [...before, ...(inline === undefined ? [] : [inline]), name];
}

/** The struct that a place is a field of, or lies in the list or map of. */
const structOf = (place: Place | undefined): GoStruct | undefined =>
  place === undefined ? undefined : (place.struct ?? structOf(place.outer));

class Decoder {
  readonly unknown: string[] = [];
  /** What did not fit first: the rest is read all the same, as a time or a quantity that cannot be read counts more. */
  first: string | undefined;
  #quiet = false;

  constructor(private readonly source: DecodingSource) {}

  /** Undefined for null, which leaves the value as it was: empty. */
  value(value: unknown, type: GoType, place: Place | undefined): unknown {
    if (value === null || value === undefined) return undefined;
    switch (type.kind) {
      case 'string':
        return typeof value === 'string' ? value : this.#mismatch(value, type, place);
      case 'bool':
        return typeof value === 'boolean' ? value : this.#mismatch(value, type, place);
      case 'int32':
      case 'int64':
        return this.#integer(value, type, place);
      case 'float64':
        return typeof value === 'number' ? value : isBigNumber(value) ? value : this.#mismatch(value, type, place);
      case 'bytes':
        return this.#bytes(value, type, place);
      case 'time':
      case 'microTime':
      case 'quantity':
      case 'intOrString':
        return this.#special(value, type.kind, place);
      case 'raw':
        return value;
      case 'list':
        if (!Array.isArray(value)) return this.#mismatch(value, type, place);
        return value.map((item, step) => this.value(item, type.item, { outer: place, step }) ?? zeroOf(type.item));
      case 'map':
        return isObject(value) ? this.#map(value, type.item, place) : this.#mismatch(value, type, place);
      case 'union':
        return this.#union(value, type.or, type.item, place);
      case 'struct':
        return isObject(value) ? this.#structValue(value, type.struct, place) : this.#mismatch(value, type, place);
    }
  }

  #map(value: JsonObject, item: GoType, place: Place | undefined): JsonObject {
    const out: JsonObject = {};
    for (const step of Object.keys(value)) {
      setKey(out, step, this.value(value[step], item, { outer: place, step }) ?? zeroOf(item));
    }
    return out;
  }

  #structValue(value: JsonObject, struct: GoStruct, place: Place | undefined): JsonObject {
    const found = new Map<string, unknown>();
    const steps = Object.keys(value);
    // What was put together in memory is gone through as the struct has it.
    const known = [...struct.fields.keys()];
    if (this.source === 'unstructured') steps.sort((a, b) => known.indexOf(a) - known.indexOf(b));
    for (const step of steps) {
      const field = struct.fields.get(step);
      if (field !== undefined) found.set(step, this.value(value[step], field.type, { outer: place, step, struct }));
      else if (!this.#quiet) this.unknown.push(pathOf({ outer: place, step }));
    }
    return printed(struct, found);
  }

  #integer(value: unknown, type: GoType, place: Place | undefined): unknown {
    const exact = typeof value === 'number' ? value : isBigNumber(value) ? BigInt(value.rawJSON) : undefined;
    if (exact === undefined) return this.#mismatch(value, type, place);
    const bits = type.kind === 'int32' ? 32 : 64;
    if (typeof exact === 'number' && !Number.isInteger(exact)) {
      return this.source === 'json'
        ? this.#save(this.#message(`number ${exact}`, type.name, place))
        : this.#save(`cannot convert float64 to ${type.name}`);
    }
    const whole = BigInt(exact);
    if (BigInt.asIntN(bits, whole) === whole) return value;
    if (this.source === 'json') return this.#save(this.#message(`number ${exact}`, type.name, place));
    // The conversion that the real server uses here takes the lower bits, and says nothing.
    return Number(BigInt.asIntN(bits, whole));
  }

  #bytes(value: unknown, type: GoType, place: Place | undefined): unknown {
    if (Array.isArray(value) && this.source === 'json') {
      // The numbers of the bytes.
      const items = value.map((item) => this.#integer(item, { kind: 'int32', name: 'uint8' }, place));
      return Buffer.from(items as number[]).toString('base64');
    }
    if (typeof value !== 'string') return this.#mismatch(value, type, place);
    const error = base64Error(value);
    // Printed anew: without line breaks and stray bits.
    return error === undefined ? Buffer.from(value, 'base64').toString('base64') : this.#save(error);
  }

  /** Types that read their own text: what they refuse is refused at once. */
  #special(value: unknown, kind: 'time' | 'microTime' | 'quantity' | 'intOrString', place: Place | undefined): unknown {
    if (kind === 'intOrString') {
      if (typeof value === 'string') return value;
      return this.#now(() => this.#integer(value, { kind: 'int32', name: 'int32' }, place));
    }
    try {
      if (kind === 'quantity') {
        const text = isBigNumber(value) ? value.rawJSON : typeof value === 'string' ? value : JSON.stringify(value);
        return canonicalQuantity(text);
      }
      if (typeof value !== 'string') {
        throw new DecodingError(this.#message(word(value), 'string', place));
      }
      return canonicalTime(value, kind === 'microTime');
    } catch (error) {
      if (error instanceof TimeError || error instanceof QuantityError) throw new DecodingError(error.message);
      throw error;
    }
  }

  #union(value: unknown, or: 'bool' | 'list' | 'strings', item: GoType, place: Place | undefined): unknown {
    if (or === 'bool' && typeof value === 'boolean') return value;
    if (or !== 'bool' && Array.isArray(value)) {
      const type: GoType = or === 'list' ? item : { kind: 'string', name: 'string' };
      return this.#now(() => value.map((member) => this.value(member, type, place) ?? zeroOf(type)));
    }
    if (isObject(value)) return this.#now(() => this.value(value, item, place));
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

  #mismatch(value: unknown, type: GoType, place: Place | undefined): undefined {
    if (this.source === 'json') return this.#save(this.#message(word(value), type.name, place));
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

  #message(found: string, wanted: string, place: Place | undefined): string {
    const struct = this.source === 'json' ? structOf(place) : undefined;
    const where = struct === undefined ? 'value' : `struct field ${struct.name}.${fieldsOf(place).join('.')}`;
    return `json: cannot unmarshal ${found} into Go ${where} of type ${wanted}`;
  }

  #save(message: string): undefined {
    if (this.source === 'unstructured') throw new DecodingError(message);
    this.first ??= message;
    return undefined;
  }
}

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
