/** The only source of chance: jitter, names. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
}

export class SystemRandom implements Random {
  next(): number {
    return Math.random();
  }
}
