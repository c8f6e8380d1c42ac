import { lastRune, perlClass, posixClass, RuneSet, unicodeClass } from './rune-set.js';
import { RegexpSyntaxError, type Assertion, type Node } from './syntax.js';

const mostRepeats = 1000;
const deepest = 1000;
/** Stands for no upper limit. */
export const unlimited = -1;

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly swapGreed: boolean;
}

/** Parses a pattern of Go's regexp package. Throws RegexpSyntaxError. */
export function parseRegexp(pattern: string): Node {
  return new RegexpParser(pattern).parse();
}

const repeatSize = (node: Node): number => {
  switch (node.kind) {
    case 'repeat': {
      const times = Math.max(node.min, node.max, 1);
      return (node.max === unlimited && node.min <= 1 ? 1 : times) * repeatSize(node.part);
    }
    case 'sequence':
      return Math.max(1, ...node.parts.map((part) => repeatSize(part)));
    case 'choice':
      return Math.max(1, ...node.options.map((option) => repeatSize(option)));
    default:
      return 1;
  }
};

class RegexpParser {
  readonly #runes: readonly string[];
  #at = 0;
  #depth = 0;
  #flags: Flags = { ignoreCase: false, multiline: false, dotAll: false, swapGreed: false };

  constructor(private readonly pattern: string) {
    this.#runes = Array.from(pattern);
  }

  parse(): Node {
    const node = this.#choice();
    if (this.#peek() === ')') this.#fail('unexpected )', this.pattern);
    return node;
  }

  #peek(offset = 0): string | undefined {
    return this.#runes[this.#at + offset];
  }

  #text(from: number, to = this.#at): string {
    return this.#runes.slice(from, to).join('');
  }

  #fail(code: string, part: string): never {
    throw new RegexpSyntaxError(code, part);
  }

  #choice(): Node {
    if (++this.#depth > deepest) this.#fail('expression nests too deeply', this.pattern);
    const options = [this.#sequence()];
    while (this.#peek() === '|') {
      this.#at++;
      options.push(this.#sequence());
    }
    this.#depth--;
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    // Where an operator that repeats began, if the last thing read was one.
    let repeatedAt: number | undefined;
    for (;;) {
      const rune = this.#peek();
      if (rune === undefined || rune === '|' || rune === ')') break;
      const start = this.#at;
      const bounds = this.#repetition();
      if (bounds === undefined) {
        const part = this.#atom();
        repeatedAt = undefined;
        if (part !== undefined) parts.push(...part);
        continue;
      }
      const operator = this.#text(start);
      const last = parts.pop();
      if (last === undefined) this.#fail('missing argument to repetition operator', operator);
      if (repeatedAt !== undefined) this.#fail('invalid nested repetition operator', this.#text(repeatedAt));
      const node: Node = { kind: 'repeat', part: last, ...bounds };
      if (repeatSize(node) > mostRepeats) this.#fail('invalid repeat count', operator);
      parts.push(node);
      repeatedAt = start;
    }
    if (parts.length === 0) return { kind: 'empty' };
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  }

  /** Reads `*`, `+`, `?` or `{n,m}` with a `?` behind; undefined where none is. */
  #repetition(): { min: number; max: number; lazy: boolean } | undefined {
    const start = this.#at;
    let bounds: { min: number; max: number } | undefined;
    switch (this.#peek()) {
      case '*':
        bounds = { min: 0, max: unlimited };
        break;
      case '+':
        bounds = { min: 1, max: unlimited };
        break;
      case '?':
        bounds = { min: 0, max: 1 };
        break;
      case '{': {
        const match = /^\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/.exec(this.#text(start, start + 32));
        if (match === null) return undefined;
        const min = Number(match[1]);
        const max = match[2] === undefined ? min : match[3] === undefined ? unlimited : Number(match[3]);
        this.#at += match[0].length - 1;
        if (min > mostRepeats || max > mostRepeats || (max !== unlimited && max < min)) {
          this.#fail('invalid repeat count', match[0]);
        }
        bounds = { min, max };
        break;
      }
      default:
        return undefined;
    }
    this.#at++;
    let lazy = this.#flags.swapGreed;
    if (this.#peek() === '?') {
      this.#at++;
      lazy = !lazy;
    }
    return { ...bounds, lazy };
  }

  /** What one thing in a pattern stands for; a quotation stands for several. */
  #atom(): readonly Node[] | undefined {
    const rune = this.#runes[this.#at++]!;
    switch (rune) {
      case '(':
        return this.#group();
      case '[':
        this.#at--;
        return [this.#bracketed()];
      case '.':
        return [{ kind: 'set', set: this.#flags.dotAll ? RuneSet.all : RuneSet.all.without(0xa) }];
      case '^':
        return [assertion(this.#flags.multiline ? 'lineStart' : 'textStart')];
      case '$':
        return [assertion(this.#flags.multiline ? 'lineEnd' : 'textEnd')];
      case '\\':
        return this.#escaped();
      default:
        return [this.#literal(rune)];
    }
  }

  #literal(rune: string): Node {
    return this.#set(RuneSet.of([[rune.codePointAt(0)!, rune.codePointAt(0)!]]));
  }

  #set(set: RuneSet): Node {
    return { kind: 'set', set: this.#flags.ignoreCase ? set.folded() : set };
  }

  #group(): readonly Node[] | undefined {
    const before = this.#flags;
    if (this.#peek() === '?') {
      const rest = this.#text(this.#at - 1, this.#runes.length);
      const named = /^\(\?P?<(?=.)([^>]*)(>?)/s.exec(rest);
      if (named !== null) this.#name(named, rest);
      else if (this.#setFlags()) return undefined;
    }
    const node = this.#choice();
    if (this.#peek() !== ')') this.#fail('missing closing )', this.pattern);
    this.#at++;
    this.#flags = before;
    return [node];
  }

  #name(match: RegExpExecArray, rest: string): void {
    const [whole, name = '', end] = match;
    if (end !== '>') this.#fail('invalid named capture', rest);
    if (!/^\w+$/.test(name)) this.#fail('invalid named capture', whole);
    this.#at += Array.from(whole).length - 1;
  }

  /** Reads flags; true where they are all there is in the group. */
  #setFlags(): boolean {
    const start = this.#at - 1;
    this.#at++;
    let value = true;
    let some = false;
    const flags = { ...this.#flags };
    for (;;) {
      const rune = this.#runes[this.#at++];
      switch (rune) {
        case 'i':
          flags.ignoreCase = value;
          break;
        case 'm':
          flags.multiline = value;
          break;
        case 's':
          flags.dotAll = value;
          break;
        case 'U':
          flags.swapGreed = value;
          break;
        case '-':
          if (!value) this.#fail('invalid or unsupported Perl syntax', this.#text(start));
          value = false;
          some = false;
          continue;
        case ':':
        case ')':
          if (!value && !some) this.#fail('invalid or unsupported Perl syntax', this.#text(start));
          this.#flags = flags;
          return rune === ')';
        default:
          return this.#fail('invalid or unsupported Perl syntax', this.#text(start));
      }
      some = true;
    }
  }

  #escaped(): readonly Node[] | undefined {
    const letter = this.#peek();
    const simple: Record<string, Assertion> = { A: 'textStart', z: 'textEnd', b: 'word', B: 'notWord' };
    if (letter !== undefined && Object.hasOwn(simple, letter)) {
      this.#at++;
      return [assertion(simple[letter]!)];
    }
    if (letter === 'Q') {
      const end = this.pattern.indexOf(String.raw`\E`, this.#text(0, this.#at + 1).length);
      const from = this.#at + 1;
      const quoted =
        end < 0 ? this.#runes.slice(from) : Array.from(this.pattern.slice(this.#text(0, from).length, end));
      this.#at = from + quoted.length + (end < 0 ? 0 : 2);
      return quoted.map((rune) => this.#literal(rune));
    }
    const set = this.#escapedClass();
    if (set !== undefined) return [{ kind: 'set', set }];
    const rune = this.#escapedRune();
    return [this.#set(RuneSet.of([[rune, rune]]))];
  }

  /** `\d`, `\pL` and the like, from behind the backslash on. */
  #escapedClass(): RuneSet | undefined {
    const letter = this.#peek();
    if (letter === undefined) return undefined;
    const perl = /^[dDsSwW]$/.test(letter) ? perlClass(letter) : undefined;
    if (perl !== undefined) {
      this.#at++;
      return this.#flags.ignoreCase ? perl.folded() : perl;
    }
    if (letter !== 'p' && letter !== 'P') return undefined;
    const start = this.#at - 1;
    this.#at++;
    let name = this.#runes[this.#at++];
    if (name === '{') {
      const end = this.#runes.indexOf('}', this.#at);
      if (end < 0) this.#fail('invalid character class range', this.#text(start, this.#runes.length));
      name = this.#text(this.#at, end);
      this.#at = end + 1;
    }
    const inverse = name?.startsWith('^') === true;
    const set = unicodeClass(inverse ? name!.slice(1) : (name ?? ''));
    if (set === undefined) return this.#fail('invalid character class range', this.#text(start));
    const folded = this.#flags.ignoreCase ? set.folded() : set;
    return inverse !== (letter === 'P') ? folded.inverse() : folded;
  }

  /** A single code point, from behind the backslash on. */
  #escapedRune(): number {
    const start = this.#at - 1;
    const letter = this.#runes[this.#at++];
    if (letter === undefined) return this.#fail('trailing backslash at end of expression', '');
    const invalid = (): never => this.#fail('invalid escape sequence', this.#text(start));
    if (/^[0-7]$/.test(letter)) {
      if (letter !== '0' && !/^[0-7]$/.test(this.#peek() ?? '')) return invalid();
      const digits = /^[0-7]{1,3}/.exec(this.#text(this.#at - 1, this.#at + 2))![0];
      this.#at += digits.length - 1;
      return Number.parseInt(digits, 8);
    }
    if (letter === 'x') return this.#hexadecimal() ?? invalid();
    const control: Record<string, number> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
    if (Object.hasOwn(control, letter)) return control[letter]!;
    const rune = letter.codePointAt(0)!;
    return rune < 0x80 && !/^[A-Za-z0-9]$/.test(letter) ? rune : invalid();
  }

  /** What is behind `\x`; stops behind the first that does not belong there. */
  #hexadecimal(): number | undefined {
    const digit = (): number => {
      const rune = this.#runes[this.#at];
      if (rune === undefined) return Number.NaN;
      this.#at++;
      return /^[0-9a-fA-F]$/.test(rune) ? Number.parseInt(rune, 16) : Number.NaN;
    };
    if (this.#peek() !== '{') {
      const [high, low] = [digit(), digit()];
      return Number.isNaN(high + low) ? undefined : high * 16 + low;
    }
    this.#at++;
    for (let rune = digit(); ; rune = rune * 16 + digit()) {
      if (Number.isNaN(rune) || rune > lastRune) return undefined;
      if (this.#peek() !== '}') continue;
      this.#at++;
      return rune;
    }
  }

  #bracketed(): Node {
    const start = this.#at++;
    const inverse = this.#peek() === '^';
    if (inverse) this.#at++;
    const sets: RuneSet[] = [];
    for (let first = true; ; first = false) {
      const rune = this.#peek();
      if (rune === undefined) this.#fail('missing closing ]', this.#text(start, this.#runes.length));
      if (rune === ']' && !first) break;
      sets.push(this.#bracketedItem(start));
    }
    this.#at++;
    const set = RuneSet.none.union(...sets);
    const folded = this.#flags.ignoreCase ? set.folded() : set;
    const result = inverse ? folded.inverse() : folded;
    return result.ranges.length === 0 ? { kind: 'none' } : { kind: 'set', set: result };
  }

  #bracketedItem(start: number): RuneSet {
    const posix = /^\[:(.*?):\]/s.exec(this.#text(this.#at, this.#runes.length));
    if (posix !== null) {
      const set = posixClass(posix[1]!);
      if (set === undefined) this.#fail('invalid character class range', posix[0]);
      this.#at += Array.from(posix[0]).length;
      return set;
    }
    if (this.#peek() === '\\') {
      this.#at++;
      const set = this.#escapedClass();
      if (set !== undefined) return set;
      this.#at--;
    }
    const from = this.#at;
    const low = this.#bracketedRune(start);
    let high = low;
    if (this.#peek() === '-' && this.#peek(1) !== undefined && this.#peek(1) !== ']') {
      this.#at++;
      high = this.#bracketedRune(start);
      if (high < low) this.#fail('invalid character class range', this.#text(from));
    }
    return RuneSet.of([[low, high]]);
  }

  #bracketedRune(start: number): number {
    const rune = this.#runes[this.#at++];
    if (rune === undefined) return this.#fail('missing closing ]', this.#text(start, this.#runes.length));
    return rune === '\\' ? this.#escapedRune() : rune.codePointAt(0)!;
  }
}

const assertion = (name: Assertion): Node => ({ kind: 'assert', assertion: name });
