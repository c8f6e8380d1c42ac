import { ApiError } from '../../errors/api.error.js';
import { applyPatch, emptyPatch, isEmptyPatch, type PatchRequest } from '../handling/object-patch-buffer.js';
import { applyMergePatch } from '../json/merge-patch.js';
import { objectKey, type ObjectKey, type StoredObject } from '../kube-object.js';
import type { ObjectRecord } from '../persistence/object-record.js';
import { recordField } from '../persistence/record-field.js';
import { otherFieldManagers } from './field-managers.js';
import { isOpen, setAside } from './let-go.js';
import type { ObjectMemory } from './object-memory.js';
import type { WriteOutcome } from './object-writer.js';
import type { ProcessingEnvironment } from './processing-environment.js';
import { shareStates } from './shared-state.js';

/** A record that somebody keeps stripping is written back no more often than this. */
const restorePause = 30_000;

/** The record that counts: what is not stored yet, what cannot be stored, what the object carries, or what it last carried. */
export function loadRecord(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
): ObjectRecord {
  const known = memory.pending?.record ?? memory.unstorable ?? memory.setAside;
  if (known !== undefined) return known;
  if (memory.unseen?.object === object) return memory.unseen.record;
  memory.unseen = undefined;
  if (memory.cachedRecord?.object === object) return memory.cachedRecord.record;
  const record = readRecord(environment, memory, object);
  memory.cachedRecord = { object, record };
  return record;
}

/** What a store of its own knows of the object; asked once. */
export async function loadExternal(
  { external, signal }: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
): Promise<void> {
  if (external === undefined || memory.loaded) return;
  memory.recordText = await external.load(object, signal);
  memory.loaded = true;
}

function readRecord(environment: ProcessingEnvironment, memory: ObjectMemory, object: StoredObject): ObjectRecord {
  const { records } = environment;
  if (environment.external !== undefined) {
    const kept = memory.recordText === undefined ? undefined : records.decode(memory.recordText, memory.uid);
    const found = kept === undefined ? records.read(object) : undefined;
    memory.ofKopf = found !== undefined && found.text === undefined;
    return kept ?? found?.record ?? records.create(object);
  }
  const found = records.read(object);
  if (found !== undefined) {
    memory.recordText = found.text;
    memory.ofKopf = found.text === undefined;
    // It was left alone for as long as it had to be.
    if (!isRestorePaused(environment, memory)) memory.restoreAt = undefined;
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
  memory.pending = { ...(memory.pending ?? { patch: emptyPatch }), record };
  const now = environment.clock.monotonic();
  memory.restoreAt = Math.max(memory.restoreAt ?? 0, now);
  memory.stripped = true;
  return record;
}

/** Tells that the record was removed, and who else writes to the object: one of them did it. */
async function reportStripped(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  key: ObjectKey,
  object: StoredObject,
): Promise<void> {
  memory.stripped = false;
  const { place } = environment.records;
  const managers = await readOtherManagers(environment, key);
  const { name, namespace } = object.metadata;
  const fields = { resource: environment.name, namespace, name, uid: memory.uid, place, managers };
  environment.logger.log('warn', 'The record of an object was removed by somebody else; it is written back', fields);
  const who = managers.length === 0 ? '' : ` Field managers that write to this object: ${managers.join(', ')}.`;
  environment.events.post(object, {
    type: 'Warning',
    reason: 'RecordRemoved',
    message: `The record ${place} was removed by another client. It holds what handlers have done; keep it.${who}`,
  });
}

/** Asked of the server, since the store keeps no managed fields. The report is made without them rather than not at all. */
async function readOtherManagers(
  { writer, config, logger, name, signal }: ProcessingEnvironment,
  key: ObjectKey,
): Promise<readonly string[]> {
  try {
    const object = await writer.read(key, signal);
    return object === undefined ? [] : otherFieldManagers(object, config.name);
  } catch (error) {
    signal.throwIfAborted();
    logger.log('debug', 'The field managers of an object could not be read', { resource: name, key }, error);
    return [];
  }
}

/** Writes what is pending. What the server has acknowledged is forgotten. */
export async function storeOutcomes(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
): Promise<WriteOutcome> {
  const { pending } = memory;
  if (pending === undefined) return 'written';
  if (memory.unwanted && pending.record !== undefined && !isOpen(pending.record)) {
    return letGo(environment, memory, object, { patch: pending.patch, record: pending.record });
  }
  const key = objectKey(object);
  if (memory.stripped) await reportStripped(environment, memory, key, object);
  const { records, clock, handlers } = environment;
  const patch = applicable(environment, memory, object, pending.patch);
  const waits =
    pending.record !== undefined &&
    records.isOnObject &&
    isStripped(environment, object) &&
    isRestorePaused(environment, memory);
  const record = waits || pending.record === undefined ? undefined : shareStates(pending.record, handlers);
  const text = record === undefined ? undefined : records.encode(record, withAnnotations(object, patch));
  if (record !== undefined && text === undefined) keepInMemory(environment, memory, object, record);
  const write = text === undefined || !records.isOnObject ? undefined : records.writing(text, object);
  const outcome = await environment.writer.write(key, memory.uid, patch, write, environment.signal);
  if (outcome === 'dropped') return leaveStatus(environment, memory, object);
  if (outcome !== 'written') return outcome;
  const { external } = environment;
  if (external !== undefined && text !== undefined) {
    // The object is as it is to be, whatever comes of the record.
    memory.pending = { patch: emptyPatch, record: pending.record };
    await external.save(object, text, environment.signal);
  }
  memory.pending = waits ? { patch: emptyPatch, record: pending.record } : undefined;
  if (!waits) memory.pendingOf = undefined;
  if (record === undefined || text === undefined) return outcome;
  memory.unstorable = undefined;
  const after = environment.store.get(key);
  if (after === object) memory.unseen = { object, record };
  // The text of the stored object, if it is the same: one copy of it is enough.
  const stored = after === undefined || external !== undefined ? undefined : records.textOn(after);
  memory.recordText = stored === text ? stored : text;
  if (memory.restoreAt !== undefined) memory.restoreAt = clock.monotonic() + restorePause;
  return removeLeftovers(environment, memory, after ?? object);
}

/** Writes what handlers want changed, and removes the record: no handler wants the object any more. */
async function letGo(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
  { patch, record }: { readonly patch: PatchRequest; readonly record: ObjectRecord },
): Promise<WriteOutcome> {
  const { records, external, writer, signal, logger } = environment;
  const key = objectKey(object);
  const traces = records.read(object) === undefined ? undefined : records.traces(object);
  const wanted = applicable(environment, memory, object, patch);
  const outcome = await writer.write(key, memory.uid, wanted, traces, signal);
  if (outcome === 'gone' || outcome === 'conflict') return outcome;
  // The object is as it is to be, whatever comes of the record.
  memory.pending = { patch: emptyPatch, record };
  if (external !== undefined && memory.recordText !== undefined)
    await external.remove(external.ownerOf(object), signal);
  if (traces !== undefined || external !== undefined) {
    const fields = { resource: environment.name, key, uid: memory.uid };
    logger.log('debug', 'No handler matches an object any more; its record is removed', fields);
  }
  setAside(memory, record);
  return 'written';
}

/** The schema of the resource has no place for records in the status. What handlers want changed is written already. */
async function leaveStatus(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
): Promise<WriteOutcome> {
  const { records, logger, store } = environment;
  const { group, plural } = environment.resource();
  logger.log('warn', 'The server drops records from the status; they are kept in annotations instead', {
    definition: group === '' ? plural : `${plural}.${group}`,
    field: `status.${recordField}`,
  });
  records.leaveStatus();
  memory.pending = { patch: emptyPatch, record: memory.pending?.record };
  return storeOutcomes(environment, memory, store.get(objectKey(object)) ?? object);
}

/** Once the record is where it belongs: what another store left of it elsewhere on the object. */
async function removeLeftovers(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
): Promise<WriteOutcome> {
  const { records, writer, signal } = environment;
  const left = records.leftovers(object);
  if (left === undefined) return 'written';
  // The record is stored: a conflict here leaves something behind for the next write, and holds up nothing.
  const outcome = await writer.write(objectKey(object), memory.uid, emptyPatch, left, signal);
  return outcome === 'gone' ? 'gone' : 'written';
}

/**
 * Writes what handlers want changed on an object that is about to go; its record is of no use any more. A patch that the
 * server refuses must not hold the object.
 */
export async function storeLastPatch(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
): Promise<WriteOutcome> {
  const { pending } = memory;
  const key = objectKey(object);
  const patch = applicable(environment, memory, object, pending?.patch ?? emptyPatch);
  if (isEmptyPatch(patch)) return 'written';
  try {
    const outcome = await environment.writer.write(key, memory.uid, patch, undefined, environment.signal);
    if (outcome === 'gone' || outcome === 'conflict') return outcome;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const fields = { resource: environment.name, key, uid: memory.uid };
    environment.logger.log('warn', 'The last patch of a dying object was refused; it is dropped', fields, error);
  }
  memory.pending = { patch: emptyPatch, record: pending?.record };
  return 'written';
}

/** The server will not take this, however often it is sent: not a failure on the way. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && ![401, 408, 429].includes(error.status);
}

/** The patch without functions that fail on the object as it is now: sent again and again, they would block it for ever. */
function applicable(
  environment: ProcessingEnvironment,
  memory: ObjectMemory,
  object: StoredObject,
  patch: PatchRequest,
): PatchRequest {
  if (patch.functions.length === 0) return patch;
  try {
    applyPatch(object, patch);
    return patch;
  } catch (error) {
    const fields = { resource: environment.name, uid: memory.uid, key: objectKey(object) };
    environment.logger.log('error', 'A patch function failed on the newest object; it is dropped', fields, error);
    return { merge: patch.merge, functions: [] };
  }
}

function withAnnotations(object: StoredObject, { merge }: PatchRequest): StoredObject {
  const { metadata } = merge;
  if (metadata === undefined) return object;
  return { ...object, metadata: applyMergePatch(object.metadata, metadata) as StoredObject['metadata'] };
}

function isStripped(environment: ProcessingEnvironment, object: StoredObject): boolean {
  return environment.records.textOn(object) === undefined;
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
