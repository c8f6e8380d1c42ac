/** A fault makes no sense: a number is out of range. */
export class InvalidFaultError extends RangeError {
  readonly code = 'APISERVER_INVALID_FAULT';

  constructor(readonly problems: readonly string[]) {
    super(`The fault makes no sense: ${problems.join('; ')}.`);
    this.name = 'InvalidFaultError';
  }
}
