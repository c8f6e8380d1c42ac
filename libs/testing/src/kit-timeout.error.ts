/** The test kit gave up waiting. */
export class KitTimeoutError extends Error {
  readonly code = 'TESTING_KIT_TIMEOUT';
  override readonly name = 'KitTimeoutError';

  constructor(what: string, limit: string, known: string, cause?: unknown) {
    super(`${what} within ${limit}. ${known}`, cause === undefined ? {} : { cause });
  }
}
