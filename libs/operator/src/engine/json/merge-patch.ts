import { jsonEqual } from './json-equal.js';
import { ownValue, setOwnValue } from './own-property.js';

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
    else setOwnValue(result, key, applyMergePatch(ownValue(result, key), value));
  }
  return result;
}

/**
 * Puts `later` over `earlier`, so that the outcome does to an object what both do in turn. One thing no merge patch can
 * say: where `earlier` removes a value and `later` puts an object in its place, that is merged into what is there.
 */
export function combineMergePatches(earlier: JsonObject, later: JsonObject): JsonObject {
  const result: JsonObject = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    if (value === undefined) continue;
    const before = ownValue(result, key);
    setOwnValue(result, key, isObject(value) && isObject(before) ? combineMergePatches(before, value) : value);
  }
  return result;
}

/** The part of a merge patch that changes `target`; `undefined` when it changes nothing. */
export function effectivePatch(target: unknown, patch: JsonObject): JsonObject | undefined {
  const source: JsonObject = isObject(target) ? target : {};
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    const current = ownValue(source, key);
    if (value === null) {
      if (current !== undefined) setOwnValue(result, key, null);
    } else if (isObject(value)) {
      if (!isObject(current)) setOwnValue(result, key, value);
      else {
        const inner = effectivePatch(current, value);
        if (inner !== undefined) setOwnValue(result, key, inner);
      }
    } else if (!jsonEqual(current, value)) {
      setOwnValue(result, key, value);
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
    if (before[key] !== undefined && ownValue(after, key) === undefined) setOwnValue(patch, key, null);
  }
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const old = ownValue(before, key);
    if (isObject(value) && isObject(old)) {
      const inner = createMergePatch(old, value);
      if (inner !== undefined) setOwnValue(patch, key, inner);
    } else if (!jsonEqual(old, value)) {
      setOwnValue(patch, key, value);
    }
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}
