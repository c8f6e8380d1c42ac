import type { LiteralValue } from './ast.js';
import type { Token } from './lexer.js';

/** Why a token that reads like a literal is none. */
export class LiteralError extends Error {}

const mostInt = 2n ** 63n - 1n;
const leastInt = -(2n ** 63n);
const mostUint = 2n ** 64n - 1n;

/** The value of a number, string or bytes token. */
export function literalOf(token: Token, negative = false): LiteralValue {
  const sign = negative ? '-' : '';
  switch (token.kind) {
    case 'int': {
      const value = negative ? -BigInt(token.text) : BigInt(token.text);
      if (value > mostInt || value < leastInt) throw new LiteralError('invalid int literal');
      return { type: 'int', value };
    }
    case 'uint': {
      const value = BigInt(token.text.slice(0, -1));
      if (value > mostUint) throw new LiteralError('invalid uint literal');
      return { type: 'uint', value };
    }
    case 'double': {
      const value = Number(sign + token.text);
      if (!Number.isFinite(value)) throw new LiteralError('invalid double literal');
      return { type: 'double', value };
    }
    case 'bytes':
      return { type: 'bytes', value: bytesOf(unquote(token.text.slice(1), true)) };
    default:
      return { type: 'string', value: stringOf(unquote(token.text, false)) };
  }
}

/** Code points, and single bytes where bytes are meant. */
type Unquoted = readonly { readonly code: number; readonly byte: boolean }[];

const simpleEscapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};
const escapeLengths: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

function unquote(text: string, bytes: boolean): Unquoted {
  const raw = /^[rR]/.test(text);
  const quoted = (raw ? text.slice(1) : text).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const triple = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''"));
  const inner = Array.from(quoted.slice(triple ? 3 : 1, triple ? -3 : -1));
  const out: { code: number; byte: boolean }[] = [];
  for (let at = 0; at < inner.length; at++) {
    const character = inner[at]!;
    if (character !== '\\' || raw) {
      out.push({ code: character.codePointAt(0)!, byte: false });
      continue;
    }
    const letter = inner[++at]!;
    const length = escapeLengths[letter];
    if (length !== undefined) {
      if (bytes && length > 2) throw new LiteralError('unable to unescape string');
      const code = Number.parseInt(inner.slice(at + 1, at + 1 + length).join(''), 16);
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new LiteralError('invalid unicode code point');
      out.push({ code, byte: bytes });
      at += length;
    } else if (letter >= '0' && letter <= '3') {
      out.push({ code: Number.parseInt(inner.slice(at, at + 3).join(''), 8), byte: bytes });
      at += 2;
    } else {
      out.push({ code: simpleEscapes[letter] ?? letter.codePointAt(0)!, byte: false });
    }
  }
  return out;
}

const stringOf = (parts: Unquoted): string => parts.map(({ code }) => String.fromCodePoint(code)).join('');

function bytesOf(parts: Unquoted): Uint8Array {
  return Uint8Array.from(
    parts.flatMap(({ code, byte }) => (byte ? [code] : [...Buffer.from(String.fromCodePoint(code))])),
  );
}
