/** A change could not be written to the state file. It was not carried out in memory either. */
export class StateFileWriteError extends Error {
  readonly code = 'APISERVER_STATE_FILE_WRITE';

  constructor(
    readonly path: string,
    options: ErrorOptions,
  ) {
    const { cause } = options;
    super(
      `The state file ${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      options,
    );
    this.name = 'StateFileWriteError';
  }
}
