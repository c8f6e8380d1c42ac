import { pathText, type FieldPath } from '../json/field-path.js';
import { applyMergePatch } from '../json/merge-patch.js';
import { ownValue } from '../json/own-property.js';
import type { StoredObject } from '../kube-object.js';

/** One operation of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly op: 'test' | 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

type JsonObject = Record<string, unknown>;

/**
 * A merge of the status as operations that are bound to the object's uid: the server ignores the uid in a merge patch of
 * the status, which then lands on a successor of the same name. Only what is set is touched, as in a merge.
 *
 * `versioned`: bound to this very version of the object.
 */
export function statusOperations(object: StoredObject, status: unknown, versioned: boolean): JsonPatchOperation[] {
  const { uid, resourceVersion } = object.metadata;
  const guards: JsonPatchOperation[] = [{ op: 'test', path: '/metadata/uid', value: uid }];
  if (versioned) guards.push({ op: 'test', path: '/metadata/resourceVersion', value: resourceVersion });
  return [...guards, ...changes(object['status'], status, ['status'])];
}

function changes(current: unknown, wanted: unknown, path: FieldPath): JsonPatchOperation[] {
  if (isObject(wanted) && isObject(current)) {
    return Object.entries(wanted).flatMap(([key, value]) => changes(ownValue(current, key), value, [...path, key]));
  }
  const pointer = pathText(path);
  if (wanted === null) return current === undefined ? [] : [{ op: 'remove', path: pointer }];
  const value = applyMergePatch(undefined, wanted);
  const set: JsonPatchOperation = { op: 'add', path: pointer, value };
  // Somebody else may have begun the same object meanwhile; it must not be overwritten whole.
  return isObject(wanted) && current === undefined ? [{ op: 'test', path: pointer, value: null }, set] : [set];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
