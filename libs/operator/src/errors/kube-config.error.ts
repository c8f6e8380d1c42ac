import { OperatorError } from './operator.error.js';

/** A kubeconfig is missing, cannot be read, or does not lead to a server. */
export class KubeConfigError extends OperatorError {
  readonly code = 'OPERATOR_KUBE_CONFIG';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
  }
}
