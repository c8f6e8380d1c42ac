import { IndexToken } from '../engine/indexing/index-registry.js';
import type { IndexKey } from '../engine/indexing/object-index.js';

/**
 * Names an index, with the types of its keys and values: what `@ObjectIndex` fills, `ctx.indexes.get` reads, and
 * `@InjectIndex` injects.
 *
 * @param name - unique in the operator
 */
export function defineIndex<K extends IndexKey, V>(name: string): IndexToken<K, V> {
  return new IndexToken<K, V>(name);
}
