/** Who sends a request. */
export interface Identity {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** What else the authenticator knows of the account, by key. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Members of this group may do everything, whatever the roles say. */
export const mastersGroup = 'system:masters';
export const authenticatedGroup = 'system:authenticated';
export const unauthenticatedGroup = 'system:unauthenticated';

/** The sender of a request without credentials. */
export const anonymous: Identity = { name: 'system:anonymous', groups: [unauthenticatedGroup] };

/** The sender of calls from within the process, and of the server's own controllers. */
export const serverIdentity: Identity = { name: 'system:apiserver', groups: [mastersGroup, authenticatedGroup] };

const accountName = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** Namespace and name of a service account, or undefined for any other user. */
export function serviceAccountOf(user: string): { namespace: string; name: string } | undefined {
  const found = accountName.exec(user);
  return found === null ? undefined : { namespace: found[1]!, name: found[2]! };
}

/** The groups that every service account of a namespace is in. */
export const serviceAccountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];
