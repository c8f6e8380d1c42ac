import type { Rule } from '../../cel/rules/rule.js';
import { goJson } from '../field-causes.js';

/** A rule as the real server shows it, which is in the form that it works with itself. */
export function ruleForm(rule: Rule): string {
  const members: readonly (readonly [string, unknown])[] = [
    ['Rule', rule.rule ?? ''],
    ['Message', rule.message ?? ''],
    ['MessageExpression', rule.messageExpression ?? ''],
    ['Reason', rule.reason ?? null],
    ['FieldPath', rule.fieldPath ?? ''],
    ['OptionalOldSelf', rule.optionalOldSelf ?? null],
  ];
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${goJson(value)}`).join(',')}}`;
}
