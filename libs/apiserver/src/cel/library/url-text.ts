import { goQuote } from './go-quote.js';

/** The parts of a URL as Go's net/url reads one of a request line: absolute, or a path from the root on. */
export interface UrlParts {
  readonly scheme: string;
  /** With the port. */
  readonly host: string;
  /** As it is written. */
  readonly path: string;
  readonly query: string;
}

class UrlSyntaxError extends Error {}

/** Reads a URL; the failure says why it is none. */
export function parseUrl(text: string): UrlParts | string {
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

function readUrl(text: string): UrlParts {
  // eslint-disable-next-line no-control-regex
  if (/[\x00-\x1f\x7f]/.test(text)) throw new UrlSyntaxError('net/url: invalid control character in URL');
  if (text === '') throw new UrlSyntaxError('empty url');
  if (text === '*') return { scheme: '', host: '', path: '*', query: '' };
  if (text.startsWith(':')) throw new UrlSyntaxError('missing protocol scheme');
  const schemeMatch = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  const scheme = schemeMatch?.[1]?.toLowerCase() ?? '';
  let rest = text.slice(schemeMatch?.[0].length ?? 0);
  const question = rest.indexOf('?');
  const query = question < 0 ? '' : rest.slice(question + 1);
  if (question >= 0) rest = rest.slice(0, question);
  if (!rest.startsWith('/')) {
    // Without a path from the root the rest is opaque.
    if (scheme !== '') return { scheme, host: '', path: '', query };
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
  return { scheme, host, path: rest, query };
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

/** A text with its escapes replaced. */
export const unescapeBytes = (text: string): string => {
  if (!text.includes('%')) return text;
  const bytes = Array.from(text.matchAll(/%([0-9a-fA-F]{2})|[^%]/gsu), ([whole, hex]) =>
    hex === undefined ? [...Buffer.from(whole)] : [Number.parseInt(hex, 16)],
  );
  return Buffer.from(bytes.flat()).toString();
};
