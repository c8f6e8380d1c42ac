import type { Failure } from './failure.js';
import type { DurationValue, TimestampValue } from './time.js';

/** What an expression evaluates to: an `int` is a bigint, a `double` a number. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | UintValue
  | ListValue
  | MapValue
  | TimestampValue
  | DurationValue
  | TypeValue
  | OptionalValue
  | OpaqueValue;

export type Result = Value | Failure;

/** An unsigned integer of 64 bits. */
export class UintValue {
  constructor(readonly value: bigint) {}
}

/** A list; items may be made when they are asked for. */
export abstract class ListValue {
  abstract readonly size: number;
  /** An item whose index is in range. */
  abstract at(index: number): Value;

  *[Symbol.iterator](): Generator<Value, void, undefined> {
    for (let index = 0; index < this.size; index++) yield this.at(index);
  }

  /** Joins another list to this one; only lists that do it in a way of their own have it. */
  merge?(other: ListValue): ListValue;
  /** Whether another list is equal to this one; only lists that compare in a way of their own have it. */
  equalTo?(other: ListValue): boolean;
}

/** A map or an object; members may be made when they are asked for. */
export abstract class MapValue {
  abstract readonly size: number;
  abstract get(key: Value): Value | undefined;
  abstract keys(): Iterable<Value>;

  has(key: Value): boolean {
    return this.get(key) !== undefined;
  }
}

export class TypeValue {
  constructor(readonly name: string) {}
}

/** A value that may be absent. */
export class OptionalValue {
  static readonly none = new OptionalValue(undefined);

  constructor(readonly value: Value | undefined) {}
}

/** A value of a type that only functions can look into. */
export abstract class OpaqueValue {
  abstract readonly typeName: string;
  abstract equals(other: OpaqueValue): boolean;
}

/** A list that was computed. */
export class PlainList extends ListValue {
  constructor(readonly items: readonly Value[]) {
    super();
  }

  get size(): number {
    return this.items.length;
  }

  at(index: number): Value {
    return this.items[index]!;
  }
}

/** A map that was computed. Keys that are equal numbers are the same key. */
export class PlainMap extends MapValue {
  readonly #entries = new Map<string, readonly [Value, Value]>();

  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    super();
    for (const entry of entries) this.#entries.set(keyToken(entry[0]) ?? '', entry);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    const token = keyToken(key);
    return token === undefined ? undefined : this.#entries.get(token)?.[1];
  }

  *keys(): Generator<Value, void, undefined> {
    for (const [key] of this.#entries.values()) yield key;
  }
}

/** Makes equal keys equal strings; undefined for what can be no key. */
export function keyToken(key: Value): string | undefined {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'bigint') return `n${key}`;
  if (typeof key === 'boolean') return `b${key}`;
  if (typeof key === 'number') return Number.isInteger(key) ? `n${BigInt(key)}` : undefined;
  if (key instanceof UintValue) return `n${key.value}`;
  return undefined;
}

export const mostInt = 2n ** 63n - 1n;
export const leastInt = -(2n ** 63n);
export const mostUint = 2n ** 64n - 1n;
