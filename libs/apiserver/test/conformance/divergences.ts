/** One case in which the embedded server answers otherwise than the real one, and is meant to. */
export interface Divergence {
  readonly group: string;
  /** The exact name of the case. */
  readonly case: string;
  /** What a user will see, and why it is so. */
  readonly reason: string;
}

/** Every difference from the real server. A case that differs without an entry fails, as does an entry without a difference. */
export const divergences: readonly Divergence[] = [
  {
    group: 'auth',
    case: 'reviews: tokens',
    reason:
      'The embedded server is an audience under a name of its own: it has no option for the issuer of account tokens, and issues none.',
  },
  {
    group: 'apply',
    case: 'types that built-in kinds do not have',
    reason:
      'The content of built-in types is decoded, but not validated beyond that: a container without a name is stored, where the real server answers 422.',
  },
];
