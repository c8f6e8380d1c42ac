import { decodeEmbedded } from '../custom/embedded-decoding.js';
import { applyDefaults, prune } from '../custom/pruning.js';
import { isObject, type JsonObject, type KubeObject } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';
import { goType, goTypeOfKind } from '../schemas/go-types.js';
import { decodeTyped, type DecodingSource } from '../schemas/typed-decoding.js';
import { emptyMember } from '../schemas/typed-printing.js';

/** Objects that were decoded already; doing it again would change nothing. */
const decoded = new WeakSet<KubeObject>();

/**
 * Makes what a client sent, in place, an object of its type: drops what the type does not know, fills in defaults of a
 * custom resource, brings times and quantities of a built-in one into their form, and leaves out or fills in what is
 * empty, as the real server does. Answers the paths of what was dropped.
 *
 * @throws DecodingError for what does not fit the type
 */
export function decodeInto(object: KubeObject, type: ResourceType, source: DecodingSource = 'json'): string[] {
  if (decoded.has(object)) return [];
  decoded.add(object);
  return withManagedFields(object, () => decodeFresh(object, type, source, false));
}

/**
 * Makes an object into which something was applied one of its type. What was applied is no body that is decoded: nulls
 * are left to validation, and unknown members were refused.
 *
 * @throws DecodingError for what does not fit the type
 */
export function completeApplied(object: KubeObject, type: ResourceType): void {
  decoded.add(object);
  withManagedFields(object, () => decodeFresh(object, type, 'unstructured', true));
  type.defaults?.(object);
}

/** Managed fields of the server's own making need no decoding. */
function withManagedFields<T>(object: KubeObject, decode: () => T): T {
  if (!isObject(object.metadata)) return decode();
  // The metadata may be shared with the object that a patch was made from.
  const { managedFields, ...metadata } = object.metadata;
  if (!Array.isArray(managedFields) || !Object.isFrozen(managedFields)) return decode();
  object.metadata = metadata;
  const result = decode();
  object.metadata.managedFields = managedFields as readonly JsonObject[];
  return result;
}

function decodeFresh(object: KubeObject, type: ResourceType, source: DecodingSource, keepNulls: boolean): string[] {
  if (type.custom === undefined) {
    const { value, unknown } = decodeTyped(object, goTypeOfKind(type.group, type.version, type.kind), source);
    for (const key of Object.keys(object)) delete object[key];
    Object.assign(object, value);
    return [...unknown];
  }
  const { value, unknown } = decodeTyped(object.metadata, goType('meta.v1.ObjectMeta'));
  object.metadata = value as KubeObject['metadata'];
  const { schema } = type.custom;
  const pruned = [...prune(object, schema), ...decodeEmbedded(object, schema)].sort();
  applyDefaults(object, schema, keepNulls);
  return [...unknown.map((path) => `metadata.${path}`).sort(), ...pruned];
}

/** Nodes bring their status along when they are created. */
const nodes = '/nodes';

/** Takes the status away from an object that is created, as clients have no say in it. */
export function resetStatus(object: KubeObject, type: ResourceType): void {
  if (!type.status || type.storage === nodes) return;
  const empty =
    type.custom === undefined ? emptyMember(goTypeOfKind(type.group, type.version, type.kind), 'status') : undefined;
  if (empty === undefined) delete object['status'];
  else object['status'] = empty;
}
