import { OperatorError } from './operator.error.js';

/** The server does not serve a resource that handlers are written for, and did not begin to in time. */
export class ResourceMissingError extends OperatorError {
  readonly code = 'OPERATOR_RESOURCE_MISSING';

  constructor(
    resource: string,
    details: { readonly waited: number; readonly served: readonly string[]; readonly handlers: readonly string[] },
  ) {
    const served = details.served.length === 0 ? '' : ` The server serves it in: ${details.served.join(', ')}.`;
    super(
      `The server does not serve ${resource}, ${details.waited} ms after the start.${served} ` +
        `Handlers that need it: ${details.handlers.join(', ')}. ` +
        "Install its CustomResourceDefinition, correct the name, or set watching.missingKind to 'wait'.",
    );
  }
}
