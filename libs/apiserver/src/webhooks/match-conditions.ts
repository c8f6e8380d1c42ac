/** One of the conditions under which a webhook is called, in CEL. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}
