import { OperatorError } from './operator.error.js';

/** A part of the server's API cannot be discovered, though it may be served: nothing can be said of its resources. */
export class DiscoveryError extends OperatorError {
  readonly code = 'OPERATOR_DISCOVERY';
}
