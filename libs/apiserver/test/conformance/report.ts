import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Group } from './case-list.js';
import type { Outcome } from './verdict.js';

/** Cases of a group by their outcome. */
export type Counts = Record<Outcome, number>;

const file = fileURLToPath(new URL('../../../../reports/conformance.json', import.meta.url));

/** Counts the outcomes of one run, by group. */
export class Report {
  readonly #groups = new Map<Group, Counts>();

  add(group: Group, outcome: Outcome): void {
    const counts = this.#groups.get(group) ?? { equal: 0, divergent: 0, failed: 0 };
    counts[outcome]++;
    this.#groups.set(group, counts);
  }

  get groups(): ReadonlyMap<Group, Counts> {
    return this.#groups;
  }

  get total(): Counts {
    const total: Counts = { equal: 0, divergent: 0, failed: 0 };
    for (const counts of this.#groups.values()) {
      for (const outcome of ['equal', 'divergent', 'failed'] as const) total[outcome] += counts[outcome];
    }
    return total;
  }

  /** Writes `reports/conformance.json`. */
  write(): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ groups: Object.fromEntries(this.#groups) }, undefined, 2)}\n`);
  }
}
