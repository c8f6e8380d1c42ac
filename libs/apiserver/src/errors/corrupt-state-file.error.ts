/** The file that keeps the state of a server holds something that the server has not written there. */
export class CorruptStateFileError extends Error {
  readonly code = 'APISERVER_CORRUPT_STATE_FILE';

  constructor(
    readonly path: string,
    /** Counted from 1. */
    readonly line: number,
    /** Where the line begins, in bytes from 0. */
    readonly offset: number,
    problem: string,
    options?: ErrorOptions,
  ) {
    super(
      `The state file ${path} cannot be read: line ${line}, which begins at byte ${offset}: ${problem}. ` +
        'Put a copy that is whole in its place, or remove it to begin anew.',
      options,
    );
    this.name = 'CorruptStateFileError';
  }
}
