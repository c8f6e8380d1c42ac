import { OperatorError } from './operator.error.js';

export interface MissingResource {
  readonly resource: string;
  /** Versions in which the server has it, where another one was asked for. */
  readonly served: readonly string[];
  readonly handlers: readonly string[];
}

/** The server does not serve resources that handlers are written for, and did not begin to in time. Names all of them. */
export class ResourceMissingError extends OperatorError {
  readonly code = 'OPERATOR_RESOURCE_MISSING';

  constructor(
    readonly missing: readonly MissingResource[],
    waited: number,
  ) {
    const lines = missing.map(({ resource, served, handlers }) => {
      const versions = served.length === 0 ? '' : `, which it serves in ${served.join(', ')}`;
      return `${resource}${versions} (for ${handlers.join(', ')})`;
    });
    super(
      `The server does not serve, ${waited} ms after the start: ${lines.join('; ')}. ` +
        "Install the CustomResourceDefinition, correct the name, or set watching.missingKind to 'wait'.",
    );
  }
}
