import { createHash } from 'node:crypto';

const longestKey = 63;
const keptOfLongId = 40;

/** Under what a handler's progress stands in a record: its id, cut and with a hash where it is long. Parts follow their handler. */
export function recordKey(id: string, handlers: ReadonlySet<string>): string {
  if (handlers.has(id) || id.length <= longestKey) return shortened(id);
  for (let at = id.lastIndexOf('/'); at > 0; at = id.lastIndexOf('/', at - 1)) {
    if (handlers.has(id.slice(0, at))) return shortened(id.slice(0, at)) + id.slice(at);
  }
  return id;
}

/** Leads back from the keys of a record to the ids of handlers that exist, and of their parts. */
export class RecordKeys {
  readonly #ids: ReadonlyMap<string, string>;

  constructor(handlers: Iterable<string>) {
    const long = Array.from(handlers).filter((id) => id.length > longestKey);
    this.#ids = new Map(long.map((id) => [shortened(id), id]));
  }

  idOf(key: string): string {
    if (this.#ids.size === 0) return key;
    const whole = this.#ids.get(key);
    if (whole !== undefined) return whole;
    for (let at = key.indexOf('/'); at > 0; at = key.indexOf('/', at + 1)) {
      const handler = this.#ids.get(key.slice(0, at));
      if (handler !== undefined) return handler + key.slice(at);
    }
    return key;
  }
}

function shortened(id: string): string {
  if (id.length <= longestKey) return id;
  return `${id.slice(0, keptOfLongId)}~${createHash('sha256').update(id).digest('base64url').slice(0, 16)}`;
}
