import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../src/index.js';

/** One line of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

/** What a collection held at a moment, by name. */
export type State = ReadonlyMap<string, KubeObject>;

export const versionOf = ({ metadata }: KubeObject): bigint => BigInt(metadata.resourceVersion ?? '');
const nameOf = ({ metadata }: KubeObject): string => metadata.name ?? '';

/** The events of a watch's text; bookmarks are left out, and an ERROR is an error. */
export function eventsIn(text: string): WatchEvent[] {
  const lines = text.split('\n').filter((line) => line !== '');
  const events = lines.map(
    (line) => JSON.parse(line) as WatchEvent | { type: 'BOOKMARK' | 'ERROR'; object: KubeObject },
  );
  const failed = events.find(({ type }) => type === 'ERROR');
  if (failed !== undefined) throw new Error(`the watch carried an error: ${JSON.stringify(failed.object)}`);
  return events.filter((event): event is WatchEvent => event.type !== 'BOOKMARK');
}

/** The state that a log has led to, up to and including a version. */
export function fold(log: readonly WatchEvent[], until: bigint): State {
  const state = new Map<string, KubeObject>();
  for (const { type, object } of log) {
    if (versionOf(object) > until) break;
    if (type === 'DELETED') state.delete(nameOf(object));
    else state.set(nameOf(object), object);
  }
  return state;
}

export const after = (log: readonly WatchEvent[], version: bigint): WatchEvent[] =>
  log.filter(({ object }) => versionOf(object) > version);

/** What a watch with a selector must carry of a whole log, if it starts after a version. */
export function selected(
  log: readonly WatchEvent[],
  start: bigint,
  matches: (object: KubeObject) => boolean,
): WatchEvent[] {
  const state = new Map<string, KubeObject>();
  const carried: WatchEvent[] = [];
  for (const { type, object } of log) {
    const previous = state.get(nameOf(object));
    const before = previous !== undefined && matches(previous);
    const now = type !== 'DELETED' && matches(object);
    if (type === 'DELETED') state.delete(nameOf(object));
    else state.set(nameOf(object), object);
    if (versionOf(object) <= start || (!before && !now)) continue;
    if (now) carried.push({ type: before ? 'MODIFIED' : 'ADDED', object });
    else if (type === 'DELETED') carried.push({ type, object });
    else carried.push({ type: 'DELETED', object: withVersion(previous!, object) });
  }
  return carried;
}

const withVersion = (object: KubeObject, { metadata }: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: metadata.resourceVersion! },
});

/** What is wrong about a log by itself. */
export function flawsOf(log: readonly WatchEvent[]): string[] {
  const flaws: string[] = [];
  const present = new Map<string, KubeObject>();
  const gone = new Set<string>();
  let last = 0n;
  for (const [at, { type, object }] of log.entries()) {
    const version = versionOf(object);
    const say = (what: string): void =>
      void flaws.push(`event ${at}, ${type} of ${nameOf(object)} at ${version}: ${what}`);
    if (version <= last) say(`comes after version ${last}`);
    last = version;
    const before = present.get(nameOf(object));
    const { uid = '' } = object.metadata;
    if (gone.has(uid)) say('its uid was deleted before');
    if (type === 'ADDED' && before !== undefined) say('it is there already');
    if (type !== 'ADDED' && before === undefined) say('it is not there');
    if (before !== undefined && before.metadata.uid !== uid) say('it is another object');
    if (type === 'MODIFIED' && before !== undefined && sameContent(before, object)) say('nothing has changed');
    if (type === 'DELETED') {
      gone.add(uid);
      present.delete(nameOf(object));
    } else present.set(nameOf(object), object);
  }
  return flaws;
}

const sameContent = (a: KubeObject, b: KubeObject): boolean => isDeepStrictEqual(withVersion(a, b), b);
