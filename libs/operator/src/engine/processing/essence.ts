import { valueAt, withValueAt, type FieldPath } from '../json/field-path.js';
import type { StoredObject } from '../kube-object.js';
import { kopfPrefixes } from '../persistence/kopf-keys.js';
import { isRecordAnnotation } from '../persistence/record-annotation.js';
import { withoutStatusRecords } from '../persistence/record-field.js';

/** The part of an object whose change matters to handlers. */
export type Essence = Readonly<Record<string, unknown>>;

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

type Fields = Readonly<Record<string, unknown>>;

const nothing: ReadonlySet<string> = new Set();

/**
 * The essence: everything but apiVersion, kind, status and metadata; of metadata, labels and annotations, without the
 * bookkeeping of kubectl, and of any operator of this framework or of Kopf. `watchedPaths` are fields beyond that which a handler
 * names, such as one of `status`; `ignored` are annotations that say something to the operator and not to handlers.
 */
export function essenceOf(
  object: StoredObject,
  watchedPaths: readonly FieldPath[] = [],
  ignored: ReadonlySet<string> = nothing,
): Essence {
  const { apiVersion: _apiVersion, kind: _kind, status: _status, metadata, ...rest } = object;
  const essence: Record<string, unknown> = rest;
  const kept: Record<string, unknown> = {};
  if (metadata.labels !== undefined && Object.keys(metadata.labels).length > 0) kept['labels'] = metadata.labels;
  const annotations = withoutBookkeeping(metadata.annotations, ignored);
  if (annotations !== undefined) kept['annotations'] = annotations;
  if (Object.keys(kept).length > 0) essence['metadata'] = kept;
  if (watchedPaths.length === 0) return essence;
  const seen = withoutStatusRecords(object);
  // The shortest first: what lies within a field that is there already is there as well.
  return watchedPaths
    .toSorted((a, b) => a.length - b.length)
    .reduce<Record<string, unknown>>((result, path) => {
      const value = valueAt(seen, path);
      return value === undefined || valueAt(result, path) !== undefined ? result : withValueAt(result, path, value);
    }, essence);
}

/**
 * The part of an essence that a handler watches. What other handlers watch beyond the essence of every object, such as a
 * field of `status`, is no part of the whole (the empty path), nor of `metadata`.
 */
export function essencePart(essence: Essence, path: FieldPath): unknown {
  if (path.length === 0) return essentialOnly(essence);
  if (path.length === 1 && path[0] === 'metadata') return essentialOnly(essence)['metadata'];
  return valueAt(essence, path);
}

function essentialOnly(essence: Essence): Essence {
  const { metadata } = essence;
  const extraMetadata =
    typeof metadata === 'object' && metadata !== null && Object.keys(metadata).some((key) => !isMetadataEssential(key));
  if (!extraMetadata && !Object.keys(essence).some((key) => notEssential.has(key))) return essence;
  const kept = Object.fromEntries(Object.entries(essence).filter(([key]) => !notEssential.has(key)));
  if (extraMetadata) {
    const entries = Object.entries(metadata as Fields).filter(([key]) => isMetadataEssential(key));
    if (entries.length === 0) delete kept['metadata'];
    else kept['metadata'] = Object.fromEntries(entries);
  }
  return kept;
}

/** Whether a path lies inside the essence of every object, so that it needs no mention. */
export function isEssential(path: FieldPath): boolean {
  const [root, child] = path;
  if (root === 'metadata') return child === undefined || isMetadataEssential(child);
  return root === undefined || !notEssential.has(root);
}

const notEssential: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'status']);

function isMetadataEssential(key: string): boolean {
  return key === 'labels' || key === 'annotations';
}

function withoutBookkeeping(
  annotations: Readonly<Record<string, string>> | undefined,
  ignored: ReadonlySet<string>,
): Record<string, string> | undefined {
  if (annotations === undefined) return undefined;
  const kept: Record<string, string> = {};
  const ofKopf = kopfPrefixes(annotations);
  let count = 0;
  for (const [name, value] of Object.entries(annotations)) {
    if (name === lastApplied || isRecordAnnotation(name) || ignored.has(name)) continue;
    if (ofKopf.size > 0 && ofKopf.has(name.slice(0, Math.max(0, name.indexOf('/'))))) continue;
    kept[name] = value;
    count += 1;
  }
  return count === 0 ? undefined : kept;
}
