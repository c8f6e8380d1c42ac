import { OperatorError } from './operator.error.js';

/** The options of `OperatorModule.forRoot` are incomplete or wrong. `gaps` has one line for each. */
export class InvalidOptionsError extends OperatorError {
  readonly code = 'OPERATOR_INVALID_OPTIONS';

  constructor(readonly gaps: readonly string[]) {
    super(`The options of OperatorModule are not valid. Correct these:\n${gaps.map((gap) => `  - ${gap}`).join('\n')}`);
  }
}
