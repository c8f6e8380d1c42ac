import { isObject, type JsonObject } from '../json.js';
import { invalidValue, keyCauses, labelValueCauses } from '../pipeline/metadata-validation.js';
import type { StatusCause } from '../status.js';

/** What is wrong with a LabelSelector as objects carry it. */
export function labelSelectorCauses({ matchLabels, matchExpressions }: JsonObject, field: string): StatusCause[] {
  const causes: StatusCause[] = [];
  if (isObject(matchLabels)) {
    for (const [key, value] of Object.entries(matchLabels)) {
      causes.push(
        ...keyCauses(key, `${field}.matchLabels`),
        ...labelValueCauses(String(value), `${field}.matchLabels`),
      );
    }
  }
  if (Array.isArray(matchExpressions)) {
    matchExpressions.filter(isObject).forEach((requirement, index) => {
      causes.push(...requirementCauses(requirement, `${field}.matchExpressions[${index}]`));
    });
  }
  return causes;
}

/** What is wrong with one requirement; with `anyOperator` those that nobody knows yet are let through. */
export function requirementCauses(
  { key, operator, values }: JsonObject,
  field: string,
  { anyOperator = false, anyKey = false } = {},
): StatusCause[] {
  const given = Array.isArray(values) ? (values as string[]) : [];
  const causes: StatusCause[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (given.length === 0) {
      const message = "Required value: must be specified when `operator` is 'In' or 'NotIn'";
      causes.push({ reason: 'FieldValueRequired', message, field: `${field}.values` });
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (given.length > 0) {
      const message = "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      causes.push({ reason: 'FieldValueForbidden', message, field: `${field}.values` });
    }
  } else if (!anyOperator) {
    causes.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'));
  }
  if (anyKey) {
    if (typeof key !== 'string' || key === '') {
      causes.push({
        reason: 'FieldValueRequired',
        message: 'Required value: must be specified',
        field: `${field}.key`,
      });
    }
    return causes;
  }
  causes.push(...keyCauses(typeof key === 'string' ? key : '', `${field}.key`));
  given.forEach((value, index) => causes.push(...labelValueCauses(value, `${field}.values[${index}]`)));
  return causes;
}
