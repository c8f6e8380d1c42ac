import { OperatorError } from './operator.error.js';

/** A condition of a handler threw. It is an error of the object's cycle: the object is throttled and tried again. */
export class HandlerFilterError extends OperatorError {
  readonly code = 'OPERATOR_HANDLER_FILTER';

  /** @param option - the option of the decorator that threw, such as `when` or `labels` */
  constructor(
    readonly handler: string,
    readonly option: string,
    options: { readonly cause: unknown },
  ) {
    super(
      `The condition "${option}" of handler ${handler} threw. Conditions must answer for every object of the resource, ` +
        'also for one that lacks what they look at.',
      options,
    );
  }
}
