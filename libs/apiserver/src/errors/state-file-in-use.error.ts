/** Another server keeps its state in the same file. */
export class StateFileInUseError extends Error {
  readonly code = 'APISERVER_STATE_FILE_IN_USE';

  constructor(
    readonly path: string,
    /** The process that holds the lock. */
    readonly pid: number,
    lock: string,
  ) {
    super(
      `The state file ${path} is in use by process ${pid}. Close that server, or choose another file; ` +
        `if that process is no API server, remove ${lock}.`,
    );
    this.name = 'StateFileInUseError';
  }
}
