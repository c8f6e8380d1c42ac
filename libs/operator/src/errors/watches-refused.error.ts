import { OperatorError } from './operator.error.js';

/** The server refuses what the operator watches (401, 403, or 404 though the resource is served). */
export class WatchesRefusedError extends OperatorError {
  readonly code = 'OPERATOR_WATCHES_REFUSED';

  /** `refused`: what is refused, and what has to be granted. `how`: how that became unrecoverable. */
  constructor(how: string, refused: readonly string[]) {
    super(`${how}:\n${refused.map((line) => `  ${line}`).join('\n')}`);
  }
}
