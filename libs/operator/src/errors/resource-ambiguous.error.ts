import { OperatorError } from './operator.error.js';

/** A resource name that several API groups serve. */
export class ResourceAmbiguousError extends OperatorError {
  readonly code = 'OPERATOR_RESOURCE_AMBIGUOUS';

  constructor(resource: string, details: { readonly found: readonly string[]; readonly handlers: readonly string[] }) {
    super(
      `Several API groups serve ${resource}: ${details.found.join(', ')}. ` +
        `Name the group in the handlers ${details.handlers.join(', ')}, as in '${details.found[0] ?? resource}'.`,
    );
  }
}
