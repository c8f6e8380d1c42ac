import { formatDouble } from '../../cel/library/double-text.js';
import { isBigNumber } from '../../json.js';

const mostInt64 = 2n ** 63n - 1n;
const leastInt64 = -(2n ** 63n);

/** A number as the real server holds it: 64 bits of an integer, or a double. */
export interface GoNumber {
  readonly isInteger: boolean;
  readonly double: number;
  /** Set for integers that a double does not hold. */
  readonly exact?: bigint;
}

/** Undefined for what is no number. */
export function goNumber(value: unknown): GoNumber | undefined {
  if (typeof value === 'number') return { isInteger: Number.isSafeInteger(value), double: value };
  if (!isBigNumber(value)) return undefined;
  const exact = BigInt(value.rawJSON);
  if (exact > mostInt64 || exact < leastInt64) return { isInteger: false, double: Number(exact) };
  return { isInteger: true, double: Number(exact), exact };
}

/** Whether a double is taken for an integer. */
export function isIntegral(double: number): boolean {
  if (!Number.isFinite(double) || Math.abs(double) > Number.MAX_SAFE_INTEGER) return false;
  const rounded = Math.trunc(double);
  if (rounded === double) return true;
  return Math.abs(double - rounded) / Math.min(Math.abs(double) + Math.abs(rounded), Number.MAX_VALUE) < 1e-9;
}

/** Whether a number fits a type and format. */
export function isInRange({ isInteger, double }: GoNumber, type: string, format: string | undefined): boolean {
  if (type === 'integer') {
    // What has no digits behind the point is read as an integer, whatever it was written as.
    if (!isInteger && !(Number.isInteger(double) && Math.abs(double) < 2 ** 63)) return false;
    return format !== 'int32' || (double >= -(2 ** 31) && double < 2 ** 31);
  }
  return (format !== 'float' && format !== 'float32') || Math.abs(double) <= 3.4028234663852886e38;
}

/** A limit as messages show it. */
export const shownLimit = (limit: number, asInteger: boolean): string =>
  asInteger ? String(limit) : formatDouble(limit);
