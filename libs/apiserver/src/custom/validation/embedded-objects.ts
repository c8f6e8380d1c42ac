import { isObject, type JsonObject, type KubeObject } from '../../json.js';
import { dnsLabelRule } from '../../name-rules.js';
import { metadataCauses } from '../../pipeline/metadata-validation.js';
import type { StatusCause } from '../../status.js';
import { childSchema } from '../pruning.js';
import type { Schema } from '../schema.js';
import { joinPath, memberPath, type SchemaCauses } from './schema-causes.js';

/** Objects in objects must say what they are, and have metadata that are some. */
export function embeddedCauses(value: unknown, schema: Schema, say: SchemaCauses): StatusCause[] {
  if (!embeds(schema)) return [];
  const causes: StatusCause[] = [];
  visitEmbedded(value, schema, '', (object, path) => causes.push(...objectCauses(object, path, say)));
  return causes;
}

/** Calls with every object that a schema says is one of Kubernetes. */
export function visitEmbedded(
  value: unknown,
  schema: Schema,
  path: string,
  visit: (object: JsonObject, path: string) => void,
): void {
  if (!embeds(schema)) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    value.forEach((item: unknown, index) => visitEmbedded(item, items, `${path}[${index}]`, visit));
    return;
  }
  if (!isObject(value)) return;
  if (schema['x-kubernetes-embedded-resource'] === true) visit(value, path);
  for (const key of Object.keys(value)) {
    const child = childSchema(schema, key);
    if (child !== undefined) visitEmbedded(value[key], child, memberPath(schema, path, key), visit);
  }
}

const known = new WeakMap<Schema, boolean>();

/** Whether a schema has such objects anywhere; most have none. */
function embeds(schema: Schema): boolean {
  let found = known.get(schema);
  if (found === undefined) {
    const { additionalProperties } = schema;
    found =
      schema['x-kubernetes-embedded-resource'] === true ||
      Object.values(schema.properties ?? {}).some(embeds) ||
      (schema.items !== undefined && embeds(schema.items)) ||
      (isObject(additionalProperties) && embeds(additionalProperties as Schema));
    known.set(schema, found);
  }
  return found;
}

const kindPattern = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

function objectCauses(object: JsonObject, path: string, say: SchemaCauses): StatusCause[] {
  const causes: StatusCause[] = [];
  const { apiVersion, kind, metadata } = object;
  const at = (key: string): string => joinPath(path, key);
  if (apiVersion === undefined) causes.push(say.required(at('apiVersion')));
  else if (apiVersion === '') causes.push(say.invalid(at('apiVersion'), '', 'must not be empty'));
  else if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2) {
    causes.push(say.invalid(at('apiVersion'), apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  }
  if (kind === undefined) causes.push(say.required(at('kind')));
  else if (kind === '') causes.push(say.invalid(at('kind'), '', 'must not be empty'));
  else if (typeof kind === 'string' && !kindPattern.test(kind.toLowerCase())) {
    causes.push(say.invalid(at('kind'), kind, `may have mixed case, but should otherwise match: ${dnsLabelRule}`));
  }
  if (isObject(metadata)) {
    // A name is not required.
    const named = { metadata: { ...metadata, name: metadata['name'] ?? 'unnamed' } } as unknown as KubeObject;
    for (const cause of metadataCauses(named, { nameRule: 'path' }, Infinity)) {
      causes.push({ ...cause, field: say.field(joinPath(path, cause.field ?? '')) });
    }
  }
  return causes;
}
