import { OperatorError } from './operator.error.js';

/** The registry that was given to OperatorMetricsModule has metrics of somebody else under names that it needs. */
export class MetricNameTakenError extends OperatorError {
  readonly code = 'OPERATOR_METRIC_NAME_TAKEN';

  constructor(readonly names: readonly string[]) {
    super(
      `The registry given to OperatorMetricsModule has other metrics named ${names.join(', ')}. Give it a registry of its own, or another prefix where the names begin with the present one.`,
    );
  }
}
