import { OperatorError } from './operator.error.js';

/** A list or watch was answered with something that is not of the API. Its content is never part of the message. */
export class BrokenStreamError extends OperatorError {
  readonly code = 'OPERATOR_BROKEN_STREAM';

  constructor(verb: string, path: string, problem: string) {
    super(
      `The answer to ${verb} ${path} cannot be read: ${problem}. Check what stands between the operator and the API server.`,
    );
  }
}
