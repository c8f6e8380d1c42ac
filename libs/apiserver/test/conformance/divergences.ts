import type { Group } from './case-list.js';

/** One case in which the embedded server answers otherwise than the real one, and is meant to. */
export interface Divergence {
  readonly group: Group;
  /** The exact name of the case. */
  readonly case: string;
  /** What a user will see, and why it is so. */
  readonly reason: string;
}

/** Every difference from the real server. A case that differs without an entry fails, as does an entry without a difference. */
export const divergences: readonly Divergence[] = [
  {
    group: 'discovery',
    case: 'autoscaling in two versions',
    reason: 'HorizontalPodAutoscalers are served in autoscaling/v2 alone; clients of the older v1 are told 404.',
  },
  {
    group: 'discovery',
    case: 'aggregated, in protobuf',
    reason: 'Answers are never protobuf, though bodies may be: a client that also takes JSON is answered in JSON.',
  },
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
