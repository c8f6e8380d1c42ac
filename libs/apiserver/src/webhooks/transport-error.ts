/** A call that got no answer. */
export class TransportError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TransportError';
  }
}

const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
]);

const verification = 'tls: failed to verify certificate: x509:';

/** What the real server says of a connection that failed, for the failures that have a counterpart there. */
export function transportMessage(error: NodeJS.ErrnoException, url: URL, serverName = url.hostname): string {
  const { code = '', message } = error;
  const address = `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`;
  if (code === 'ECONNREFUSED') return `dial tcp ${address}: connect: connection refused`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${url.hostname}: no such host`;
  // Node says this both when nothing was answered and when the connection was reset.
  if (code === 'ECONNRESET') return 'EOF';
  if (unknownAuthority.has(code)) return `${verification} certificate signed by unknown authority`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `${verification} ${altNameMessage(error, serverName)}`;
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return `${verification} certificate has expired or is not yet valid`;
  }
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return 'http: server gave HTTP response to HTTPS client';
  }
  if (code.startsWith('HPE_')) return 'net/http: HTTP/1.x transport connection broken: malformed HTTP response';
  return message;
}

function altNameMessage(error: NodeJS.ErrnoException, host: string): string {
  const { cert } = error as { cert?: { subjectaltname?: string } };
  const names = (cert?.subjectaltname ?? '').split(', ').map((entry) => entry.split(':', 2));
  const is = (wanted: string): string[] => names.filter(([kind]) => kind === wanted).map(([, name = '']) => name);
  if (/^[\d.]+$|^\[/.test(host)) {
    const addresses = is('IP Address');
    return addresses.length === 0
      ? `cannot validate certificate for ${host} because it doesn't contain any IP SANs`
      : `certificate is valid for ${addresses.join(', ')}, not ${host}`;
  }
  const domains = is('DNS');
  return domains.length === 0
    ? `certificate is not valid for any names, but wanted to match ${host}`
    : `certificate is valid for ${domains.join(', ')}, not ${host}`;
}
