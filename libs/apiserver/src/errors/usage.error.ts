/** The command was called in a way that makes no sense; its message is for the user's eyes. */
export class UsageError extends Error {
  readonly code = 'APISERVER_USAGE';

  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
