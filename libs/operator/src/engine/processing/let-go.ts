import type { DecisionView } from '../handling/change-decision.js';
import { matchesSelection } from '../handling/filter-match.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import type { StoredObject } from '../kube-object.js';
import type { ObjectRecord } from '../persistence/object-record.js';
import type { ObjectMemory } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';

/**
 * Whether labels and annotations make the object one of some handler that keeps a record. `when`, fields and values say
 * when a handler acts, not whose an object is.
 */
export function isWanted(
  { handlers }: ProcessingEnvironment,
  viewOf: (handler: ResourceHandler) => DecisionView,
): boolean {
  let keepRecords = false;
  for (const handler of handlers) {
    const triggers = [...handler.creating, ...handler.updating, ...handler.deleting];
    if (triggers.length === 0) continue;
    keepRecords = true;
    const view = viewOf(handler);
    if (triggers.some(({ on, filter }) => matchesSelection(filter, view.context(on === 'field' ? 'update' : on)))) {
      return true;
    }
  }
  return !keepRecords;
}

/** A handler has begun something on the object that it has not ended. */
export function isOpen({ handlers }: ObjectRecord): boolean {
  return [...handlers.values()].some(({ attempt }) => attempt !== undefined);
}

/** Whether the object carries a record of its own, or a store of the application holds one. A copy is not its own. */
export function leavesTraces(
  { records, external }: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
): boolean {
  return (external !== undefined && memory.recordText !== undefined) || records.read(object) !== undefined;
}

/**
 * An object that nobody wants any more carries nothing of us. Its record is remembered as long as the process lives, so
 * that an object that comes back goes on where it was.
 */
export function setAside(memory: ObjectMemory, record: ObjectRecord): void {
  memory.setAside = record;
  memory.recordText = undefined;
  memory.stripped = false;
  memory.restoreAt = undefined;
  memory.unstorable = undefined;
  memory.ofKopf = false;
  memory.pending = undefined;
  memory.pendingOf = undefined;
}
