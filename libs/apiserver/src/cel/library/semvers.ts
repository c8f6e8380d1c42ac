import { Failure } from '../values/failure.js';
import { OpaqueValue, type Result } from '../values/value.js';
import { goQuote } from './go-quote.js';
import { overload, type Library } from './overload.js';

/** A semantic version. */
export class SemverValue extends OpaqueValue {
  readonly typeName = 'kubernetes.Semver';

  constructor(
    readonly numbers: readonly [bigint, bigint, bigint],
    readonly prerelease: readonly string[],
  ) {
    super();
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof SemverValue && this.compare(other) === 0;
  }

  /** What is built from one version has no order. */
  compare(other: SemverValue): number {
    for (const index of [0, 1, 2] as const) {
      if (this.numbers[index] !== other.numbers[index]) return this.numbers[index] < other.numbers[index] ? -1 : 1;
    }
    if (this.prerelease.length === 0 || other.prerelease.length === 0) {
      return Number(other.prerelease.length > 0) - Number(this.prerelease.length > 0);
    }
    const shorter = Math.min(this.prerelease.length, other.prerelease.length);
    for (let index = 0; index < shorter; index++) {
      const order = compareIdentifiers(this.prerelease[index]!, other.prerelease[index]!);
      if (order !== 0) return order;
    }
    return Math.sign(this.prerelease.length - other.prerelease.length);
  }
}

const isNumeric = (text: string): boolean => /^\d+$/.test(text);

function compareIdentifiers(a: string, b: string): number {
  if (a === b) return 0;
  if (isNumeric(a) && isNumeric(b)) return BigInt(a) < BigInt(b) ? -1 : 1;
  if (isNumeric(a) !== isNumeric(b)) return isNumeric(a) ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Text up to the second dot, and the rest: at most three parts. */
function threeParts(text: string): string[] {
  const [first = '', second, ...rest] = text.split('.');
  return [first, ...(second === undefined ? [] : [second]), ...(rest.length === 0 ? [] : [rest.join('.')])];
}

/** What is lenient in versions: a `v` in front, fewer than three numbers, zeros in front of them. */
function normalized(text: string): string | Failure {
  const parts = threeParts(text.replace(/^v/, '')).map((part) => {
    if (part.length < 2) return part;
    const rest = part.replace(/^0+/, '');
    return /^\d/.test(rest) ? rest : `0${rest}`;
  });
  if (parts.length < 3) {
    if (/[-+]/.test(parts.at(-1)!)) return new Failure('short version cannot contain PreRelease/Build meta data');
    while (parts.length < 3) parts.push('0');
  }
  return parts.join('.');
}

function parse(given: string, lenient = false): SemverValue | Failure {
  const text = lenient ? normalized(given) : given;
  if (text instanceof Failure) return text;
  if (text === '') return new Failure('Version string empty');
  const parts = threeParts(text);
  if (parts.length !== 3) return new Failure('No Major.Minor.Patch elements found');
  const [, last = '', before, build] = /^([^-+]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(parts[2]!) ?? [];
  const numbers: bigint[] = [];
  for (const [name, part] of [
    ['Major', parts[0]!],
    ['Minor', parts[1]!],
    ['Patch', last],
  ] as const) {
    const number = numberOf(name, part);
    if (number instanceof Failure) return number;
    numbers.push(number);
  }
  const prerelease = before?.split('.') ?? [];
  for (const identifier of prerelease) {
    if (identifier === '') return new Failure('Prerelease is empty');
    if (/^0\d+$/.test(identifier)) {
      return new Failure(`Numeric PreRelease version must not contain leading zeroes ${goQuote(identifier)}`);
    }
    if (!/^[0-9A-Za-z-]+$/.test(identifier)) {
      return new Failure(`Invalid character(s) found in prerelease ${goQuote(identifier)}`);
    }
  }
  for (const identifier of build?.split('.') ?? []) {
    if (identifier === '') return new Failure('Build meta data is empty');
    if (!/^[0-9A-Za-z-]+$/.test(identifier)) {
      return new Failure(`Invalid character(s) found in build meta data ${goQuote(identifier)}`);
    }
  }
  return new SemverValue(numbers as [bigint, bigint, bigint], prerelease);
}

function numberOf(name: string, text: string): bigint | Failure {
  if (/[^\d]/.test(text))
    return new Failure(`Invalid character(s) found in ${name.toLowerCase()} number ${goQuote(text)}`);
  if (/^0\d/.test(text)) return new Failure(`${name} number must not contain leading zeroes ${goQuote(text)}`);
  if (text === '') return new Failure('strconv.ParseUint: parsing "": invalid syntax');
  const number = BigInt(text);
  if (number < 2n ** 64n) return number;
  return new Failure(`strconv.ParseUint: parsing ${goQuote(text)}: value out of range`);
}

const isVersion = (text: string, lenient = false): Result => parse(text, lenient) instanceof SemverValue;

/** Semantic versions. */
export const semverLibrary: Library = {
  semver: [overload('(string) Semver', parse), overload('(string, bool) Semver', parse)],
  isSemver: [overload('(string) bool', isVersion), overload('(string, bool) bool', isVersion)],
  major: [overload('Semver.() int', ({ numbers }: SemverValue) => BigInt.asIntN(64, numbers[0]))],
  minor: [overload('Semver.() int', ({ numbers }: SemverValue) => BigInt.asIntN(64, numbers[1]))],
  patch: [overload('Semver.() int', ({ numbers }: SemverValue) => BigInt.asIntN(64, numbers[2]))],
  isGreaterThan: [overload('Semver.(Semver) bool', (a: SemverValue, b: SemverValue) => a.compare(b) > 0)],
  isLessThan: [overload('Semver.(Semver) bool', (a: SemverValue, b: SemverValue) => a.compare(b) < 0)],
  compareTo: [overload('Semver.(Semver) int', (a: SemverValue, b: SemverValue) => BigInt(a.compare(b)))],
};
