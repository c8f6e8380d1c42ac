import { OperatorError } from './operator.error.js';

/** The API client was closed: the request was not sent, or its answer is not waited for. */
export class ClientClosedError extends OperatorError {
  readonly code = 'OPERATOR_CLIENT_CLOSED';

  constructor() {
    super('The API client is closed. Requests end with the operator; send them before it stops.');
  }
}
