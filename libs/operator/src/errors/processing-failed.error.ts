import { OperatorError } from './operator.error.js';

/** Processing the changes of a resource failed outside of handlers and beyond the per-object throttle. */
export class ProcessingFailedError extends OperatorError {
  readonly code = 'OPERATOR_PROCESSING_FAILED';
  /** `plural.version.group` of the resource. */
  readonly resource: string;

  constructor(resource: string, options: { readonly cause: unknown }) {
    super(`Processing the changes of ${resource} failed unrecoverably, so the operator stops. See the cause.`, {
      cause: options.cause,
    });
    this.resource = resource;
  }
}
