import { clone, isObject, setKey, type JsonObject } from '../json.js';
import type { Schema } from './schema.js';

const typeMeta = new Set(['apiVersion', 'kind', 'metadata']);

/** Removes what the schema does not know, in place. Answers the paths removed. */
export function prune(root: JsonObject, schema: Schema): string[] {
  const removed: string[] = [];
  pruneValue(root, schema, '', true, removed);
  return removed;
}

function pruneValue(value: unknown, schema: Schema, path: string, resource: boolean, removed: string[]): void {
  if (Array.isArray(value)) {
    const items = schema.items;
    value.forEach((item: unknown, index) => {
      if (items !== undefined)
        pruneValue(item, items, `${path}[${index}]`, items['x-kubernetes-embedded-resource'] === true, removed);
      else if (schema['x-kubernetes-preserve-unknown-fields'] !== true)
        pruneValue(item, {}, `${path}[${index}]`, false, removed);
    });
    return;
  }
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (resource && typeMeta.has(key)) continue;
    const property = ownProperty(schema, key);
    const extra = isObject(schema.additionalProperties) ? (schema.additionalProperties as Schema) : undefined;
    const child = property ?? extra;
    if (child !== undefined) {
      pruneValue(value[key], child, at, child['x-kubernetes-embedded-resource'] === true, removed);
    } else if (schema['x-kubernetes-preserve-unknown-fields'] !== true && schema.additionalProperties !== true) {
      delete value[key];
      removed.push(at);
    }
  }
}

/**
 * Fills in defaults and drops nulls where the schema does not allow them, in place.
 *
 * @param keepNulls - leave nulls for which there is no default to validation
 */
export function applyDefaults(value: unknown, schema: Schema, keepNulls = false): void {
  if (Array.isArray(value)) {
    if (schema.items !== undefined) for (const item of value) applyDefaults(item, schema.items, keepNulls);
    return;
  }
  if (!isObject(value)) return;
  const { properties } = schema;
  if (properties !== undefined) {
    for (const key of Object.keys(properties)) {
      const property = properties[key]!;
      const drop = !keepNulls || property.default !== undefined;
      if (drop && Object.hasOwn(value, key) && value[key] === null && !allowsNull(property)) delete value[key];
      if (!Object.hasOwn(value, key) && property.default !== undefined) setKey(value, key, clone(property.default));
    }
  }
  for (const key of Object.keys(value)) {
    const child = childSchema(schema, key);
    if (child === undefined) continue;
    const drop = !keepNulls && value[key] === null && !allowsNull(child) && ownProperty(schema, key) === undefined;
    if (drop) delete value[key];
    else applyDefaults(value[key], child, keepNulls);
  }
}

const allowsNull = (schema: Schema): boolean => schema.nullable === true;

export function childSchema(schema: Schema, key: string): Schema | undefined {
  const property = ownProperty(schema, key);
  if (property !== undefined) return property;
  return isObject(schema.additionalProperties) ? (schema.additionalProperties as Schema) : undefined;
}

function ownProperty(schema: Schema, key: string): Schema | undefined {
  return schema.properties !== undefined && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
}
