/** The only way out of the process. Tests replace it. */
export interface ExitPort {
  /** Records the code that the process ends with, should it end by itself. */
  setCode(code: number): void;
  /** Ends the process now. Returns only in tests. */
  exit(code: number): void;
}

export class ProcessExit implements ExitPort {
  setCode(code: number): void {
    process.exitCode = code;
  }

  exit(code: number): void {
    process.exit(code);
  }
}
