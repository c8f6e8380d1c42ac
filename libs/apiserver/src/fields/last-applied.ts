import { isObject, parseJson, setKey, type JsonObject, type KubeObject } from '../json.js';
import { difference, type FieldSet } from './field-set.js';
import { jsonText } from './path-element.js';
import { compareTyped } from './typed-comparison.js';
import { fieldsOf } from './typed-fields.js';
import { checkTyped } from './typed-validation.js';
import { TypedValueError } from './typed-values.js';
import type { ValueType } from './value-type.js';

/** The manager under which kubectl applies on the server; only its applies know of what kubectl applied by itself. */
export const kubectlManager = 'kubectl';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const annotationLimit = 256 * 1024;

function lastAppliedText({ metadata }: KubeObject): string | undefined {
  const { annotations } = metadata;
  return annotations !== undefined && Object.hasOwn(annotations, annotation) ? annotations[annotation] : undefined;
}

/** The fields that kubectl applied by itself and that nobody changed since: an apply of kubectl may take them over. */
export function lastAppliedFields(live: KubeObject, type: ValueType): FieldSet | undefined {
  const text = lastAppliedText(live);
  if (text === undefined) return undefined;
  try {
    const applied = parseJson(text);
    if (!isObject(applied) || applied['apiVersion'] !== live.apiVersion) return undefined;
    checkTyped(applied, type, false);
    const { added, modified, removed } = compareTyped(live, applied, type);
    return difference(difference(difference(fieldsOf(applied, type), modified), added), removed);
  } catch (error) {
    // An annotation that cannot be read allows nothing.
    if (error instanceof SyntaxError || error instanceof TypedValueError) return undefined;
    throw error;
  }
}

/** Writes what was applied into the annotation, where the object has one. */
export function renewLastApplied(object: KubeObject, applied: KubeObject): KubeObject {
  if (lastAppliedText(object) === undefined) return object;
  const { managedFields: _managedFields, ...metadata } = applied.metadata;
  const shown: JsonObject = { ...applied, metadata };
  if (metadata.annotations !== undefined)
    shown['metadata'] = { ...metadata, annotations: without(metadata.annotations) };
  const annotations: Record<string, string> = { ...object.metadata.annotations };
  setKey(annotations, annotation, `${jsonText(shown)}\n`);
  let size = 0;
  for (const [name, value] of Object.entries(annotations)) size += Buffer.byteLength(name) + Buffer.byteLength(value);
  if (size > annotationLimit) delete annotations[annotation];
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function without(annotations: Readonly<Record<string, string>>): Record<string, string> {
  const { [annotation]: _lastApplied, ...others } = annotations;
  return others;
}
