import { anonymous, authenticatedGroup, mastersGroup, type Identity } from '../access/identity.js';
import { errors } from '../status.js';

/** An account with a bearer token. */
export interface ApiUser {
  name: string;
  token: string;
  groups?: readonly string[];
}

/** Knows the static tokens. Without users everyone is let in, as a member of system:masters. */
export class Authentication {
  readonly #byToken: ReadonlyMap<string, Identity> | undefined;

  constructor(users: readonly ApiUser[] | undefined) {
    if (users === undefined || users.length === 0) return;
    this.#byToken = new Map(
      users.map(({ name, token, groups }) => [token, { name, groups: [...(groups ?? []), authenticatedGroup] }]),
    );
  }

  /** Whether accounts are known at all. */
  get enabled(): boolean {
    return this.#byToken !== undefined;
  }

  /** The sender of a request; throws 401 for a token that nobody has. */
  identify(authorization: string | undefined): Identity {
    if (this.#byToken === undefined) return { name: 'admin', groups: [mastersGroup, authenticatedGroup] };
    if (authorization === undefined) return anonymous;
    const token = /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
    const identity = token === undefined ? undefined : this.#byToken.get(token);
    if (identity === undefined) throw errors.unauthorized();
    return identity;
  }
}
