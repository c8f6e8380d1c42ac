/** One of `x-kubernetes-validations`, as it is written. */
export interface Rule {
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** The reasons that a rule can give, in the order in which messages list them. */
export const ruleReasons = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
] as const;
export type RuleReason = (typeof ruleReasons)[number];
