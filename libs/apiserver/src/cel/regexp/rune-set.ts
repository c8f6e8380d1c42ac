/** The greatest code point. */
export const lastRune = 0x10ffff;

/** A set of code points, as ranges that are sorted and do not touch: from, to, from, to, … */
export class RuneSet {
  static readonly none = new RuneSet([]);
  static readonly all = new RuneSet([0, lastRune]);

  private constructor(readonly ranges: readonly number[]) {}

  static of(pairs: readonly (readonly [number, number])[]): RuneSet {
    const out: number[] = [];
    for (const [from, to] of pairs.toSorted((a, b) => a[0] - b[0])) {
      const last = out.length - 1;
      if (last > 0 && from <= out[last]! + 1) out[last] = Math.max(out[last]!, to);
      else out.push(from, to);
    }
    return new RuneSet(out);
  }

  pairs(): [number, number][] {
    const out: [number, number][] = [];
    for (let at = 0; at < this.ranges.length; at += 2) out.push([this.ranges[at]!, this.ranges[at + 1]!]);
    return out;
  }

  has(rune: number): boolean {
    let low = 0;
    let high = this.ranges.length / 2 - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (rune < this.ranges[2 * middle]!) high = middle - 1;
      else if (rune > this.ranges[2 * middle + 1]!) low = middle + 1;
      else return true;
    }
    return false;
  }

  union(...others: readonly RuneSet[]): RuneSet {
    return RuneSet.of([this, ...others].flatMap((set) => set.pairs()));
  }

  inverse(): RuneSet {
    const out: [number, number][] = [];
    let next = 0;
    for (const [from, to] of this.pairs()) {
      if (from > next) out.push([next, from - 1]);
      next = to + 1;
    }
    if (next <= lastRune) out.push([next, lastRune]);
    return RuneSet.of(out);
  }

  without(rune: number): RuneSet {
    return this.inverse()
      .union(RuneSet.of([[rune, rune]]))
      .inverse();
  }

  /** With all that differs from a member only in case. */
  folded(): RuneSet {
    const out = this.pairs();
    for (const [from, to] of this.pairs()) {
      for (const [rune, others] of caseOrbits()) {
        if (rune >= from && rune <= to) out.push(...others.map((other): [number, number] => [other, other]));
      }
    }
    return RuneSet.of(out);
  }
}

let orbits: Map<number, number[]> | undefined;

/** For each letter with a case, those that differ from it only in that. */
function caseOrbits(): Map<number, number[]> {
  if (orbits !== undefined) return orbits;
  const groups = new Map<string, number[]>();
  const cased = /[\p{Lu}\p{Ll}\p{Lt}\p{Nl}\p{So}\p{M}]/u;
  for (let rune = 0; rune < 0x1f000; rune++) {
    if (rune >= 0xd800 && rune <= 0xdfff) continue;
    const text = String.fromCodePoint(rune);
    if (!cased.test(text)) continue;
    // Simple folding only: a letter that becomes several is left as it is.
    const upper = text.toUpperCase();
    const lower = (Array.from(upper).length === 1 ? upper : text).toLowerCase();
    const key = Array.from(lower).length === 1 ? lower : text;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [rune]);
    else group.push(rune);
  }
  orbits = new Map();
  for (const group of groups.values()) {
    // The dotted and the dotless i fold only to themselves.
    const members = group.filter((rune) => rune !== 0x130 && rune !== 0x131);
    if (members.length > 1) for (const rune of members) orbits.set(rune, members);
  }
  return orbits;
}

const perlClasses: Readonly<Record<string, RuneSet>> = {
  d: RuneSet.of([[0x30, 0x39]]),
  s: RuneSet.of([
    [0x9, 0xa],
    [0xc, 0xd],
    [0x20, 0x20],
  ]),
  w: RuneSet.of([
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ]),
};

/** The set of `\d`, `\S` and the like; undefined for other letters. */
export function perlClass(letter: string): RuneSet | undefined {
  const set = perlClasses[letter.toLowerCase()];
  return set !== undefined && letter !== letter.toLowerCase() ? set.inverse() : set;
}

const upper: [number, number] = [0x41, 0x5a];
const lower: [number, number] = [0x61, 0x7a];
const digit: [number, number] = [0x30, 0x39];
const posixClasses: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  alnum: [digit, upper, lower],
  alpha: [upper, lower],
  ascii: [[0, 0x7f]],
  blank: [
    [9, 9],
    [0x20, 0x20],
  ],
  cntrl: [
    [0, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: [digit],
  graph: [[0x21, 0x7e]],
  lower: [lower],
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space: [
    [9, 0xd],
    [0x20, 0x20],
  ],
  upper: [upper],
  word: [digit, upper, [0x5f, 0x5f], lower],
  xdigit: [digit, [0x41, 0x46], [0x61, 0x66]],
};

/** The set of `[:alpha:]` and the like; undefined for other names. */
export function posixClass(name: string): RuneSet | undefined {
  const inverse = name.startsWith('^');
  const key = inverse ? name.slice(1) : name;
  const pairs = Object.hasOwn(posixClasses, key) ? posixClasses[key] : undefined;
  if (pairs === undefined) return undefined;
  const set = RuneSet.of(pairs);
  return inverse ? set.inverse() : set;
}

const unicodeSets = new Map<string, RuneSet | undefined>();

/** The set of a Unicode category or script; undefined for other names. */
export function unicodeClass(name: string): RuneSet | undefined {
  if (unicodeSets.has(name)) return unicodeSets.get(name);
  const set = name === 'Any' ? RuneSet.all : findUnicodeClass(name);
  unicodeSets.set(name, set);
  return set;
}

/** The engine knows Unicode's tables, so that they are not needed here: each code point is asked for once. */
function findUnicodeClass(name: string): RuneSet | undefined {
  const isCategory = /^(?:L[mltuo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfsno]?)$/.test(name);
  if (!isCategory && !/^[A-Z][A-Za-z]+(?:_[A-Za-z]+)*$/.test(name)) return undefined;
  let pattern: RegExp;
  try {
    pattern = new RegExp(isCategory ? `\\p{gc=${name}}` : `\\p{sc=${name}}`, 'u');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const pairs: [number, number][] = [];
  let from: number | undefined;
  for (let rune = 0; rune <= lastRune; rune++) {
    const inside = pattern.test(String.fromCodePoint(rune));
    if (inside && from === undefined) from = rune;
    if (!inside && from !== undefined) {
      pairs.push([from, rune - 1]);
      from = undefined;
    }
  }
  if (from !== undefined) pairs.push([from, lastRune]);
  return RuneSet.of(pairs);
}
