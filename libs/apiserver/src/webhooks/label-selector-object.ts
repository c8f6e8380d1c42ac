import { isObject } from '../json.js';
import { invalidValue, keyCauses, labelValueCauses } from '../pipeline/metadata-validation.js';
import type { LabelMatcher } from '../selectors/label-selector.js';
import type { StatusCause } from '../status.js';

interface Expression {
  readonly key?: unknown;
  readonly operator?: unknown;
  readonly values?: unknown;
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

function expressionsOf(selector: Record<string, unknown>): Expression[] {
  const { matchExpressions } = selector;
  return Array.isArray(matchExpressions) ? matchExpressions.filter(isObject) : [];
}

/** Compiles a LabelSelector object; undefined when it selects everything. */
export function compileLabelSelector(selector: unknown): LabelMatcher | undefined {
  if (!isObject(selector)) return undefined;
  const labels = isObject(selector['matchLabels']) ? Object.entries(selector['matchLabels']) : [];
  const matchers = [
    ...labels.map(
      ([key, value]): LabelMatcher =>
        (found) =>
          found?.[key] === value,
    ),
    ...expressionsOf(selector).map(compileExpression),
  ];
  return matchers.length === 0 ? undefined : (found) => matchers.every((matches) => matches(found));
}

function compileExpression({ key, operator, values }: Expression): LabelMatcher {
  const name = String(key);
  const wanted = new Set(textsOf(values));
  switch (operator) {
    case 'In':
      return (labels) => labels?.[name] !== undefined && wanted.has(labels[name]);
    case 'NotIn':
      return (labels) => labels?.[name] === undefined || !wanted.has(labels[name]);
    case 'Exists':
      return (labels) => labels?.[name] !== undefined;
    default:
      return (labels) => labels?.[name] === undefined;
  }
}

/** What is wrong with a LabelSelector object. */
export function labelSelectorCauses(selector: unknown, path: string): StatusCause[] {
  if (!isObject(selector)) return [];
  const causes: StatusCause[] = [];
  const labels = isObject(selector['matchLabels']) ? Object.entries(selector['matchLabels']) : [];
  for (const [key, value] of labels) {
    causes.push(...keyCauses(key, `${path}.matchLabels`));
    causes.push(...labelValueCauses(String(value), `${path}.matchLabels`));
  }
  expressionsOf(selector).forEach((expression, index) => {
    causes.push(...expressionCauses(expression, `${path}.matchExpressions[${index}]`));
  });
  return causes;
}

function expressionCauses({ key, operator, values }: Expression, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const given = textsOf(values);
  if (operator === 'In' || operator === 'NotIn') {
    if (given.length === 0) {
      causes.push({
        reason: 'FieldValueRequired',
        message: "Required value: must be specified when `operator` is 'In' or 'NotIn'",
        field: `${path}.values`,
      });
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (given.length > 0) {
      causes.push({
        reason: 'FieldValueForbidden',
        message: "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        field: `${path}.values`,
      });
    }
  } else {
    causes.push(invalidValue(`${path}.operator`, operator ?? '', 'not a valid selector operator'));
  }
  causes.push(...keyCauses(typeof key === 'string' ? key : '', `${path}.key`));
  given.forEach((value, index) => causes.push(...labelValueCauses(value, `${path}.values[${index}]`)));
  return causes;
}
