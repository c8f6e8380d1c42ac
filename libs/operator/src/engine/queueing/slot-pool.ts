/** Running cycles over all resources are bounded by one pool; each queue waits in it for its turn. */
export class SlotPool {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(readonly size: number) {
    this.#free = size;
  }

  /**
   * Takes a slot. When there is none, it returns false and `onFree` is called once when it is its turn: who waits longest
   * comes first, and who waits again after a turn comes last.
   */
  take(onFree: () => void): boolean {
    if (this.#free === 0) {
      this.#waiting.add(onFree);
      return false;
    }
    this.#free -= 1;
    this.#waiting.delete(onFree);
    return true;
  }

  release(): void {
    this.#free += 1;
    // One that needs no slot any more must not swallow the turn of the next.
    for (const onFree of this.#waiting) {
      if (this.#free === 0) return;
      this.#waiting.delete(onFree);
      onFree();
    }
  }
}
