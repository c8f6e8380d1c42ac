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

/** A value as `%#v` of Go prints it. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (isBigNumber(value)) return value.rawJSON;
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${goSyntax(value[key])}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}

/** The name of the Go type that a JSON value is decoded into. */
export function goDynamicType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : isBigNumber(value) ? 'int64' : 'string';
}
