import { ownValue } from '../json/own-property.js';
import type { StoredObject } from '../kube-object.js';
import type { Essence } from '../processing/essence.js';
import type { HandledState } from './handled-state.js';
import { isKopfProgressKey, isMarkedReplicaSet, replicaSetMark } from './kopf-keys.js';
import { nothingHandled, type Attempt, type HandlerProgress, type ObjectRecord } from './object-record.js';

/** Under which names an operator written with Kopf kept its state. */
export interface KopfNames {
  /** The domain of its annotations. */
  readonly prefix: string;
  readonly finalizer: string;
  /** The member of `status` in which it kept state, in older versions or by its settings. */
  readonly statusField: string;
}

/** A handler of ours as Kopf may know it. */
export interface KopfHandler {
  readonly id: string;
  /** Its ids in Kopf, the likeliest first. */
  readonly kopfIds: readonly string[];
}

export interface KopfStateOptions {
  readonly names: KopfNames;
  readonly apiVersion: string;
  readonly handlers: readonly KopfHandler[];
  readonly essence: (object: StoredObject) => Essence;
}

/** What takes Kopf's state from an object: annotations by name, and a merge of the status. */
export interface KopfTraces {
  readonly annotations: Readonly<Record<string, null>>;
  readonly status: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** What Kopf keeps of one handler while it is at work on an object. */
interface KopfProgress {
  readonly started?: string;
  readonly stopped?: string;
  readonly delayed?: string;
  readonly purpose?: string;
  readonly retries?: number;
  readonly success?: boolean;
  readonly failure?: boolean;
  readonly subrefs?: readonly string[];
}

const lastHandled = 'last-handled-configuration';
const marker = 'kopf-managed';
const touch = 'touch-dummy';

/** Reads what an operator written with Kopf left on an object, as a record of ours. */
export class KopfState {
  readonly #options: KopfStateOptions;

  constructor(options: KopfStateOptions) {
    this.#options = options;
  }

  /** The object's state as Kopf left it; `undefined` when Kopf's change handlers never dealt with it. */
  read(object: StoredObject): ObjectRecord | undefined {
    const shared = this.#lastHandled(object);
    const progressOf = (id: string): KopfProgress | undefined => this.#progress(object, id);
    const { apiVersion, handlers } = this.#options;
    const present: HandledState = { kind: 'essence', essence: this.#options.essence(object) };
    const found = new Map<string, HandlerProgress>();
    let known = shared !== undefined;
    for (const { id, kopfIds } of handlers) {
      const kopfId = kopfIds.find((candidate) => progressOf(candidate) !== undefined);
      const progress = kopfId === undefined ? undefined : progressOf(kopfId);
      if (progress === undefined || kopfId === undefined) {
        found.set(id, { ...nothingHandled, handled: shared, creationOpen: shared === undefined });
        continue;
      }
      known = true;
      found.set(id, translate(progress, shared, present));
      for (const ref of progress.subrefs ?? []) {
        const part = ref.startsWith(`${kopfId}/`) ? progressOf(ref) : undefined;
        if (part !== undefined) found.set(id + ref.slice(kopfId.length), translate(part, undefined, present));
      }
    }
    if (!known) return undefined;
    return { uid: object.metadata.uid, apiVersion, shared, handlers: found };
  }

  /** Everything of Kopf's on the object; `undefined` when there is nothing. */
  traces(object: StoredObject): KopfTraces | undefined {
    const annotations = Object.entries(object.metadata.annotations ?? {})
      .filter(([name, value]) => this.#isKopfs(name, value))
      .map(([name]) => [name, null] as const);
    const { statusField } = this.#options.names;
    const ours = kopfStatus(object, statusField);
    if (annotations.length === 0 && ours === undefined) return undefined;
    return {
      annotations: Object.fromEntries(annotations),
      status: ours === undefined ? {} : { [statusField]: removal(ours) },
    };
  }

  #isKopfs(annotation: string, value: string): boolean {
    const { prefix } = this.#options.names;
    if (!annotation.startsWith(`${prefix}/`)) return false;
    const name = annotation.slice(prefix.length + 1);
    const own = [lastHandled, lastHandled + replicaSetMark, marker, touch];
    return own.includes(name) || parseProgress(value) !== undefined;
  }

  #lastHandled(object: StoredObject): HandledState | undefined {
    const { names, essence } = this.#options;
    const key = isMarkedReplicaSet(object) ? lastHandled + replicaSetMark : lastHandled;
    const annotated = object.metadata.annotations?.[`${names.prefix}/${key}`];
    const inStatus = kopfStatus(object, names.statusField)?.[lastHandled];
    const text = annotated ?? (typeof inStatus === 'string' ? inStatus : undefined);
    const content = text === undefined ? undefined : parseFields(text);
    if (content === undefined) return undefined;
    const { metadata, ...rest } = content;
    const { apiVersion, kind } = object;
    const { name, uid } = object.metadata;
    // As if it were an object: what of it matters to handlers is decided where that is decided for all.
    const handled = { ...rest, apiVersion, kind, metadata: { ...(isFields(metadata) ? metadata : {}), name, uid } };
    return { kind: 'essence', essence: essence(handled as unknown as StoredObject) };
  }

  #progress(object: StoredObject, id: string): KopfProgress | undefined {
    const { prefix, statusField } = this.#options.names;
    const marked = isMarkedReplicaSet(object) ? id + replicaSetMark : id;
    for (const [annotation, value] of Object.entries(object.metadata.annotations ?? {})) {
      if (!isKopfProgressKey(annotation, prefix, marked)) continue;
      const progress = parseProgress(value);
      if (progress !== undefined) return progress;
    }
    const inStatus = kopfStatus(object, statusField)?.['progress'];
    const progress = isFields(inStatus) ? ownValue(inStatus, id) : undefined;
    return isProgress(progress) ? progress : undefined;
  }
}

/**
 * A finished handler of an unfinished cycle has handled what is there now: Kopf did not call it again for changes during
 * the cycle either, and kept no other state of it.
 */
function translate(kopf: KopfProgress, shared: HandledState | undefined, present: HandledState): HandlerProgress {
  const isDone = kopf.success === true || kopf.failure === true;
  const open: HandlerProgress = { ...nothingHandled, handled: shared, creationOpen: shared === undefined };
  switch (kopf.purpose) {
    case 'create':
    case 'update':
      if (isDone) return { ...open, handled: present, creationOpen: false, deletionDone: false };
      return { ...open, attempt: attemptOf(kopf, shared === undefined ? 'create' : 'update') };
    case 'delete':
      if (isDone) return { ...open, handled: shared ?? present, creationOpen: false, deletionDone: true };
      return { ...open, attempt: attemptOf(kopf, 'delete') };
    default:
      // Resumption is a matter of each process.
      return open;
  }
}

function attemptOf(kopf: KopfProgress, cause: Attempt['cause']): Attempt | undefined {
  const startedAt = timeOf(kopf.started);
  if (startedAt === undefined) return undefined;
  // That of a handler with parts counts the rounds, not failures.
  const failures = kopf.subrefs === undefined ? (kopf.retries ?? 0) : 0;
  return { cause, saw: undefined, failures, startedAt, lastAt: startedAt, nextAt: timeOf(kopf.delayed) ?? startedAt };
}

/** In UTC, with or without saying so. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function kopfStatus(object: StoredObject, field: string): Fields | undefined {
  const status = object['status'];
  const found = isFields(status) ? ownValue(status, field) : undefined;
  return isFields(found) && ['progress', 'dummy', lastHandled].some((key) => Object.hasOwn(found, key))
    ? found
    : undefined;
}

/** The whole field, unless something else is in it. */
function removal(found: Fields): Fields | null {
  const own = ['progress', 'dummy', lastHandled];
  if (Object.keys(found).every((key) => own.includes(key))) return null;
  return Object.fromEntries(own.filter((key) => Object.hasOwn(found, key)).map((key) => [key, null]));
}

function parseProgress(text: string): KopfProgress | undefined {
  const content = parseFields(text);
  return isProgress(content) ? content : undefined;
}

function isProgress(value: unknown): value is KopfProgress {
  return (
    isFields(value) &&
    typeof value['started'] === 'string' &&
    (value['retries'] === undefined || typeof value['retries'] === 'number') &&
    (value['subrefs'] === undefined || Array.isArray(value['subrefs']))
  );
}

function parseFields(text: string): Fields | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return isFields(content) ? content : undefined;
  } catch {
    // Somebody else's text under this name: what is no JSON is no state of Kopf.
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
