import { Failure } from '../values/failure.js';
import { OpaqueValue, PlainList, PlainMap, type Result } from '../values/value.js';
import { goQuote } from './go-quote.js';
import { overload, type Library } from './overload.js';

/** A URL as Go's net/url reads one of a request line: absolute, or a path from the root on. */
export class UrlValue extends OpaqueValue {
  readonly typeName = 'kubernetes.URL';

  constructor(
    readonly text: string,
    readonly scheme: string,
    /** With the port. */
    readonly host: string,
    /** As it is written. */
    readonly path: string,
    readonly query: string,
  ) {
    super();
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof UrlValue && other.text === this.text;
  }
}

class UrlSyntaxError extends Error {}

/** Reads a URL; the failure says why it is none. */
export function parseUrl(text: string): UrlValue | string {
  try {
    const whole = readUrl(text);
    const hash = text.indexOf('#');
    // What is behind a hash is part of the path or query for the check only.
    return hash < 0 ? whole : readUrl(text.slice(0, hash));
  } catch (error) {
    if (error instanceof UrlSyntaxError) return `parse ${goQuote(text)}: ${error.message}`;
    throw error;
  }
}

function readUrl(text: string): UrlValue {
  // eslint-disable-next-line no-control-regex
  if (/[\x00-\x1f\x7f]/.test(text)) throw new UrlSyntaxError('net/url: invalid control character in URL');
  if (text === '') throw new UrlSyntaxError('empty url');
  if (text === '*') return new UrlValue(text, '', '', '*', '');
  if (text.startsWith(':')) throw new UrlSyntaxError('missing protocol scheme');
  const schemeMatch = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  const scheme = schemeMatch?.[1]?.toLowerCase() ?? '';
  let rest = text.slice(schemeMatch?.[0].length ?? 0);
  const question = rest.indexOf('?');
  const query = question < 0 ? '' : rest.slice(question + 1);
  if (question >= 0) rest = rest.slice(0, question);
  if (!rest.startsWith('/')) {
    // Without a path from the root the rest is opaque.
    if (scheme !== '') return new UrlValue(text, scheme, '', '', query);
    throw new UrlSyntaxError('invalid URI for request');
  }
  let host = '';
  if (rest.startsWith('//') && !(scheme === '' && rest.startsWith('///'))) {
    const end = rest.indexOf('/', 2);
    const authority = end < 0 ? rest.slice(2) : rest.slice(2, end);
    rest = end < 0 ? '' : rest.slice(end);
    host = readHost(authority);
  }
  checkEscapes(rest);
  return new UrlValue(text, scheme, host, rest, query);
}

function checkEscapes(text: string): void {
  const bad = /%(?![0-9a-fA-F]{2}).{0,2}/su.exec(text);
  if (bad !== null) throw new UrlSyntaxError(`invalid URL escape ${goQuote(bad[0])}`);
}

function readHost(authority: string): string {
  const at = authority.lastIndexOf('@');
  if (at >= 0 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at))) {
    throw new UrlSyntaxError('net/url: invalid userinfo');
  }
  if (at >= 0) checkEscapes(authority.slice(0, at));
  const host = authority.slice(at + 1);
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end < 0) throw new UrlSyntaxError("missing ']' in host");
    checkPort(host.slice(end + 1));
    const zone = host.slice(0, end).indexOf('%25');
    if (zone < 0) return checkedHost(host.slice(0, end)) + host.slice(end);
    checkEscapes(host.slice(zone, end));
    return checkedHost(host.slice(0, zone)) + unescapeBytes(host.slice(zone, end)) + host.slice(end);
  }
  const colon = host.indexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return checkedHost(host);
}

function checkPort(text: string): void {
  if (text !== '' && !/^:\d*$/.test(text)) throw new UrlSyntaxError(`invalid port ${goQuote(text)} after host`);
}

function checkedHost(host: string): string {
  checkEscapes(host);
  // In a host only bytes beyond ASCII may be escaped.
  const escape = /%[0-7][0-9a-fA-F]/.exec(host);
  if (escape !== null) throw new UrlSyntaxError(`invalid URL escape ${goQuote(escape[0])}`);
  const bad = /[^A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]/u.exec(host);
  if (bad !== null) throw new UrlSyntaxError(`invalid character ${goQuote(bad[0])} in host name`);
  return unescapeBytes(host);
}

const unescapeBytes = (text: string): string => {
  if (!text.includes('%')) return text;
  const bytes = Array.from(text.matchAll(/%([0-9a-fA-F]{2})|[^%]/gsu), ([whole, hex]) =>
    hex === undefined ? [...Buffer.from(whole)] : [Number.parseInt(hex, 16)],
  );
  return Buffer.from(bytes.flat()).toString();
};

/** The path with all characters escaped that have to be; what is escaped already stays. */
function escapedPath({ path }: UrlValue): string {
  if (path === '*' || /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]]|%[0-9a-fA-F]{2})*$/.test(path)) return path;
  return Array.from(Buffer.from(unescapeBytes(path)), (byte) => {
    const character = String.fromCharCode(byte);
    const plain = /^[A-Za-z0-9\-._~$&+,/:;=@]$/.test(character);
    return plain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

function queryMap({ query }: UrlValue): Result {
  const values = new Map<string, string[]>();
  for (const part of query.split('&')) {
    // Go refuses semicolons and broken escapes, and drops the pair.
    if (part === '' || part.includes(';') || /%(?![0-9a-fA-F]{2})/.test(part)) continue;
    const equals = part.indexOf('=');
    const decode = (text: string): string => unescapeBytes(text.replaceAll('+', ' '));
    const key = decode(equals < 0 ? part : part.slice(0, equals));
    values.set(key, [...(values.get(key) ?? []), equals < 0 ? '' : decode(part.slice(equals + 1))]);
  }
  return new PlainMap(Array.from(values, ([key, all]) => [key, new PlainList(all)] as const));
}

function hostname({ host }: UrlValue): string {
  const port = /:\d*$/.exec(host);
  const name = port === null || (host.startsWith('[') && !host.includes(']:')) ? host : host.slice(0, port.index);
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
}

const port = ({ host }: UrlValue): string => /(?:^|[^:]|\]):(\d*)$/.exec(host)?.[1] ?? '';

function url(text: string): Result {
  const parsed = parseUrl(text);
  return typeof parsed === 'string' ? new Failure(`URL parse error during conversion from string: ${parsed}`) : parsed;
}

/** URLs. */
export const urlLibrary: Library = {
  url: [overload('(string) URL', url)],
  isURL: [overload('(string) bool', (text: string) => parseUrl(text) instanceof UrlValue)],
  getScheme: [overload('URL.() string', ({ scheme }: UrlValue) => scheme)],
  getHost: [overload('URL.() string', ({ host }: UrlValue) => host)],
  getHostname: [overload('URL.() string', hostname)],
  getPort: [overload('URL.() string', port)],
  getEscapedPath: [overload('URL.() string', escapedPath)],
  getQuery: [overload('URL.() map(string, list(string))', queryMap)],
};
