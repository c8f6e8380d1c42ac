/** What `waitFor` waited for did not come true in time. */
export class WaitTimeoutError extends Error {
  readonly code = 'APISERVER_WAIT_TIMEOUT';

  constructor(
    /** How long was waited, in milliseconds of the server's clock. */
    readonly timeout: number,
    condition: string,
  ) {
    super(`The condition did not come true within ${timeout} ms of the server's clock: ${condition}`);
    this.name = 'WaitTimeoutError';
  }
}
