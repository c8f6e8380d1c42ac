/** An entry that knows its place in the heap, so that it can be moved and removed in logarithmic time. */
export interface DueEntry {
  /** Monotonic milliseconds. */
  due: number;
  /** Owned by the heap; -1 outside of it. */
  heapIndex: number;
}

/** A binary heap of entries by due time. */
export class DueHeap<T extends DueEntry> {
  readonly #entries: T[] = [];

  get size(): number {
    return this.#entries.length;
  }

  peek(): T | undefined {
    return this.#entries[0];
  }

  /** Adds an entry, or moves one that is in the heap already after its due time changed. */
  put(entry: T): void {
    if (entry.heapIndex < 0) {
      entry.heapIndex = this.#entries.length;
      this.#entries.push(entry);
    }
    this.#rise(entry);
    this.#sink(entry);
  }

  remove(entry: T): void {
    const index = entry.heapIndex;
    if (index < 0) return;
    entry.heapIndex = -1;
    const last = this.#entries.pop() as T;
    if (last === entry) return;
    this.#place(last, index);
    this.#rise(last);
    this.#sink(last);
  }

  #place(entry: T, index: number): void {
    this.#entries[index] = entry;
    entry.heapIndex = index;
  }

  #rise(entry: T): void {
    let index = entry.heapIndex;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#entries[parentIndex] as T;
      if (parent.due <= entry.due) break;
      this.#place(parent, index);
      index = parentIndex;
    }
    this.#place(entry, index);
  }

  #sink(entry: T): void {
    let index = entry.heapIndex;
    for (;;) {
      let childIndex = 2 * index + 1;
      if (childIndex >= this.#entries.length) break;
      const right = this.#entries[childIndex + 1];
      if (right !== undefined && right.due < (this.#entries[childIndex] as T).due) childIndex += 1;
      const child = this.#entries[childIndex] as T;
      if (child.due >= entry.due) break;
      this.#place(child, index);
      index = childIndex;
    }
    this.#place(entry, index);
  }
}
