/** Codes that arise before a byte of the request is sent. */
const unreachedCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EADDRINUSE',
  'EMFILE',
  'ENFILE',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_CLOSED',
  'UND_ERR_PRX_TLS',
  'UND_ERR_PRX_CONN',
  'UND_ERR_INVALID_ARG',
]);

/** Node's names for what is wrong with the server's certificate: found before anything is sent. */
const rejectedCertificate =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|PATH_LENGTH_|HOSTNAME_MISMATCH$|ERR_TLS_CERT_ALTNAME_)/;

export interface ConnectionFailure {
  readonly systemCode: string;
  /** False only when it is certain. */
  readonly mayHaveReachedServer: boolean;
  readonly advice: string | undefined;
}

/** Reads the HTTP layer's error. What it does not know may have reached the server. */
export function connectionFailureOf(error: unknown): ConnectionFailure {
  const systemCode = codeOf(error) ?? 'UNKNOWN';
  const unreached =
    unreachedCodes.has(systemCode) || rejectedCertificate.test(systemCode) || syscallOf(error) === 'connect';
  return { systemCode, mayHaveReachedServer: !unreached, advice: adviceFor(systemCode) };
}

function codeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at instanceof AggregateError && at.errors.length > 0) return codeOf(at.errors[0]);
  }
  return undefined;
}

function syscallOf(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return syscallOf(error.errors[0]);
  return error instanceof Error && 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : undefined;
}

function adviceFor(systemCode: string): string | undefined {
  if (rejectedCertificate.test(systemCode)) {
    return "The server's certificate is not accepted: check certificate-authority and tls-server-name of the kubeconfig";
  }
  if (systemCode === 'EPROTO' || systemCode.startsWith('ERR_SSL_')) {
    return 'TLS failed: check that the server speaks https, and client-certificate of the kubeconfig';
  }
  if (systemCode === 'ECONNREFUSED') return 'Nothing listens there: check the server address, and that it runs';
  if (systemCode === 'ENOTFOUND' || systemCode === 'EAI_AGAIN') return "The server's name cannot be resolved";
  if (systemCode.startsWith('UND_ERR_PRX'))
    return 'The proxy refuses the connection: check proxy-url of the kubeconfig';
  return undefined;
}
