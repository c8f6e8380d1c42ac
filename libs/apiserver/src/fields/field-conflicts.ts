import { failure, type ApiError, type StatusCause } from '../status.js';
import { identityOf, type Manager } from './managed-fields.js';
import { compareSteps, shownStep } from './path-element.js';
import { difference, emptySet, isEmptySet, isMember, type FieldSet } from './field-set.js';

/** Fields that are to be changed though another manager owns them. */
export interface Conflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

/** An apply that would change what others own. */
export class FieldConflicts extends Error {
  override name = 'FieldConflicts';

  constructor(readonly conflicts: readonly Conflict[]) {
    super('the fields belong to other managers');
  }

  /** The conflicts without those about `allowed`; undefined when none is left. */
  except(allowed: FieldSet): FieldConflicts | undefined {
    const left = this.conflicts
      .map(({ manager, fields }) => ({ manager, fields: difference(fields, allowed) }))
      .filter(({ fields }) => !isEmptySet(fields));
    return left.length === 0 ? undefined : new FieldConflicts(left);
  }

  /** The answer to the client. */
  toApiError(): ApiError {
    const found = this.conflicts
      .map(({ manager, fields }) => ({
        identity: identityOf(manager),
        shown: shownManager(manager),
        paths: pathsOf(fields),
      }))
      .sort((a, b) => (a.identity < b.identity ? -1 : 1));
    const causes: StatusCause[] = found.flatMap(({ shown, paths }) =>
      paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${shown}`, field })),
    );
    const text =
      causes.length === 1
        ? `1 conflict: ${causes[0]!.message}: ${causes[0]!.field}`
        : `${causes.length} conflicts: ${found
            .map(({ shown, paths }) => [`conflicts with ${shown}:`, ...paths.map((path) => `- ${path}`)].join('\n'))
            .join('\n')}`;
    return failure('Conflict', `Apply failed with ${text}`, { causes });
  }
}

function shownManager({ name = '', operation, apiVersion, subresource }: Manager): string {
  const of = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const using = operation === 'Update' ? ` using ${apiVersion}` : '';
  return JSON.stringify(name) + of + using;
}

/** The paths of a set: at each node first those that end there, then those that go on. */
export function pathsOf(fields: FieldSet, before = ''): string[] {
  const steps = Object.keys(fields)
    .filter((step) => step !== '.')
    .sort(compareSteps);
  const ending = steps.filter((step) => isMember(fields[step]!)).map((step) => before + shownStep(step));
  return [...ending, ...steps.flatMap((step) => pathsOf(fields[step] ?? emptySet, before + shownStep(step)))];
}
