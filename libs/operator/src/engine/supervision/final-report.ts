import type { OperatorFailedError } from '../../errors/operator-failed.error.js';
import type { EmergencyOutput, Logger } from '../ports/index.js';
import { renderCauseChain } from './cause-chain.js';
import type { TerminationLog } from './termination-log.js';

export interface FinalReportParts {
  readonly logger: Logger;
  readonly terminationLog: TerminationLog | undefined;
  readonly emergencyOutput: EmergencyOutput;
}

/** Step 8 of a stop: names what did not stop, then writes the level-3 error. */
export class FinalReport {
  readonly #parts: FinalReportParts;

  constructor(parts: FinalReportParts) {
    this.#parts = parts;
  }

  /** One line in any case, so that its absence is never taken for "none". */
  hungTasks(names: readonly string[]): void {
    if (names.length === 0) this.#parts.logger.log('debug', 'Hung tasks: none');
    else this.#parts.logger.log('warn', 'Hung tasks: they ignore their signal and are left behind', { tasks: names });
  }

  /**
   * The last record of the operator. `forced`: the process ends right after, so the text also goes out synchronously:
   * an asynchronous log sink would lose it.
   */
  failed(error: OperatorFailedError, options: { readonly forced: boolean }): void {
    const { logger, terminationLog, emergencyOutput } = this.#parts;
    terminationLog?.write(renderCauseChain(error, { stacks: false }));
    logger.log('error', 'Operator failed', { origin: error.origin }, error);
    if (options.forced) emergencyOutput.write(`${renderCauseChain(error)}\n`);
  }
}
