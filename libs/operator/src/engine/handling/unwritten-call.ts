import type { FieldPath } from '../json/field-path.js';
import { isUnchangedAt, sameState, type HandledState } from '../persistence/handled-state.js';
import type { Essence } from '../processing/essence.js';
import type { PatchRequest } from './object-patch-buffer.js';

/** A call that changes its object, while the server has not taken that yet. */
export interface UnwrittenCall {
  /** What the call wants changed, with what earlier calls of the handler still want. */
  readonly patch: PatchRequest;
  /** The object as the call found it. */
  readonly found: HandledState;
  /** The object as the call wants it: what the record holds as seen or handled. */
  readonly saw: HandledState;
}

/**
 * Whether the part at `path` is what it is in a state that a handler has seen or handled. Until the handler's own changes are
 * on the object, what its call found there is no news to it either.
 */
export function isSeenAt(
  state: HandledState,
  essence: Essence,
  path: FieldPath,
  uid: string,
  unwritten: UnwrittenCall | undefined,
): boolean {
  if (isUnchangedAt(state, essence, path, uid)) return true;
  return (
    unwritten !== undefined && sameState(state, unwritten.saw) && isUnchangedAt(unwritten.found, essence, path, uid)
  );
}
