import { parentPort } from 'node:worker_threads';
import { Coverage, type CoverageCounts } from '../report/coverage.js';
import type { Violation } from '../invariants/violation.js';
import { Simulator } from '../world/simulation.js';

export const createSimulator = (): Promise<Simulator> => Simulator.create();
export { Coverage } from '../report/coverage.js';
export { coverageTables } from '../report/tables.js';

/** Seeds from `from` on, until one is bad. */
export interface SeedRange {
  readonly from: number;
  readonly count: number;
  /** Keep what happens, in order. */
  readonly traced?: boolean;
  /** The planted defect to run with; only in a copy of the engine that has them. */
  readonly defect?: string;
}

export interface RangeResult {
  readonly range: SeedRange;
  readonly bad: { readonly seed: number; readonly violation: Violation } | undefined;
  readonly ran: number;
  readonly coverage: CoverageCounts;
  readonly trace: readonly string[];
}

/** Runs ranges of seeds, one after the other, as they are asked for. */
export async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  // Stacks of the many errors that a run is about cost more than anything else in it.
  Error.stackTraceLimit = 2;
  const simulator = await Simulator.create();
  let busy = Promise.resolve();
  port.on('message', (range: SeedRange) => {
    busy = busy.then(async () => port.postMessage(await runRange(simulator, range)));
  });
}

/** One range of seeds. */
export async function runRange(simulator: Simulator, range: SeedRange): Promise<RangeResult> {
  const { from, count, traced = false, defect } = range;
  Object.assign(globalThis, { plantedDefect: defect });
  const coverage = new Coverage();
  let trace: readonly string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const result = await simulator.run({ seed, coverage, traced });
    trace = result.trace;
    const { violation } = result;
    if (violation !== undefined) {
      return { range, bad: { seed, violation }, ran: seed - from + 1, coverage: coverage.counts(), trace };
    }
  }
  return { range, bad: undefined, ran: count, coverage: coverage.counts(), trace };
}

if (parentPort !== null) await serve(parentPort);
