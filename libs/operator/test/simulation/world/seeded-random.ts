import type { Random } from '../../../src/engine/ports/index.js';

/** Numbers that follow from a seed alone. */
export class SeededRandom implements Random {
  #state: number;
  /** How many numbers were drawn. */
  drawn = 0;

  constructor(seed: number) {
    // Neighbouring seeds must not begin alike.
    this.#state = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) >>> 0;
    for (let warm = 0; warm < 4; warm += 1) this.next();
    this.drawn = 0;
  }

  next(): number {
    this.drawn += 1;
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from `least` to `most`. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.next() * choices.length)] as T;
  }

  /** Picks by weight. */
  weighted<T>(choices: ReadonlyArray<readonly [T, number]>): T {
    let left = this.next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [choice, weight] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return (choices.at(-1) as readonly [T, number])[0];
  }

  /** A source of its own, so that what one part draws does not shift what another one gets. */
  fork(): SeededRandom {
    return new SeededRandom(Math.floor(this.next() * 2 ** 32));
  }
}
