import { OperatorError } from './operator.error.js';

/** A parameter decorator was asked for an object where none is handled: in a start-up or clean-up step, or outside the operator. */
export class ParameterUnavailableError extends OperatorError {
  readonly code = 'OPERATOR_PARAMETER_UNAVAILABLE';

  constructor(decorator: string) {
    super(
      `@${decorator}() has no object to read from. It works in handlers of a resource; start-up and clean-up steps have @KubeContext() only.`,
    );
  }
}
