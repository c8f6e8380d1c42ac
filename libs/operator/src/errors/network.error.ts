import { OperatorError } from './operator.error.js';

export interface NetworkErrorInit {
  readonly verb: string;
  readonly path: string;
  readonly server: string;
  /** The system's or the HTTP layer's own code, such as `ECONNRESET`. */
  readonly systemCode: string;
  /** False only when it is certain that the server did not get the request. */
  readonly mayHaveReachedServer: boolean;
  /** What to do, where that can be said. */
  readonly advice?: string | undefined;
  readonly cause?: unknown;
}

/** The connection failed before the answer was complete. */
export class NetworkError extends OperatorError {
  readonly code = 'OPERATOR_NETWORK';
  readonly verb: string;
  readonly path: string;
  readonly systemCode: string;
  readonly mayHaveReachedServer: boolean;

  constructor(init: NetworkErrorInit) {
    const where = init.mayHaveReachedServer ? 'the connection failed' : 'the server could not be reached';
    const advice = init.advice === undefined ? '' : `. ${init.advice}`;
    super(
      `${init.verb} ${init.path} on ${init.server}: ${where} (${init.systemCode})${advice}`,
      init.cause === undefined ? undefined : { cause: init.cause },
    );
    this.verb = init.verb;
    this.path = init.path;
    this.systemCode = init.systemCode;
    this.mayHaveReachedServer = init.mayHaveReachedServer;
  }
}
