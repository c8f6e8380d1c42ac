import { findField } from '../../cel/rules/field-path.js';
import { ruleReasons } from '../../cel/rules/rule.js';
import type { StatusCause } from '../../status.js';
import { invalidCause, notSupportedCause, requiredCause } from '../field-causes.js';
import type { Schema } from '../schema.js';

const hasLineBreak = (text: string): boolean => /[\r\n]/.test(text);
const reasons = ruleReasons.map((reason) => JSON.stringify(reason));

/** What is wrong with rules before they are compiled. */
export function ruleShapeCauses(schema: Schema, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  for (const [index, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    const { message = '', messageExpression = '', reason, fieldPath = '' } = rule;
    const condition = (rule.rule ?? '').trim();
    if (condition === '') causes.push(requiredCause(`${at}.rule`, 'rule is not specified'));
    else if (message !== '' && message.trim() === '') {
      causes.push(invalidCause(`${at}.message`, message, 'must be non-empty if specified'));
    } else if (hasLineBreak(message.trim())) {
      causes.push(invalidCause(`${at}.message`, message, 'must not contain line breaks'));
    } else if (hasLineBreak(condition) && message.trim() === '') {
      causes.push(requiredCause(`${at}.message`, 'message must be specified if rule contains line breaks'));
    }
    if (messageExpression !== '' && messageExpression.trim() === '') {
      causes.push(requiredCause(`${at}.messageExpression`, 'must be non-empty if specified'));
    }
    if (reason !== undefined && !(ruleReasons as readonly string[]).includes(reason)) {
      causes.push(notSupportedCause(`${at}.reason`, reason, reasons));
    }
    if (fieldPath === '') continue;
    if (fieldPath.trim() === '') {
      causes.push(invalidCause(`${at}.fieldPath`, fieldPath, 'must be non-empty if specified'));
    }
    if (hasLineBreak(fieldPath)) {
      causes.push(invalidCause(`${at}.fieldPath`, fieldPath, 'must not contain line breaks'));
    }
    if ('problem' in findField(fieldPath, schema)) {
      causes.push(invalidCause(`${at}.fieldPath`, fieldPath, 'must be a valid path'));
    }
  }
  return causes;
}
