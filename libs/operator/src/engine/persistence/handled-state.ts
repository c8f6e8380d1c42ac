import { createHmac } from 'node:crypto';
import { canonicalJson } from '../json/canonical-json.js';
import { pathText, valueAt, type FieldPath } from '../json/field-path.js';
import { jsonEqual } from '../json/json-equal.js';
import type { Essence } from '../processing/essence.js';

/** Digests by path text; the empty path is always there. */
export type Digests = Readonly<Record<string, string>>;

/** An essence that a handler has dealt with: whole, or as digests where it may not or cannot be kept. */
export type HandledState =
  { readonly kind: 'essence'; readonly essence: Essence } | { readonly kind: 'digests'; readonly digests: Digests };

const mostDigests = 256;

/** 96 bits, keyed, so that equal secrets of two objects cannot be told from their records. */
function digest(value: unknown, uid: string): string {
  return createHmac('sha256', uid).update(canonicalJson(value)).digest('base64url').slice(0, 16);
}

/** Whether the part at `path` is in this state what it is in `essence`. Where no digest is that exact, the nearest one above decides. */
export function isUnchangedAt(state: HandledState, essence: Essence, path: FieldPath, uid: string): boolean {
  if (state.kind === 'essence') return jsonEqual(valueAt(state.essence, path), valueAt(essence, path));
  for (let length = path.length; ; length -= 1) {
    const known = path.slice(0, length);
    const expected = state.digests[pathText(known)];
    if (expected !== undefined) return expected === digest(valueAt(essence, known), uid);
    if (length === 0) return false;
  }
}

export function sameState(a: HandledState, b: HandledState): boolean {
  if (a === b) return true;
  if (a.kind === 'essence') return b.kind === 'essence' && jsonEqual(a.essence, b.essence);
  return b.kind === 'digests' && jsonEqual(a.digests, b.digests);
}

/** One digest for the whole. */
export function wholeDigest(essence: Essence, uid: string): HandledState {
  return { kind: 'digests', digests: { '': digest(essence, uid) } };
}

/**
 * Digests for the whole, for each watched path, and then level by level for as many parts as fit into `bytes`, 256 at
 * most: a handler that names a path later can still be told whether it changed.
 */
export function digestTree(essence: Essence, uid: string, watched: readonly FieldPath[], bytes: number): HandledState {
  const digests: Record<string, string> = { '': digest(essence, uid) };
  let left = bytes - 30;
  let count = 1;
  const add = (path: FieldPath, value: unknown): boolean => {
    const text = pathText(path);
    if (Object.hasOwn(digests, text)) return true;
    const cost = Buffer.byteLength(JSON.stringify(text)) + 20;
    if (cost > left || count === mostDigests) return false;
    digests[text] = digest(value, uid);
    left -= cost;
    count += 1;
    return true;
  };
  for (const path of watched) add(path, valueAt(essence, path));
  const level: Array<{ path: FieldPath; value: unknown }> = [{ path: [], value: essence }];
  for (const { path, value } of level) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    for (const [key, child] of Object.entries(value)) {
      if (!add([...path, key], child)) return { kind: 'digests', digests };
      level.push({ path: [...path, key], value: child });
    }
  }
  return { kind: 'digests', digests };
}
