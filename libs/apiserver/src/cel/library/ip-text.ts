import { goQuote } from './go-quote.js';

/** An IP address: 32 or 128 bits. */
export interface IpBits {
  readonly version: 4 | 6;
  readonly bits: bigint;
  /** Only IPv6 addresses can have one. */
  readonly zone?: string;
}

/** Why a text is no IP address, in the words of Go. */
export class IpSyntaxError extends Error {
  constructor(text: string, why: string, at?: string) {
    super(`ParseAddr(${goQuote(text)}): ${why}${at === undefined ? '' : ` (at ${goQuote(at)})`}`);
    this.name = 'IpSyntaxError';
  }
}

/** Reads an address as Go does. Throws IpSyntaxError. */
export function parseIpBits(text: string): IpBits {
  const first = /[.:%]/.exec(text)?.[0];
  switch (first) {
    case '.':
      return { version: 4, bits: parseV4(text, text) };
    case ':':
      return parseV6(text);
    case '%':
      throw new IpSyntaxError(text, 'missing IPv6 address');
    default:
      throw new IpSyntaxError(text, 'unable to parse IP');
  }
}

/** @param part - what is to be read of the whole text */
function parseV4(text: string, part: string): bigint {
  let bits = 0n;
  let fields = 0;
  let digits = '';
  for (let at = 0; at < part.length; at++) {
    const character = part[at]!;
    if (/^\d$/.test(character)) {
      if (digits === '0') throw new IpSyntaxError(text, 'IPv4 field has octet with leading zero');
      digits += character;
      if (Number(digits) > 255) throw new IpSyntaxError(text, 'IPv4 field has value >255');
    } else if (character === '.') {
      if (digits === '' || at === part.length - 1) {
        throw new IpSyntaxError(text, 'IPv4 field must have at least one digit', part.slice(at));
      }
      if (fields === 3) throw new IpSyntaxError(text, 'IPv4 address too long');
      bits = (bits << 8n) | BigInt(digits);
      fields++;
      digits = '';
    } else {
      throw new IpSyntaxError(text, 'unexpected character', part.slice(at));
    }
  }
  if (fields < 3) throw new IpSyntaxError(text, 'IPv4 address too short');
  return (bits << 8n) | BigInt(digits);
}

function parseV6(text: string): IpBits {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? undefined : text.slice(percent + 1);
  if (zone === '') throw new IpSyntaxError(text, 'zone must be a non-empty string');
  let rest = percent < 0 ? text : text.slice(0, percent);
  const groups: number[] = [];
  let gap: number | undefined;
  if (rest.startsWith('::')) {
    gap = 0;
    rest = rest.slice(2);
  }
  while (rest !== '' && groups.length < 8) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)![0];
    if (digits.length > 4) throw new IpSyntaxError(text, 'each group must have 4 or less digits', rest);
    if (digits === '') {
      throw new IpSyntaxError(text, 'each colon-separated field must have at least one digit', rest);
    }
    if (rest[digits.length] === '.') {
      groups.push(...embedded(text, rest, groups.length, gap));
      rest = '';
      break;
    }
    groups.push(Number.parseInt(digits, 16));
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (rest[0] !== ':') throw new IpSyntaxError(text, 'unexpected character, want colon', rest);
    if (rest.length === 1) throw new IpSyntaxError(text, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest[0] === ':') {
      if (gap !== undefined) throw new IpSyntaxError(text, 'multiple :: in address', rest);
      gap = groups.length;
      rest = rest.slice(1);
    }
  }
  if (rest !== '') throw new IpSyntaxError(text, 'trailing garbage after address', rest);
  if (groups.length < 8) {
    if (gap === undefined) throw new IpSyntaxError(text, 'address string too short');
    groups.splice(gap, 0, ...Array.from({ length: 8 - groups.length }, () => 0));
  } else if (gap !== undefined) {
    throw new IpSyntaxError(text, 'the :: must expand to at least one field of zeros');
  }
  const bits = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
  return { version: 6, bits, ...(zone === undefined ? {} : { zone }) };
}

/** The two groups that an IPv4 address at the end of an IPv6 one makes. */
function embedded(text: string, rest: string, groups: number, gap: number | undefined): [number, number] {
  if (gap === undefined && groups !== 6) {
    throw new IpSyntaxError(text, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
  }
  if (groups > 6) {
    throw new IpSyntaxError(text, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  }
  const bits = Number(parseV4(text, rest));
  return [Math.floor(bits / 0x10000), bits % 0x10000];
}

/** Whether an IPv6 address stands for an IPv4 address. */
export const isMapped = ({ version, bits }: IpBits): boolean => version === 6 && bits >> 32n === 0xffffn;

/** An address in its canonical form. */
export function formatIp({ version, bits }: IpBits): string {
  if (version === 4) return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 0xffn)).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => Number((bits >> BigInt(112 - 16 * index)) & 0xffffn));
  let bestStart = -1;
  let bestLength = 1;
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length++;
    if (length > bestLength) [bestStart, bestLength] = [start, length];
  }
  const hex = (part: number[]): string => part.map((group) => group.toString(16)).join(':');
  if (bestStart < 0) return hex(groups);
  return `${hex(groups.slice(0, bestStart))}::${hex(groups.slice(bestStart + bestLength))}`;
}
