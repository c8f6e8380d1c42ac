import { OperatorError } from './operator.error.js';

/** A resource that is served, but cannot be listed and watched, or not be patched where handlers keep progress. */
export class ResourceUnsuitableError extends OperatorError {
  readonly code = 'OPERATOR_RESOURCE_UNSUITABLE';

  constructor(
    resource: string,
    details: { readonly missingVerbs: readonly string[]; readonly handlers: readonly string[] },
  ) {
    super(
      `The server offers no ${details.missingVerbs.join(', ')} for ${resource}, which the handlers ` +
        `${details.handlers.join(', ')} need. Write them for another resource.`,
    );
  }
}
