import { jsonEqual } from './json-equal.js';
import { ownValue } from './own-property.js';

/** One difference between two states. Lists are compared as a whole. Absent (`undefined`) is told apart from null. */
export interface DiffItem {
  readonly operation: 'add' | 'change' | 'remove';
  readonly path: readonly string[];
  readonly old: unknown;
  readonly new: unknown;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The differences from `before` to `after`, in the order of their keys. */
export function diffJson(before: unknown, after: unknown, path: readonly string[] = []): DiffItem[] {
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => diffJson(ownValue(before, key), ownValue(after, key), [...path, key]));
  }
  if (jsonEqual(before, after)) return [];
  const operation = before === undefined ? 'add' : after === undefined ? 'remove' : 'change';
  return [{ operation, path, old: before, new: after }];
}
