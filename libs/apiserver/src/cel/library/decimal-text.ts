/** A finite double as an integer and a power of ten: exactly what it stands for. */
function exactDecimal(value: number): { digits: bigint; scale: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const exponentBits = Number(bits >> 52n);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const mantissa = exponentBits === 0 ? fraction : fraction | 0x10_0000_0000_0000n;
  const exponent = Math.max(exponentBits, 1) - 1075;
  if (exponent >= 0) return { digits: mantissa << BigInt(exponent), scale: 0 };
  return { digits: mantissa * 5n ** BigInt(-exponent), scale: -exponent };
}

/** Divides and rounds to the nearest integer, and to an even one where two are as near. */
function roundedDivision(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  const twice = 2n * (a % b);
  return twice > b || (twice === b && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** A finite double with so many decimals, rounded from its exact value. */
export function fixedText(value: number, decimals: number): string {
  const { digits, scale } = exactDecimal(value);
  const scaled =
    decimals >= scale
      ? digits * 10n ** BigInt(decimals - scale)
      : roundedDivision(digits, 10n ** BigInt(scale - decimals));
  const text = scaled.toString().padStart(decimals + 1, '0');
  const point = text.length - decimals;
  const sign = value < 0 ? '-' : '';
  return decimals === 0 ? sign + text : `${sign}${text.slice(0, point)}.${text.slice(point)}`;
}

/** A finite double as one digit, so many decimals and a power of ten. */
export function scientificParts(value: number, decimals: number): { mantissa: string; exponent: number } {
  const { digits, scale } = exactDecimal(value);
  const sign = value < 0 ? '-' : '';
  if (digits === 0n) return { mantissa: `0.${'0'.repeat(decimals)}`, exponent: 0 };
  const text = digits.toString();
  let exponent = text.length - 1 - scale;
  const cut = text.length - (decimals + 1);
  let rounded = cut <= 0 ? text + '0'.repeat(-cut) : roundedDivision(digits, 10n ** BigInt(cut)).toString();
  if (rounded.length > decimals + 1) {
    rounded = rounded.slice(0, -1);
    exponent++;
  }
  return { mantissa: `${sign}${rounded[0]}.${rounded.slice(1)}`, exponent };
}
