/**
 * Steps that lead to a value. Paths that grew out of the same one share their storage, as Go's slices do: where there is
 * room, adding a step writes over what another path got there. The real server's estimates depend on that.
 */
export class SharedPath {
  static readonly root = new SharedPath([], 0, 0);

  private constructor(
    private readonly storage: string[],
    private readonly length: number,
    private readonly capacity: number,
  ) {}

  static of(name: string): SharedPath {
    return new SharedPath([name], 1, 1);
  }

  with(step: string): SharedPath {
    if (this.length < this.capacity) {
      this.storage[this.length] = step;
      return new SharedPath(this.storage, this.length + 1, this.capacity);
    }
    const capacity = Math.max(1, 2 * this.capacity);
    return new SharedPath([...this.storage.slice(0, this.length), step], this.length + 1, capacity);
  }

  /** All steps behind the first one, which names the variable. */
  get steps(): readonly string[] {
    return this.storage.slice(1, this.length);
  }
}
