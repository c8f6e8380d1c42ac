const nanosPerSecond = 1_000_000_000n;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, in seconds. */
const leastSeconds = -62_135_596_800n;
const mostSeconds = 253_402_300_799n;

/** A point in time, to the nanosecond. */
export class TimestampValue {
  /**
   * @param nanos - since 1970
   * @param offset - the offset from UTC that it was written with, in minutes; only shown
   */
  constructor(
    readonly nanos: bigint,
    readonly offset = 0,
  ) {}

  /** Seconds since 1970, rounded down. */
  get seconds(): bigint {
    return floorDivide(this.nanos, nanosPerSecond);
  }

  get fraction(): bigint {
    return this.nanos - this.seconds * nanosPerSecond;
  }

  /** Undefined where the time is before year 1 or after year 9999. */
  static of(nanos: bigint, offset = 0): TimestampValue | undefined {
    const value = new TimestampValue(nanos, offset);
    return value.seconds < leastSeconds || value.seconds > mostSeconds ? undefined : value;
  }

  toString(): string {
    const shifted = Number(this.seconds) + this.offset * 60;
    const whole = new Date(shifted * 1000).toISOString();
    // Years before 1000 and after 9999 do not occur with a sign: they are within the range above.
    return whole.replace(/\.\d{3}Z$/, '') + fractionText(this.fraction) + offsetText(this.offset);
  }
}

/** A length of time, to the nanosecond. */
export class DurationValue {
  constructor(readonly nanos: bigint) {}

  /** Undefined where 64 bits do not hold it. */
  static of(nanos: bigint): DurationValue | undefined {
    return nanos > 2n ** 63n - 1n || nanos < -(2n ** 63n) ? undefined : new DurationValue(nanos);
  }

  /** In seconds, as protocol buffers print it. */
  toString(): string {
    const absolute = this.nanos < 0n ? -this.nanos : this.nanos;
    const sign = this.nanos < 0n ? '-' : '';
    return `${sign}${absolute / nanosPerSecond}${fractionText(absolute % nanosPerSecond)}s`;
  }
}

const fractionText = (nanos: bigint): string =>
  nanos === 0n ? '' : `.${nanos.toString().padStart(9, '0').replace(/0+$/, '')}`;

function offsetText(minutes: number): string {
  if (minutes === 0) return 'Z';
  const absolute = Math.abs(minutes);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`;
}

export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d+))?(?:(Z)|([+-])(\d\d):(\d\d))$/;

/** Reads a time as RFC 3339 writes it; undefined where it is none. */
export function parseTimestamp(text: string): TimestampValue | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offsetHours = Number(match[10] ?? 0);
  const offsetMinutes = Number(match[11] ?? 0);
  if (offsetHours > 24 || offsetMinutes > 59) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * (match[9] === '-' ? -1 : 1);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const fraction = BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  return TimestampValue.of(BigInt(date.getTime() / 1000 - offset * 60) * nanosPerSecond + fraction, offset);
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: nanosPerSecond,
  m: 60n * nanosPerSecond,
  h: 3600n * nanosPerSecond,
};

/** Reads a duration as Go writes it, such as `1h30m` or `-1.5s`; undefined where it is none. */
export function parseDuration(text: string): DurationValue | undefined {
  const [, sign, rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === '0') return new DurationValue(0n);
  if (rest === '') return undefined;
  const part = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;
  let nanos = 0n;
  while (part.lastIndex < rest.length) {
    const match = part.exec(rest);
    if (match === null) return undefined;
    const [, whole = '', fraction = '', unit = ''] = match;
    if (whole === '' && fraction === '') return undefined;
    const scale = units[unit]!;
    nanos += BigInt(whole === '' ? 0 : whole) * scale;
    // More digits than Go looks at do not matter to the nanosecond.
    const digits = fraction.slice(0, 18);
    if (digits !== '') nanos += (BigInt(digits) * scale) / 10n ** BigInt(digits.length);
    if (nanos > 2n ** 63n) return undefined;
  }
  const signed = sign === '-' ? -nanos : nanos;
  return DurationValue.of(signed);
}
