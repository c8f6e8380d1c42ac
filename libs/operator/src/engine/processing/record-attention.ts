import type { DecisionView } from '../handling/change-decision.js';
import type { ResourceHandler } from '../handling/resource-handler.js';
import { objectKey, type StoredObject } from '../kube-object.js';
import type { ObjectRecord } from '../persistence/object-record.js';
import { isOpen, isWanted, leavesTraces } from './let-go.js';
import type { ObjectMemory } from './object-memory.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import { loadRecord } from './record-state.js';

/**
 * What is due of a living object's record without any handler: it is written when the object was taken over or is wanted
 * again, and removed when it is wanted no more. It goes out with the outcomes of the cycle.
 */
export function attendToRecord(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
  viewOf: (handler: ResourceHandler) => DecisionView,
  remember: (record: ObjectRecord) => void,
): void {
  memory.unwanted = false;
  if (object.metadata.deletionTimestamp !== undefined) return;
  memory.unwanted = !isWanted(environment, viewOf);
  if (memory.unwanted) {
    if (memory.pending?.record !== undefined || !leavesTraces(environment, memory, object)) return;
    const record = loadRecord(environment, memory, object);
    if (!isOpen(record)) remember(record);
    return;
  }
  if (memory.setAside !== undefined) {
    const record = memory.setAside;
    memory.setAside = undefined;
    remember(record);
    return;
  }
  const record = loadRecord(environment, memory, object);
  if (!memory.ofKopf) return;
  memory.ofKopf = false;
  remember(record);
  const fields = { resource: environment.name, key: objectKey(object), uid: memory.uid };
  environment.logger.log('info', 'An object is taken over from Kopf', fields);
}
