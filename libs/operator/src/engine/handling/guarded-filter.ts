import type { HandlerFilter, KeyMatch } from './handler-definition.js';

/** Which condition of which handler threw an error. */
export interface ConditionOrigin {
  /** `Class.method` */
  readonly handler: string;
  /** The option of the decorator, such as `when` or `labels app`. */
  readonly condition: string;
}

const origins = new WeakMap<object, ConditionOrigin>();

/** Where an error comes from, if a condition threw it. */
export function conditionOf(error: unknown): ConditionOrigin | undefined {
  return typeof error === 'object' && error !== null ? origins.get(error) : undefined;
}

/** The filter, with a note of whose condition it was when one throws. The error itself stays as it is. */
export function guardedFilter(filter: HandlerFilter, handler: string): HandlerFilter {
  const guard = <T>(option: string, value: T): T => {
    if (typeof value !== 'function') return value;
    return ((...args: readonly unknown[]): unknown => {
      try {
        return (value as (...given: readonly unknown[]) => unknown)(...args);
      } catch (error) {
        if (typeof error === 'object' && error !== null) origins.set(error, { handler, condition: option });
        throw error;
      }
    }) as T;
  };
  const guardAll = (option: string, keys: Readonly<Record<string, KeyMatch>>): Readonly<Record<string, KeyMatch>> =>
    Object.fromEntries(Object.entries(keys).map(([key, match]) => [key, guard(`${option} ${key}`, match)]));
  return {
    ...filter,
    ...(filter.labels === undefined ? {} : { labels: guardAll('labels', filter.labels) }),
    ...(filter.annotations === undefined ? {} : { annotations: guardAll('annotations', filter.annotations) }),
    ...(filter.when === undefined ? {} : { when: guard('when', filter.when) }),
    ...('value' in filter ? { value: guard('value', filter.value) } : {}),
    ...('old' in filter ? { old: guard('old', filter.old) } : {}),
    ...('new' in filter ? { new: guard('new', filter.new) } : {}),
  };
}
