import { isObject } from '../../json.js';
import type { Schema } from '../schema.js';

/** A schema as it is written in a definition, with what is refused as well. */
export interface WrittenSchema extends Omit<Schema, Nested> {
  items?: WrittenSchema | WrittenSchema[];
  properties?: Record<string, WrittenSchema>;
  additionalProperties?: boolean | WrittenSchema;
  allOf?: WrittenSchema[];
  anyOf?: WrittenSchema[];
  oneOf?: WrittenSchema[];
  not?: WrittenSchema;
  title?: string;
  example?: unknown;
  externalDocs?: { description?: string; url?: string };
  id?: string;
  $schema?: string;
  $ref?: string;
  additionalItems?: boolean | WrittenSchema;
  patternProperties?: Record<string, WrittenSchema>;
  definitions?: Record<string, WrittenSchema>;
  dependencies?: Record<string, WrittenSchema | string[]>;
}

type Nested = 'items' | 'properties' | 'additionalProperties' | 'allOf' | 'anyOf' | 'oneOf' | 'not';

/** The schema of all items; undefined where there is none, or one for each item. */
export const itemSchema = ({ items }: WrittenSchema): WrittenSchema | undefined =>
  items === undefined || Array.isArray(items) ? undefined : items;

/** The schema of members that are not named. */
export const memberSchema = ({ additionalProperties }: WrittenSchema): WrittenSchema | undefined =>
  isObject(additionalProperties) ? additionalProperties : undefined;

/** The properties of a schema, by name. */
export const propertiesOf = ({ properties }: WrittenSchema): [string, WrittenSchema][] =>
  Object.entries(properties ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

/** One property of a schema. */
export const propertyOf = ({ properties }: WrittenSchema, name: string): WrittenSchema | undefined =>
  properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;

/** The schemas that say more about the same value, each with where it is. */
export function alternatives(schema: WrittenSchema): [string, WrittenSchema][] {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  return [
    ...allOf.map((one, index): [string, WrittenSchema] => [`allOf[${index}]`, one]),
    ...anyOf.map((one, index): [string, WrittenSchema] => [`anyOf[${index}]`, one]),
    ...oneOf.map((one, index): [string, WrittenSchema] => [`oneOf[${index}]`, one]),
    ...(not === undefined ? [] : [['not', not] as [string, WrittenSchema]]),
  ];
}

/** All schemas directly within a schema, whatever they are for. */
export function subschemas(schema: WrittenSchema): WrittenSchema[] {
  const { items, additionalItems } = schema;
  return [
    ...alternatives(schema).map(([, one]) => one),
    ...Object.values(schema.properties ?? {}),
    ...(items === undefined ? [] : Array.isArray(items) ? items : [items]),
    ...[schema.additionalProperties, additionalItems].filter((one) => isObject(one)),
    ...Object.values(schema.definitions ?? {}),
    ...Object.values(schema.patternProperties ?? {}),
    ...Object.values(schema.dependencies ?? {}).filter((one): one is WrittenSchema => !Array.isArray(one)),
  ];
}
