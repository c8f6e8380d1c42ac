import { isBigNumber, isObject, type JsonObject } from '../../json.js';
import type { Schema } from '../../custom/schema.js';
import { parseDateFormat, parseDateTimeFormat, parseDurationFormat } from '../../custom/string-formats.js';
import { isEqual } from '../values/equality.js';
import { DurationValue, TimestampValue } from '../values/time.js';
import { keyToken, ListValue, MapValue, PlainList, type Value } from '../values/value.js';
import { asEscaped, escapePropertyName } from './property-names.js';

/** A JSON value as expressions see it, by its schema. Lists and objects are turned into values as they are looked at. */
export function schemaValue(value: unknown, schema: Schema, resource = false): Value {
  if (value === null || value === undefined) return null;
  if (schema['x-kubernetes-int-or-string'] === true) return plainValue(value);
  if (Array.isArray(value)) return listValue(value, schema.items ?? {}, schema);
  if (isObject(value)) return new SchemaMap(value, schema, resource);
  if (typeof value === 'string') return stringValue(value, schema.format);
  if (schema.type === 'number') return isBigNumber(value) ? Number(value.rawJSON) : Number(value);
  return plainValue(value);
}

/** A JSON value whose schema does not say what it is. */
export function plainValue(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return new SchemaList(value, {});
  if (isObject(value)) return new SchemaMap(value, {}, false);
  if (isBigNumber(value)) return BigInt(value.rawJSON);
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  return value as string | boolean;
}

function stringValue(text: string, format: string | undefined): Value {
  switch (format) {
    case 'byte':
      return Uint8Array.from(Buffer.from(text, 'base64'));
    case 'duration': {
      const nanos = parseDurationFormat(text);
      return nanos === undefined ? text : new DurationValue(nanos);
    }
    case 'date': {
      const nanos = parseDateFormat(text);
      return nanos === undefined ? text : new TimestampValue(nanos);
    }
    case 'date-time':
      return parseDateTimeFormat(text) ?? text;
    default:
      return text;
  }
}

function listValue(items: readonly unknown[], schema: Schema, list: Schema): ListValue {
  switch (list['x-kubernetes-list-type']) {
    case 'set':
      return new SetList(items, schema);
    case 'map':
      return new KeyedList(items, schema, list['x-kubernetes-list-map-keys'] ?? []);
    default:
      return new SchemaList(items, schema);
  }
}

/** A list of an object of the API. */
class SchemaList extends ListValue {
  readonly #values: Value[] = [];

  constructor(
    private readonly json: readonly unknown[],
    private readonly schema: Schema,
  ) {
    super();
  }

  get size(): number {
    return this.json.length;
  }

  at(index: number): Value {
    return (this.#values[index] ??= this.#convert(index));
  }

  #convert(index: number): Value {
    const resource = this.schema['x-kubernetes-embedded-resource'] === true;
    return this.schema.type === undefined && this.schema['x-kubernetes-int-or-string'] !== true
      ? plainValue(this.json[index])
      : schemaValue(this.json[index], this.schema, resource);
  }
}

/** Holds each item once, in no order that counts. */
class SetList extends SchemaList {
  override equalTo(other: ListValue): boolean {
    return this.size === other.size && [...other].every((item) => this.#has(item));
  }

  override merge(other: ListValue): ListValue {
    return new PlainList([...this, ...[...other].filter((item) => !this.#has(item))]);
  }

  #tokens: Set<string> | undefined;

  #has(wanted: Value): boolean {
    const token = keyToken(wanted);
    if (token === undefined) return [...this].some((item) => isEqual(item, wanted));
    this.#tokens ??= new Set([...this].map((item) => keyToken(item) ?? ''));
    return this.#tokens.has(token);
  }
}

/** Holds objects with keys; items with the same key are the same item. */
class KeyedList extends SchemaList {
  constructor(
    json: readonly unknown[],
    schema: Schema,
    private readonly keys: readonly string[],
  ) {
    super(json, schema);
  }

  override equalTo(other: ListValue): boolean {
    if (this.size !== other.size) return false;
    const known = this.#byKey(this);
    return [...other].every((item) => {
      const own = known.get(this.#keyOf(item));
      return own !== undefined && isEqual(own, item);
    });
  }

  override merge(other: ListValue): ListValue {
    const merged = this.#byKey(this);
    for (const item of other) merged.set(this.#keyOf(item), item);
    return new PlainList([...merged.values()]);
  }

  #byKey(list: ListValue): Map<string, Value> {
    return new Map([...list].map((item) => [this.#keyOf(item), item]));
  }

  #keyOf(item: Value): string {
    if (!(item instanceof MapValue)) return '';
    const parts = this.keys.map((key) => {
      const value = item.get(escapePropertyName(key) ?? key);
      return value === undefined ? null : (keyToken(value) ?? null);
    });
    return JSON.stringify(parts);
  }
}

/**
 * An object of the API, or a map in one. Properties go by their escaped names, and those that are null count as absent;
 * members of maps do not.
 */
class SchemaMap extends MapValue {
  readonly #values = new Map<string, Value>();
  #names: ReadonlyMap<string, string> | undefined;

  constructor(
    private readonly json: JsonObject,
    private readonly schema: Schema,
    private readonly resource: boolean,
  ) {
    super();
  }

  get size(): number {
    return Object.keys(this.json).length;
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const name = this.#nameOf(key);
    if (name === undefined || (this.#isObject && this.json[name] === null)) return undefined;
    const value = this.#convert(name);
    this.#values.set(key, value);
    return value;
  }

  *keys(): Generator<Value, void, undefined> {
    for (const name of Object.keys(this.json)) yield this.#isObject ? (escapePropertyName(name) ?? name) : name;
  }

  get #isObject(): boolean {
    return this.schema.properties !== undefined || this.resource;
  }

  /** The name in the JSON object of a key in expressions. */
  #nameOf(key: string): string | undefined {
    if (!this.#isObject) return Object.hasOwn(this.json, key) ? key : undefined;
    this.#names ??= new Map(Object.keys(this.json).map((name) => [escapePropertyName(name) ?? name, name]));
    return this.#names.get(asEscaped(key));
  }

  #convert(name: string): Value {
    const value = this.json[name];
    const { properties, additionalProperties } = this.schema;
    const own = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const schema = own ?? (isObject(additionalProperties) ? (additionalProperties as Schema) : undefined);
    if (schema === undefined) return plainValue(value);
    return schemaValue(value, schema, schema['x-kubernetes-embedded-resource'] === true);
  }
}
