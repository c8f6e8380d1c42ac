import { OperatorError } from './operator.error.js';

/** The application that should run as an operator does not import OperatorModule. */
export class MissingOperatorModuleError extends OperatorError {
  readonly code = 'OPERATOR_MISSING_MODULE';

  constructor(caller: string) {
    super(
      `${caller} found no OperatorModule in this application. Add OperatorModule.forRoot({ name: … }) to the imports of its root module.`,
    );
  }
}
