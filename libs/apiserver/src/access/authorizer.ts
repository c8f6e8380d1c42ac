import type { AccessAttributes } from './access-attributes.js';
import { authenticatedGroup, mastersGroup, type Identity } from './identity.js';
import type { PolicyRule } from './policy-rule.js';

/** Who may do what: every known account everything, or what the Roles and Bindings in the store say. */
export type AuthorizationMode = 'authenticated' | 'rbac';

export interface Decision {
  readonly allowed: boolean;
  /** Why, where there is something to say. */
  readonly reason: string;
  /** What went wrong on the way to it. */
  readonly error?: string;
}

/** Decides what accounts may do. */
export interface Authorizer {
  decide(attributes: AccessAttributes): Decision;
  /** Everything that an account may do in a namespace; `error` tells what is missing from it. */
  rulesOf(identity: Identity, namespace: string): { readonly rules: readonly PolicyRule[]; readonly error?: string };
}

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

const publicPaths = new Set(['/version', '/version/', '/healthz', '/livez', '/readyz']);

/** Lets every account do everything, and nobody else anything but ask how the server is. */
export const everyAccount: Authorizer = {
  decide: ({ identity, resource, path }) => ({
    allowed: isKnown(identity) || (resource === undefined && publicPaths.has(path)),
    reason: '',
  }),
  rulesOf: (identity) => ({ rules: isKnown(identity) ? everything : [] }),
};

const isKnown = ({ groups }: Identity): boolean => groups.includes(authenticatedGroup) || groups.includes(mastersGroup);
