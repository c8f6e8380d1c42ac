import { formatDouble } from '../cel/library/double-text.js';
import { goQuote } from '../cel/library/go-quote.js';
import { canonical, isBigNumber } from '../json.js';
import type { StatusCause } from '../status.js';

/** JSON as Go writes it: with sorted keys, and without characters that mean something in HTML. */
export function goJson(value: unknown): string {
  const escaped: Record<string, string> = {
    '<': 'u003c',
    '>': 'u003e',
    '&': 'u0026',
    '\u2028': 'u2028',
    '\u2029': 'u2029',
  };
  return JSON.stringify(canonical(value)).replaceAll(/[<>&\u2028\u2029]/g, (character) => `\\${escaped[character]}`);
}

/** A value as causes show it. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : formatDouble(value, 21);
  if (typeof value === 'boolean') return String(value);
  return isBigNumber(value) ? value.rawJSON : goJson(value);
}

export const invalidCause = (field: string, value: unknown, text: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${shownValue(value)}: ${text}`,
  field,
});

export const requiredCause = (field: string, text = ''): StatusCause => ({
  reason: 'FieldValueRequired',
  message: text === '' ? 'Required value' : `Required value: ${text}`,
  field,
});

export const forbiddenCause = (field: string, text: string): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${text}`,
  field,
});

export const duplicateCause = (field: string, value: unknown): StatusCause => ({
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${shownValue(value)}`,
  field,
});

export const notSupportedCause = (field: string, value: unknown, supported: readonly string[]): StatusCause => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${shownValue(value)}: supported values: ${supported.join(', ')}`,
  field,
});
