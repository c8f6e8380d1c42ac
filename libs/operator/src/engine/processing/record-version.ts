import type { ObjectKey, StoredObject } from '../kube-object.js';
import { unknownState, type HandledState } from '../persistence/handled-state.js';
import type { ObjectRecord } from '../persistence/object-record.js';
import { rebaseRecord } from '../persistence/record-rebase.js';
import { isSubId } from '../persistence/sub-progress.js';
import { apiVersionOf } from '../resource.js';
import type { ProcessingEnvironment } from './processing-environment.js';

/**
 * The record in the version that is watched now; `later` when the object changed while it was read in the record's own
 * version: the two states must be one.
 */
export async function carryRecordOver(
  environment: ProcessingEnvironment,
  key: ObjectKey,
  object: StoredObject,
  record: ObjectRecord,
  now: HandledState,
): Promise<ObjectRecord | 'later'> {
  const { writer, signal, handlers, logger, events, name } = environment;
  const former = await writer.read(key, signal, record.apiVersion);
  const { uid, resourceVersion } = object.metadata;
  const found = former?.metadata.uid === uid ? former : undefined;
  if (found !== undefined && found.metadata.resourceVersion !== resourceVersion) return 'later';
  const apiVersion = apiVersionOf(environment.resource());
  const carried = rebaseRecord(record, {
    apiVersion,
    inFormerVersion: found === undefined ? undefined : environment.essence(found),
    now,
    watched: (id) =>
      handlers.find((handler) => id === handler.id || isSubId(id, new Set([handler.id])))?.watched ?? [[]],
  });
  const changed = [...carried.handlers.values()].filter(({ handled }) => handled === unknownState).length;
  const fields = { resource: name, key, uid, from: record.apiVersion, to: apiVersion };
  if (found !== undefined) {
    logger.log('info', 'Record carried over to another version of the resource', { ...fields, changed });
  } else {
    logger.log('warn', 'The version of a record is not served; the present state counts as handled', fields);
    events.post(object, {
      type: 'Normal',
      reason: 'RecordRebased',
      message: `What was handled is recorded in ${record.apiVersion}, in which the object cannot be read. Its present state in ${apiVersion} counts as handled.`,
    });
  }
  return carried;
}
