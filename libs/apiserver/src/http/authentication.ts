import { anonymous, authenticatedGroup, mastersGroup, type Identity } from '../access/identity.js';
import { errors } from '../status.js';

/** An account with a bearer token. */
export interface ApiUser {
  name: string;
  token: string;
  groups?: readonly string[];
  uid?: string;
  /** What else the server says of the account, by key. */
  extra?: Readonly<Record<string, readonly string[]>>;
}

const everyone: Identity = { name: 'admin', uid: 'admin', groups: [mastersGroup, authenticatedGroup] };

/** Knows the static tokens. Without users everyone is let in, as a member of system:masters. */
export class Authentication {
  readonly #byToken: ReadonlyMap<string, Identity> | undefined;

  constructor(users: readonly ApiUser[] | undefined) {
    if (users === undefined || users.length === 0) return;
    this.#byToken = new Map(
      users.map(({ name, token, groups = [], uid, extra }) => [
        token,
        {
          name,
          ...(uid === undefined ? {} : { uid }),
          groups: groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup],
          ...(extra === undefined ? {} : { extra }),
        },
      ]),
    );
  }

  /** Whether accounts are known at all. */
  get enabled(): boolean {
    return this.#byToken !== undefined;
  }

  /** The owner of a token. */
  ofToken(token: string): Identity | undefined {
    return this.#byToken === undefined ? everyone : this.#byToken.get(token);
  }

  /** The sender of a request; throws 401 for a token that nobody has. */
  identify(authorization: string | undefined): Identity {
    if (this.#byToken === undefined) return everyone;
    const token = tokenIn(authorization);
    if (token === undefined) return anonymous;
    const identity = this.#byToken.get(token);
    if (identity === undefined) throw errors.unauthorized();
    return identity;
  }
}

/** The token of an Authorization header; other schemes are as good as no header. */
function tokenIn(authorization: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (authorization ?? '').trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

/** What is wrong with an Authorization header that is not heeded, where the real server says so. */
export function authorizationWarning(authorization: string | undefined): string | undefined {
  return /^bearer {2}/i.test((authorization ?? '').trim())
    ? 'the provided Authorization header contains extra space before the bearer token, and is ignored'
    : undefined;
}
