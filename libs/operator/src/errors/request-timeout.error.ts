import { OperatorError } from './operator.error.js';

/** A request had no complete answer within its own time limit. The server may have carried it out. */
export class RequestTimeoutError extends OperatorError {
  readonly code = 'OPERATOR_REQUEST_TIMEOUT';
  readonly verb: string;
  readonly path: string;
  /** Milliseconds. */
  readonly timeout: number;

  constructor(verb: string, path: string, timeout: number) {
    super(
      `${verb} ${path} was not answered within ${timeout} ms. Check the connection to the API server, or raise the request's timeout.`,
    );
    this.verb = verb;
    this.path = path;
    this.timeout = timeout;
  }
}
