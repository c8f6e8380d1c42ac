/** What `startApiServer` was given makes no sense, or holds objects that the server refuses. Nothing was started. */
export class InvalidOptionsError extends Error {
  readonly code = 'APISERVER_INVALID_OPTIONS';

  constructor(
    /** Everything that is wrong, each with the option that it is about. */
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super(
      problems.length === 1
        ? `The API server cannot start: ${problems[0]}.`
        : `The API server cannot start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
      options,
    );
    this.name = 'InvalidOptionsError';
  }
}
