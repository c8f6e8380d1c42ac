/** A condition as Kubernetes APIs have them in `status.conditions`. */
export interface Condition {
  /** CamelCase, such as `Ready`. */
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** CamelCase: why, for programs. */
  readonly reason: string;
  /** Why, for people. */
  readonly message: string;
  /** RFC 3339: when `status` became what it is. */
  readonly lastTransitionTime: string;
  /** The `metadata.generation` that it was found for. */
  readonly observedGeneration?: number;
}

/** What a condition is to be. */
export interface ConditionInput {
  readonly type: string;
  readonly status: Condition['status'] | boolean;
  readonly reason: string;
  /** @defaultValue '' */
  readonly message?: string;
}

/** What a condition is about: the context of a handler call, or an object with the time. */
export interface ConditionTarget {
  readonly meta?: { readonly generation?: number | undefined };
  readonly metadata?: { readonly generation?: number | undefined };
  readonly status?: unknown;
}

/**
 * The conditions of an object with one set: `patch.merge({ status: { conditions: withCondition(ctx, { … }) } })`. Others stay
 * as they are, the order too; the transition time changes only with the status, so that setting it again writes nothing.
 */
export function withCondition(target: ConditionTarget & { readonly now: Date }, input: ConditionInput): Condition[] {
  const known = conditionsOf(target);
  const before = known.find(({ type }) => type === input.type);
  const status = typeof input.status === 'boolean' ? (input.status ? 'True' : 'False') : input.status;
  const generation = (target.meta ?? target.metadata)?.generation;
  const condition: Condition = {
    type: input.type,
    status,
    reason: input.reason,
    message: input.message ?? '',
    lastTransitionTime:
      before?.status === status ? before.lastTransitionTime : target.now.toISOString().replace(/\.\d+Z$/, 'Z'),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
  return before === undefined ? [...known, condition] : known.map((one) => (one.type === input.type ? condition : one));
}

/** A condition of an object by its type. */
export function conditionOf(target: ConditionTarget, type: string): Condition | undefined {
  return conditionsOf(target).find((condition) => condition.type === type);
}

function conditionsOf({ status }: ConditionTarget): readonly Condition[] {
  const conditions = (status as { readonly conditions?: unknown } | null | undefined)?.conditions;
  return Array.isArray(conditions) ? (conditions as readonly Condition[]) : [];
}
