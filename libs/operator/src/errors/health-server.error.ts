import { OperatorError } from './operator.error.js';

/** The address on which health is to be served cannot be had. */
export class HealthServerError extends OperatorError {
  readonly code = 'OPERATOR_HEALTH_SERVER';

  constructor(port: number, host: string | undefined, options?: ErrorOptions) {
    super(
      `Health cannot be served on port ${port} of ${host ?? 'all addresses'}. Give another "health.port", or leave it out.`,
      options,
    );
  }
}
