import type { LogFields } from '../../../src/engine/ports/index.js';
import { faultKinds, type FaultKind } from '../faults/fault.js';

/** What can be sent from one thread to another. */
export interface CoverageCounts {
  readonly runs: number;
  readonly calls: number;
  readonly repeats: number;
  readonly faults: Readonly<Record<string, number>>;
  /** By machine, then by `from → to`. */
  readonly transitions: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Counts what runs have gone through. */
export class Coverage {
  runs = 0;
  /** Calls of handlers. */
  calls = 0;
  /** Successes that were repeated within the documented window. */
  repeats = 0;
  readonly #faults: Record<string, number> = Object.fromEntries(faultKinds.map((kind) => [kind, 0]));
  readonly #transitions: Record<string, Record<string, number>> = {};

  fault(kind: FaultKind): void {
    this.#faults[kind] = (this.#faults[kind] ?? 0) + 1;
  }

  ran(calls: number, repeats: number): void {
    this.runs += 1;
    this.calls += calls;
    this.repeats += repeats;
  }

  moved(machine: string, from: string, to: string): void {
    const known = (this.#transitions[machine] ??= {});
    const transition = `${from} → ${to}`;
    known[transition] = (known[transition] ?? 0) + 1;
  }

  /** State machines that tell of their transitions by a record. */
  log(message: string, { from, to }: LogFields): void {
    if (message === 'Watch state changed') this.moved('reflector', String(from), String(to));
    else if (message === 'Operator state changed') this.moved('supervisor', String(from), String(to));
  }

  counts(): CoverageCounts {
    const { runs, calls, repeats } = this;
    return { runs, calls, repeats, faults: this.#faults, transitions: this.#transitions };
  }

  add(counts: CoverageCounts): void {
    this.ran(counts.calls, counts.repeats);
    this.runs += counts.runs - 1;
    for (const [kind, count] of Object.entries(counts.faults)) this.#faults[kind] = (this.#faults[kind] ?? 0) + count;
    for (const [machine, transitions] of Object.entries(counts.transitions)) {
      const known = (this.#transitions[machine] ??= {});
      for (const [name, count] of Object.entries(transitions)) known[name] = (known[name] ?? 0) + count;
    }
  }
}
