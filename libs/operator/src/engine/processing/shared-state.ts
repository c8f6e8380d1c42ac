import type { ResourceHandler } from '../handling/resource-handler.js';
import { isSamePart } from '../persistence/handled-state.js';
import type { HandlerProgress, ObjectRecord } from '../persistence/object-record.js';

/**
 * The record with as few states as say the same: a handler to which nothing changed that it watches takes over the shared
 * state, so that the record does not grow with the number of handlers.
 */
export function shareStates(record: ObjectRecord, handlers: readonly ResourceHandler[]): ObjectRecord {
  const { shared, uid } = record;
  if (shared === undefined) return record;
  const changed = new Map<string, HandlerProgress>();
  for (const { id, tracksState, watched } of handlers) {
    const progress = record.handlers.get(id);
    if (progress === undefined || progress.handled === shared) continue;
    if (!tracksState) {
      // As if the record did not name it: should it ever watch changes, it starts from where the others are.
      changed.set(id, { ...progress, handled: shared, creationOpen: false });
      continue;
    }
    const { handled } = progress;
    if (handled !== undefined && watched.every((path) => isSamePart(handled, shared, path, uid))) {
      changed.set(id, { ...progress, handled: shared });
    }
  }
  return changed.size === 0 ? record : { ...record, handlers: new Map([...record.handlers, ...changed]) };
}
