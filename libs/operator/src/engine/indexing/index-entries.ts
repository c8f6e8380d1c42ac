import type { IndexKey } from './object-index.js';

/**
 * The entries that an index method returned: pairs of any iterable, members of an object, or none.
 *
 * @throws TypeError when it returned something else
 */
export function indexEntries(value: unknown): Array<readonly [IndexKey, unknown]> {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') throw new TypeError(wrong(`a ${typeof value}`));
  if (!(Symbol.iterator in value)) return Object.entries(value);
  return Array.from(value as Iterable<unknown>, (pair) => {
    if (!Array.isArray(pair) || pair.length !== 2) throw new TypeError(wrong('something else than pairs'));
    const [key, one] = pair as [unknown, unknown];
    if (typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'boolean') {
      throw new TypeError(wrong(`a key of type ${typeof key}; keys are texts, numbers, true or false`));
    }
    return [key, one];
  });
}

const wrong = (found: string): string =>
  `An index method returns pairs of key and value, an object of values by key, or nothing; this one returned ${found}.`;
