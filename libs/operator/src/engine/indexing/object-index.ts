import type { ObjectKey } from '../kube-object.js';

/** What keys of an index may be: values that compare by content. */
export type IndexKey = string | number | boolean;

/** An index as handlers read it. It shows the objects as they are in the store. */
export interface IndexView<K extends IndexKey = IndexKey, V = unknown> extends Iterable<readonly [K, readonly V[]]> {
  /** The values under a key; empty when there are none. */
  get(key: K): readonly V[];
  has(key: K): boolean;
  /** Keys that have values. */
  keys(): Iterable<K>;
  /** How many keys have values. */
  readonly size: number;
}

/** What an index method makes of one object. */
export type IndexEntries<K extends IndexKey = IndexKey, V = unknown> =
  Iterable<readonly [K, V]> | Readonly<Record<string, V>> | null | undefined;

/** Values of objects under keys; what one object brought is replaced as a whole. */
export class ObjectIndex<K extends IndexKey = IndexKey, V = unknown> implements IndexView<K, V> {
  readonly #values = new Map<K, Map<ObjectKey, V[]>>();
  readonly #keys = new Map<ObjectKey, readonly K[]>();
  readonly #lists = new Map<K, readonly V[]>();

  get size(): number {
    return this.#values.size;
  }

  get(key: K): readonly V[] {
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const found = this.#values.get(key);
    if (found === undefined) return [];
    const list = Object.freeze([...found.values()].flat());
    this.#lists.set(key, list);
    return list;
  }

  has(key: K): boolean {
    return this.#values.has(key);
  }

  keys(): Iterable<K> {
    return this.#values.keys();
  }

  *[Symbol.iterator](): Generator<readonly [K, readonly V[]], void, undefined> {
    for (const key of this.#values.keys()) yield [key, this.get(key)];
  }

  /** What the object brings now, in place of what it brought before. */
  replace(object: ObjectKey, entries: Iterable<readonly [K, V]>): void {
    this.remove(object);
    const keys = new Set<K>();
    for (const [key, value] of entries) {
      keys.add(key);
      let objects = this.#values.get(key);
      if (objects === undefined) this.#values.set(key, (objects = new Map()));
      const values = objects.get(object);
      if (values === undefined) objects.set(object, [value]);
      else values.push(value);
      this.#lists.delete(key);
    }
    if (keys.size > 0) this.#keys.set(object, [...keys]);
  }

  clear(): void {
    for (const kept of [this.#values, this.#keys, this.#lists]) kept.clear();
  }

  remove(object: ObjectKey): void {
    for (const key of this.#keys.get(object) ?? []) {
      const objects = this.#values.get(key);
      objects?.delete(object);
      if (objects?.size === 0) this.#values.delete(key);
      this.#lists.delete(key);
    }
    this.#keys.delete(object);
  }
}
