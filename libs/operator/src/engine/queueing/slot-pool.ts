/** Running cycles over all resources are bounded by one pool; each queue waits in it for its turn. */
export class SlotPool {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(readonly size: number) {
    this.#free = size;
  }

  /** Takes a slot; false when there is none, `onFree` is then called once when one is returned. */
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
    // All of them: one that needs no slot any more must not swallow the call. Who still waits lines up again.
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const onFree of waiting) onFree();
  }
}
