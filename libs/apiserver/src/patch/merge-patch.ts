import { clone, isObject, setKey, type JsonObject } from '../json.js';

/** Applies an RFC 7396 merge patch, with the nulls that the real server leaves; the target is not changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  // Members that are null are left out of objects in new lists as well, but not of what takes the place of an object.
  if (Array.isArray(patch)) return isObject(target) ? clone(patch) : patch.map(withoutNulls);
  if (!isObject(patch)) return clone(patch);
  const out: JsonObject = {};
  if (isObject(target)) for (const key of Object.keys(target)) setKey(out, key, target[key]);
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === null) delete out[key];
    else setKey(out, key, mergePatch(Object.hasOwn(out, key) ? out[key] : undefined, value));
  }
  return out;
}

/** Items that are null stay. */
const withoutNulls = (item: unknown): unknown => (item === null ? null : mergePatch(undefined, item));
