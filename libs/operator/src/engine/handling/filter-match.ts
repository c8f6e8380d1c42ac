import { jsonEqual } from '../json/json-equal.js';
import { valueAt } from '../json/field-path.js';
import { ownValue } from '../json/own-property.js';
import type { FilterContext } from './handler-context.js';
import { ABSENT, PRESENT, type HandlerFilter, type KeyMatch, type ValueMatch } from './handler-definition.js';

/** Labels, annotations and `when`: the conditions on the object as it is, whatever its change. */
export function matchesObject(filter: HandlerFilter, context: FilterContext): boolean {
  return matchesSelection(filter, context) && (filter.when === undefined || Boolean(filter.when(context)));
}

/** Labels and annotations: whose object it is. */
export function matchesSelection(filter: HandlerFilter, context: FilterContext): boolean {
  return (
    (filter.labels === undefined || matchesKeys(filter.labels, context.meta.labels, context)) &&
    (filter.annotations === undefined || matchesKeys(filter.annotations, context.meta.annotations, context))
  );
}

/** The field's value now: what creation, resumption, deletion, events and reconciliation look at. */
export function matchesValue(filter: HandlerFilter, context: FilterContext): boolean {
  if (filter.field === undefined) return true;
  return matches(filter.value ?? PRESENT, valueAt(context.object, filter.field), context);
}

/**
 * The field's values before and after: what updates look at. An old value that nobody knows any more (only digests are
 * kept) matches: better a call too many than a change that is lost.
 */
export function matchesChange(filter: HandlerFilter, isOldKnown: boolean, context: FilterContext): boolean {
  if (filter.field === undefined) return true;
  const matchesOld = (match: ValueMatch): boolean => !isOldKnown || matches(match, context.old, context);
  if (filter.old !== undefined && !matchesOld(filter.old)) return false;
  if (filter.new !== undefined && !matches(filter.new, context.new, context)) return false;
  return filter.value === undefined || matches(filter.value, context.new, context) || matchesOld(filter.value);
}

function matchesKeys(
  wanted: Readonly<Record<string, KeyMatch>>,
  found: Readonly<Record<string, string>> | undefined,
  context: FilterContext,
): boolean {
  return Object.entries(wanted).every(([key, match]) => matches(match, ownValue(found ?? {}, key), context));
}

function matches(match: ValueMatch, value: unknown, context: FilterContext): boolean {
  if (match === PRESENT) return value !== undefined;
  if (match === ABSENT) return value === undefined;
  if (typeof match === 'function')
    return Boolean((match as (value: unknown, context: FilterContext) => unknown)(value, context));
  return jsonEqual(match, value);
}
