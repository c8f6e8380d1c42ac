import { OperatorError } from './operator.error.js';

/** One watch that is not in sync, as the message of {@link SyncTimeoutError} shows it. */
export interface UnsyncedWatch {
  readonly resource: string;
  readonly namespace: string | undefined;
  /** Verb of the last request. */
  readonly verb: string | undefined;
  /** Its HTTP status. */
  readonly status: number | undefined;
  /** What has to be there for it to succeed: an RBAC rule, a CustomResourceDefinition, or what went wrong. */
  readonly missing: string;
}

/** Resources that the operator needs could not be listed and watched in time after the start. */
export class SyncTimeoutError extends OperatorError {
  readonly code = 'OPERATOR_SYNC_TIMEOUT';
  readonly watches: readonly UnsyncedWatch[];

  /** `timeout`: milliseconds. */
  constructor(timeout: number, watches: readonly UnsyncedWatch[]) {
    super(`Not in sync ${timeout / 1_000} s after the start (watching.syncTimeout):\n${table(watches)}`);
    this.watches = watches;
  }
}

function table(watches: readonly UnsyncedWatch[]): string {
  const rows = watches.map(({ resource, namespace, verb, status, missing }) => [
    resource,
    namespace ?? '(all)',
    verb ?? '-',
    status === undefined ? '-' : String(status),
    missing,
  ]);
  const lines = [['RESOURCE', 'NAMESPACE', 'VERB', 'STATUS', 'MISSING'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => `  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
