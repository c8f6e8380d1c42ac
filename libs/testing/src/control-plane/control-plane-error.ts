/**
 * Why the launcher of the control plane refused or failed.
 *
 * - `CONTROL_PLANE_PLATFORM_UNSUPPORTED`: no POSIX system.
 * - `CONTROL_PLANE_BINARY_MISSING`: the folder named by the environment lacks a binary.
 * - `CONTROL_PLANE_TOOLCHAIN_MISSING`: `go` is not on PATH.
 * - `CONTROL_PLANE_TOOLCHAIN_TOO_OLD`: `go` is older than the Go module asks for.
 * - `CONTROL_PLANE_BUILD_FAILED`: `go build` failed.
 * - `CONTROL_PLANE_BUILD_LOCK_TIMEOUT`: another process held the build lock until the deadline.
 * - `CONTROL_PLANE_PROCESS_ENDED`: a server ended though it should run.
 * - `CONTROL_PLANE_NOT_READY`: a server was not ready at the deadline.
 * - `CONTROL_PLANE_REQUEST_FAILED`: a server refused a request of the launcher.
 * - `CONTROL_PLANE_KUBECTL_FAILED`: kubectl ended with a non-zero code.
 * - `CONTROL_PLANE_STOPPED`: the control plane was stopped before the call.
 */
export type ControlPlaneErrorCode =
  | 'CONTROL_PLANE_PLATFORM_UNSUPPORTED'
  | 'CONTROL_PLANE_BINARY_MISSING'
  | 'CONTROL_PLANE_TOOLCHAIN_MISSING'
  | 'CONTROL_PLANE_TOOLCHAIN_TOO_OLD'
  | 'CONTROL_PLANE_BUILD_FAILED'
  | 'CONTROL_PLANE_BUILD_LOCK_TIMEOUT'
  | 'CONTROL_PLANE_PROCESS_ENDED'
  | 'CONTROL_PLANE_NOT_READY'
  | 'CONTROL_PLANE_REQUEST_FAILED'
  | 'CONTROL_PLANE_KUBECTL_FAILED'
  | 'CONTROL_PLANE_STOPPED';

/** The parts of a {@link ControlPlaneError}. */
export interface ControlPlaneErrorDetails {
  /** What was seen. */
  readonly found: string;
  /** The file, folder, command or URL that it was seen at. */
  readonly where: string;
  /** What the reader can do about it. */
  readonly todo: string;
  /** The last lines of the process concerned, oldest first. */
  readonly output?: readonly string[];
  readonly cause?: unknown;
}

/** Every failure of the launcher, told apart by {@link ControlPlaneError.code}. */
export class ControlPlaneError extends Error {
  override readonly name = 'ControlPlaneError';
  readonly code: ControlPlaneErrorCode;
  readonly found: string;
  readonly where: string;
  readonly todo: string;
  readonly output: readonly string[];

  constructor(code: ControlPlaneErrorCode, details: ControlPlaneErrorDetails) {
    const output = details.output ?? [];
    super(
      [
        `[${code}] ${details.found}`,
        `  where: ${details.where}`,
        `  what to do: ${details.todo}`,
        ...(output.length > 0 ? ['  last lines of output:', ...output.map((line) => `    ${line}`)] : []),
      ].join('\n'),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = code;
    this.found = details.found;
    this.where = details.where;
    this.todo = details.todo;
    this.output = output;
  }
}
