import type { ApiServer } from '@nestjs-operator/apiserver';
import type { Duration } from 'nestjs-operator';
import type { OperatorTestingOptions } from '../operator-testing-module.js';

/** What a workload acts on. */
export interface CrashWorld {
  /** The cluster. What is done here is not the operator's, and is never cut short. */
  readonly api: ApiServer;
  /** Waits until nothing is left to do now. A step of the workload ends here. */
  settled(): Promise<void>;
  /** Lets time pass, for retries, timers and slow handlers. A step of the workload ends here. */
  advance(time: Duration): Promise<void>;
}

/** An operator, and what happens to its cluster. */
export interface CrashScenario extends Omit<OperatorTestingOptions, 'clock' | 'stage' | 'init'> {
  /**
   * Changes the cluster step by step, the same in each run, and waits for the operator after each step: with
   * `settled()`, and with `advance()` where time must pass. It begins once the operator is in sync.
   */
  readonly workload: (world: CrashWorld) => Promise<void>;
  /**
   * Changes a copy of an object of the end state, before it is compared: takes out what differs from run to run, such as
   * random passwords.
   */
  readonly normalise?: (object: Record<string, unknown>) => void;
}
