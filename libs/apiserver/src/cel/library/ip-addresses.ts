import { Failure } from '../values/failure.js';
import { OpaqueValue, type Result } from '../values/value.js';
import { goQuote } from './go-quote.js';
import { formatIp, IpSyntaxError, isMapped, parseIpBits, type IpBits } from './ip-text.js';
import { overload, type Library } from './overload.js';

export class IpValue extends OpaqueValue {
  readonly typeName = 'net.IP';

  constructor(readonly ip: IpBits) {
    super();
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof IpValue && other.ip.version === this.ip.version && other.ip.bits === this.ip.bits;
  }
}

/** Reads an address, or says why it is none. */
export function parseIp(text: string): IpValue | Failure {
  let ip: IpBits;
  try {
    ip = parseIpBits(text);
  } catch (error) {
    if (!(error instanceof IpSyntaxError)) throw error;
    return new Failure(`IP Address ${goQuote(text)} parse error during conversion from string: ${error.message}`);
  }
  if (ip.zone !== undefined) return new Failure(`IP address ${goQuote(text)} with zone value is not allowed`);
  if (isMapped(ip)) return new Failure(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return new IpValue(ip);
}

const under = (bits: bigint, prefix: bigint, shift: bigint): boolean => bits >> shift === prefix;

const isUnspecified = ({ bits }: IpBits): boolean => bits === 0n;
const isLoopback = ({ version, bits }: IpBits): boolean => (version === 4 ? under(bits, 127n, 24n) : bits === 1n);
const isLinkLocalUnicast = ({ version, bits }: IpBits): boolean =>
  version === 4 ? under(bits, 0xa9fen, 16n) : under(bits, 0xfe80n >> 6n, 118n);
const isLinkLocalMulticast = ({ version, bits }: IpBits): boolean =>
  version === 4 ? under(bits, 0xe00000n, 8n) : ((bits >> 112n) & 0xff0fn) === 0xff02n;
const isMulticast = ({ version, bits }: IpBits): boolean =>
  version === 4 ? under(bits, 0xen, 28n) : under(bits, 0xffn, 120n);
const isGlobalUnicast = (ip: IpBits): boolean =>
  !(ip.version === 4 && ip.bits === 0xffff_ffffn) &&
  !isUnspecified(ip) &&
  !isLoopback(ip) &&
  !isMulticast(ip) &&
  !isLinkLocalUnicast(ip);

const property = (test: (ip: IpBits) => boolean) => [overload('IP.() bool', ({ ip }: IpValue) => test(ip))];

function isCanonical(text: string): Result {
  const parsed = parseIp(text);
  return parsed instanceof Failure ? parsed : formatIp(parsed.ip) === text;
}

/** IP addresses. */
export const ipLibrary: Library = {
  ip: [overload('(string) IP', parseIp)],
  isIP: [overload('(string) bool', (text: string) => parseIp(text) instanceof IpValue)],
  'ip.isCanonical': [overload('(string) bool', isCanonical)],
  string: [overload('(IP) string', ({ ip }: IpValue) => formatIp(ip))],
  family: [overload('IP.() int', ({ ip }: IpValue) => BigInt(ip.version))],
  isUnspecified: property(isUnspecified),
  isLoopback: property(isLoopback),
  isLinkLocalMulticast: property(isLinkLocalMulticast),
  isLinkLocalUnicast: property(isLinkLocalUnicast),
  isGlobalUnicast: property(isGlobalUnicast),
};
