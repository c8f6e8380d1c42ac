import { isObject, setKey, type JsonObject, type KubeObject } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';
import { goTypeOfKind, type GoStruct, type GoType } from './go-types.js';

/**
 * An object of a built-in type as it is once it was stored: lists and maps that are printed though they are empty are
 * null, as the form of storage has no empty ones. Definitions are stored as JSON, which tells one from the other.
 */
export function storedForm(object: KubeObject, { group, version, kind, custom }: StoredType): KubeObject {
  if (custom !== undefined || group === 'apiextensions.k8s.io') return object;
  const type = goTypeOfKind(group, version, kind);
  return type.kind === 'struct' && keepsEmpty(type.struct) ? (withoutEmpty(object, type.struct) as KubeObject) : object;
}

type StoredType = Pick<ResourceType, 'group' | 'version' | 'kind' | 'custom'>;

const reach = new Map<GoStruct, boolean>();

/** Whether a struct or one below it prints a list or map that is empty. */
function keepsEmpty(struct: GoStruct): boolean {
  const known = reach.get(struct);
  if (known !== undefined) return known;
  const seen = new Set([struct]);
  let found = false;
  for (const { fields } of seen) {
    for (const { type, keep } of fields.values()) {
      found ||= keep && isCollection(type);
      const inner = structIn(type);
      if (inner !== undefined) seen.add(inner);
    }
  }
  reach.set(struct, found);
  return found;
}

const isCollection = ({ kind }: GoType): boolean => kind === 'list' || kind === 'map';

function structIn(type: GoType): GoStruct | undefined {
  if (type.kind === 'struct') return type.struct;
  return type.kind === 'list' || type.kind === 'map' ? structIn(type.item) : undefined;
}

function withoutEmpty(value: JsonObject, struct: GoStruct): JsonObject {
  let out: JsonObject | undefined;
  for (const [name, { type, keep }] of struct.fields) {
    const member = value[name];
    const stored = keep && isCollection(type) && isEmpty(member) ? null : below(member, type);
    if (stored !== member) setKey((out ??= { ...value }), name, stored);
  }
  return out ?? value;
}

function below(value: unknown, type: GoType): unknown {
  const struct = structIn(type);
  if (struct === undefined || !keepsEmpty(struct)) return value;
  if (type.kind === 'struct') return isObject(value) ? withoutEmpty(value, type.struct) : value;
  if (type.kind === 'list') {
    if (!Array.isArray(value)) return value;
    const items = value.map((item) => below(item, type.item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (type.kind !== 'map' || !isObject(value)) return value;
  let out: JsonObject | undefined;
  for (const name of Object.keys(value)) {
    const item = below(value[name], type.item);
    if (item !== value[name]) setKey((out ??= { ...value }), name, item);
  }
  return out ?? value;
}

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
