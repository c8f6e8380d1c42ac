import { OperatorError } from './operator.error.js';

export interface UnsuitableResource {
  readonly resource: string;
  readonly missingVerbs: readonly string[];
  readonly handlers: readonly string[];
}

/** Resources that are served, but cannot be listed and watched, or not be patched where handlers keep progress. Names all of them. */
export class ResourceUnsuitableError extends OperatorError {
  readonly code = 'OPERATOR_RESOURCE_UNSUITABLE';

  constructor(readonly unsuitable: readonly UnsuitableResource[]) {
    const lines = unsuitable.map(
      ({ resource, missingVerbs, handlers }) =>
        `${resource} has no ${missingVerbs.join(', ')} (needed by ${handlers.join(', ')})`,
    );
    super(`The server does not offer what handlers need: ${lines.join('; ')}. Write them for other resources.`);
  }
}
