/** The server was closed while somebody waited for it. */
export class ClosedError extends Error {
  readonly code = 'APISERVER_CLOSED';

  constructor() {
    super('The API server was closed while it was waited for.');
    this.name = 'ClosedError';
  }
}
