/** Text that is no time; the message is the real server's. */
export class TimeError extends Error {
  override name = 'TimeError';
}

const quote = (text: string): string => JSON.stringify(text);

const seconds = '2006-01-02T15:04:05Z07:00';
const microseconds = '2006-01-02T15:04:05.000000Z07:00';

/** The parts of the layout: its own text, and what it matches. */
const parts: readonly (readonly [string, RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d{2}/],
  ['-', /^-/],
  ['02', /^\d{2}/],
  ['T', /^T/],
  ['15', /^\d{1,2}/],
  [':', /^:/],
  ['04', /^\d{2}/],
  [':', /^:/],
  ['05', /^\d{2}/],
];

/** A time in UTC on a day that every month has. */
const usual = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * A time of RFC 3339 in UTC as the real server prints it: whole seconds, or six decimal places with `micro`, which are
 * then required.
 *
 * @throws TimeError for text that is no such time
 */
export function canonicalTime(text: string, micro = false): string {
  // Nearly all of them look like this, and are in canonical form already.
  if (!micro && usual.test(text)) return text;
  const layout = micro ? microseconds : seconds;
  let rest = text;
  const take = (name: string, pattern: RegExp): string => {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined) {
      throw new TimeError(
        `parsing time ${quote(text)} as ${quote(layout)}: cannot parse ${quote(rest)} as ${quote(name)}`,
      );
    }
    rest = rest.slice(found.length);
    return found;
  };
  const outOfRange = (what: string): never => {
    throw new TimeError(`parsing time ${quote(text)}: ${what} out of range`);
  };
  const [year = '', , month = '', , day = '', , hour = '', , minute = '', , second = ''] = parts.map(
    ([name, pattern]) => {
      const found = take(name, pattern);
      if (name === '01' && (found === '00' || found > '12')) outOfRange('month');
      if (name === '15' && Number(found) > 23) outOfRange('hour');
      if (name === '04' && found > '59') outOfRange('minute');
      if (name === '05' && found > '59') outOfRange('second');
      return found;
    },
  );
  // A fraction may follow the seconds though the layout has none.
  const fraction = micro ? take('.000000', /^\.\d{6}/) : (/^[.,]\d+/.exec(rest)?.[0] ?? '');
  if (!micro) rest = rest.slice(fraction.length);
  const zone = take('Z07:00', /^(Z|[+-]\d{2}:\d{2})/);
  if (rest !== '') throw new TimeError(`parsing time ${quote(text)}: extra text: ${quote(rest)}`);
  const leap = month === '02' && Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  if (day === '00' || Number(day) > lengths[Number(month) - 1]! + (leap ? 1 : 0)) outOfRange('day');
  if (zone !== 'Z' && Number(zone.slice(1, 3)) > 24) outOfRange('time zone offset hour');
  if (zone !== 'Z' && Number(zone.slice(4)) > 60) outOfRange('time zone offset minute');
  const offset =
    zone === 'Z' ? 0 : (zone.startsWith('-') ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4)));
  // Plain years below 100 would be taken for those of the last century.
  const time = new Date(0);
  time.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  time.setUTCHours(Number(hour), Number(minute) - offset, Number(second));
  return time.toISOString().replace('.000Z', micro ? `${fraction}Z` : 'Z');
}
