import { OperatorError } from './operator.error.js';

/** A watch broke down for good: its stream was broken, or ended by an ERROR event, too often within a short time. */
export class WatchFailedError extends OperatorError {
  readonly code = 'OPERATOR_WATCH_FAILED';

  constructor(resource: string, namespace: string | undefined, problem: string, cause: unknown) {
    const where = namespace === undefined ? 'all namespaces' : `namespace ${namespace}`;
    super(`The watch of ${resource} in ${where} cannot go on: ${problem}. Events could be lost unnoticed.`, { cause });
  }
}
