import { Failure } from '../values/failure.js';
import { ListValue, PlainList, type Result } from '../values/value.js';
import { overload, type Library } from './overload.js';

const outOfRange = (index: bigint | number): Failure => new Failure(`index out of range: ${index}`);

function charAt(text: string, index: bigint): Result {
  const characters = Array.from(text);
  if (index < 0n || index > characters.length) return outOfRange(index);
  return characters[Number(index)] ?? '';
}

function matchesAt(characters: readonly string[], part: readonly string[], at: number): boolean {
  return part.every((character, offset) => characters[at + offset] === character);
}

function indexOf(text: string, part: string, from = 0n): Result {
  if (from < 0n) return outOfRange(from);
  const characters = Array.from(text);
  const wanted = Array.from(part);
  if (wanted.length === 0) return from;
  for (let at = Number(from); at <= characters.length - wanted.length; at++) {
    if (matchesAt(characters, wanted, at)) return BigInt(at);
  }
  return -1n;
}

function lastIndexOf(text: string, part: string, from?: bigint): Result {
  if (from !== undefined && from < 0n) return outOfRange(from);
  const characters = Array.from(text);
  const wanted = Array.from(part);
  if (wanted.length === 0) return from ?? BigInt(characters.length);
  if (from !== undefined && from >= characters.length) return -1n;
  const last = characters.length - wanted.length;
  for (let at = from === undefined ? last : Math.min(Number(from), last); at >= 0; at--) {
    if (matchesAt(characters, wanted, at)) return BigInt(at);
  }
  return -1n;
}

function replace(text: string, from: string, to: string, limit = -1n): Result {
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  const parts = from === '' ? ['', ...Array.from(text), ''] : text.split(from);
  let out = parts[0] ?? '';
  parts.slice(1).forEach((part, index) => {
    const separator = index < most ? to : from;
    out += separator + part;
  });
  return out;
}

function split(text: string, separator: string, limit = -1n): Result {
  if (limit === 0n) return new PlainList([]);
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  const most = limit < 0n ? parts.length : Math.min(Number(limit), parts.length);
  if (most === parts.length) return new PlainList(parts);
  return new PlainList([...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)]);
}

function substring(text: string, start: bigint, end?: bigint): Result {
  const characters = Array.from(text);
  const until = end ?? BigInt(characters.length);
  if (end !== undefined && start > until) {
    return new Failure(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0n || start > characters.length) return outOfRange(start);
  if (until < 0n || until > characters.length) return outOfRange(until);
  return characters.slice(Number(start), Number(until)).join('');
}

function join(list: ListValue, separator = ''): Result {
  const parts: string[] = [];
  for (const item of list) {
    if (typeof item !== 'string') return new Failure('no such overload: join(list)');
    parts.push(item);
  }
  return parts.join(separator);
}

const lowerAscii = (text: string): string => text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase());
const upperAscii = (text: string): string => text.replaceAll(/[a-z]+/g, (part) => part.toUpperCase());

/** White space as Unicode has it. */
const trim = (text: string): string =>
  text.replaceAll(
    /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g,
    '',
  );

const quotedForms: Readonly<Record<string, string>> = {
  '\u0007': String.raw`\a`,
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\v': String.raw`\v`,
  '\\': String.raw`\\`,
  '"': String.raw`\"`,
};
/** In the language's own syntax, which leaves all other characters as they are. */
const quote = (text: string): string =>
  `"${Array.from(text, (character) => quotedForms[character] ?? character).join('')}"`;

/** Functions of strings, beside those of the language itself. */
export const stringLibrary: Library = {
  contains: [overload('string.(string) bool', (text: string, part: string) => text.includes(part))],
  startsWith: [overload('string.(string) bool', (text: string, part: string) => text.startsWith(part))],
  endsWith: [overload('string.(string) bool', (text: string, part: string) => text.endsWith(part))],
  charAt: [overload('string.(int) string', charAt)],
  indexOf: [overload('string.(string) int', indexOf), overload('string.(string, int) int', indexOf)],
  lastIndexOf: [overload('string.(string) int', lastIndexOf), overload('string.(string, int) int', lastIndexOf)],
  join: [overload('list(string).() string', join), overload('list(string).(string) string', join)],
  lowerAscii: [overload('string.() string', lowerAscii)],
  upperAscii: [overload('string.() string', upperAscii)],
  'strings.quote': [overload('(string) string', quote)],
  replace: [
    overload('string.(string, string) string', replace),
    overload('string.(string, string, int) string', replace),
  ],
  split: [overload('string.(string) list(string)', split), overload('string.(string, int) list(string)', split)],
  substring: [overload('string.(int) string', substring), overload('string.(int, int) string', substring)],
  trim: [overload('string.() string', trim)],
};
