import { Failure, noSuchOverload } from '../values/failure.js';
import { OpaqueValue, type Result } from '../values/value.js';
import { IpValue, parseIp } from './ip-addresses.js';
import { goQuote } from './go-quote.js';
import { formatIp, IpSyntaxError, isMapped, parseIpBits, type IpBits } from './ip-text.js';
import { overload, type Library } from './overload.js';

const parseError = 'network address parse error during conversion from string';

export class CidrValue extends OpaqueValue {
  readonly typeName = 'net.CIDR';

  constructor(
    readonly ip: IpBits,
    readonly length: number,
  ) {
    super();
  }

  equals(other: OpaqueValue): boolean {
    return (
      other instanceof CidrValue &&
      other.ip.version === this.ip.version &&
      other.ip.bits === this.ip.bits &&
      other.length === this.length
    );
  }

  /** The address with all bits behind the prefix cleared. */
  get network(): IpBits {
    const rest = BigInt((this.ip.version === 4 ? 32 : 128) - this.length);
    return { version: this.ip.version, bits: (this.ip.bits >> rest) << rest };
  }

  contains(ip: IpBits): boolean {
    return ip.version === this.ip.version && new CidrValue(ip, this.length).network.bits === this.network.bits;
  }

  override toString(): string {
    return `${formatIp(this.ip)}/${this.length}`;
  }
}

/** Reads a range of addresses, or says why it is none. */
export function parseCidr(text: string): CidrValue | Failure {
  const fail = (why: string): Failure =>
    new Failure(`${parseError}: ${parseError}: netip.ParsePrefix(${goQuote(text)}): ${why}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) return fail("no '/'");
  let ip: IpBits;
  try {
    ip = parseIpBits(text.slice(0, slash));
  } catch (error) {
    if (error instanceof IpSyntaxError) return fail(error.message);
    throw error;
  }
  if (ip.zone !== undefined) return fail('IPv6 zones cannot be present in a prefix');
  const length = text.slice(slash + 1);
  if (!/^(0|[1-9]\d*)$/.test(length)) return fail(`bad bits after slash: ${goQuote(length)}`);
  if (Number(length) > (ip.version === 4 ? 32 : 128)) return fail('prefix length out of range');
  if (isMapped(ip)) return new Failure(`${parseError}: IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return new CidrValue(ip, Number(length));
}

const containsCidr = (outer: CidrValue, inner: CidrValue): boolean =>
  outer.length <= inner.length && outer.contains(inner.ip);

function containsIpText(range: CidrValue, text: string): Result {
  const ip = parseIp(text);
  return ip instanceof Failure ? noSuchOverload() : range.contains(ip.ip);
}

function containsCidrText(range: CidrValue, text: string): Result {
  const inner = parseCidr(text);
  return inner instanceof Failure ? inner : containsCidr(range, inner);
}

/** Ranges of IP addresses. */
export const cidrLibrary: Library = {
  cidr: [overload('(string) CIDR', parseCidr)],
  isCIDR: [overload('(string) bool', (text: string) => parseCidr(text) instanceof CidrValue)],
  string: [overload('(CIDR) string', (range: CidrValue) => range.toString())],
  containsIP: [
    overload('CIDR.(string) bool', containsIpText),
    overload('CIDR.(IP) bool', (range: CidrValue, { ip }: IpValue) => range.contains(ip)),
  ],
  containsCIDR: [overload('CIDR.(string) bool', containsCidrText), overload('CIDR.(CIDR) bool', containsCidr)],
  ip: [overload('CIDR.() IP', ({ ip }: CidrValue) => new IpValue(ip))],
  prefixLength: [overload('CIDR.() int', ({ length }: CidrValue) => BigInt(length))],
  masked: [overload('CIDR.() CIDR', (range: CidrValue) => new CidrValue(range.network, range.length))],
};
