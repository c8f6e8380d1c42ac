import type { HandledState } from './handled-state.js';

export type ChangeCause = 'create' | 'update' | 'delete' | 'resume';

/** A failed attempt that is to be repeated. Times are milliseconds since 1970. */
export interface Attempt {
  readonly cause: ChangeCause;
  /** What it was called with. Absent on deletion and resume. */
  readonly saw: HandledState | undefined;
  /** Failed attempts for this difference. */
  readonly failures: number;
  /** Start of the first attempt for this difference. */
  readonly startedAt: number;
  /** Start of the last attempt. */
  readonly lastAt: number;
  readonly nextAt: number;
}

/** What is known of one handler on one object. */
export interface HandlerProgress {
  /** Its last handled state; absent while nothing was handled. */
  readonly handled: HandledState | undefined;
  /** Its creation neither succeeded nor failed for good. */
  readonly creationOpen: boolean;
  /** Its deletion succeeded or failed for good. */
  readonly deletionDone: boolean;
  /** Its deletion failed for good and holds the object. */
  readonly holds: boolean;
  readonly attempt: Attempt | undefined;
}

/** What is kept of one object: bound to its uid, so that a copied record is never taken for its own. */
export interface ObjectRecord {
  readonly uid: string;
  readonly apiVersion: string;
  /** What handlers take over that the record does not know when it is read. */
  readonly shared: HandledState | undefined;
  /** All tracked handlers. */
  readonly handlers: ReadonlyMap<string, HandlerProgress>;
}

export const nothingHandled: HandlerProgress = {
  handled: undefined,
  creationOpen: true,
  deletionDone: false,
  holds: false,
  attempt: undefined,
};

/** The record of an object that none of these handlers has seen. */
export function newRecord(uid: string, apiVersion: string, handlers: Iterable<string>): ObjectRecord {
  return { uid, apiVersion, shared: undefined, handlers: new Map(Array.from(handlers, (id) => [id, nothingHandled])) };
}

export function progressOf(record: ObjectRecord, handler: string): HandlerProgress {
  return record.handlers.get(handler) ?? nothingHandled;
}

/** The record with another progress of one handler. A newly handled state becomes the shared one. */
export function withProgress(record: ObjectRecord, handler: string, progress: HandlerProgress): ObjectRecord {
  const handledAnew = progress.handled !== undefined && progress.handled !== progressOf(record, handler).handled;
  const handlers = new Map(record.handlers).set(handler, progress);
  return { ...record, shared: handledAnew ? progress.handled : record.shared, handlers };
}
