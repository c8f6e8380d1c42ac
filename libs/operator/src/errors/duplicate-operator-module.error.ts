import { OperatorError } from './operator.error.js';

/** OperatorModule was configured twice in one application. */
export class DuplicateOperatorModuleError extends OperatorError {
  readonly code = 'OPERATOR_DUPLICATE_MODULE';

  constructor() {
    super(
      'OperatorModule is configured more than once in this application. Call forRoot or forRootAsync once, and import the ' +
        'same dynamic module wherever OperatorRef or KubeClient are injected, or set global: true.',
    );
  }
}
