import type { FieldPath } from '../engine/handling/handler-definition.js';

/** A path into an object: dotted (`'spec.size'`), or a list of keys where keys themselves have dots. */
export type FieldReference = string | readonly string[];

/** The keys of a path, or `undefined` when it is none. */
export function toFieldPath(field: unknown): FieldPath | undefined {
  const keys: unknown = typeof field === 'string' ? field.split('.') : field;
  if (!Array.isArray(keys) || keys.length === 0) return undefined;
  return keys.every((key): key is string => typeof key === 'string' && key !== '') ? [...keys] : undefined;
}

/** The value at a path; `undefined` where it leads nowhere. Own properties only. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}
