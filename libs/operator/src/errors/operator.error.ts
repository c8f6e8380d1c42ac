/**
 * Base of all errors of this framework. `code` is stable across releases and listed in `docs/errors.md`; the message
 * says what was found, where, and what to do.
 */
export abstract class OperatorError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}
