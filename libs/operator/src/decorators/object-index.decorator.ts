import { IndexToken } from '../engine/indexing/index-registry.js';
import type { IndexEntries, IndexKey } from '../engine/indexing/object-index.js';
import { declareHandler } from './handler-declaration.js';
import type { ObjectIndexOptions } from './handler-options.js';

/** What an index method is: what it returns must fit the index. */
type IndexMethod<K extends IndexKey, V> = (
  // oxlint-disable-next-line typescript/no-explicit-any -- parameters may be injected by decorators, in any number
  ...args: any[]
) => IndexEntries<K, V> | Promise<IndexEntries<K, V>>;

/**
 * Fills an index: called for each object that matches, whenever it changes, before any handler sees the change. Returns
 * pairs of key and value, an object of values by key, or nothing. At the start, no handler is called before the indexes
 * show every object.
 *
 * Without a token the index has the method's name (or `id`), and `ctx.indexes.get(name)` reads it with unknown types.
 */
export function ObjectIndex<K extends IndexKey, V>(
  index: IndexToken<K, V>,
  options?: ObjectIndexOptions,
): <M extends IndexMethod<K, V>>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<M>) => void;
export function ObjectIndex(options?: ObjectIndexOptions): MethodDecorator;
export function ObjectIndex(
  first?: IndexToken<never, unknown> | ObjectIndexOptions,
  second?: ObjectIndexOptions,
): MethodDecorator {
  if (first instanceof IndexToken) return declareHandler('ObjectIndex', 'index', { ...second, index: first.name });
  return declareHandler('ObjectIndex', 'index', first);
}
