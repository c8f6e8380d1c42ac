import { Failure } from '../values/failure.js';
import { OpaqueValue, type Result } from '../values/value.js';
import { overload, type Library } from './overload.js';

const mostInt64 = 2n ** 63n - 1n;
const nano = -9;
/** Larger powers of ten make no difference, and would only take time. */
const mostExponent = 5000;

/** An amount as Kubernetes writes it, such as `1.5Gi`. */
export class QuantityValue extends OpaqueValue {
  readonly typeName = 'kubernetes.Quantity';

  /**
   * @param amount - in units of ten to the power of `scale`
   * @param small - whether the real server keeps it as an integer of 64 bits, which decides what counts as an integer
   */
  constructor(
    readonly amount: bigint,
    readonly scale: number,
    readonly small: boolean,
  ) {
    super();
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof QuantityValue && this.compare(other) === 0;
  }

  compare(other: QuantityValue): number {
    const [a, b] = alignedAmounts(this, other);
    return a < b ? -1 : a > b ? 1 : 0;
  }

  /** The value as an integer; undefined where the real server finds none. */
  get integer(): bigint | undefined {
    if (!this.small || this.scale < 0) return undefined;
    const value = this.amount * 10n ** BigInt(this.scale);
    return isInt64(value) ? value : undefined;
  }

  get approximate(): number {
    return this.scale === 0 ? Number(this.amount) : Number(this.amount) * 10 ** this.scale;
  }

  plus(other: QuantityValue): QuantityValue {
    if (this.small && other.small) {
      if (this.amount === 0n) return other;
      const [a, b, scale] = alignedAmounts(this, other);
      if ([a, b, a + b].every(isInt64)) return new QuantityValue(a + b, scale, true);
    }
    const [a, b, scale] = alignedAmounts(this, other);
    return new QuantityValue(a + b, scale, false);
  }

  negated(): QuantityValue {
    return new QuantityValue(-this.amount, this.scale, this.small);
  }
}

const isInt64 = (value: bigint): boolean => value <= mostInt64 && value >= -mostInt64 - 1n;

/** Two amounts in the finer unit of the two. */
function alignedAmounts(a: QuantityValue, b: QuantityValue): [bigint, bigint, number] {
  const scale = Math.min(a.scale, b.scale);
  return [a.amount * 10n ** BigInt(a.scale - scale), b.amount * 10n ** BigInt(b.scale - scale), scale];
}

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
}

const suffixes: Readonly<Record<string, Suffix>> = {
  ...Object.fromEntries(
    ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((name, index) => [name, { base: 2, exponent: 10 * (index + 1) }]),
  ),
  ...Object.fromEntries(
    ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map((name, index) => [
      name,
      { base: 10, exponent: 3 * (index - 3) },
    ]),
  ),
};

function suffixOf(text: string): Suffix | undefined {
  if (Object.hasOwn(suffixes, text)) return suffixes[text];
  const match = /^[eE]([+-]?\d+)$/.exec(text);
  if (match === null) return undefined;
  return { base: 10, exponent: Math.max(-mostExponent, Math.min(mostExponent, Number(match[1]))) };
}

/** Reads a quantity; undefined where the text is none. */
export function parseQuantity(text: string): QuantityValue | undefined {
  if (text === '') return undefined;
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([^.\d][^.]*)?$/s.exec(text);
  if (match === null) return undefined;
  const [, sign, leading = '', fraction = '', suffixText = ''] = match;
  const suffix = suffixOf(suffixText);
  if (suffix === undefined) return undefined;
  const whole = leading.replace(/^0+/, '') || '0';
  const signed = (amount: bigint): bigint => (sign === '-' ? -amount : amount);
  const digits = BigInt(whole + fraction);
  const scale = suffix.base === 10 ? suffix.exponent - fraction.length : 0;
  if (hasRoom(suffix, whole.length, fraction.length) && scale >= nano) {
    const amount = suffix.base === 2 ? digits << BigInt(suffix.exponent) : digits;
    if (isInt64(amount)) return new QuantityValue(signed(amount), scale, true);
  }
  return large(digits, fraction.length, suffix, signed);
}

/** Whether the real server takes its quick path, which goes by the number of digits. */
function hasRoom({ base, exponent }: Suffix, whole: number, fraction: number): boolean {
  if (base === 10) return whole + fraction <= 18;
  return fraction === 0 && 15 - whole - Math.trunc((exponent * 3) / 10) - 1 >= 0;
}

/** Amounts finer than a billionth are rounded up, and those with binary suffixes have an upper limit. */
function large(
  digits: bigint,
  decimals: number,
  { base, exponent }: Suffix,
  signed: (amount: bigint) => bigint,
): QuantityValue {
  let amount = base === 2 ? digits << BigInt(exponent) : digits;
  let scale = (base === 10 ? exponent : 0) - decimals;
  if (scale < nano) {
    const unit = 10n ** BigInt(nano - scale);
    amount = (amount + unit - 1n) / unit;
    scale = nano;
  }
  if (base === 2 && amount > mostInt64 * 10n ** BigInt(-scale)) {
    amount = mostInt64;
    scale = 0;
  }
  return new QuantityValue(signed(amount), scale, false);
}

const notQuantity = new Failure(
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
);
const notInteger = new Failure('cannot convert value to integer');

const ofInt = (value: bigint): QuantityValue => new QuantityValue(value, 0, true);

const signOf = ({ amount }: QuantityValue): Result => (amount > 0n ? 1n : amount < 0n ? -1n : 0n);

/** Amounts as Kubernetes writes them. */
export const quantityLibrary: Library = {
  quantity: [overload('(string) Quantity', (text: string) => parseQuantity(text) ?? notQuantity)],
  isQuantity: [overload('(string) bool', (text: string) => parseQuantity(text) !== undefined)],
  sign: [overload('(Quantity) int', signOf)],
  isInteger: [overload('Quantity.() bool', ({ integer }: QuantityValue) => integer !== undefined)],
  asInteger: [overload('Quantity.() int', ({ integer }: QuantityValue) => integer ?? notInteger)],
  asApproximateFloat: [overload('Quantity.() double', ({ approximate }: QuantityValue) => approximate)],
  isGreaterThan: [overload('Quantity.(Quantity) bool', (a: QuantityValue, b: QuantityValue) => a.compare(b) > 0)],
  isLessThan: [overload('Quantity.(Quantity) bool', (a: QuantityValue, b: QuantityValue) => a.compare(b) < 0)],
  compareTo: [overload('Quantity.(Quantity) int', (a: QuantityValue, b: QuantityValue) => BigInt(a.compare(b)))],
  add: [
    overload('Quantity.(Quantity) Quantity', (a: QuantityValue, b: QuantityValue) => a.plus(b)),
    overload('Quantity.(int) Quantity', (a: QuantityValue, b: bigint) => a.plus(ofInt(b))),
  ],
  sub: [
    overload('Quantity.(Quantity) Quantity', (a: QuantityValue, b: QuantityValue) => a.plus(b.negated())),
    overload('Quantity.(int) Quantity', (a: QuantityValue, b: bigint) => a.plus(ofInt(-b))),
  ],
};
