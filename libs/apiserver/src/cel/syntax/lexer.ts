import { mostSyntaxIssues, type Issue, type Source } from './source.js';

export type TokenKind = 'symbol' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'identifier' | 'escaped' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** As it stands in the text. */
  readonly text: string;
  readonly position: number;
}

/** Longer ones first. */
const symbols = '== != <= >= && || < > [ ] { } ( ) . , - ! ? : + * / %'.split(' ');
/** Words that are symbols and never identifiers. */
const words = new Set(['in', 'true', 'false', 'null']);
/** First characters of symbols that need a second one. */
const halves = new Set(['=', '&', '|']);

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9';
const isHex = (character: string | undefined): boolean => character !== undefined && /^[0-9a-fA-F]$/.test(character);
const isLetter = (character: string | undefined): boolean => character !== undefined && /^[A-Za-z_]$/.test(character);
const isSpace = (character: string | undefined): boolean => character !== undefined && /^[\t \r\n\f]$/.test(character);

/** Parts an expression into tokens. What is no token is skipped and told of, as cel-go does it. */
export function tokenize(source: Source): { tokens: Token[]; issues: Issue[] } {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  const { characters } = source;
  let at = 0;
  while (at < characters.length) {
    const start = at;
    const character = characters[at]!;
    if (isSpace(character)) {
      at++;
      continue;
    }
    if (character === '/' && characters[at + 1] === '/') {
      while (at < characters.length && characters[at] !== '\n') at++;
      continue;
    }
    const found = readToken(characters, at);
    if ('end' in found) {
      at = found.end;
      tokens.push({ kind: found.kind, text: source.slice(start, at), position: start });
    } else {
      at = found.failedAt;
      const text = source.slice(start, at);
      if (issues.length === mostSyntaxIssues) continue;
      issues.push({ position: start, message: `Syntax error: token recognition error at: '${text}'` });
    }
  }
  tokens.push({ kind: 'end', text: '<EOF>', position: at });
  return { tokens, issues };
}

type Reading = { readonly kind: TokenKind; readonly end: number } | { readonly failedAt: number };

function readToken(characters: readonly string[], start: number): Reading {
  const first = characters[start]!;
  if (isDigit(first) || (first === '.' && isDigit(characters[start + 1]))) return readNumber(characters, start);
  const quoted = readString(characters, start);
  if (quoted !== undefined && 'end' in quoted) return quoted;
  if (isLetter(first)) {
    let end = start + 1;
    while (isLetter(characters[end]) || isDigit(characters[end])) end++;
    const isWord = words.has(characters.slice(start, end).join(''));
    return { kind: isWord ? 'symbol' : 'identifier', end };
  }
  if (quoted !== undefined) return quoted;
  if (first === '`') return readEscaped(characters, start);
  const symbol = symbols.find((text) => characters.slice(start, start + text.length).join('') === text);
  if (symbol !== undefined) return { kind: 'symbol', end: start + symbol.length };
  const skipped = halves.has(first) ? 2 : 1;
  return { failedAt: Math.min(start + skipped, characters.length) };
}

function readNumber(characters: readonly string[], start: number): Reading {
  const digits = (from: number, is = isDigit): number => {
    let end = from;
    while (is(characters[end])) end++;
    return end;
  };
  if (characters[start] === '0' && characters[start + 1] === 'x' && isHex(characters[start + 2])) {
    const end = digits(start + 2, isHex);
    return /^[uU]$/.test(characters[end] ?? '') ? { kind: 'uint', end: end + 1 } : { kind: 'int', end };
  }
  let end = digits(start);
  let kind: TokenKind = 'int';
  if (characters[end] === '.' && isDigit(characters[end + 1])) {
    end = digits(end + 1);
    kind = 'double';
  }
  if (/^[eE]$/.test(characters[end] ?? '')) {
    const exponent = /^[+-]$/.test(characters[end + 1] ?? '') ? end + 2 : end + 1;
    if (isDigit(characters[exponent])) {
      end = digits(exponent);
      kind = 'double';
    }
  }
  if (kind === 'int' && /^[uU]$/.test(characters[end] ?? '')) return { kind: 'uint', end: end + 1 };
  return { kind, end };
}

function readEscaped(characters: readonly string[], start: number): Reading {
  let end = start + 1;
  while (isLetter(characters[end]) || isDigit(characters[end]) || /^[./ -]$/.test(characters[end] ?? '')) end++;
  if (characters[end] === '`' && end > start + 1) return { kind: 'escaped', end: end + 1 };
  return { failedAt: Math.min(end + 1, characters.length) };
}

/** A string or bytes, with its prefix; undefined where none begins here. */
function readString(characters: readonly string[], start: number): Reading | undefined {
  const [, prefix] = /^([bB]?[rR]?)["']/.exec(characters.slice(start, start + 3).join('')) ?? [];
  if (prefix === undefined) return undefined;
  const raw = /r/i.test(prefix);
  const kind = /b/i.test(prefix) ? 'bytes' : 'string';
  const open = start + prefix.length;
  const quote = characters[open]!;
  const triple = characters[open + 1] === quote && characters[open + 2] === quote;
  if (triple) {
    const end = readLong(characters, open + 3, quote, raw);
    // What opens a long string that never ends is an empty one, and a quote.
    return end === undefined ? { kind, end: open + 2 } : { kind, end };
  }
  for (let at = open + 1; at < characters.length; at++) {
    const character = characters[at];
    if (character === quote) return { kind, end: at + 1 };
    if (character === '\n' || character === '\r') return { failedAt: at + 1 };
    if (character === '\\' && !raw) {
      const escape = readEscape(characters, at);
      if (escape.end === undefined) return { failedAt: Math.min(escape.failedAt + 1, characters.length) };
      at = escape.end - 1;
    }
  }
  return { failedAt: characters.length };
}

function readLong(characters: readonly string[], start: number, quote: string, raw: boolean): number | undefined {
  for (let at = start; at < characters.length; at++) {
    if ([0, 1, 2].every((offset) => characters[at + offset] === quote)) return at + 3;
    if (characters[at] === '\\' && !raw) {
      const escape = readEscape(characters, at);
      if (escape.end === undefined) return undefined;
      at = escape.end - 1;
    }
  }
  return undefined;
}

const escapeForms: Readonly<Record<string, readonly RegExp[]>> = {
  x: [/[0-9a-fA-F]/, /[0-9a-fA-F]/],
  X: [/[0-9a-fA-F]/, /[0-9a-fA-F]/],
  u: Array.from({ length: 4 }, () => /[0-9a-fA-F]/),
  U: Array.from({ length: 8 }, () => /[0-9a-fA-F]/),
  ...Object.fromEntries(['0', '1', '2', '3'].map((digit) => [digit, [/[0-7]/, /[0-7]/]])),
};

function readEscape(
  characters: readonly string[],
  start: number,
): { readonly end: number } | { readonly end?: undefined; readonly failedAt: number } {
  const letter = characters[start + 1];
  if (letter !== undefined && 'abfnrtv"\'\\?`'.includes(letter)) return { end: start + 2 };
  const form = letter === undefined ? undefined : escapeForms[letter];
  if (form === undefined) return { failedAt: start + 1 };
  for (let offset = 0; offset < form.length; offset++) {
    const at = start + 2 + offset;
    const character = characters[at];
    if (character === undefined || !form[offset]!.test(character)) return { failedAt: at };
  }
  return { end: start + 2 + form.length };
}
