import { canonical, clone, isObject, setKey, type JsonObject } from '../json.js';

/** A strategic merge patch that cannot be carried out. */
export class StrategicPatchError extends Error {
  override name = 'StrategicPatchError';
}

/** Lists of objects that are merged by a key, by the name of the member that holds them. Others are replaced whole. */
const mergeKeys: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  volumes: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  imagePullSecrets: 'name',
  secrets: 'name',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  resourceClaims: 'name',
  conditions: 'type',
  ownerReferences: 'uid',
  podIPs: 'ip',
  hostIPs: 'ip',
};

/** Where the same member name has another key in another kind. */
const keysByKind: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Service: { ports: 'port' },
  Node: { addresses: 'type' },
};

const primitiveLists = new Set(['finalizers']);
const directives = new Set(['$patch', '$retainKeys']);

function mergeKey(kind: string, member: string): string | undefined {
  const special = keysByKind[kind];
  if (special !== undefined && Object.hasOwn(special, member)) return special[member];
  if (member === 'ports' && kind !== 'NetworkPolicy' && kind !== 'EndpointSlice' && kind !== 'Endpoints')
    return 'containerPort';
  return Object.hasOwn(mergeKeys, member) ? mergeKeys[member] : undefined;
}

/** Applies a strategic merge patch for a built-in kind to a copy of the target. */
export function strategicMergePatch(target: JsonObject, patch: JsonObject, kind: string): JsonObject {
  return mergeObject(target, patch, kind);
}

function mergeObject(target: JsonObject, patch: JsonObject, kind: string): JsonObject {
  const directive = patch['$patch'];
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge') {
    throw new StrategicPatchError(`unknown patch directive: ${JSON.stringify(directive)}`);
  }
  const out: JsonObject = {};
  const retained = patch['$retainKeys'];
  for (const key of Object.keys(target)) {
    if (!Array.isArray(retained) || retained.includes(key)) setKey(out, key, target[key]);
  }
  for (const key of Object.keys(patch)) {
    if (directives.has(key)) continue;
    const value = patch[key];
    const ofList = /^\$(deleteFromPrimitiveList|setElementOrder)\/(.*)$/.exec(key);
    if (ofList !== null) {
      const member = ofList[2]!;
      if (ofList[1] === 'deleteFromPrimitiveList' && Array.isArray(value) && Array.isArray(out[member])) {
        const gone = new Set(value.map(token));
        out[member] = out[member].filter((item) => !gone.has(token(item)));
      }
    } else if (value === null) {
      delete out[key];
    } else if (isObject(value)) {
      setKey(out, key, mergeObject(isObject(out[key]) ? out[key] : {}, value, kind));
    } else if (Array.isArray(value)) {
      setKey(out, key, mergeList(Array.isArray(out[key]) ? out[key] : [], value, key, kind));
    } else {
      setKey(out, key, value);
    }
  }
  for (const key of Object.keys(patch)) {
    const member = /^\$setElementOrder\/(.*)$/.exec(key)?.[1];
    const order = patch[key];
    if (member !== undefined && Array.isArray(order) && Array.isArray(out[member])) {
      out[member] = ordered(out[member], order, mergeKey(kind, member));
    }
  }
  return out;
}

function mergeList(target: unknown[], patch: unknown[], member: string, kind: string): unknown[] {
  if (patch.some((item) => isObject(item) && item['$patch'] === 'replace')) {
    return patch.filter((item) => !(isObject(item) && item['$patch'] === 'replace')).map((item) => clone(item));
  }
  if (primitiveLists.has(member)) return interleave(target, patch, (item) => item);
  const key = mergeKey(kind, member);
  if (key === undefined || !patch.every(isObject)) return clone(patch);
  const identity = (item: unknown): unknown => (isObject(item) ? item[key] : item);
  const kept: JsonObject[] = [];
  const deleted = new Set<string>();
  const known = places(target, identity);
  for (const item of patch as JsonObject[]) {
    if (item[key] === undefined) {
      throw new StrategicPatchError(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
    }
    if (item['$patch'] === 'delete') {
      deleted.add(token(item[key]));
      continue;
    }
    const before = target[known(item)];
    kept.push(isObject(before) ? mergeObject(before, item, kind) : withoutDirectives(item));
  }
  const left = target.filter((item) => !deleted.has(token(identity(item))));
  return interleave(left, kept, identity);
}

/**
 * Items of the patch stand in its order; those that only the target has keep their place before items of the patch
 * that came after them in the target.
 */
function interleave(
  target: readonly unknown[],
  patch: readonly unknown[],
  identity: (item: unknown) => unknown,
): unknown[] {
  const inTarget = places(target, identity);
  const inPatch = places(patch, identity);
  const rest = target.filter((item) => inPatch(item) < 0);
  const out: unknown[] = [];
  let taken = 0;
  for (const item of patch) {
    const before = inTarget(item);
    while (taken < rest.length && inTarget(rest[taken]) < before) out.push(rest[taken++]);
    out.push(item);
  }
  return [...out, ...rest.slice(taken)];
}

/** Equal values have equal tokens. */
const token = (value: unknown): string => JSON.stringify(canonical(value)) ?? 'absent';

/** Where in a list the first item with the same identity stands; -1 where there is none. */
function places(list: readonly unknown[], identity: (item: unknown) => unknown): (item: unknown) => number {
  const known = new Map<string, number>();
  list.forEach((item, index) => {
    const key = token(identity(item));
    if (!known.has(key)) known.set(key, index);
  });
  return (item) => known.get(token(identity(item))) ?? -1;
}

function ordered(list: unknown[], order: unknown[], key: string | undefined): unknown[] {
  const identity = (item: unknown): unknown => (key !== undefined && isObject(item) ? item[key] : item);
  const place = places(order, identity);
  const listed = list.filter((item) => place(item) >= 0).sort((a, b) => place(a) - place(b));
  const others = list.filter((item) => place(item) < 0);
  return [...listed, ...others];
}

function withoutDirectives(value: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (key.startsWith('$')) continue;
    if (member === null) continue;
    setKey(out, key, isObject(member) ? withoutDirectives(member) : clone(member));
  }
  return out;
}
