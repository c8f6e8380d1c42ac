import { isObject } from '../../json.js';
import type { Schema } from '../../custom/schema.js';
import * as types from '../types/type.js';
import type { Type } from '../types/type.js';
import { asEscaped, escapePropertyName } from './property-names.js';

/** What a schema says about values: their type, and how large they can be. */
export interface DeclaredType {
  readonly type: Type;
  /** Most items, members or bytes that a value can have in a request; 0 for values of one size. */
  readonly maxElements: number;
  /** Fewest bytes that a value takes in a request. */
  readonly minSize: number;
  /** By escaped name, for objects with known properties. */
  readonly fields?: ReadonlyMap<string, DeclaredType>;
  readonly key?: DeclaredType;
  readonly element?: DeclaredType;
}

/** The largest request that the server takes, in bytes. */
export const largestRequest = 3 * 1024 * 1024;

const inLargestRequest = largestRequest - 2;

const scalar = (type: Type, minSize: number, maxElements = 0): DeclaredType => ({ type, minSize, maxElements });

const simple: Readonly<Record<string, DeclaredType>> = {
  boolean: scalar(types.bool, 4),
  integer: scalar(types.int, 1),
  number: scalar(types.double, 1),
};
const key = scalar(types.string, 2);
const anyName: Schema = { type: 'string' };

/**
 * What a structural schema declares; undefined where it says too little for rules.
 *
 * @param resource - whether the value has apiVersion, kind and metadata
 * @param name - what the type is called in messages
 */
export function declaredType(schema: Schema, resource: boolean, name: string): DeclaredType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return scalar(types.dyn, 1, inLargestRequest);
  const { type } = schema;
  switch (resource ? 'object' : type) {
    case 'array':
      return declaredList(schema, name);
    case 'object':
      return isObject(schema.additionalProperties)
        ? declaredMap(schema, schema.additionalProperties, name)
        : declaredObject(resource ? withResourceFields(schema) : schema, name);
    case 'string':
      return declaredString(schema);
    default:
      return type !== undefined && Object.hasOwn(simple, type) ? simple[type] : undefined;
  }
}

const isResource = (schema: Schema): boolean => schema['x-kubernetes-embedded-resource'] === true;
const limit = (given: number | undefined, otherwise: number): number =>
  given === undefined ? otherwise : Math.max(0, given);

function declaredList(schema: Schema, name: string): DeclaredType | undefined {
  const { items } = schema;
  const element = items === undefined ? undefined : declaredType(items, isResource(items), `${name}.@idx`);
  if (element === undefined) return undefined;
  const most = Math.floor(inLargestRequest / (element.minSize + 1));
  return {
    type: types.listOf(element.type),
    minSize: 2,
    maxElements: limit(schema.maxItems, most),
    element,
  };
}

function declaredMap(schema: Schema, values: Schema, name: string): DeclaredType | undefined {
  const element = declaredType(values, isResource(values), `${name}.@elem`);
  if (element === undefined) return undefined;
  // A member takes two quotes, a colon, a comma and more beside its value.
  const most = Math.floor(inLargestRequest / (element.minSize + 6));
  return {
    type: types.mapOf(types.string, element.type),
    minSize: 2,
    maxElements: limit(schema.maxProperties, most),
    key,
    element,
  };
}

function declaredObject(schema: Schema, name: string): DeclaredType {
  const fields = new Map<string, DeclaredType>();
  let minSize = 2;
  for (const [property, value] of Object.entries(schema.properties ?? {})) {
    const declared = declaredType(value, isResource(value), `${name}.${property}`);
    if (declared === undefined) continue;
    const escaped = escapePropertyName(property);
    if (escaped !== undefined) fields.set(escaped, declared);
    const isGiven = schema.required?.includes(property) === true && value.default === undefined;
    if (isGiven) minSize += Buffer.byteLength(property) + declared.minSize + 4;
  }
  const type: Type = { kind: 'object', name, field: (field) => fields.get(asEscaped(field))?.type };
  return { type, minSize, maxElements: 0, fields };
}

/** What every object of the API has; of metadata only the names can be seen. */
function withResourceFields(schema: Schema): Schema {
  const given = schema.properties?.['metadata']?.properties;
  const metadata: Schema = {
    type: 'object',
    properties: { name: given?.['name'] ?? anyName, generateName: given?.['generateName'] ?? anyName },
  };
  return {
    ...schema,
    properties: { ...schema.properties, kind: anyName, apiVersion: anyName, metadata },
  };
}

function declaredString(schema: Schema): DeclaredType {
  switch (schema.format) {
    case 'byte':
      return scalar(types.bytes, 2, limit(schema.maxLength, inLargestRequest));
    case 'duration':
      return scalar(types.duration, 3, 32);
    case 'date':
      return scalar(types.timestamp, 12, 12);
    case 'date-time':
      return scalar(types.timestamp, 21, 38);
    default:
      return scalar(types.string, 2, longestString(schema));
  }
}

function longestString(schema: Schema): number {
  // The length is one of characters, and each of them can take four bytes.
  if (schema.maxLength !== undefined) return 4 * Math.max(0, schema.maxLength);
  const texts = (schema.enum ?? []).filter((value) => typeof value === 'string');
  if (texts.length === 0) return inLargestRequest;
  return Math.max(...texts.map((text) => Buffer.byteLength(text)));
}
