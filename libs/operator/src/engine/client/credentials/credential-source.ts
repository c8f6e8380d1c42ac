import { CredentialsError } from '../../../errors/credentials.error.js';
import type { Clock, Logger, Random } from '../../ports/index.js';
import { AbortScope } from '../abort-scope.js';
import type { ConnectionTarget } from '../transport/transport.js';
import { unlessAborted, wait } from '../wait.js';
import type { Authenticator, Obtained } from './authenticator.js';
import type { AuthenticatorOptions } from './create-authenticator.js';
import { createAuthenticator } from './create-authenticator.js';
import type { ClusterAccess, Impersonation, Material } from './cluster-access.js';
import { fileLifetime, readMaterial } from './material-file.js';

/** The longest that a request waits for credentials. */
const patience = 60_000;
/** Between attempts; each wait is 1 to 2 times that. The last one repeats. */
const retryDelays = [500, 1_000, 2_000, 4_000, 8_000] as const;
/** How long former credentials that are still good are used on when they could not be renewed. */
const renewalPause = 10_000;

/** What a request is sent with. Two of them are the same credentials only if they are the same object. */
export interface Credentials {
  readonly target: ConnectionTarget;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

interface Current {
  readonly credentials: Credentials;
  /** On the monotonic clock. */
  readonly renewAt: number;
  readonly expiresAt: number;
}

export interface CredentialSourceOptions extends AuthenticatorOptions {
  readonly random: Random;
  readonly logger: Logger;
}

/** Holds the current credentials and renews them: by time, or when the server refused them. One renewal at a time. */
export class CredentialSource {
  readonly #access: ClusterAccess;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #logger: Logger;
  readonly #authenticator: Authenticator;
  readonly #renewable: boolean;
  readonly #closing = new AbortController();
  #current: Current | undefined;
  #renewal: Promise<Credentials> | undefined;
  #busy = 0;

  constructor(options: CredentialSourceOptions) {
    this.#access = options.access;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#logger = options.logger;
    this.#authenticator = createAuthenticator(options);
    this.#renewable = this.#authenticator.renewable || this.#files().length > 0;
  }

  /** Reads and plugin runs in progress. Waiting for the next attempt does not count. */
  get busy(): number {
    return this.#busy;
  }

  /**
   * The current credentials, renewed if it is time. Waits one minute at most.
   *
   * @throws CredentialsError (`OPERATOR_CREDENTIALS`)
   */
  get(signal: AbortSignal): Promise<Credentials> {
    if (this.#current !== undefined && this.#clock.monotonic() < this.#current.renewAt) {
      return Promise.resolve(this.#current.credentials);
    }
    return this.#renew(signal);
  }

  /** After the server refused `used`: other credentials, or undefined where there can be no others. */
  async refresh(used: Credentials, signal: AbortSignal): Promise<Credentials | undefined> {
    if (!this.#renewable) return undefined;
    if (this.#current?.credentials === used) this.#current = undefined;
    return this.get(signal);
  }

  /** Ends what is in progress. */
  close(reason: Error): void {
    this.#closing.abort(reason);
  }

  #renew(signal: AbortSignal): Promise<Credentials> {
    if (this.#renewal === undefined) {
      this.#renewal = this.#obtain().finally(() => {
        this.#renewal = undefined;
      });
    }
    return unlessAborted(this.#renewal, signal);
  }

  async #obtain(): Promise<Credentials> {
    const scope = new AbortScope([this.#closing.signal]);
    let failure: unknown;
    scope.setDeadline(this.#clock, patience, () => this.#givenUp(failure));
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return await this.#attempt(scope.signal);
        } catch (error) {
          scope.signal.throwIfAborted();
          failure = error;
          const kept = this.#keepCurrent(error);
          if (kept !== undefined) return kept;
          if (error instanceof CredentialsError) throw error;
        }
        const delay = retryDelays[Math.min(attempt, retryDelays.length - 1)]! * (1 + this.#random.next());
        this.#logger.log('warn', 'Credentials could not be obtained; trying again', { attempt, delay }, failure);
        await wait(this.#clock, delay, scope.signal);
      }
    } finally {
      scope.end();
    }
  }

  async #attempt(signal: AbortSignal): Promise<Credentials> {
    this.#busy++;
    try {
      const [obtained, ca, cert, key] = await unlessAborted(
        Promise.all([
          this.#authenticator.obtain(signal),
          optional(this.#access.cluster.ca, 'certificate authority'),
          optional(this.#access.clientCertificate, 'client certificate'),
          optional(this.#access.clientKey, 'client key'),
        ]),
        signal,
      );
      const credentials = this.#compose(obtained, { ca, cert, key });
      const now = this.#clock.monotonic();
      const files = this.#files().length > 0 ? fileLifetime : Infinity;
      this.#current = {
        credentials,
        renewAt: now + Math.min(obtained.renewAfter ?? Infinity, files),
        expiresAt: now + (obtained.expiresAfter ?? Infinity),
      };
      return credentials;
    } finally {
      this.#busy--;
    }
  }

  #compose(obtained: Obtained, tls: { readonly [part in 'ca' | 'cert' | 'key']: string | undefined }): Credentials {
    const { cluster, impersonation } = this.#access;
    return {
      target: {
        origin: new URL(cluster.server).origin,
        ca: tls.ca,
        cert: obtained.cert ?? tls.cert,
        key: obtained.key ?? tls.key,
        servername: cluster.tlsServerName,
        skipTlsVerify: cluster.skipTlsVerify,
        proxyUrl: cluster.proxyUrl,
      },
      headers: {
        ...(obtained.authorization === undefined ? {} : { authorization: obtained.authorization }),
        ...(impersonation === undefined ? {} : impersonationHeaders(impersonation)),
      },
    };
  }

  /** A renewal that fails does no harm while the former credentials are good. */
  #keepCurrent(error: unknown): Credentials | undefined {
    const now = this.#clock.monotonic();
    if (this.#current === undefined || now >= this.#current.expiresAt) return undefined;
    this.#logger.log('warn', 'Credentials could not be renewed; the former ones are used on', {}, error);
    this.#current = { ...this.#current, renewAt: Math.min(now + renewalPause, this.#current.expiresAt) };
    return this.#current.credentials;
  }

  #givenUp(cause: unknown): CredentialsError {
    return new CredentialsError(
      `${this.#access.origin}: no credentials could be had within ${patience / 1000} s. Check what the kubeconfig's user entry asks for.`,
      { cause },
    );
  }

  #files(): readonly Material[] {
    const { cluster, clientCertificate, clientKey } = this.#access;
    return [cluster.ca, clientCertificate, clientKey].filter((part) => part !== undefined && 'file' in part);
  }
}

function optional(material: Material | undefined, what: string): Promise<string | undefined> {
  return material === undefined ? Promise.resolve(undefined) : readMaterial(material, what);
}

function impersonationHeaders(as: Impersonation): Record<string, string | readonly string[]> {
  return {
    ...(as.user === undefined ? {} : { 'impersonate-user': headerText(as.user) }),
    ...(as.uid === undefined ? {} : { 'impersonate-uid': headerText(as.uid) }),
    ...(as.groups.length === 0 ? {} : { 'impersonate-group': as.groups.map(headerText) }),
    ...Object.fromEntries(
      Object.entries(as.extra).map(([key, values]) => [
        `impersonate-extra-${encodeURIComponent(key).toLowerCase()}`,
        values.map(headerText),
      ]),
    ),
  };
}

/** Header values are bytes; the server reads them as UTF-8. */
function headerText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
