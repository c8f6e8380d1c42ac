import type { CycleFact, CycleResult, EngineObserver } from '../engine-observer.js';
import type { ObjectKey } from '../kube-object.js';
import type { Clock } from '../ports/index.js';
import { isHeard } from './is-heard.js';
import { errorFact } from './error-fact.js';
import { runWithin } from './run-within.js';

/** What is told outward of one cycle. */
export interface CycleReport {
  within<Result>(work: () => Promise<Result>): Promise<Result>;
  ended(result: CycleResult, error?: unknown): void;
}

/** Begins the report of a cycle. */
export function reportCycle(observer: EngineObserver, clock: Clock, resource: string, key: ObjectKey): CycleReport {
  const cycle: CycleFact | undefined = !isHeard(observer, 'onCycleStart', 'onCycleEnd', 'withinCycle')
    ? undefined
    : { resource, key };
  const startedAt = cycle === undefined ? 0 : clock.monotonic();
  if (cycle !== undefined) observer.onCycleStart?.(cycle);
  return {
    within: <Result>(work: () => Promise<Result>) =>
      cycle === undefined || observer.withinCycle === undefined
        ? work()
        : runWithin<CycleFact, Result>((fact, run) => observer.withinCycle?.(fact, run), cycle, work),
    ended: (result, error) => {
      if (result !== 'failed') observer.onCycleState?.(resource, key, result);
      if (cycle === undefined) return;
      const duration = clock.monotonic() - startedAt;
      observer.onCycleEnd?.(cycle, { result, duration, error: error === undefined ? undefined : errorFact(error) });
    },
  };
}
