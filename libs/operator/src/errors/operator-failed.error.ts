import { OperatorError } from './operator.error.js';

/** The operator stopped because of an unrecoverable error, which is the `cause`. What `OperatorRef.done` rejects with. */
export class OperatorFailedError extends OperatorError {
  readonly code = 'OPERATOR_FAILED';
  /** What failed: a root task, `start`, a step of the stopping sequence. */
  readonly origin: string;

  constructor(origin: string, options: { readonly cause: unknown }) {
    super(`The operator failed unrecoverably in: ${origin}. The chain of causes tells why.`, { cause: options.cause });
    this.origin = origin;
  }
}
