import { OperatorError } from './operator.error.js';

/** A resource is described wrongly, in `@CustomResource` or where a decorator names one. */
export class InvalidResourceError extends OperatorError {
  readonly code = 'OPERATOR_INVALID_RESOURCE';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('; '));
  }
}
