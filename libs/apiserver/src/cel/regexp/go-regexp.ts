import { parseRegexp } from './parser.js';
import { compileProgram, type Program } from './program.js';
import type { Assertion } from './syntax.js';

/** A regular expression of Go's regexp package: its syntax, and time that grows only linearly with the text. */
export class GoRegexp {
  readonly #program: Program;

  /** Throws RegexpSyntaxError. */
  constructor(readonly pattern: string) {
    this.#program = compileProgram(parseRegexp(pattern), pattern);
  }

  /** Whether some part of a text matches. */
  test(text: string): boolean {
    return this.#search(runesOf(text), 0, true) !== undefined;
  }

  /** The leftmost match, or undefined. */
  find(text: string): string | undefined {
    const runes = runesOf(text);
    const match = this.#search(runes, 0, false);
    return match === undefined ? undefined : textOf(runes, match);
  }

  /** Matches that do not overlap, so many at most; all of them when the limit is negative. */
  findAll(text: string, limit: number): string[] {
    const runes = runesOf(text);
    const found: string[] = [];
    let from = 0;
    let lastEnd = -1;
    while (from <= runes.length && (limit < 0 || found.length < limit)) {
      const match = this.#search(runes, from, false);
      if (match === undefined) break;
      // An empty match right behind another one does not count.
      if (match.end > match.start || match.start !== lastEnd) found.push(textOf(runes, match));
      lastEnd = match.end;
      from = match.end > match.start ? match.end : match.end + 1;
    }
    return found;
  }

  /** Runs all possibilities side by side, in the order in which they are preferred. */
  #search(runes: Uint32Array, from: number, any: boolean): Match | undefined {
    const { steps, start } = this.#program;
    let current = new Threads(steps.length);
    let next = new Threads(steps.length);
    let found: Match | undefined;
    for (let at = from; ; at++) {
      if (found === undefined) this.#follow(current, start, at, runes, at);
      if (current.size === 0 && found !== undefined) break;
      for (let index = 0; index < current.size; index++) {
        const step = steps[current.steps[index]!]!;
        if (step.op === 'match') {
          found = { start: current.starts[index]!, end: at };
          if (any) return found;
          break;
        }
        if (step.op === 'rune' && at < runes.length && step.set.has(runes[at]!)) {
          this.#follow(next, step.next, current.starts[index]!, runes, at + 1);
        }
      }
      if (at >= runes.length) break;
      [current, next] = [next, current];
      next.clear();
    }
    return found;
  }

  /** Adds a step and all that can be reached from it without reading. */
  #follow(threads: Threads, first: number, start: number, runes: Uint32Array, at: number): void {
    const { steps } = this.#program;
    const pending = threads.pending;
    pending.push(first);
    while (pending.length > 0) {
      const index = pending.pop()!;
      if (!threads.visit(index)) continue;
      const step = steps[index]!;
      if (step.op === 'split') pending.push(step.other, step.next);
      else if (step.op === 'assert') {
        if (holds(step.assertion, runes, at)) pending.push(step.next);
      } else threads.add(index, start);
    }
  }
}

interface Match {
  readonly start: number;
  readonly end: number;
}

/** Steps that are being tried, each once, with where their match began. */
class Threads {
  readonly steps: Uint32Array;
  readonly starts: Uint32Array;
  readonly pending: number[] = [];
  size = 0;
  readonly #visited: Uint32Array;
  #round = 1;

  constructor(steps: number) {
    this.steps = new Uint32Array(steps);
    this.starts = new Uint32Array(steps);
    this.#visited = new Uint32Array(steps);
  }

  visit(step: number): boolean {
    if (this.#visited[step] === this.#round) return false;
    this.#visited[step] = this.#round;
    return true;
  }

  add(step: number, start: number): void {
    this.steps[this.size] = step;
    this.starts[this.size] = start;
    this.size++;
  }

  clear(): void {
    this.size = 0;
    this.#round++;
  }
}

function holds(assertion: Assertion, runes: Uint32Array, at: number): boolean {
  switch (assertion) {
    case 'textStart':
      return at === 0;
    case 'textEnd':
      return at === runes.length;
    case 'lineStart':
      return at === 0 || runes[at - 1] === 0xa;
    case 'lineEnd':
      return at === runes.length || runes[at] === 0xa;
    default:
      return (isWord(runes[at - 1]) !== isWord(runes[at])) === (assertion === 'word');
  }
}

const isWord = (rune: number | undefined): boolean =>
  rune !== undefined &&
  ((rune >= 0x30 && rune <= 0x39) || (rune >= 0x41 && rune <= 0x5a) || rune === 0x5f || (rune >= 0x61 && rune <= 0x7a));

function runesOf(text: string): Uint32Array {
  const runes = new Uint32Array(text.length);
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    const rune = text.codePointAt(at)!;
    if (rune > 0xffff) at++;
    runes[size++] = rune;
  }
  return runes.subarray(0, size);
}

function textOf(runes: Uint32Array, { start, end }: Match): string {
  let text = '';
  for (let at = start; at < end; at++) text += String.fromCodePoint(runes[at]!);
  return text;
}

const known = new Map<string, GoRegexp>();
const mostKnown = 1000;

/** The expression of a pattern, compiled once. Throws RegexpSyntaxError. */
export function regexpOf(pattern: string): GoRegexp {
  let found = known.get(pattern);
  if (found === undefined) {
    found = new GoRegexp(pattern);
    if (known.size >= mostKnown) known.delete(known.keys().next().value!);
    known.set(pattern, found);
  }
  return found;
}
