import { isObject } from '../json.js';

/** Whether labels are selected by a LabelSelector as objects carry it; an empty one selects everything. */
export function selectsLabels(selector: unknown, labels: Readonly<Record<string, string>> = {}): boolean {
  if (!isObject(selector)) return false;
  const { matchLabels, matchExpressions } = selector;
  if (isObject(matchLabels) && !Object.entries(matchLabels).every(([key, value]) => labels[key] === value))
    return false;
  return !Array.isArray(matchExpressions) || matchExpressions.every((expression) => isMet(expression, labels));
}

function isMet(expression: unknown, labels: Readonly<Record<string, string>>): boolean {
  if (!isObject(expression)) return false;
  const value = Object.hasOwn(labels, String(expression['key'])) ? labels[String(expression['key'])] : undefined;
  const values = Array.isArray(expression['values']) ? (expression['values'] as unknown[]) : [];
  switch (expression['operator']) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
