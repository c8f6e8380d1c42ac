import { OperatorError } from './operator.error.js';

/** The server does not serve the resource, or not in that version, or several groups have one of that name. */
export class ResourceNotServedError extends OperatorError {
  readonly code = 'OPERATOR_RESOURCE_NOT_SERVED';
}
