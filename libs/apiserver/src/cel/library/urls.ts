import { Failure } from '../values/failure.js';
import { OpaqueValue, PlainList, PlainMap, type Result } from '../values/value.js';
import { overload, type Library } from './overload.js';
import { parseUrl, unescapeBytes, type UrlParts } from './url-text.js';

/** A URL. */
export class UrlValue extends OpaqueValue {
  readonly typeName = 'kubernetes.URL';

  constructor(
    readonly text: string,
    readonly parts: UrlParts,
  ) {
    super();
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof UrlValue && other.text === this.text;
  }
}

/** The path with all characters escaped that have to be; what is escaped already stays. */
function escapedPath({ parts: { path } }: UrlValue): string {
  if (path === '*' || /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]]|%[0-9a-fA-F]{2})*$/.test(path)) return path;
  return Array.from(Buffer.from(unescapeBytes(path)), (byte) => {
    const character = String.fromCharCode(byte);
    const plain = /^[A-Za-z0-9\-._~$&+,/:;=@]$/.test(character);
    return plain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

function queryMap({ parts: { query } }: UrlValue): Result {
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

function hostname({ parts: { host } }: UrlValue): string {
  const port = /:\d*$/.exec(host);
  const name = port === null || (host.startsWith('[') && !host.includes(']:')) ? host : host.slice(0, port.index);
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
}

const port = ({ parts: { host } }: UrlValue): string => /(?:^|[^:]|\]):(\d*)$/.exec(host)?.[1] ?? '';

function url(text: string): Result {
  const parsed = parseUrl(text);
  return typeof parsed === 'string'
    ? new Failure(`URL parse error during conversion from string: ${parsed}`)
    : new UrlValue(text, parsed);
}

/** URLs. */
export const urlLibrary: Library = {
  url: [overload('(string) URL', url)],
  isURL: [overload('(string) bool', (text: string) => typeof parseUrl(text) !== 'string')],
  getScheme: [overload('URL.() string', ({ parts }: UrlValue) => parts.scheme)],
  getHost: [overload('URL.() string', ({ parts }: UrlValue) => parts.host)],
  getHostname: [overload('URL.() string', hostname)],
  getPort: [overload('URL.() string', port)],
  getEscapedPath: [overload('URL.() string', escapedPath)],
  getQuery: [overload('URL.() map(string, list(string))', queryMap)],
};
