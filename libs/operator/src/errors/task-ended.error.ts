import { OperatorError } from './operator.error.js';

/** A root task ended without an error although it has to run until the operator stops. */
export class TaskEndedError extends OperatorError {
  readonly code = 'OPERATOR_TASK_ENDED';
  readonly task: string;

  constructor(task: string) {
    super(
      `Root task "${task}" ended although it has to run until the operator stops. ` +
        'Without it the operator would go deaf, so it stops. Please report this with the log.',
    );
    this.task = task;
  }
}
