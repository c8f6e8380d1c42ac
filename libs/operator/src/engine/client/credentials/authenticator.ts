/** What one way of authenticating yields. */
export interface Obtained {
  /** Value of the Authorization header. */
  readonly authorization?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Milliseconds from now after which it should be renewed. Absent: never by time. */
  readonly renewAfter?: number | undefined;
  /** Milliseconds from now after which it is of no use any more. Absent: unknown. */
  readonly expiresAfter?: number | undefined;
}

/** One way of authenticating by header. */
export interface Authenticator {
  /** Whether asking again can give something else. */
  readonly renewable: boolean;
  /** Rejects with a CredentialsError when asking again is pointless; any other rejection may pass. */
  obtain(signal: AbortSignal): Promise<Obtained>;
}

/** What never changes: no credentials, a token or a password from the configuration. */
export function fixedAuthenticator(authorization: string | undefined): Authenticator {
  const obtained = { authorization };
  return { renewable: false, obtain: () => Promise.resolve(obtained) };
}
