import { CredentialsError } from '../../../errors/credentials.error.js';
import type { Authenticator, Obtained } from './authenticator.js';
import type { ClusterAccess } from './cluster-access.js';
import type { AuthProviderConfig } from './kube-config-file.js';

/** It caches by itself and does not say for how long; asked this often, it can renew in time. */
const askAgainAfter = 10_000;

interface AuthorizingConfig {
  applyToHTTPSOptions(options: { headers?: Record<string, unknown> }): Promise<void>;
}

/** The older `auth-provider` entries (oidc, gcp, azure), through client-node, which is loaded for nothing else. */
export class ClientNodeProvider implements Authenticator {
  readonly renewable = true;
  readonly #access: ClusterAccess;
  readonly #provider: AuthProviderConfig;
  #config: Promise<AuthorizingConfig> | undefined;

  constructor(access: ClusterAccess, provider: AuthProviderConfig) {
    this.#access = access;
    this.#provider = provider;
  }

  async obtain(): Promise<Obtained> {
    this.#config ??= this.#load();
    const config = await this.#config;
    const options: { headers?: Record<string, unknown> } = { headers: {} };
    await config.applyToHTTPSOptions(options);
    const authorization = options.headers?.['Authorization'];
    if (typeof authorization !== 'string') {
      throw new CredentialsError(
        `${this.#access.origin}: auth-provider "${this.#provider.name}" gives no token. Log in again with its own tool, or use an exec plugin.`,
      );
    }
    return { authorization, renewAfter: askAgainAfter };
  }

  async #load(): Promise<AuthorizingConfig> {
    const { KubeConfig } = await import('@kubernetes/client-node').catch((cause: unknown) => {
      throw new CredentialsError(
        `${this.#access.origin}: auth-provider "${this.#provider.name}" needs the package @kubernetes/client-node. Install it, or use an exec plugin.`,
        { cause },
      );
    });
    const config = new KubeConfig();
    config.loadFromOptions({
      // Only the header is taken from it; the connection is not its concern.
      clusters: [{ name: 'cluster', server: 'https://cluster.invalid', skipTLSVerify: false }],
      users: [{ name: 'user', authProvider: this.#provider }],
      contexts: [{ name: 'context', cluster: 'cluster', user: 'user' }],
      currentContext: 'context',
    });
    return config as AuthorizingConfig;
  }
}
