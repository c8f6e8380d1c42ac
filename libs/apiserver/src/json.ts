import { jsonSyntaxError } from './json-syntax.js';

/** Any JSON object. */
export interface JsonObject {
  [key: string]: unknown;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  /** Shared with other objects, and never changed. */
  managedFields?: readonly JsonObject[];
  [key: string]: unknown;
}

/** A Kubernetes object as plain JSON. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [key: string]: unknown;
}

interface RawJson {
  readonly rawJSON: string;
}

// Present since Node 21, not yet in the TypeScript library that the project compiles against.
const lossless = JSON as unknown as {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
};

/** A number that a double cannot hold; kept as its source text. */
export const isBigNumber = (value: unknown): value is RawJson => lossless.isRawJSON(value);

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !lossless.isRawJSON(value);

/** How deep values may be nested: what all recursive code can walk, that of `yaml` too. The real server stops at 10,000. */
export const deepest = 400;

/** Whether a value is nested deeper than the server takes. Walks without recursion. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (Array.isArray(item)) for (const member of item as unknown[]) next.push(member);
      else if (isObject(item)) for (const key of Object.keys(item)) next.push(item[key]);
    }
    level = next;
  }
  return false;
}

/** The deepest nesting of brackets in a JSON text. */
function nesting(text: string): number {
  let depth = 0;
  let most = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '[' || character === '{') most = Math.max(most, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return most;
}

/** Parses JSON and keeps integers beyond 2^53 as they are written. Throws SyntaxError, also for too deep a nesting. */
export function parseJson(text: string, depth: number = deepest): unknown {
  if (text.length > 2 * depth && nesting(text) > depth) throw new SyntaxError('exceeded max depth');
  try {
    return parse(text);
  } catch (error) {
    const message = error instanceof SyntaxError ? jsonSyntaxError(text) : undefined;
    throw message === undefined ? error : new SyntaxError(message, { cause: error });
  }
}

/** Parses JSON that the server wrote itself: as deep as an object may be, and somewhat deeper. */
export const parseOwnJson = (text: string): unknown => parse(text);

/** Each escape of a text, those of characters beyond 16 bits as one. */
const escapes = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|[^u])/g;

/** Halves of characters become what Go has for them. */
const withoutHalves = (text: string): string =>
  text.replaceAll(escapes, (found) => (/^\\u[dD][89a-fA-F]..$/.test(found) ? '\\ufffd' : found));

function parse(given: string): unknown {
  const text = /\\u[dD][89a-fA-F]/.test(given) ? withoutHalves(given) : given;
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return lossless.parse(text, (_key, value, context) =>
    typeof value === 'number' &&
    context.source !== undefined &&
    /^-?\d+$/.test(context.source) &&
    !Number.isSafeInteger(value)
      ? lossless.rawJSON(context.source)
      : value,
  );
}

/** Sets an own property whatever its name is, `__proto__` included. */
export function setKey(target: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/**
 * A deep copy with sorted keys, which is how the real server prints custom resources. Undefined members are left out.
 * Frozen lists are taken to be canonical, and shared.
 */
export function canonical<T>(value: T): T {
  if (Array.isArray(value))
    return Object.isFrozen(value) ? value : (value.map((item: unknown) => canonical(item)) as T);
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) setKey(out, key, canonical(member));
  }
  return out as T;
}

/** A deep copy that keeps the order of keys. */
export function clone<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => clone(item)) as T;
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const key of Object.keys(value)) setKey(out, key, clone(value[key]));
  return out as T;
}

/** Equality of JSON values; a member that is undefined counts as absent. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isBigNumber(a) && isBigNumber(b)) return a.rawJSON === b.rawJSON;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  for (const key of Object.keys(a)) {
    if (a[key] !== undefined && !(Object.hasOwn(b, key) && deepEqual(a[key], b[key]))) return false;
  }
  return Object.keys(b).every((key) => b[key] === undefined || Object.hasOwn(a, key));
}

/** The value at a path of member names, or undefined. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const part of path) {
    if (!isObject(current) || !Object.hasOwn(current, part)) return undefined;
    current = current[part];
  }
  return current;
}
