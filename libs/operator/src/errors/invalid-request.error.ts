import { OperatorError } from './operator.error.js';

/** A request to the API server was put together wrongly; it was not sent. */
export class InvalidRequestError extends OperatorError {
  readonly code = 'OPERATOR_INVALID_REQUEST';
}
