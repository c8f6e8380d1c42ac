import { compareRuns } from './compare-runs.js';
import { CrashRun } from './crash-run.js';
import type { CrashScenario } from './crash-scenario.js';
import type { KillPoint } from './killable-transport.js';

/** What came of killing an operator at each of its writes. */
export interface CrashReport {
  /** The writes at which it was killed, twice each, in the order of the run without a kill. */
  readonly writes: readonly string[];
  /** What should not have happened, with the kill that led to it. Empty for an operator that bears every crash. */
  readonly problems: readonly string[];
}

/**
 * Runs a workload, and then once more for each write of the operator with the operator killed right before that write,
 * and once more right after it, when the server has done it but the operator does not know. A new operator is started in
 * its place at once.
 *
 * The end state must be that of the first run. Handlers of changes may be called once more in the step of the workload in
 * which the operator was killed, and their objects written once more; all other steps must be as in the first run.
 * Handlers that are called at each start (resumption, timers, daemons, reconciliation, watch events) are not counted.
 *
 * An operator is killed by being cut off: its requests go nowhere any more and its handlers are not called. What runs at
 * that moment runs on in this process, so what a handler does beside the cluster has to be undone by the test.
 *
 * @throws whatever the workload throws
 */
export async function crashAfterEveryWrite(scenario: CrashScenario): Promise<CrashReport> {
  const plain = await CrashRun.record(scenario);
  const writes = plain.steps.flatMap((step) => step.writes.map(({ title }) => title));
  const problems: string[] = [];
  for (const write of writes.keys()) {
    for (const when of ['before', 'after'] as const) {
      const point: KillPoint = { write: write + 1, when };
      const run = await CrashRun.record(scenario, point);
      const title = run.killed?.write.title ?? 'a write that did not come';
      problems.push(
        ...compareRuns(plain, run).map((text) => `killed ${when} write ${point.write} (${title}): ${text}`),
      );
    }
  }
  return { writes, problems };
}
