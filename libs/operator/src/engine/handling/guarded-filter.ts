import { HandlerFilterError } from '../../errors/handler-filter.error.js';
import type { HandlerFilter, KeyMatch } from './handler-definition.js';

/** The filter, whose own functions say whose they are when they throw. */
export function guardedFilter(filter: HandlerFilter, handler: string): HandlerFilter {
  const guard = <T>(option: string, value: T): T => {
    if (typeof value !== 'function') return value;
    return ((...args: readonly unknown[]): unknown => {
      try {
        return (value as (...given: readonly unknown[]) => unknown)(...args);
      } catch (cause) {
        throw new HandlerFilterError(handler, option, { cause });
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
