import { OperatorError } from './operator.error.js';

/** The stopping sequence did not end by `shutdown.deadline`. */
export class StopDeadlineError extends OperatorError {
  readonly code = 'OPERATOR_STOP_DEADLINE';
  /** The step that was under way. */
  readonly step: string;
  /** What still ran, by name. */
  readonly stragglers: readonly string[];

  constructor(deadline: number, step: string, stragglers: readonly string[]) {
    const still = stragglers.length === 0 ? '' : ` Still running: ${stragglers.join(', ')}.`;
    super(
      `The stop did not end within ${deadline} ms; it hung in step "${step}".${still} ` +
        'Make handlers and shutdown hooks obey their signal, or raise shutdown.deadline.',
    );
    this.step = step;
    this.stragglers = stragglers;
  }
}
