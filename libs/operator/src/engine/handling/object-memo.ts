/** A place in the memo of an object, with the type of what is there. Made by `defineMemo`. */
export class MemoKey<T> {
  constructor(
    /** What is there at first. */
    readonly create: () => T,
  ) {}
}

/** What handlers keep in memory for one object, while it exists and the process lives. */
export class ObjectMemo extends Map<unknown, unknown> {
  /** The value at a typed place; made at the first time. */
  of<T>(key: MemoKey<T>): T {
    if (!this.has(key)) this.set(key, key.create());
    return this.get(key) as T;
  }

  /** Replaces the value at a typed place. */
  put<T>(key: MemoKey<T>, value: T): void {
    this.set(key, value);
  }
}

/** A typed place in the memo of each object: `const seen = defineMemo(() => new Set<string>())`, then `ctx.memo.of(seen)`. */
export function defineMemo<T>(create: () => T): MemoKey<T> {
  return new MemoKey(create);
}
