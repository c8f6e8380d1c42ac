import { isDeepStrictEqual } from 'node:util';

type Fields = Readonly<Record<string, unknown>>;

/** What every write changes by itself. */
const writtenByServer: Fields = { metadata: { resourceVersion: null, generation: null, managedFields: null } };

/**
 * Whether two states are equal everywhere but in what a write set itself.
 *
 * `mask` has the shape of a merge patch: its objects are descended into, anything else in it (a scalar, an array, null)
 * stands for a path that the write set. resourceVersion, generation and managedFields never count.
 */
export function equalOutside(before: unknown, after: unknown, mask: unknown): boolean {
  return equalUnder(before, after, [mask, writtenByServer]);
}

function equalUnder(before: unknown, after: unknown, masks: readonly unknown[]): boolean {
  const open: Fields[] = [];
  for (const mask of masks) {
    if (isFields(mask)) open.push(mask);
    else if (mask !== undefined) return true;
  }
  if (open.length === 0 || (!isFields(before) && !isFields(after))) return isDeepStrictEqual(before, after);
  const left = isFields(before) ? before : {};
  const right = isFields(after) ? after : {};
  const same = (name: string): boolean =>
    equalUnder(
      left[name],
      right[name],
      open.map((mask) => (Object.hasOwn(mask, name) ? mask[name] : undefined)),
    );
  return Object.keys(left).every(same) && Object.keys(right).every((name) => Object.hasOwn(left, name) || same(name));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
