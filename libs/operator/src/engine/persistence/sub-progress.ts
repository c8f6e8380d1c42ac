import type { HandlerProgress, ObjectRecord } from './object-record.js';

const separator = '/';

/** The id under which the progress of a part is kept. */
export function subId(parent: string, name: string): string {
  return parent + separator + name;
}

/** Whether an id is that of a part, at any depth, of one of these handlers. */
export function isSubId(id: string, handlers: ReadonlySet<string>): boolean {
  for (let at = id.indexOf(separator); at >= 0; at = id.indexOf(separator, at + 1)) {
    if (handlers.has(id.slice(0, at))) return true;
  }
  return false;
}

/** The record with another progress of a part. What a part has handled is nothing for others to start from. */
export function withSubProgress(record: ObjectRecord, id: string, progress: HandlerProgress): ObjectRecord {
  return { ...record, handlers: new Map(record.handlers).set(id, progress) };
}

/** The record without the parts of a handler. Another handler, and its parts, may have an id that begins like one of them. */
export function withoutSubProgress(record: ObjectRecord, parent: string, handlers: Iterable<string>): ObjectRecord {
  const prefix = parent + separator;
  const others = new Set([...handlers].filter((id) => id.startsWith(prefix)));
  const kept = [...record.handlers].filter(([id]) => !id.startsWith(prefix) || others.has(id) || isSubId(id, others));
  return kept.length === record.handlers.size ? record : { ...record, handlers: new Map(kept) };
}
