/** Equality of plain JSON by content: key order does not count, an absent key differs from null. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => jsonEqual(item, b[index]));
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  let keys = 0;
  for (const key in left) {
    const value = left[key];
    if (value === undefined) continue;
    keys += 1;
    if (!Object.hasOwn(right, key) || !jsonEqual(value, right[key])) return false;
  }
  for (const key in right) if (right[key] !== undefined) keys -= 1;
  return keys === 0;
}
