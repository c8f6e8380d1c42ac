import { OperatorError } from './operator.error.js';

/** The API server sent an object without the fields that identify it. Its content is never part of the message. */
export class MalformedObjectError extends OperatorError {
  readonly code = 'OPERATOR_MALFORMED_OBJECT';

  constructor(resource: string, missing: string, source: string) {
    super(
      `An object of ${resource} from ${source} has no ${missing}. It cannot be told from others, so the watch lists anew. ` +
        `Check what answers for this resource: an aggregated API server or a proxy in between.`,
    );
  }
}
