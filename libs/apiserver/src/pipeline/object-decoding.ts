import { decodeEmbedded } from '../custom/embedded-decoding.js';
import { applyDefaults, prune } from '../custom/pruning.js';
import type { KubeObject } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';
import { goType, goTypeOfKind } from '../schemas/go-types.js';
import { decodeTyped, emptyMember, type DecodingSource } from '../schemas/typed-decoding.js';

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
  applyDefaults(object, schema);
  return [...unknown.map((path) => `metadata.${path}`), ...pruned];
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
