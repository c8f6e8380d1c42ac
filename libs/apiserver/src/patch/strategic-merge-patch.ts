import { goQuote } from '../cel/library/go-quote.js';
import type { Schema } from '../custom/schema.js';
import { goPlain } from '../schemas/go-format.js';
import { canonical, clone, isBigNumber, isObject, setKey, type JsonObject } from '../json.js';

/** A strategic merge patch that cannot be carried out. */
export class StrategicPatchError extends Error {
  override name = 'StrategicPatchError';

  constructor(
    message: string,
    /** The real server answers 400 for a patch of a wrong format, and 500 for all else. */
    readonly format = false,
  ) {
    super(message);
  }
}

const retainKeys = '$retainKeys';
const elementOrder = '$setElementOrder/';
const deletion = '$deleteFromPrimitiveList/';

/** Applies a strategic merge patch to a copy of an object; the schema says what is merged, and how. */
export function strategicMergePatch(target: JsonObject, patch: JsonObject, schema: Schema): JsonObject {
  return mergeObject(target, patch, schema);
}

function mergeObject(target: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  if (Object.hasOwn(patch, '$patch')) {
    const directive = patch['$patch'];
    if (directive === 'replace') return without(patch, ['$patch']);
    if (directive === 'delete') return {};
    throw unknownDirective(patch);
  }
  const out = retained(target, patch);
  const ordered = new Set<string>();
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(elementOrder)) continue;
    const member = key.slice(elementOrder.length);
    ordered.add(member);
    const child = memberSchema(schema, member);
    if (child?.type !== 'array' && schema?.definition !== undefined) throw noList(schema.definition, member, child);
    const list = orderedList(out[member], patch[member], listOf(patch[key]), child);
    if (list !== undefined) setKey(out, member, list);
  }
  for (const key of Object.keys(patch)) {
    if (key === retainKeys || key.startsWith(elementOrder) || key.startsWith(deletion) || ordered.has(key)) continue;
    const value = patch[key];
    const child = memberSchema(schema, key);
    if (value === null) {
      delete out[key];
    } else if (!Object.hasOwn(out, key) || kindOf(out[key]) !== kindOf(value)) {
      // A directive about what is not there leaves nothing.
      if (isObject(value) && Object.hasOwn(value, '$patch')) delete out[key];
      else setKey(out, key, plain(value));
    } else if (child === undefined && schema?.definition !== undefined && typeof value === 'object') {
      throw noField(schema.definition, key);
    } else if (isObject(value)) {
      setKey(out, key, mergeObject(out[key] as JsonObject, value, child));
    } else if (Array.isArray(value)) {
      const merges = child !== undefined && strategies(child).includes('merge');
      setKey(out, key, merges ? mergeList(out[key] as unknown[], value, child) : plain(value));
    } else {
      setKey(out, key, value);
    }
  }
  for (const key of Object.keys(patch)) {
    // Last: the real server goes by chance where a patch adds to a list and deletes from it.
    const items = patch[key];
    if (key.startsWith(deletion) && Array.isArray(items)) deleteItems(out, key.slice(deletion.length), items);
  }
  return out;
}

const noList = (definition: string, member: string, schema: Schema | undefined): StrategicPatchError =>
  schema === undefined
    ? noField(definition, member)
    : new StrategicPatchError('expected slice or array type, but got: struct');

const noField = (definition: string, member: string): StrategicPatchError =>
  new StrategicPatchError(
    `unable to find api field in struct ${definition.split('.').at(-1)} for the json field ${goQuote(member)}`,
  );

function deleteItems(out: JsonObject, member: string, items: readonly unknown[]): void {
  const before = out[member];
  if (!Array.isArray(before)) return;
  checkKinds(before, items);
  const gone = new Set(items.map(token));
  setKey(
    out,
    member,
    before.filter((item) => !gone.has(token(item))),
  );
}

/** A list whose order the patch gives; undefined where there is none. */
function orderedList(
  target: unknown,
  patch: unknown,
  order: readonly unknown[],
  schema: Schema | undefined,
): unknown[] | undefined {
  const key = schema?.['x-kubernetes-patch-merge-key'];
  const before = Array.isArray(target) ? target : undefined;
  const items = Array.isArray(patch) ? patch : undefined;
  if (items !== undefined) checkOrder(items, order, key);
  if (before === undefined && items === undefined) return undefined;
  let merged: unknown[];
  if (before === undefined) merged = plain(items) as unknown[];
  else if (items === undefined || schema === undefined) merged = items ?? before;
  else merged = mergeList(before, items, schema);
  if ((before ?? []).length === 0 && (items ?? []).length === 0) {
    throw new StrategicPatchError('no elements in any of the given slices');
  }
  return inOrder(merged, order, before ?? [], key);
}

/** The target without what the patch does not retain. */
function retained(target: JsonObject, patch: JsonObject): JsonObject {
  if (!Object.hasOwn(patch, retainKeys)) return { ...target };
  const kept = patch[retainKeys];
  const refused = new StrategicPatchError('invalid patch format of retainKeys', true);
  if (!Array.isArray(kept)) throw refused;
  for (const key of Object.keys(patch)) {
    if (!key.startsWith('$') && patch[key] !== null && !kept.includes(key)) throw refused;
  }
  const out: JsonObject = {};
  for (const key of Object.keys(target)) if (kept.includes(key)) setKey(out, key, target[key]);
  return out;
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new StrategicPatchError(`expected a []interface {}, but received a ${goKind(value)}`);
}

const strategies = (schema: Schema): readonly string[] => (schema['x-kubernetes-patch-strategy'] ?? '').split(',');

function memberSchema(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema?.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  return isObject(schema?.additionalProperties) ? (schema.additionalProperties as Schema) : undefined;
}

function mergeList(target: unknown[], patch: unknown[], schema: Schema): unknown[] {
  if (target.length === 0 && patch.length === 0) return target;
  checkKinds(target, patch);
  if (![...target, ...patch].some(isObject)) {
    return inOrder(unique([...target, ...patch]), patch, target, undefined);
  }
  const key = schema['x-kubernetes-patch-merge-key'];
  if (key === undefined) throw new StrategicPatchError('cannot merge lists without merge key for type');
  let left = target as JsonObject[];
  const items: JsonObject[] = [];
  let replace = false;
  for (const item of patch as JsonObject[]) {
    if (!Object.hasOwn(item, '$patch')) {
      items.push(item);
    } else if (item['$patch'] === 'delete') {
      const gone = identityOf(item, key);
      left = left.filter((other) => token(other[key]) !== token(gone));
    } else if (item['$patch'] === 'replace') {
      replace = true;
    } else if (item['$patch'] === 'merge') {
      throw new StrategicPatchError('merging lists cannot yet be specified in the patch');
    } else {
      throw unknownDirective(item);
    }
  }
  if (replace) return items;
  const merged: JsonObject[] = [...left];
  for (const item of items) {
    const identity = token(identityOf(item, key));
    const at = merged.findIndex((other) => token(other[key]) === identity);
    if (at < 0) merged.push(plain(item) as JsonObject);
    else merged[at] = mergeObject(merged[at]!, item, schema.items);
  }
  return inOrder(merged, items, target, key);
}

function checkKinds(target: readonly unknown[], patch: readonly unknown[]): void {
  if (new Set([...target, ...patch].map(kindOf)).size < 2) return;
  throw new StrategicPatchError(`list element types are not identical: ${goPlain([target, patch])}`);
}

function identityOf(item: JsonObject, key: string): unknown {
  if (Object.hasOwn(item, key)) return item[key];
  throw new StrategicPatchError(`map: ${goPlain(item)} does not contain declared merge key: ${key}`);
}

const unknownDirective = (value: JsonObject): StrategicPatchError => {
  const directive = value['$patch'];
  const shown = typeof directive === 'string' ? directive : `%!s(${goKind(directive)}=${goPlain(directive)})`;
  return new StrategicPatchError(`unknown patch type: ${shown} in map: ${goPlain(value)}`);
};

/**
 * Puts the items that `order` names into its order. Those that only the target has keep their place before items that
 * came after them in the target.
 */
function inOrder(
  list: readonly unknown[],
  order: readonly unknown[],
  target: readonly unknown[],
  key: string | undefined,
): unknown[] {
  const identity = (item: unknown): unknown => (key !== undefined && isObject(item) ? item[key] : item);
  const inNamed = places(order, identity);
  const inTarget = places(target, identity);
  const named = list.filter((item) => inNamed(item) >= 0).sort((a, b) => inNamed(a) - inNamed(b));
  const place = (item: unknown): number => (inTarget(item) < 0 ? target.length : inTarget(item));
  const rest = list.filter((item) => inNamed(item) < 0).sort((a, b) => place(a) - place(b));
  const out: unknown[] = [];
  let taken = 0;
  for (const item of named) {
    const before = inTarget(item);
    while (taken < rest.length && inTarget(rest[taken]) < before) out.push(rest[taken++]);
    out.push(item);
  }
  return [...out, ...rest.slice(taken)];
}

/** The items of a patch must be named in the order that they have in it, apart from those to delete. */
function checkOrder(patch: readonly unknown[], order: readonly unknown[], key: string | undefined): void {
  if (patch.length === 0 || order.length === 0) return;
  const identity = (item: unknown): unknown => {
    if (key === undefined) return item;
    if (isObject(item)) return identityOf(item, key);
    throw new StrategicPatchError(`expected a map[string]interface {}, but received a ${goKind(item)}`);
  };
  const isDeletion = (item: unknown): boolean => isObject(item) && item['$patch'] === 'delete';
  let next = 0;
  for (const named of order) {
    while (next < patch.length && isDeletion(patch[next])) next++;
    if (next < patch.length && token(identity(patch[next])) === token(identity(named))) next++;
  }
  while (next < patch.length && isDeletion(patch[next])) next++;
  if (next === patch.length) return;
  throw new StrategicPatchError(
    `The order in patch list:\n${goPlain(patch)}\n doesn't match $setElementOrder list:\n${goPlain(order)}\n`,
  );
}

/** Equal values have equal tokens. */
const token = (value: unknown): string => JSON.stringify(canonical(value)) ?? 'absent';

function unique(list: readonly unknown[]): unknown[] {
  const seen = new Set<string>();
  return list.filter((item) => !seen.has(token(item)) && seen.add(token(item)));
}

/** Where in a list the first item with the same identity stands; -1 where there is none. */
function places(list: readonly unknown[], identity: (item: unknown) => unknown): (item: unknown) => number {
  const known = new Map<string, number>();
  list.forEach((item, index) => {
    const name = token(identity(item));
    if (!known.has(name)) known.set(name, index);
  });
  return (item) => known.get(token(identity(item))) ?? -1;
}

const kindOf = (value: unknown): string =>
  Array.isArray(value)
    ? 'slice'
    : isObject(value)
      ? 'map'
      : value === null
        ? 'null'
        : isBigNumber(value)
          ? 'number'
          : typeof value;

const kinds: Readonly<Record<string, string>> = {
  boolean: 'bool',
  map: 'map[string]interface {}',
  null: '%!s(<nil>)',
  slice: '[]interface {}',
};

const goKind = (value: unknown): string => {
  const kind = kindOf(value);
  if (kind === 'number') return Number.isInteger(value) || isBigNumber(value) ? 'int64' : 'float64';
  return kinds[kind] ?? kind;
};

const without = (value: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));

/** What a patch adds where there was nothing before: without nulls and directives. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => !(isObject(item) && Object.hasOwn(item, '$patch'))).map((item) => plain(item));
  }
  if (!isObject(value)) return clone(value);
  // There is nothing that a directive could be about.
  if (Object.hasOwn(value, '$patch')) return {};
  const out: JsonObject = {};
  for (const key of Object.keys(value)) {
    if (key.startsWith('$') || value[key] === null) continue;
    setKey(out, key, plain(value[key]));
  }
  return out;
}
