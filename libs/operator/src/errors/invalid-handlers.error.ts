import { OperatorError } from './operator.error.js';

/** Handlers contradict themselves or each other. `problems` has one line for each, with class and method. */
export class InvalidHandlersError extends OperatorError {
  readonly code = 'OPERATOR_INVALID_HANDLERS';

  constructor(
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super(
      `The operator's handlers are not valid. Correct these:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
      options,
    );
  }
}
