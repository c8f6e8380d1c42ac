import { OperatorError } from './operator.error.js';

/** A handler decorator stands on something that cannot be a handler: a static or symbol-named method, an accessor. */
export class InvalidDecoratorTargetError extends OperatorError {
  readonly code = 'OPERATOR_INVALID_DECORATOR_TARGET';

  constructor(decorator: string, target: string, found: string) {
    super(`@${decorator}() stands on ${target}, which is ${found}. Put it on an instance method with a plain name.`);
  }
}
