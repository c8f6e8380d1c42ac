import { parseUrl } from '../cel/library/url-text.js';
import { parseDuration, parseTimestamp, type TimestampValue } from '../cel/values/time.js';
import { isEmailAddress } from './email-address.js';

const pattern =
  (regexp: RegExp) =>
  (text: string): boolean =>
    regexp.test(text);

/** A day as `2006-01-02`; nanoseconds since 1970 of its begin. */
export function parseDateFormat(text: string): bigint | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return BigInt(date.getTime()) * 1_000_000n;
}

/** A point in time; undefined for one that has the format for the validator only. */
export const parseDateTimeFormat = (text: string): TimestampValue | undefined => parseTimestamp(text);

/** The server splits at each T, reads what is before and behind the first one, and takes any character for a point. */
function isDateTime(text: string): boolean {
  const [day = '', time = ''] = text.toLowerCase().split('t');
  const match = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/su.exec(time);
  if (match === null || parseDateFormat(day) === undefined) return false;
  return match[1]! <= '23' && match[2]! <= '59' && match[3]! <= '59';
}

const nanosPerUnit: readonly (readonly [readonly string[], bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], 1_000_000_000n],
  [['m', 'min'], 60_000_000_000n],
  [['h', 'hr', 'hour'], 3_600_000_000_000n],
  [['d', 'day'], 86_400_000_000_000n],
  [['w', 'wk', 'week'], 604_800_000_000_000n],
];

/** Nanoseconds of a duration: as Go writes it, or whole numbers with the names of units anywhere in the text. */
export function parseDurationFormat(text: string): bigint | undefined {
  const exact = parseDuration(text);
  if (exact !== undefined) return exact.nanos;
  let sum: bigint | undefined;
  for (const [, count = '', given = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    if (BigInt(count) > 2n ** 63n - 1n) return undefined;
    const unit = given.toLowerCase();
    for (const [names, nanos] of nanosPerUnit) {
      // Of a unit's names the last one only has to be what the given one begins with.
      if (names.includes(unit) || unit.startsWith(names.at(-1)!))
        sum = BigInt.asIntN(64, (sum ?? 0n) + BigInt(count) * nanos);
    }
  }
  return sum;
}

/** An address as Go's older parser takes it, which does not mind zeros in front. */
function ipVersions(text: string): readonly (4 | 6)[] {
  if (!text.includes(':')) return isIpv4(text) ? [4] : [];
  const dotted = /^(.*:)([\d.]+)$/.exec(text);
  const isMixed = dotted !== null && dotted[2]!.includes('.');
  if (isMixed && !isIpv4(dotted[2]!)) return [];
  const plain = isMixed ? `${dotted[1]}0:0` : text;
  const halves = plain.split('::');
  if (halves.length > 2) return [];
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return [];
  if (halves.length === 1 ? groups.length !== 8 : groups.length > 7) return [];
  return isMixed ? [4, 6] : [6];
}

const isIpv4 = (text: string): boolean => {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
};

function isCidr(text: string): boolean {
  const [address = '', length = '', more] = text.split('/');
  const versions = ipVersions(address);
  if (more !== undefined || versions.length === 0 || !/^\d+$/.test(length)) return false;
  return Number(length) <= (versions.includes(6) ? 128 : 32);
}

function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255 || text.split('.').some((label) => Buffer.byteLength(label) > 63)) return false;
  const begin = String.raw`[a-zA-Z0-9\p{S}\p{L}]`;
  const alone = `${begin}-?${begin}{0,62}`;
  const label = String.raw`${begin}(?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}${begin})?`;
  return new RegExp(String.raw`^(?:${alone}|(?:${label}\.)+[a-zA-Z\p{L}]{2,63})$`, 'u').test(text);
}

/** Addresses of 6, 8 or 20 bytes: pairs of digits, groups of four, or digits alone. */
function isMac(text: string): boolean {
  const bytes = [6, 8, 20];
  if (/^[0-9a-fA-F]+$/.test(text)) return bytes.some((count) => text.length === 2 * count);
  for (const separator of [':', '-']) {
    const pairs = text.split(separator);
    if (bytes.includes(pairs.length) && pairs.every((pair) => /^[0-9a-fA-F]{2}$/.test(pair))) return true;
  }
  const groups = text.split('.');
  return bytes.includes(2 * groups.length) && groups.every((group) => /^[0-9a-fA-F]{4}$/.test(group));
}

const digitsOf = (text: string): number[] => Array.from(text, (digit) => (digit === 'X' ? 10 : Number(digit)));

function isIsbn10(text: string): boolean {
  const plain = text.replaceAll(/[\s-]+/g, '');
  if (!/^\d{9}[\dX]$/.test(plain)) return false;
  return digitsOf(plain).reduce((sum, digit, index) => sum + digit * (10 - index), 0) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const plain = text.replaceAll(/[\s-]+/g, '');
  if (!/^\d{13}$/.test(plain)) return false;
  return digitsOf(plain).reduce((sum, digit, index) => sum + digit * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

const cardNumbers =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|(?:222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11}|6[27]\d{14})$/;

function isCardNumber(text: string): boolean {
  const plain = text.replaceAll(/\D+/g, '');
  if (!cardNumbers.test(plain)) return false;
  const sum = digitsOf(plain)
    .toReversed()
    .reduce((total, digit, index) => total + (index % 2 === 0 ? digit : digit * 2 > 9 ? digit * 2 - 9 : digit * 2), 0);
  return sum % 10 === 0;
}

const colorPart = String.raw`\s*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`;

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: pattern(/^[0-9a-fA-F]{24}$/),
  uri: (text) => typeof parseUrl(text) !== 'string',
  email: isEmailAddress,
  hostname: isHostname,
  ipv4: (text) => ipVersions(text).includes(4),
  ipv6: (text) => ipVersions(text).includes(6),
  cidr: isCidr,
  mac: isMac,
  uuid: pattern(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: pattern(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: pattern(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: pattern(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCardNumber,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: pattern(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: pattern(new RegExp(String.raw`^rgb\(${colorPart},${colorPart},${colorPart}\)$`)),
  byte: pattern(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  date: (text) => parseDateFormat(text) !== undefined,
  datetime: isDateTime,
  'date-time': isDateTime,
  duration: (text) => parseDurationFormat(text) !== undefined,
  'k8s-short-name': (text) => text.length <= 63 && new RegExp(`^${label}$`).test(text),
  'k8s-long-name': (text) => text.length <= 253 && new RegExp(String.raw`^${label}(?:\.${label})*$`).test(text),
};

/** Whether a string has a format; formats that the real server does not know accept everything. */
export function matchesFormat(format: string, text: string): boolean {
  return Object.hasOwn(checks, format) ? checks[format]!(text) : true;
}

/** Whether the real server looks at a format at all. */
export const knowsFormat = (format: string): boolean => Object.hasOwn(checks, format) || format === 'password';
