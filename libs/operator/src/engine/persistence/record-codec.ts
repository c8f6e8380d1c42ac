import type { FieldPath } from '../json/field-path.js';
import type { Essence } from '../processing/essence.js';
import { setOwnValue } from '../json/own-property.js';
import { digestTree, sameState, unknownState, wholeDigest, type Digests, type HandledState } from './handled-state.js';
import {
  nothingHandled,
  type Attempt,
  type ChangeCause,
  type HandlerProgress,
  type ObjectRecord,
} from './object-record.js';
import { recordKey, RecordKeys } from './record-keys.js';
import { isSubId } from './sub-progress.js';

/**
 * The text form, version 1. States are kept once and named by their place in `s`. `v`, `uid` and `api` stand in every
 * version, and every version that was released is read for good: records outlive releases.
 */
interface RecordJson {
  readonly v: 1;
  readonly uid: string;
  readonly api: string;
  readonly s: ReadonlyArray<{ readonly e: Essence } | { readonly d: Digests }>;
  /** The shared state. */
  readonly d?: number;
  readonly h?: Readonly<Record<string, HandlerJson>>;
}

interface HandlerJson {
  /** Handled state; absent: the shared one; -1: none. */
  readonly s?: number;
  /** Creation open. */
  readonly o?: 1;
  /** Deletion done; 2: it holds the object. */
  readonly x?: 1 | 2;
  readonly t?: {
    readonly c: ChangeCause;
    readonly s?: number;
    readonly n: number;
    readonly b: number;
    readonly l: number;
    readonly d: number;
  };
}

export interface EncodeOptions {
  /** Largest text in bytes. */
  readonly budget: number;
  /** Paths that handlers watch: the first that get digests of their own. */
  readonly watched: readonly FieldPath[];
  /** Handlers that exist: what others left behind is dropped. */
  readonly handlers: ReadonlySet<string>;
  /** Never keep content, not even where it fits. */
  readonly digestsOnly: boolean;
}

/** The text of a record within the budget, in the richest form that fits; `undefined` when none does. */
export function encodeRecord(record: ObjectRecord, options: EncodeOptions): string | undefined {
  const { budget, watched, handlers } = options;
  const fits = (reduce: (state: HandledState) => HandledState): string | undefined => {
    const text = JSON.stringify(toJson(record, handlers, reduce).json);
    return Buffer.byteLength(text) <= budget ? text : undefined;
  };
  const full = options.digestsOnly ? undefined : fits((state) => state);
  if (full !== undefined) return full;
  const { uid } = record;
  const smallest = toJson(record, handlers, (state) => ({ kind: 'digests', digests: wholeDigest(state, uid) }));
  const text = JSON.stringify(smallest.json);
  const left = budget - Buffer.byteLength(text);
  if (left < 0) return undefined;
  const share = Math.floor(left / Math.max(1, smallest.states));
  return fits((state) => ({ kind: 'digests', digests: digestTree(state, uid, watched, share) })) ?? text;
}

/**
 * The record in a text, if it is one and belongs to the object with this uid. Handlers in `known` that it does not name
 * take over what it says of one of their former ids, else the shared state.
 */
export function decodeRecord(
  text: string,
  uid: string,
  known: Iterable<string>,
  formerIds?: ReadonlyMap<string, string>,
): ObjectRecord | undefined {
  try {
    const json = JSON.parse(text) as Omit<RecordJson, 'v'> & { readonly v: number };
    if (json.uid !== uid) return undefined;
    if (json.v === 1) return fromJson({ ...json, v: 1 }, known, formerIds);
    return json.v > 1 && typeof json.api === 'string' ? ofLaterRelease(uid, json.api, known) : undefined;
  } catch {
    // Somebody else wrote under our name: what cannot be read, or not as a record, counts as none.
    return undefined;
  }
}

/**
 * A release that was taken back wrote it. That the object was handled is certain, but not what of it: nothing is created
 * again, and what handles changes is called once with the present state.
 */
function ofLaterRelease(uid: string, apiVersion: string, known: Iterable<string>): ObjectRecord {
  const handled: HandlerProgress = { ...nothingHandled, handled: unknownState, creationOpen: false };
  return { uid, apiVersion, shared: unknownState, handlers: new Map(Array.from(known, (id) => [id, handled])) };
}

function fromJson(
  json: RecordJson,
  known: Iterable<string>,
  formerIds: ReadonlyMap<string, string> | undefined,
): ObjectRecord {
  const states = json.s.map((state): HandledState => {
    const content: unknown = 'e' in state ? state.e : state.d;
    if (typeof content !== 'object' || content === null) throw new TypeError('A state of the record has no content.');
    return 'e' in state ? { kind: 'essence', essence: state.e } : { kind: 'digests', digests: state.d };
  });
  const stateAt = (place: number): HandledState => {
    const state = states[place];
    if (state === undefined) throw new RangeError('The record names a state that it does not hold.');
    return state;
  };
  const shared = json.d === undefined ? undefined : stateAt(json.d);
  const handlers = new Map<string, HandlerProgress>();
  const ids = Array.from(known);
  const keys = new RecordKeys([...ids, ...(formerIds?.keys() ?? [])]);
  for (const [key, entry] of Object.entries(json.h ?? {})) {
    const id = keys.idOf(key);
    const { t } = entry;
    const attempt: Attempt | undefined = t && {
      cause: t.c,
      saw: t.s === undefined ? undefined : stateAt(t.s),
      failures: t.n,
      startedAt: t.b,
      lastAt: t.l,
      nextAt: t.d,
    };
    handlers.set(id, {
      handled: entry.s === undefined ? shared : entry.s === -1 ? undefined : stateAt(entry.s),
      creationOpen: entry.o === 1,
      deletionDone: entry.x !== undefined,
      holds: entry.x === 2,
      attempt,
    });
  }
  for (const [former, id] of formerIds ?? []) {
    const progress = handlers.get(former);
    if (progress !== undefined && !handlers.has(id)) handlers.set(id, progress);
    if (progress !== undefined) handlers.delete(former);
  }
  for (const id of ids) {
    if (!handlers.has(id)) handlers.set(id, { ...nothingHandled, handled: shared, creationOpen: shared === undefined });
  }
  return { uid: json.uid, apiVersion: json.api, shared, handlers };
}

function toJson(
  record: ObjectRecord,
  known: ReadonlySet<string>,
  reduce: (state: HandledState) => HandledState,
): { readonly json: RecordJson; readonly states: number } {
  const entries = [...record.handlers].filter(([id]) => known.has(id) || isSubId(id, known));
  const distinct: HandledState[] = [];
  const place = (state: HandledState): number => {
    const found = distinct.findIndex((other) => sameState(other, state));
    return found >= 0 ? found : distinct.push(state) - 1;
  };
  const d = record.shared === undefined ? undefined : place(record.shared);
  const h: Record<string, HandlerJson> = {};
  for (const [id, progress] of entries) {
    const s = progress.handled === undefined ? -1 : place(progress.handled);
    const { attempt } = progress;
    const json: HandlerJson = {
      ...(s === (d ?? -1) ? {} : { s }),
      ...(progress.creationOpen ? { o: 1 } : {}),
      ...(progress.deletionDone ? { x: progress.holds ? 2 : 1 } : {}),
      ...(attempt === undefined
        ? {}
        : {
            t: {
              c: attempt.cause,
              ...(attempt.saw === undefined ? {} : { s: place(attempt.saw) }),
              n: attempt.failures,
              b: attempt.startedAt,
              l: attempt.lastAt,
              d: attempt.nextAt,
            },
          }),
    };
    // A handler that is where the others are needs no mention, unless nothing was handled at all, or it is but a part.
    if (Object.keys(json).length > 0 || d === undefined || !known.has(id)) setOwnValue(h, recordKey(id, known), json);
  }
  const s = distinct.map((state) => {
    const kept = reduce(state);
    return kept.kind === 'essence' ? { e: kept.essence } : { d: kept.digests };
  });
  const json: RecordJson = {
    v: 1,
    uid: record.uid,
    api: record.apiVersion,
    s,
    ...(d === undefined ? {} : { d }),
    ...(Object.keys(h).length === 0 ? {} : { h }),
  };
  return { json, states: distinct.length };
}
