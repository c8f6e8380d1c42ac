import { deepEqual, isObject } from '../../json.js';
import type { Schema } from '../../custom/schema.js';

/**
 * A value beside what it was before. Items of a list belong together where the list has keys, members of an object where
 * the object is not replaced as a whole.
 */
export class Correlation {
  #unchanged: boolean | undefined;

  private constructor(
    readonly value: unknown,
    readonly old: unknown,
    private readonly schema: Schema,
    private readonly correlated: boolean,
    private readonly parent: Correlation | undefined,
  ) {}

  /** @param old - undefined where there is no value before */
  static of(value: unknown, old: unknown, schema: Schema): Correlation {
    return new Correlation(value, old, schema, old !== undefined, undefined);
  }

  /** Whether the value, or what it is part of, is as it was before. */
  get unchanged(): boolean {
    return (this.#unchanged ??= this.correlated ? deepEqual(this.value, this.old) : (this.parent?.unchanged ?? false));
  }

  member(key: string, value: unknown, schema: Schema): Correlation {
    const isOne = this.correlated && this.schema['x-kubernetes-map-type'] !== 'atomic' && isObject(this.old);
    const has = isOne && Object.hasOwn(this.old as object, key);
    return new Correlation(value, has ? (this.old as Record<string, unknown>)[key] : undefined, schema, has, this);
  }

  item(value: unknown, schema: Schema): Correlation {
    const old = this.correlated ? this.#keyed().get(keyOf(value, this.schema)) : undefined;
    return new Correlation(value, old, schema, old !== undefined, this);
  }

  #items: ReadonlyMap<string, unknown> | undefined;

  #keyed(): ReadonlyMap<string, unknown> {
    if (this.#items === undefined) {
      const isMap = this.schema['x-kubernetes-list-type'] === 'map' && Array.isArray(this.old);
      const items = isMap ? (this.old as unknown[]) : [];
      this.#items = new Map(items.map((item) => [keyOf(item, this.schema), item]));
    }
    return this.#items;
  }
}

function keyOf(item: unknown, list: Schema): string {
  const keys = list['x-kubernetes-list-map-keys'] ?? [];
  return JSON.stringify(keys.map((key) => (isObject(item) && Object.hasOwn(item, key) ? item[key] : null)));
}
