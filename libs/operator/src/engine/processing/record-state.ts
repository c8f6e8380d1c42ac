import { emptyPatch } from '../handling/object-patch-buffer.js';
import type { ObjectKey, StoredObject } from '../kube-object.js';
import type { ObjectRecord } from '../persistence/object-record.js';
import type { ObjectMemory } from './object-memory.js';
import type { WriteOutcome } from './object-writer.js';
import type { ProcessingEnvironment } from './processing-environment.js';

/** A record that somebody keeps stripping is written back no more often than this. */
const restorePause = 30_000;

/** The record that counts: what is not stored yet, what cannot be stored, what the object carries, or what it last carried. */
export function loadRecord(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
): ObjectRecord {
  const known = memory.pending?.record ?? memory.unstorable;
  if (known !== undefined) return known;
  if (memory.cachedRecord?.object === object) return memory.cachedRecord.record;
  const record = readRecord(environment, memory, object);
  memory.cachedRecord = { object, record };
  return record;
}

function readRecord(environment: ProcessingEnvironment, memory: ObjectMemory, object: StoredObject): ObjectRecord {
  const found = environment.records.read(object);
  if (found !== undefined) {
    memory.recordText = found.text;
    return found.record;
  }
  const last = memory.recordText === undefined ? undefined : environment.records.decode(memory.recordText, memory.uid);
  if (last === undefined) return environment.records.create(object);
  return restore(environment, memory, object, last);
}

/** Somebody removed the record. Handlers do not run again for that; it is written back, in no hurry. */
function restore(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
  record: ObjectRecord,
): ObjectRecord {
  memory.pending = { patch: memory.pending?.patch ?? emptyPatch, record };
  const now = environment.clock.monotonic();
  memory.restoreAt = Math.max(memory.restoreAt ?? 0, now);
  const { name, namespace } = object.metadata;
  const fields = {
    resource: environment.name,
    namespace,
    name,
    uid: memory.uid,
    annotation: environment.records.annotation,
  };
  environment.logger.log('warn', 'The record of an object was removed by somebody else; it is written back', fields);
  environment.events.post(object, {
    type: 'Warning',
    reason: 'RecordRemoved',
    message: `The annotation ${environment.records.annotation} was removed by another client. It holds what handlers have done; keep it.`,
  });
  return record;
}

/** Writes what is pending. What the server has acknowledged is forgotten. */
export async function storeOutcomes(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  key: ObjectKey,
  object: StoredObject,
): Promise<WriteOutcome> {
  const { pending } = memory;
  if (pending === undefined) return 'written';
  const record = isRestorePaused(environment, memory) ? undefined : pending.record;
  const text = record === undefined ? undefined : environment.records.encode(record, object);
  if (record !== undefined && text === undefined) keepInMemory(environment, memory, object, record);
  const annotation = text === undefined ? undefined : { name: environment.records.annotation, text };
  const outcome = await environment.writer.write(key, memory.uid, pending.patch, annotation, environment.signal);
  if (outcome !== 'written') return outcome;
  const waits = record === undefined ? pending.record : undefined;
  memory.pending = waits === undefined ? undefined : { patch: emptyPatch, record: waits };
  if (text === undefined) return outcome;
  memory.unstorable = undefined;
  memory.recordText = text;
  if (memory.restoreAt !== undefined) memory.restoreAt = environment.clock.monotonic() + restorePause;
  return outcome;
}

/** After a record was written back once, it has to stay away for a while before it is written back again. */
function isRestorePaused(environment: ProcessingEnvironment, memory: ObjectMemory): boolean {
  return memory.restoreAt !== undefined && memory.restoreAt > environment.clock.monotonic();
}

function keepInMemory(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
  record: ObjectRecord,
): void {
  const first = memory.unstorable === undefined;
  memory.unstorable = record;
  if (!first) return;
  const { name, namespace } = object.metadata;
  environment.logger.log('warn', 'No room for a record on the object; it is handled from memory', {
    resource: environment.name,
    namespace,
    name,
    uid: memory.uid,
  });
  environment.events.post(object, {
    type: 'Warning',
    reason: 'NoRoomForRecord',
    message:
      'The annotations of this object leave no room for a record of what was handled: creation runs again after a restart of the operator.',
  });
}
