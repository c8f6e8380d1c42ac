import { jsonEqual } from './json-equal.js';

type JsonObject = Record<string, unknown>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Applies a merge patch (RFC 7386) and returns the result; what did not change is shared with `target`. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete result[key];
    else result[key] = applyMergePatch(result[key], value);
  }
  return result;
}

/** Puts `later` over `earlier`, so that the outcome does to any object what both do in turn. */
export function combineMergePatches(earlier: JsonObject, later: JsonObject): JsonObject {
  const result: JsonObject = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    if (value === undefined) continue;
    const before = result[key];
    result[key] = isObject(value) && isObject(before) ? combineMergePatches(before, value) : value;
  }
  return result;
}

/** The part of a merge patch that changes `target`; `undefined` when it changes nothing. */
export function effectivePatch(target: unknown, patch: JsonObject): JsonObject | undefined {
  const source: JsonObject = isObject(target) ? target : {};
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    const current = Object.hasOwn(source, key) ? source[key] : undefined;
    if (value === null) {
      if (current !== undefined) result[key] = null;
    } else if (isObject(value)) {
      if (!isObject(current)) result[key] = value;
      else {
        const inner = effectivePatch(current, value);
        if (inner !== undefined) result[key] = inner;
      }
    } else if (!jsonEqual(current, value)) {
      result[key] = value;
    }
  }
  return Object.keys(result).length === 0 ? undefined : result;
}

/**
 * The merge patch that turns `before` into `after`; `undefined` when they are equal. Lists are replaced whole. A null
 * in `after` cannot be expressed by a merge patch and reads as a removal.
 */
export function createMergePatch(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const patch: JsonObject = {};
  for (const key of Object.keys(before)) {
    if (before[key] !== undefined && (!Object.hasOwn(after, key) || after[key] === undefined)) patch[key] = null;
  }
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const old = before[key];
    if (isObject(value) && isObject(old)) {
      const inner = createMergePatch(old, value);
      if (inner !== undefined) patch[key] = inner;
    } else if (!jsonEqual(old, value)) {
      patch[key] = value;
    }
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}
