import { OperatorError } from './operator.error.js';

export interface AmbiguousResource {
  readonly resource: string;
  /** In each of the groups. */
  readonly found: readonly string[];
  readonly handlers: readonly string[];
}

/** Names of resources that several API groups serve. Names all of them. */
export class ResourceAmbiguousError extends OperatorError {
  readonly code = 'OPERATOR_RESOURCE_AMBIGUOUS';

  constructor(readonly ambiguous: readonly AmbiguousResource[]) {
    const lines = ambiguous.map(
      ({ resource, found, handlers }) => `${resource} is any of ${found.join(', ')} (for ${handlers.join(', ')})`,
    );
    super(`Several API groups serve what handlers name: ${lines.join('; ')}. Name the group, as in 'plural.group'.`);
  }
}
