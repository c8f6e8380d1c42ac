import { OperatorError } from './operator.error.js';

/** Something that the operator's account is not allowed. */
export interface MissingAccess {
  /** `plural.group`, with the subresource if it is about one. */
  readonly resource: string;
  /** `undefined`: all namespaces, or a resource that is in none. */
  readonly namespace: string | undefined;
  readonly verbs: readonly string[];
  /** `always`: the operator cannot do without; `sometimes`: it goes on without. */
  readonly need: 'always' | 'sometimes';
  /** What it is for. */
  readonly purpose: string;
}

/** Rules that are to be added to a Role, or to a ClusterRole where they name no namespace. */
export interface MissingRules {
  readonly namespace: string | undefined;
  /** The YAML of the rules. */
  readonly yaml: string;
}

/** The operator's account is not allowed all that its handlers need. */
export class AccessMissingError extends OperatorError {
  readonly code = 'OPERATOR_ACCESS_MISSING';
  readonly missing: readonly MissingAccess[];

  constructor(missing: readonly MissingAccess[], rules: readonly MissingRules[]) {
    super(`The operator's account lacks access:\n${table(missing)}\n${rules.map(section).join('\n')}`);
    this.missing = missing;
  }
}

function section({ namespace, yaml }: MissingRules): string {
  const where =
    namespace === undefined
      ? 'Rules for a ClusterRole that is bound in the whole cluster:'
      : `Rules for a Role in namespace ${namespace}:`;
  const indented = yaml.split('\n').map((line) => `  ${line}`);
  return [where, ...indented].join('\n');
}

function table(missing: readonly MissingAccess[]): string {
  const rows = missing.map(({ resource, namespace, verbs, need, purpose }) => [
    resource,
    namespace ?? '(all)',
    verbs.join(', '),
    need,
    purpose,
  ]);
  const lines = [['RESOURCE', 'NAMESPACE', 'VERBS', 'NEEDED', 'TO'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => `  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
