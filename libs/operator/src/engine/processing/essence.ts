import { valueAt, withValueAt, type FieldPath } from '../json/field-path.js';
import type { StoredObject } from '../kube-object.js';
import { isRecordAnnotation } from '../persistence/record-annotation.js';

/** The part of an object whose change matters to handlers. */
export type Essence = Readonly<Record<string, unknown>>;

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The essence: everything but apiVersion, kind, status and metadata; of metadata, labels and annotations, without the
 * bookkeeping of kubectl and of any operator of this framework. `watchedPaths` are fields beyond that which a handler
 * names, such as one of `status`.
 */
export function essenceOf(object: StoredObject, watchedPaths: readonly FieldPath[] = []): Essence {
  const { apiVersion: _apiVersion, kind: _kind, status: _status, metadata, ...rest } = object;
  const essence: Record<string, unknown> = rest;
  const kept: Record<string, unknown> = {};
  if (metadata.labels !== undefined && Object.keys(metadata.labels).length > 0) kept['labels'] = metadata.labels;
  const annotations = withoutBookkeeping(metadata.annotations);
  if (annotations !== undefined) kept['annotations'] = annotations;
  if (Object.keys(kept).length > 0) essence['metadata'] = kept;
  return watchedPaths.reduce<Record<string, unknown>>((result, path) => {
    const value = valueAt(object, path);
    return value === undefined || valueAt(result, path) !== undefined ? result : withValueAt(result, path, value);
  }, essence);
}

/** Whether a path lies inside the essence of every object, so that it needs no mention. */
export function isEssential(path: FieldPath): boolean {
  const [root, child] = path;
  if (root === 'metadata') return child === 'labels' || child === 'annotations';
  return root !== undefined && root !== 'apiVersion' && root !== 'kind' && root !== 'status';
}

function withoutBookkeeping(
  annotations: Readonly<Record<string, string>> | undefined,
): Record<string, string> | undefined {
  if (annotations === undefined) return undefined;
  const kept: Record<string, string> = {};
  let count = 0;
  for (const [name, value] of Object.entries(annotations)) {
    if (name === lastApplied || isRecordAnnotation(name)) continue;
    kept[name] = value;
    count += 1;
  }
  return count === 0 ? undefined : kept;
}
