import { isObject, type JsonObject } from '../json.js';
import { keyStep, valueStep } from './path-element.js';
import type { ListType, MapType, ScalarType, ValueType } from './value-type.js';

/** A value that does not have the type that the schema says. */
export class TypedValueError extends Error {
  override name = 'TypedValueError';
}

export type Shape = { readonly scalar: ScalarType } | { readonly list: ListType } | { readonly map: MapType };

const shapes = new WeakMap<object, Shape>();

function shapeOf(kind: 'list' | 'map', type: ListType | MapType): Shape {
  let shape = shapes.get(type);
  if (shape === undefined) {
    shape = kind === 'list' ? { list: type as ListType } : { map: type as MapType };
    shapes.set(type, shape);
  }
  return shape;
}

const scalars: Readonly<Record<ScalarType, Shape>> = {
  string: { scalar: 'string' },
  numeric: { scalar: 'numeric' },
  boolean: { scalar: 'boolean' },
  untyped: { scalar: 'untyped' },
};

/** How a value is to be looked at: where its type leaves a choice the value makes it, and a null takes the first. */
export function shapeFor({ scalar, list, map }: ValueType, value: unknown): Shape {
  if (value !== undefined && value !== null) {
    if (Array.isArray(value)) {
      if (list !== undefined) return shapeOf('list', list);
    } else if (isObject(value)) {
      if (map !== undefined) return shapeOf('map', map);
    } else if (scalar !== undefined) return scalars[scalar];
  }
  if (map !== undefined) return shapeOf('map', map);
  if (scalar !== undefined) return scalars[scalar];
  return shapeOf('list', list!);
}

/** The members of a map, none where the value is no map. */
export const mapOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** A member of a map of its own, whatever its name is. */
export const memberOf = (map: JsonObject, name: string): unknown => (Object.hasOwn(map, name) ? map[name] : undefined);

/** The items of a list, none where the value is no list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const isEmptyMap = (value: unknown): boolean => Object.keys(mapOf(value)).length === 0;

export const fieldType = (map: MapType, name: string): ValueType | undefined => map.fields.get(name) ?? map.other;

/** The step to an item of a list that is not atomic. Throws {@link TypedValueError} for an item that has none. */
export function itemStep(list: ListType, item: unknown): string {
  if (list.keys.length === 0) return scalarStep(item);
  if (item === null) throw new TypedValueError('associative list with keys may not have a null element');
  if (!isObject(item)) throw new TypedValueError('associative list with keys may not have non-map elements');
  const names: string[] = [];
  const values: unknown[] = [];
  for (const key of list.keys) {
    const value = Object.hasOwn(item, key) ? item[key] : list.keyDefaults.get(key);
    if (value === undefined) continue;
    names.push(key);
    values.push(value);
  }
  if (names.length === 0) {
    const shown = list.keys.map((key) => JSON.stringify(key)).join(' ');
    throw new TypedValueError(
      `associative list with keys has an element that omits all key fields [${shown}] (and doesn't have default values for any key fields)`,
    );
  }
  return keyStep(names, values);
}

function scalarStep(item: unknown): string {
  if (item === null) throw new TypedValueError("associative list without keys has an element that's an explicit null");
  if (Array.isArray(item)) throw new TypedValueError('not supported: associative list with lists as elements');
  if (isObject(item)) throw new TypedValueError("associative list without keys has an element that's a map type");
  return valueStep(item);
}
