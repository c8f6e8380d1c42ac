import { Failure } from '../values/failure.js';
import { DurationValue, TimestampValue } from '../values/time.js';
import type { Result } from '../values/value.js';
import { overload, type Library } from './overload.js';

/** A date whose UTC parts are those of a time in a time zone. */
function localDate(time: TimestampValue, zone = 'UTC'): Date | Failure {
  const milliseconds = Number(time.seconds) * 1000 + Number(time.fraction / 1_000_000n);
  const offset = zoneOffset(zone, milliseconds);
  return offset === undefined ? new Failure(`unknown time zone ${zone}`) : new Date(milliseconds + offset);
}

const formats = new Map<string, Intl.DateTimeFormat | undefined>();

/** How far a zone is ahead of UTC at a time, in milliseconds; undefined for a zone that is not known. */
function zoneOffset(zone: string, at: number): number | undefined {
  if (zone === '' || zone === 'UTC' || zone === 'Local') return 0;
  const fixed = /^([+-]?)(\d{1,2}):(\d{1,2})$/.exec(zone);
  if (fixed !== null) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
    return (fixed[1] === '-' ? -minutes : minutes) * 60_000;
  }
  let format = formats.get(zone);
  if (!formats.has(zone)) {
    format = formatOf(zone);
    formats.set(zone, format);
  }
  if (format === undefined) return undefined;
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const local = new Date(0);
  local.setUTCFullYear(parts['year']!, parts['month']! - 1, parts['day']);
  local.setUTCHours(parts['hour']!, parts['minute'], parts['second']);
  return local.getTime() - Math.floor(at / 1000) * 1000;
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  // Names of zones have a case in Go, which the engine does not mind.
  if (!/^[A-Z]/.test(zone)) return undefined;
  const part = 'numeric';
  try {
    return new Intl.DateTimeFormat('en-u-hc-h23', {
      timeZone: zone,
      year: part,
      month: part,
      day: part,
      hour: part,
      minute: part,
      second: part,
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function dayOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / 86_400_000);
}

const dateParts: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDayOfYear: dayOfYear,
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDate: (date) => date.getUTCDate(),
  getDayOfWeek: (date) => date.getUTCDay(),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

const nanosPer: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
  getMilliseconds: 1_000_000n,
};

/** Parts of points in time, and lengths of time in whole units. */
export const timePartLibrary: Library = Object.fromEntries(
  Object.entries(dateParts).map(([name, part]) => {
    const apply = (time: TimestampValue, zone?: string): Result => {
      const date = localDate(time, zone);
      return date instanceof Failure ? date : BigInt(part(date));
    };
    const unit = nanosPer[name];
    const ofDuration =
      unit === undefined ? [] : [overload('duration.() int', ({ nanos }: DurationValue) => nanos / unit)];
    return [name, [overload('timestamp.() int', apply), overload('timestamp.(string) int', apply), ...ofDuration]];
  }),
);
