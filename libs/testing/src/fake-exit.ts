import type { ExitPort } from 'nestjs-operator';

/** Stands in for the process: remembers what would have ended it. */
export class FakeExit implements ExitPort {
  /** What `process.exitCode` would be. */
  code: number | undefined;
  /** Codes of all exits, in order. */
  readonly exits: number[] = [];

  setCode(code: number): void {
    this.code = code;
  }

  exit(code: number): void {
    this.exits.push(code);
  }
}
