import { InvalidDurationError } from './errors/invalid-duration.error.js';

/** Milliseconds, or a text of whole or decimal numbers with units `d`, `h`, `m`, `s`, `ms`, largest first: `'1h30m'`. */
export type Duration = number | string;

const milliseconds = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;

const shape =
  /^(?:(?<d>\d+(?:\.\d+)?)d)?(?:(?<h>\d+(?:\.\d+)?)h)?(?:(?<m>\d+(?:\.\d+)?)m(?!s))?(?:(?<s>\d+(?:\.\d+)?)s)?(?:(?<ms>\d+(?:\.\d+)?)ms)?$/;

/**
 * Milliseconds of a {@link Duration}.
 *
 * @throws InvalidDurationError `OPERATOR_INVALID_DURATION` for anything that is not a finite duration from 0 on.
 */
export function parseDuration(value: unknown): number {
  const parsed = typeof value === 'string' ? fromText(value) : value;
  if (typeof parsed !== 'number' || !Number.isFinite(parsed) || parsed < 0)
    throw new InvalidDurationError(found(value));
  return parsed;
}

function fromText(text: string): number {
  const parts = Object.entries(shape.exec(text)?.groups ?? {}).filter(([, amount]) => amount !== undefined);
  if (parts.length === 0) return Number.NaN;
  return parts.reduce(
    (sum, [unit, amount]) => sum + Number(amount) * milliseconds[unit as keyof typeof milliseconds],
    0,
  );
}

function found(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return String(value);
  return value === null ? 'null' : `A value of type ${typeof value}`;
}
