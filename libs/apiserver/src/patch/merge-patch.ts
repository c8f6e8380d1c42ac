import { clone, isObject, setKey, type JsonObject } from '../json.js';

/** Applies an RFC 7396 merge patch; the target is not changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  // Members that are null are left out of objects in new lists as well; items that are null stay.
  if (Array.isArray(patch)) return patch.map((item) => (item === null ? null : mergePatch(undefined, item)));
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
