import { jsonEqual } from '../json/json-equal.js';
import { valueAt } from '../json/field-path.js';
import type { FilterContext } from './handler-context.js';
import { ABSENT, PRESENT, type HandlerFilter, type KeyMatch, type ValueMatch } from './handler-definition.js';

/** Labels, annotations and `when`: the conditions on the object as it is, whatever its change. */
export function matchesObject(filter: HandlerFilter, context: FilterContext): boolean {
  return (
    matchesKeys(filter.labels, context.meta.labels, context) &&
    matchesKeys(filter.annotations, context.meta.annotations, context) &&
    (filter.when === undefined || filter.when(context))
  );
}

/** The field's value now: what creation, resumption, deletion, events and reconciliation look at. */
export function matchesValue(filter: HandlerFilter, context: FilterContext): boolean {
  if (filter.field === undefined) return true;
  return matches(filter.value ?? PRESENT, valueAt(context.object, filter.field), context);
}

/** The field's values before and after: what updates look at. */
export function matchesChange(filter: HandlerFilter, before: unknown, after: unknown, context: FilterContext): boolean {
  if (filter.field === undefined) return true;
  if (filter.old !== undefined && !matches(filter.old, before, context)) return false;
  if (filter.new !== undefined && !matches(filter.new, after, context)) return false;
  return filter.value === undefined || matches(filter.value, before, context) || matches(filter.value, after, context);
}

function matchesKeys(
  wanted: Readonly<Record<string, KeyMatch>> | undefined,
  found: Readonly<Record<string, string>> | undefined,
  context: FilterContext,
): boolean {
  if (wanted === undefined) return true;
  return Object.entries(wanted).every(([key, match]) => matches(match, found?.[key], context));
}

function matches(match: ValueMatch, value: unknown, context: FilterContext): boolean {
  if (match === PRESENT) return value !== undefined;
  if (match === ABSENT) return value === undefined;
  if (typeof match === 'function')
    return Boolean((match as (value: unknown, context: FilterContext) => unknown)(value, context));
  return jsonEqual(match, value);
}
