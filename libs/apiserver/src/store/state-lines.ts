import { isObject, parseOwnJson, type JsonObject, type KubeObject } from '../json.js';
import type { StoreEvent, StoreSnapshot } from './store-event.js';

/**
 * The lines of a state file, each a JSON document. First the head, then each object as of the revision that
 * it names, then what happened since: events in order, and marks of compaction.
 */
export type StateLine =
  | { format: typeof stateFormat; version: number; compacted: number; revision: number; objects: number }
  | { resource: string; key: string; object: KubeObject }
  | { revision: number; type: StoreEvent['type']; resource: string; key: string; object?: KubeObject }
  | { compact: number };

export const stateFormat = 'nestjs-operator-apiserver';
export const stateVersion = 1;

export const stateLine = (line: StateLine): string => `${JSON.stringify(line)}\n`;

/** The deletion says nothing of the object, which is known. */
export const eventStateLine = ({ revision, type, resource, key, object }: StoreEvent): string =>
  stateLine({ revision, type, resource, key, ...(type === 'DELETED' ? {} : { object }) });

/** All lines that a state makes. */
export function* stateLines({ revision, compacted, log, buckets }: StoreSnapshot): Generator<string> {
  const base = new Map([...buckets].map(([resource, objects]) => [resource, new Map(objects)]));
  for (const { resource, key, previous } of log.toReversed()) {
    if (previous === undefined) base.get(resource)?.delete(key);
    else base.get(resource)?.set(key, previous);
  }
  let objects = 0;
  for (const bucket of base.values()) objects += bucket.size;
  const first = log[0] === undefined ? revision : log[0].revision - 1;
  yield stateLine({ format: stateFormat, version: stateVersion, compacted, revision: first, objects });
  for (const [resource, bucket] of base) {
    for (const [key, object] of bucket) yield stateLine({ resource, key, object });
  }
  for (const event of log) yield eventStateLine(event);
}

/** Says what is wrong with a line. */
export class BadLine extends Error {}

/** Puts a state together from its lines. Throws BadLine for what cannot be. */
export class StateReader {
  #revision: number | undefined;
  #compacted = 0;
  #objects = 0;
  #log: StoreEvent[] = [];
  readonly #buckets = new Map<string, Map<string, KubeObject>>();

  /** How many objects the head announces that have not come. */
  get missing(): number {
    return this.#objects;
  }

  /** Whether the head has come. */
  get begun(): boolean {
    return this.#revision !== undefined;
  }

  read(text: string): void {
    let line: unknown;
    try {
      line = parseOwnJson(text);
    } catch (error) {
      throw new BadLine('it is no JSON', { cause: error });
    }
    if (!isObject(line)) throw new BadLine('it is no JSON object');
    if (this.#revision === undefined) this.#head(line);
    else if (this.#objects > 0) this.#object(line);
    else if (line['compact'] === undefined) this.#event(line, this.#revision);
    else this.#compact(line, this.#revision);
  }

  /** The state after the last line. */
  snapshot(): StoreSnapshot {
    return {
      revision: this.#revision ?? 0,
      compacted: this.#compacted,
      log: this.#log.filter(({ revision }) => revision > this.#compacted),
      buckets: this.#buckets,
    };
  }

  #head({ format, version, compacted, revision, objects }: JsonObject): void {
    if (format !== stateFormat) throw new BadLine('it does not begin a state file of this server');
    if (version !== stateVersion) {
      throw new BadLine(`it has version ${shown(version)} of the format, and this server reads ${stateVersion}`);
    }
    this.#revision = integer('revision', revision);
    this.#compacted = integer('compacted', compacted);
    this.#objects = integer('objects', objects);
  }

  #object({ resource, key, object, type }: JsonObject): void {
    if (type !== undefined) throw new BadLine(`an event comes while ${this.#objects} objects are missing`);
    const bucket = this.#bucket(text('resource', resource));
    if (bucket.has(text('key', key))) throw new BadLine('its object is there already');
    bucket.set(key as string, kubeObject(object));
    this.#objects--;
  }

  #event(line: JsonObject, last: number): void {
    const revision = integer('revision', line['revision']);
    if (revision !== last + 1) throw new BadLine(`revision ${revision} follows ${last}`);
    const resource = text('resource', line['resource']);
    const key = text('key', line['key']);
    const { type } = line;
    const bucket = this.#bucket(resource);
    const previous = bucket.get(key);
    if (type === 'ADDED' && previous === undefined) {
      const object = kubeObject(line['object']);
      bucket.set(key, object);
      this.#log.push({ revision, resource, key, type, object });
    } else if (type === 'MODIFIED' && previous !== undefined) {
      const object = kubeObject(line['object']);
      bucket.set(key, object);
      this.#log.push({ revision, resource, key, type, object, previous });
    } else if (type === 'DELETED' && previous !== undefined) {
      bucket.delete(key);
      const metadata = { ...previous.metadata, resourceVersion: String(revision) };
      this.#log.push({ revision, resource, key, type, object: { ...previous, metadata }, previous });
    } else {
      throw new BadLine(`an event ${shown(type)} of an object that is ${previous === undefined ? 'absent' : 'there'}`);
    }
    this.#revision = revision;
  }

  #compact({ compact }: JsonObject, last: number): void {
    const revision = integer('compact', compact);
    if (revision > last) throw new BadLine(`it compacts revision ${revision}, after ${last}`);
    this.#compacted = Math.max(this.#compacted, revision);
  }

  #bucket(resource: string): Map<string, KubeObject> {
    let bucket = this.#buckets.get(resource);
    if (bucket === undefined) {
      bucket = new Map();
      this.#buckets.set(resource, bucket);
    }
    return bucket;
  }
}

function integer(name: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new BadLine(`its ${name} is no number from 0 on`);
  }
  return value;
}

function text(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new BadLine(`its ${name} is no text`);
  return value;
}

function kubeObject(value: unknown): KubeObject {
  if (!isObject(value) || !isObject(value['metadata'])) throw new BadLine('it carries no object');
  return value as KubeObject;
}

const shown = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 20) : 'of no kind';
