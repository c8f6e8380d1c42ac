import { isUtf8 } from 'node:buffer';
import { Failure } from '../values/failure.js';
import { compareValues } from '../values/equality.js';
import { DurationValue, TimestampValue } from '../values/time.js';
import { typeNameOf } from '../values/type-name.js';
import { ListValue, MapValue, TypeValue, UintValue, type Result, type Value } from '../values/value.js';
import { fixedText, scientificParts } from './decimal-text.js';
import { formatDouble } from './double-text.js';
import { goQuote } from './go-quote.js';
import { overload, type Library } from './overload.js';

/** Part of a format string: text, or a clause with the index of its argument. */
export type FormatPart =
  | { readonly text: string }
  | { readonly clause: Clause; readonly argument: number; readonly precision: number | undefined };

const clauses = ['s', 'd', 'f', 'e', 'b', 'x', 'X', 'o'] as const;
type Clause = (typeof clauses)[number];

/** Why a text is no format string. */
export class FormatSyntaxError extends Error {}

const mostDigits = 10_000;

/** Parts a format string. Throws FormatSyntaxError. */
export function parseFormat(format: string): FormatPart[] {
  const parts: FormatPart[] = [];
  const characters = Array.from(format);
  let text = '';
  let argument = 0;
  for (let at = 0; at < characters.length; at++) {
    if (characters[at] !== '%') {
      text += characters[at];
      continue;
    }
    if (at + 1 >= characters.length) throw new FormatSyntaxError('unexpected end of string');
    if (characters[at + 1] === '%') {
      text += '%';
      at++;
      continue;
    }
    at++;
    let precision: number | undefined;
    if (characters[at] === '.') {
      const digits = /^\d*/.exec(characters.slice(at + 1).join(''))![0];
      at += 1 + digits.length;
      precision = precisionOf(digits, at < characters.length);
    }
    const clause = clauses.find((letter) => letter === characters[at]);
    if (clause === undefined) {
      throw new FormatSyntaxError(
        at < characters.length
          ? `could not parse formatting clause: unrecognized formatting clause "${characters[at]}"`
          : 'unexpected end of string',
      );
    }
    if (text !== '') parts.push({ text });
    text = '';
    parts.push({ clause, argument: argument++, precision });
  }
  if (text !== '') parts.push({ text });
  return parts;
}

function precisionOf(digits: string, more: boolean): number {
  if (!more) {
    throw new FormatSyntaxError(
      'could not parse formatting clause: error while parsing precision: could not find end of precision specifier',
    );
  }
  if (digits === '') {
    throw new FormatSyntaxError(
      'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
    );
  }
  const precision = Number(digits);
  if (precision < 2 ** 63) return precision;
  throw new FormatSyntaxError(
    `could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "${digits}": value out of range`,
  );
}

/** What is wrong with an argument of a clause; undefined where nothing is, or where only the value will tell. */
export function clauseComplaint(clause: Clause, typeName: string): string | undefined {
  const given = `, was given ${typeName}`;
  switch (clause) {
    case 's':
      return isPrintable(typeName)
        ? undefined
        : `string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps${given}`;
    case 'd':
      return ['int', 'uint'].includes(typeName) ? undefined : `decimal clause can only be used on integers${given}`;
    case 'f':
      return ['double', 'string'].includes(typeName)
        ? undefined
        : `fixed-point clause can only be used on doubles${given}`;
    case 'e':
      return ['double', 'string'].includes(typeName)
        ? undefined
        : `scientific clause can only be used on doubles${given}`;
    case 'b':
      return ['int', 'uint', 'bool'].includes(typeName)
        ? undefined
        : `only integers and bools can be formatted as binary${given}`;
    case 'o':
      return ['int', 'uint'].includes(typeName) ? undefined : `octal clause can only be used on integers${given}`;
    default:
      return ['int', 'uint', 'string', 'bytes'].includes(typeName)
        ? undefined
        : `only integers, byte buffers, and strings can be formatted as hex${given}`;
  }
}

const printable = new Set(
  'string bool bytes int uint double map list type null_type google.protobuf.Duration google.protobuf.Timestamp'.split(
    ' ',
  ),
);
const isPrintable = (typeName: string): boolean => printable.has(typeName);

function format(text: string, args: ListValue): Result {
  let parts: FormatPart[];
  try {
    parts = parseFormat(text);
  } catch (error) {
    if (error instanceof FormatSyntaxError) return new Failure(error.message);
    throw error;
  }
  let out = '';
  for (const part of parts) {
    if ('text' in part) {
      out += part.text;
      continue;
    }
    if (part.argument >= args.size) return new Failure(`index ${part.argument} out of range`);
    const shown = formatClause(part.clause, args.at(part.argument), part.precision);
    if (shown instanceof Failure) return new Failure(`error during formatting: ${shown.message}`);
    out += shown;
  }
  return out;
}

function formatClause(clause: Clause, value: Value, precision = 6): string | Failure {
  const complaint = clauseComplaint(clause, typeNameOf(value));
  if (complaint !== undefined) return new Failure(complaint);
  switch (clause) {
    case 's':
      return show(value);
    case 'f':
    case 'e':
      return formatNumber(clause, value as number | string, precision);
    case 'x':
    case 'X': {
      const hex = hexOf(value);
      return clause === 'X' ? hex.toUpperCase() : hex;
    }
    default:
      return integerOf(value).toString({ d: 10, b: 2, o: 8 }[clause]);
  }
}

const integerOf = (value: Value): bigint =>
  value instanceof UintValue ? value.value : typeof value === 'boolean' ? BigInt(value) : (value as bigint);

function hexOf(value: Value): string {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : integerOf(value).toString(16);
}

function formatNumber(clause: 'f' | 'e', given: number | string, precision: number): string | Failure {
  const value = typeof given === 'string' ? words.get(given) : given;
  if (value === undefined) {
    const name = clause === 'f' ? 'fixed-point' : 'scientific';
    return new Failure(`${name} clause can only be used on doubles, was given string`);
  }
  if (!Number.isFinite(value)) {
    const text = Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
    return clause === 'f' ? text : text.padStart(6);
  }
  if (clause === 'e') {
    // The real server takes no notice of the precision here.
    const { mantissa, exponent } = scientificParts(value, 6);
    return `${mantissa}×10${superscript(exponent)}`;
  }
  if (precision > mostDigits) return new Failure(`more than ${mostDigits} decimals are not supported`);
  return grouped(fixedText(value, precision));
}

const words = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

/** With commas between groups of three digits, as English has them. */
const grouped = (text: string): string => {
  const [whole = '', fraction] = text.split('.');
  const withCommas = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`;
};

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const superscript = (exponent: number): string =>
  (exponent < 0 ? '⁻' : '') +
  Array.from(String(Math.abs(exponent)).padStart(2, '0'), (digit) => superscripts[Number(digit)]).join('');

/** A value as `%s` shows it. */
function show(value: Value): string | Failure {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatDouble(value);
  if (value instanceof Uint8Array) return utf8Text(value);
  if (value instanceof TimestampValue || value instanceof DurationValue) return value.toString();
  return showInner(value);
}

/** A value within a list or map. */
function showInner(value: Value): string | Failure {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return Number.isFinite(value) ? fixedText(value, 6) : `"${formatDouble(value)}"`;
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof UintValue) return String(value.value);
  if (value instanceof Uint8Array) return quotedAs('b', utf8Text(value));
  if (value instanceof TimestampValue) return `timestamp("${value.toString()}")`;
  if (value instanceof DurationValue) return `duration("${value.toString()}")`;
  if (value instanceof TypeValue) return value.name;
  if (value instanceof ListValue)
    return joined(
      '[',
      ']',
      Array.from(value, (item) => showInner(item)),
    );
  if (value instanceof MapValue) {
    const keys = [...value.keys()].toSorted((a, b) => compareValues(a, b) ?? 0);
    return joined(
      '{',
      '}',
      keys.map((key) => pair(showInner(key), showInner(value.get(key)!))),
    );
  }
  return new Failure(`no formatting function for ${typeNameOf(value)}`);
}

const quotedAs = (prefix: string, text: string | Failure): string | Failure =>
  text instanceof Failure ? text : `${prefix}"${text}"`;

function utf8Text(bytes: Uint8Array): string | Failure {
  if (isUtf8(bytes)) return Buffer.from(bytes).toString();
  return new Failure('could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string');
}

function pair(key: string | Failure, value: string | Failure): string | Failure {
  if (key instanceof Failure) return key;
  return value instanceof Failure ? value : `${key}:${value}`;
}

function joined(open: string, close: string, parts: readonly (string | Failure)[]): string | Failure {
  const texts: string[] = [];
  for (const part of parts) {
    if (part instanceof Failure) return part;
    texts.push(part);
  }
  return open + texts.join(', ') + close;
}

/** `format` of strings. */
export const formatLibrary: Library = {
  format: [overload('string.(list(dyn)) string', format)],
};
