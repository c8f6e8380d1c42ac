import { OperatorError } from './operator.error.js';

/** The server could not be asked what it serves, for as long as the first sync may take. */
export class DiscoveryFailedError extends OperatorError {
  readonly code = 'OPERATOR_DISCOVERY_FAILED';

  constructor(resources: readonly string[], waited: number, options: { readonly cause: unknown }) {
    super(
      `Whether the server serves ${resources.join(', ')} could not be found out within ${waited} ms. ` +
        'Check the address of the server, that it is reachable, and the rights to read its discovery documents.',
      { cause: options.cause },
    );
  }
}
