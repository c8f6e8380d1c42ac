import type { Clock } from '../../ports/index.js';
import type { Authenticator } from './authenticator.js';
import { fixedAuthenticator } from './authenticator.js';
import { ClientNodeProvider } from './client-node-provider.js';
import type { ClusterAccess } from './cluster-access.js';
import { ExecPlugin } from './exec-plugin.js';
import type { AccessEnvironment } from './load-cluster-access.js';
import { tokenFileAuthenticator } from './material-file.js';

export interface AuthenticatorOptions {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  readonly environment: AccessEnvironment;
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { access, clock, environment } = options;
  const { auth } = access;
  switch (auth.type) {
    case 'none':
      return fixedAuthenticator(undefined);
    case 'token':
      return 'file' in auth.token
        ? tokenFileAuthenticator(auth.token.file)
        : fixedAuthenticator(`Bearer ${auth.token.value.trim()}`);
    case 'basic':
      return fixedAuthenticator(`Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`);
    case 'exec':
      return new ExecPlugin({ exec: auth.exec, access, clock, env: environment.env });
    case 'provider':
      return new ClientNodeProvider(access, auth.provider);
  }
}
