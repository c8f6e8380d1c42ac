/** What an evaluation has cost, and when it is to end. */
export class CostMeter {
  #used = 0;

  /** @param limit - an evaluation that costs more is cancelled */
  constructor(readonly limit: number) {}

  get used(): number {
    return this.#used;
  }

  add(cost: number): void {
    this.#used += cost;
    if (this.#used > this.limit) throw new CostLimitError();
  }
}

/** Ends an evaluation that costs too much. */
export class CostLimitError extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
    this.name = 'CostLimitError';
  }
}
