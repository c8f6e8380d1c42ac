import { valueAt, type FieldPath } from '../json/field-path.js';
import type { Essence } from '../processing/essence.js';
import { isUnchangedAt, unknownState, type HandledState } from './handled-state.js';
import type { Attempt, HandlerProgress, ObjectRecord } from './object-record.js';

export interface Rebase {
  /** The version to carry the record over to. */
  readonly apiVersion: string;
  /** The object as it is, in the record's own version; absent when it cannot be had: the present state is the new base. */
  readonly inFormerVersion: Essence | undefined;
  /** The same state in the version to come. */
  readonly now: HandledState;
  /** What a handler watches. */
  readonly watched: (handler: string) => readonly FieldPath[];
}

/**
 * Carries a record over to another apiVersion. States are compared in the version that they were kept in: what has not
 * changed is handled in the new shape, what has changed is due as an update whose `old` nobody knows.
 */
export function rebaseRecord(record: ObjectRecord, rebase: Rebase): ObjectRecord {
  const { uid } = record;
  const carry = (state: HandledState, paths: readonly FieldPath[]): HandledState => {
    const { inFormerVersion: former, now } = rebase;
    if (former === undefined) return now;
    const same = paths.every((path) => isUnchangedAt(state, former, comparable(state, former, path), uid));
    return same ? now : unknownState;
  };
  const handlers = new Map<string, HandlerProgress>();
  for (const [id, progress] of record.handlers) {
    const paths = rebase.watched(id);
    const { handled, attempt } = progress;
    handlers.set(id, {
      ...progress,
      handled: handled && carry(handled, paths),
      attempt: attempt && carryAttempt(attempt, (state) => carry(state, paths)),
    });
  }
  return { ...record, apiVersion: rebase.apiVersion, shared: record.shared && carry(record.shared, [[]]), handlers };
}

function carryAttempt(attempt: Attempt, carry: (state: HandledState) => HandledState): Attempt {
  return attempt.saw === undefined ? attempt : { ...attempt, saw: carry(attempt.saw) };
}

/** A field that the former version does not show may have had another name there: then the whole decides. */
function comparable(state: HandledState, former: Essence, path: FieldPath): FieldPath {
  const shown =
    valueAt(former, path) !== undefined || (state.kind === 'essence' && valueAt(state.essence, path) !== undefined);
  return shown ? path : [];
}
