/** Text that is no quantity; the message is the real server's. */
export class QuantityError extends Error {
  override name = 'QuantityError';
}

const formatRule = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const smallest = -9;
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const largestBinary = 2n ** 63n - 1n;

interface Parsed {
  readonly negative: boolean;
  /** The digits without the point, and how many of them stand behind it. */
  readonly digits: bigint;
  readonly fraction: number;
  readonly format: 'decimal' | 'exponent' | 'binary';
  /** Power of ten, or of 1024. */
  readonly power: number;
}

function parse(text: string): Parsed {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*)([-+]?\d*)/.exec(text)!;
  const [whole, sign, integer = '', fraction = '', letters = '', exponent = ''] = match;
  if (text === '' || whole.length !== text.length) throw new QuantityError(formatRule);
  const refuse = (): never => {
    throw new QuantityError("unable to parse quantity's suffix");
  };
  const rest = { negative: sign === '-', digits: BigInt(`0${integer}${fraction}`), fraction: fraction.length };
  if (integer === '' && fraction === '') return refuse();
  if ((letters === 'e' || letters === 'E') && /^[-+]?\d+$/.test(exponent)) {
    return { ...rest, format: 'exponent', power: Number(exponent) };
  }
  if (exponent !== '') return refuse();
  const decimal = decimalSuffixes.indexOf(letters);
  if (decimal >= 0) return { ...rest, format: 'decimal', power: smallest + 3 * decimal };
  const binary = binarySuffixes.indexOf(letters);
  return binary < 0 ? refuse() : { ...rest, format: 'binary', power: binary };
}

/** Division that rounds away from zero, as both are positive here: up. */
const divideUp = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;

/**
 * A quantity as the real server prints it: the largest suffix that leaves no fraction, at most nine decimal places
 * (three with `milli`), rounded up.
 *
 * @throws QuantityError for text that is no quantity
 */
export function canonicalQuantity(given: string, milli = false): string {
  const text = given.trim();
  const { negative, digits, fraction, format, power } = parse(text);
  if (digits === 0n) return '0';
  const sign = negative ? '-' : '';
  const places = milli ? 3 : 9;
  if (format === 'binary') {
    const scale = 10n ** BigInt(fraction);
    const value = digits * 1024n ** BigInt(power);
    if (value % scale !== 0n) return sign + decimal(divideUp(value * 10n ** BigInt(places), scale), -places, 'decimal');
    let whole = value / scale;
    if (whole > largestBinary) return sign + largestBinary;
    let suffix = 0;
    while (whole % 1024n === 0n && suffix < binarySuffixes.length - 1) {
      whole /= 1024n;
      suffix++;
    }
    return `${sign}${whole}${binarySuffixes[suffix]}`;
  }
  const exponent = power - fraction;
  // What is short already stays as it is written, a plus or leading zeros included.
  if (fraction === 0 && power % 3 === 0 && power >= -places && digits % 1000n !== 0n) return text;
  if (exponent < -places) return sign + decimal(divideUp(digits, 10n ** BigInt(-places - exponent)), -places, format);
  return sign + decimal(digits, exponent, format);
}

function decimal(digits: bigint, exponent: number, format: 'decimal' | 'exponent'): string {
  let value = digits;
  let power = exponent;
  while (power % 3 !== 0) {
    value *= 10n;
    power--;
  }
  const most = format === 'exponent' ? Infinity : smallest + 3 * (decimalSuffixes.length - 1);
  while (value % 1000n === 0n && power < most) {
    value /= 1000n;
    power += 3;
  }
  while (power > most) {
    value *= 1000n;
    power -= 3;
  }
  if (format === 'exponent') return power === 0 ? String(value) : `${value}e${power}`;
  return `${value}${decimalSuffixes[(power - smallest) / 3]}`;
}
