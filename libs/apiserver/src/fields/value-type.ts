import type { Schema } from '../custom/schema.js';
import { isObject } from '../json.js';
import { builtinDefinition, objectMetaSchema } from '../schemas/builtin-schemas.js';
import { isListNode, isObjectDefinition, parseTextNode, type SchemaNode } from '../schemas/schema-notation.js';

export type ScalarType = 'string' | 'numeric' | 'boolean' | 'untyped';

export interface ListType {
  /** Owned as a whole. Else items are owned one by one: by `keys`, or by their value where there are none. */
  readonly atomic: boolean;
  readonly keys: readonly string[];
  /** Values of keys that an item leaves out. */
  readonly keyDefaults: ReadonlyMap<string, unknown>;
  readonly item: ValueType;
}

export interface MapType {
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, ValueType>;
  /** Of members that are no fields; undefined where there must be none. */
  readonly other: ValueType | undefined;
  /** What the real server's objects show of fields that were not given, by field. */
  readonly zeros: ReadonlyMap<string, unknown>;
}

/** What a value may be, as far as ownership goes. Where several are given the value decides. */
export interface ValueType {
  readonly scalar?: ScalarType;
  readonly list?: ListType;
  readonly map?: MapType;
}

type Draft = { -readonly [K in keyof ValueType]: ValueType[K] };

const noFields: ReadonlyMap<string, never> = new Map<string, never>();

const atomicValue: Draft = { scalar: 'untyped' };
atomicValue.list = { atomic: true, keys: [], keyDefaults: noFields, item: atomicValue };
atomicValue.map = { atomic: true, fields: noFields, other: atomicValue, zeros: noFields };

/** Where nothing is known: maps belong to many, lists to one. */
export const anyValue: ValueType = { scalar: 'untyped', list: atomicValue.list };
(anyValue as Draft).map = { atomic: false, fields: noFields, other: anyValue, zeros: noFields };

const objectTypes = new WeakMap<Schema, ValueType>();

/** The type of the objects that a schema describes: the schema, with `apiVersion`, `kind` and `metadata` as all have. */
export function objectType(schema: Schema): ValueType {
  let type = objectTypes.get(schema);
  if (type === undefined) {
    type = valueType(schema.definition === undefined ? withObjectFields(schema) : schema, false);
    objectTypes.set(schema, type);
  }
  return type;
}

function withObjectFields(schema: Schema): Schema {
  const text: Schema = { type: 'string' };
  return {
    ...schema,
    properties: { ...schema.properties, apiVersion: text, kind: text, metadata: objectMetaSchema() },
  };
}

// A schema that keeps unknown fields passes this on to all below it, which makes another type of the same schema.
const strictTypes = new WeakMap<Schema, ValueType>();
const openTypes = new WeakMap<Schema, ValueType>();

function valueType(schema: Schema, open: boolean): ValueType {
  const openHere = open || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const known = openHere ? openTypes : strictTypes;
  const before = known.get(schema);
  if (before !== undefined) return before;
  const type: Draft = {};
  known.set(schema, type);
  const described = schema['x-kubernetes-embedded-resource'] === true ? withObjectFields(schema) : schema;
  if (schema.type === undefined || schema['x-kubernetes-int-or-string'] === true) {
    type.scalar = 'untyped';
    type.list = listType(described, openHere);
    type.map = mapType(described, openHere);
  } else if (schema.type === 'object') type.map = mapType(described, openHere);
  else if (schema.type === 'array') type.list = listType(described, openHere);
  else type.scalar = scalarType(schema);
  return type;
}

function scalarType({ type, format }: Schema): ScalarType {
  if (type === 'integer' || type === 'number') return 'numeric';
  if (type === 'boolean') return 'boolean';
  return format === undefined || format === '' || format === 'byte' ? 'string' : 'untyped';
}

function listType(schema: Schema, open: boolean): ListType {
  const kind = schema['x-kubernetes-list-type'];
  const keys = kind === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []).toSorted() : [];
  const keyDefaults = new Map<string, unknown>();
  const properties = schema.items?.properties ?? {};
  for (const key of keys) {
    const value = Object.hasOwn(properties, key) ? properties[key]!.default : undefined;
    if (value !== undefined && value !== null) keyDefaults.set(key, value);
  }
  const item = schema.items === undefined ? atomicValue : valueType(schema.items, open);
  return { atomic: kind !== 'set' && kind !== 'map', keys, keyDefaults, item };
}

function mapType(schema: Schema, open: boolean): MapType {
  const fields = new Map<string, ValueType>();
  const { properties = {}, additionalProperties: additional } = schema;
  for (const name of Object.keys(properties)) fields.set(name, valueType(properties[name]!, open));
  let other: ValueType | undefined;
  if (isObject(additional)) other = valueType(additional as Schema, open);
  else if (additional === true || (additional === undefined && (open || fields.size === 0))) other = anyValue;
  return {
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    fields,
    other,
    zeros: schema.definition === undefined ? noFields : zerosOf(schema.definition),
  };
}

const definitionZeros = new Map<string, ReadonlyMap<string, unknown>>();

/** What Go prints of fields of a built-in type that were not set. */
function zerosOf(name: string): ReadonlyMap<string, unknown> {
  const known = definitionZeros.get(name);
  if (known !== undefined) return known;
  const zeros = new Map<string, unknown>();
  definitionZeros.set(name, zeros);
  const definition = builtinDefinition(name);
  if (definition === undefined || !isObjectDefinition(definition)) return zeros;
  for (const member of Object.keys(definition.p)) {
    const zero = zeroOf(definition.p[member]!);
    if (zero !== undefined) zeros.set(member, zero);
  }
  return zeros;
}

const scalarZeros: Readonly<Record<string, unknown>> = {
  s: '',
  y: '',
  i: 0,
  l: 0,
  n: 0,
  x: 0,
  b: false,
  q: '0',
  t: null,
};

function zeroOf(node: SchemaNode): unknown {
  if (typeof node === 'string') {
    const { code, flags } = parseTextNode(node);
    const printed = flags.includes('!');
    if (flags.includes('?')) return printed ? null : undefined;
    if (!code.startsWith('@')) return printed ? scalarZeros[code] : undefined;
    const name = code.slice(1);
    const definition = builtinDefinition(name);
    if (definition === undefined || flags.includes('~')) return undefined;
    // Structs are printed whether they have something in them or not, also those that stand for a scalar.
    if (isObjectDefinition(definition)) return Object.fromEntries(zerosOf(name));
    return typeof definition === 'string' ? scalarZeros[parseTextNode(definition).code] : undefined;
  }
  if (isListNode(node) || '*' in node) return undefined;
  return node.n === 1 ? null : zeroOf(node.t);
}
