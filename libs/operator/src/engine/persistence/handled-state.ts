import { createHmac } from 'node:crypto';
import { canonicalJson } from '../json/canonical-json.js';
import { pathText, type FieldPath } from '../json/field-path.js';
import { jsonEqual } from '../json/json-equal.js';
import { essencePart, type Essence } from '../processing/essence.js';

/** Digests by path text; the empty path is there, save in a state that is not known at all. */
export type Digests = Readonly<Record<string, string>>;

/** An essence that a handler has dealt with: whole, or as digests where it may not or cannot be kept. */
export type HandledState =
  { readonly kind: 'essence'; readonly essence: Essence } | { readonly kind: 'digests'; readonly digests: Digests };

/** Something was handled, but nobody knows what it was: everything differs from it. */
export const unknownState: HandledState = { kind: 'digests', digests: {} };

const mostDigests = 256;
/** What one digest takes in a record besides its path: two pairs of quotes, colon, comma, 16 characters. */
const digestBytes = 20;

/** Large parts are asked for again and again while their object stays as it is. */
const known = new WeakMap<object, { readonly uid: string; readonly digest: string }>();

/** 96 bits, keyed, so that equal secrets of two objects cannot be told from their records. */
function digest(value: unknown, uid: string): string {
  const cacheable = typeof value === 'object' && value !== null;
  const before = cacheable ? known.get(value) : undefined;
  if (before?.uid === uid) return before.digest;
  const text = createHmac('sha256', uid).update(canonicalJson(value)).digest('base64url').slice(0, 16);
  if (cacheable) known.set(value, { uid, digest: text });
  return text;
}

/** Whether the part at `path` is in this state what it is in `essence`. Where no digest is that exact, the nearest one above decides. */
export function isUnchangedAt(state: HandledState, essence: Essence, path: FieldPath, uid: string): boolean {
  if (state.kind === 'essence') {
    return state.essence === essence || jsonEqual(essencePart(state.essence, path), essencePart(essence, path));
  }
  for (let length = path.length; ; length -= 1) {
    const prefix = path.slice(0, length);
    const expected = state.digests[pathText(prefix)];
    if (expected !== undefined) return expected === digest(essencePart(essence, prefix), uid);
    if (length === 0) return false;
  }
}

/** Whether two states are the same at `path`, as far as that can be told. */
export function isSamePart(a: HandledState, b: HandledState, path: FieldPath, uid: string): boolean {
  if (a === b) return true;
  if (b.kind === 'essence') return isUnchangedAt(a, b.essence, path, uid);
  if (a.kind === 'essence') return isUnchangedAt(b, a.essence, path, uid);
  const text = pathText(path);
  return a.digests[text] !== undefined && a.digests[text] === b.digests[text];
}

export function sameState(a: HandledState, b: HandledState): boolean {
  if (a === b) return true;
  if (a.kind === 'essence') return b.kind === 'essence' && jsonEqual(a.essence, b.essence);
  return b.kind === 'digests' && jsonEqual(a.digests, b.digests);
}

/** One digest for the whole. */
export function wholeDigest(state: HandledState, uid: string): Digests {
  if (state.kind === 'essence') return { '': digest(essencePart(state.essence, []), uid) };
  const whole = state.digests[''];
  return whole === undefined ? {} : { '': whole };
}

/**
 * Digests for the whole, for each watched path, and then level by level for as many parts as fit into `bytes` besides
 * the whole, 256 at most: a handler that names a path later can still be told whether it changed. A state that is kept as
 * digests already loses those that do not fit.
 */
export function digestTree(state: HandledState, uid: string, watched: readonly FieldPath[], bytes: number): Digests {
  const digests: Record<string, string> = { ...wholeDigest(state, uid) };
  let left = bytes;
  let count = 1;
  const add = (text: string, value: () => string): boolean => {
    if (Object.hasOwn(digests, text)) return true;
    const cost = Buffer.byteLength(JSON.stringify(text)) + digestBytes;
    if (cost > left || count === mostDigests) return false;
    digests[text] = value();
    left -= cost;
    count += 1;
    return true;
  };
  if (state.kind === 'digests') {
    for (const [text, value] of Object.entries(state.digests)) if (!add(text, () => value)) break;
    return digests;
  }
  const { essence } = state;
  for (const path of watched) add(pathText(path), () => digest(essencePart(essence, path), uid));
  const level: Array<{ readonly path: FieldPath; readonly value: unknown }> = [{ path: [], value: essence }];
  for (const { path, value } of level) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    for (const [key, child] of Object.entries(value)) {
      const inner = [...path, key];
      if (!add(pathText(inner), () => digest(essencePart(essence, inner), uid))) return digests;
      level.push({ path: inner, value: child });
    }
  }
  return digests;
}
