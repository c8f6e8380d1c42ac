import { isBigNumber, isObject } from '../json.js';

/** A value as `%v` of Go prints it, which errors quote. */
export function goPlain(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (isBigNumber(value)) return value.rawJSON;
  if (Array.isArray(value)) return `[${value.map(goPlain).join(' ')}]`;
  if (!isObject(value)) return String(value as string | number | boolean);
  const keys = Object.keys(value).sort();
  return `map[${keys.map((key) => `${key}:${goPlain(value[key])}`).join(' ')}]`;
}
