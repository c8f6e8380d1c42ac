import type { ApiError } from '../../errors/api.error.js';
import { readFailure } from '../client/read-failure.js';
import type { StoredObject } from '../kube-object.js';
import type { Clock } from '../ports/index.js';
import type { WatchedType } from './resource-requests.js';

/** One line of a watch, understood. */
export type WatchFrame =
  | { readonly is: 'event'; readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: StoredObject }
  /** `endsInitial`: everything before it was the list of a WatchList request. */
  | { readonly is: 'bookmark'; readonly version: string; readonly endsInitial: boolean }
  | { readonly is: 'error'; readonly error: ApiError }
  /** Whole, but of another kind: a Table, or an answer meant for somebody else. */
  | { readonly is: 'foreign'; readonly kind: string }
  | { readonly is: 'broken'; readonly problem: string };

const initialEventsEnd = 'k8s.io/initial-events-end';

export function parseFrame(line: string, expected: WatchedType, path: string, clock: Clock): WatchFrame {
  let frame: unknown;
  try {
    frame = JSON.parse(line);
  } catch {
    // The parser's own message quotes the text, which may be anybody's secret.
    return { is: 'broken', problem: 'it is not JSON' };
  }
  if (!isFields(frame)) return { is: 'broken', problem: 'it is no JSON object' };
  const { type, object } = frame;
  if (!isFields(object)) return { is: 'broken', problem: 'it carries no object' };
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      if (!isOf(object, expected)) return { is: 'foreign', kind: kindOf(object) };
      return { is: 'event', type, object: object as unknown as StoredObject };
    case 'BOOKMARK':
      if (!isOf(object, expected)) return { is: 'foreign', kind: kindOf(object) };
      return parseBookmark(object);
    case 'ERROR':
      return { is: 'error', error: statusError(object, path, clock) };
    default:
      return { is: 'broken', problem: 'its type is unknown' };
  }
}

function parseBookmark(object: Fields): WatchFrame {
  const metadata = object['metadata'];
  const version = isFields(metadata) ? metadata['resourceVersion'] : undefined;
  if (!isFields(metadata) || typeof version !== 'string' || version === '') {
    return { is: 'broken', problem: 'it is a bookmark without a version' };
  }
  const annotations = metadata['annotations'];
  return { is: 'bookmark', version, endsInitial: isFields(annotations) && annotations[initialEventsEnd] === 'true' };
}

/** A Status in a frame says the same as one that answers a request. */
function statusError(status: Fields, path: string, clock: Clock): ApiError {
  const code = typeof status['code'] === 'number' ? status['code'] : 500;
  return readFailure({ verb: 'watch', path }, { status: code, headers: {}, text: JSON.stringify(status) }, clock);
}

function isOf(object: Fields, { kind, apiVersion }: WatchedType): boolean {
  return object['kind'] === kind && object['apiVersion'] === apiVersion;
}

function kindOf(object: Fields): string {
  return `${text(object['kind']) ?? 'none'} of ${text(object['apiVersion']) ?? 'no version'}`;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
