import type { IndexKey, IndexView } from './object-index.js';
import { ObjectIndex } from './object-index.js';

/** The name of an index, with the types of its keys and values. Made by `defineIndex`. */
export class IndexToken<K extends IndexKey = IndexKey, V = unknown> {
  /** Only for the compiler: tokens of other types are other types. */
  declare readonly types: (key: K) => V;

  constructor(readonly name: string) {}
}

/** The indexes of an operator, as handlers read them. */
export interface Indexes {
  /** An index by its token, or by its name with unknown types. Empty until its resource is listed. */
  get<K extends IndexKey, V>(index: IndexToken<K, V>): IndexView<K, V>;
  get(index: string): IndexView;
}

/** All indexes of an operator, by name. Whoever asks first makes one: it may be injected before anything fills it. */
export class IndexRegistry implements Indexes {
  readonly #indexes = new Map<string, ObjectIndex>();

  get<K extends IndexKey, V>(index: IndexToken<K, V> | string): ObjectIndex<K, V> {
    const name = typeof index === 'string' ? index : index.name;
    let found = this.#indexes.get(name);
    if (found === undefined) this.#indexes.set(name, (found = new ObjectIndex()));
    return found as unknown as ObjectIndex<K, V>;
  }

  /** Empties all of them: what fills them begins anew. */
  clear(): void {
    for (const index of this.#indexes.values()) index.clear();
  }
}
