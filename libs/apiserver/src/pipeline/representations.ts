import { applyDefaults, prune } from '../custom/pruning.js';
import type { CustomVersion } from '../custom/custom-version.js';
import { canonical, clone, type KubeObject } from '../json.js';
import { groupVersion, type ResourceType } from '../resources/resource-type.js';
import { errors } from '../status.js';
import { withRevision } from '../store/store.js';
import { wait, type Steps } from './steps.js';

interface Representation {
  object: KubeObject;
  /** Its text within a list. */
  item?: string;
}

/** Turns objects of a custom resource into another version by asking somebody else. */
export interface ConversionCalls {
  /** The objects in `version`, in the same order. Rejects with what the client is to be told. */
  convert(type: ResourceType, objects: readonly KubeObject[], version: string): Promise<KubeObject[]>;
}

/**
 * Stored objects in the versions that they are asked for. Each is made and serialized once per object and version,
 * however many lists and watches show it.
 *
 * Where a conversion webhook stands between the versions, `fetch` has to be called and waited for before an object can
 * be shown; everything else is immediate.
 */
export class Representations {
  readonly #known = new WeakMap<ResourceType, WeakMap<KubeObject, Representation>>();
  readonly #fetching = new WeakMap<ResourceType, WeakMap<KubeObject, Promise<void>>>();

  constructor(private readonly conversion: ConversionCalls) {}

  /** The object in the version of `type`. Shared: not to be changed. */
  object(type: ResourceType, stored: KubeObject): KubeObject {
    return this.#of(type, stored).object;
  }

  json(type: ResourceType, stored: KubeObject): string {
    const { object } = this.#of(type, stored);
    const item = this.item(type, stored);
    if (type.custom !== undefined) return item;
    // What an object is comes first, as the real server has it. So its text is made once for lists and for itself.
    const head = `{"kind":${JSON.stringify(object.kind)},"apiVersion":${JSON.stringify(object.apiVersion)}`;
    return item === '{}' ? `${head}}` : `${head},${item.slice(1)}`;
  }

  /** As an item of a list: built-in types leave apiVersion and kind out. */
  item(type: ResourceType, stored: KubeObject): string {
    const known = this.#of(type, stored);
    if (known.item === undefined) {
      const { apiVersion: _apiVersion, kind: _kind, ...rest } = known.object;
      known.item = JSON.stringify(type.custom === undefined ? rest : known.object);
    }
    return known.item;
  }

  /** Remembers that a stored object was written through `type` and needs no defaulting when read through it. */
  wrote(type: ResourceType, stored: KubeObject): void {
    if (type.custom !== undefined && stored.apiVersion === groupVersion(type) && !lacksStatus(type.custom, stored)) {
      this.#cache(type).set(stored, { object: stored });
    }
  }

  /** Whether objects can be shown in the version of `type` without having them converted before. */
  ready(type: ResourceType, objects: readonly KubeObject[]): boolean {
    return this.#missing(type, objects).length === 0;
  }

  /** Has objects converted that are not known in the version of `type` yet; undefined when there is nothing to do. */
  fetch(type: ResourceType, objects: readonly KubeObject[]): Promise<void> | undefined {
    const missing = this.#missing(type, objects);
    return missing.length === 0 ? undefined : this.#fetch(type, missing);
  }

  /** As `fetch`, but asks again for what is known: a webhook may have learnt something. */
  refetch(type: ResourceType, stored: KubeObject): Promise<void> | undefined {
    return needsCall(type, stored) ? this.#convert(type, [stored]) : undefined;
  }

  #missing(type: ResourceType, objects: readonly KubeObject[]): KubeObject[] {
    if (type.custom?.conversion === undefined) return [];
    const known = this.#cache(type);
    return [...new Set(objects)].filter((stored) => !known.has(stored) && needsCall(type, stored));
  }

  /** Shows `object` as `from` is shown, but for the resourceVersion: it is the same object under another revision. */
  derive(type: ResourceType, object: KubeObject, from: KubeObject): void {
    const known = this.#cache(type);
    const shown = known.get(from)?.object;
    if (shown === undefined || known.has(object)) return;
    known.set(object, { object: withRevision(shown, Number(object.metadata.resourceVersion)) });
  }

  /** An object of one version in another, by itself and not as it would be shown: nothing is pruned or defaulted. */
  convert(from: ResourceType, to: ResourceType, object: KubeObject): KubeObject | Promise<KubeObject> {
    if (to.custom === undefined) {
      const stored = from.toStorage?.(object) ?? object;
      return to.fromStorage?.(stored) ?? stored;
    }
    if (to.custom.conversion === undefined) return { ...object, apiVersion: groupVersion(to) };
    return this.conversion.convert(to, [object], to.version).then(([converted]) => converted!);
  }

  /** The form in which an object of this version is stored. */
  toStorage(type: ResourceType, object: KubeObject): KubeObject | Promise<KubeObject> {
    const { custom } = type;
    if (custom === undefined) return type.toStorage?.(object) ?? object;
    const { storageVersion, conversion } = custom;
    if (storageVersion === type.version) return object;
    if (conversion === undefined) {
      return pruned({ ...clone(object), apiVersion: `${type.group}/${storageVersion}` }, custom, storageVersion);
    }
    return this.conversion
      .convert(type, [object], storageVersion)
      .then(([converted]) => pruned(converted!, custom, storageVersion));
  }

  async #fetch(type: ResourceType, missing: readonly KubeObject[]): Promise<void> {
    let fetching = this.#fetching.get(type);
    if (fetching === undefined) {
      fetching = new WeakMap();
      this.#fetching.set(type, fetching);
    }
    const others = new Set<Promise<void>>();
    const wanted: KubeObject[] = [];
    for (const stored of missing) {
      const other = fetching.get(stored);
      if (other === undefined) wanted.push(stored);
      else others.add(other);
    }
    if (wanted.length > 0) {
      const own = this.#convert(type, wanted);
      for (const stored of wanted) fetching.set(stored, own);
      others.add(own);
      try {
        await own;
      } finally {
        for (const stored of wanted) fetching.delete(stored);
      }
    }
    await Promise.all(others);
  }

  async #convert(type: ResourceType, wanted: readonly KubeObject[]): Promise<void> {
    const custom = type.custom!;
    const decoded = wanted.map((stored) => read(type, custom, stored));
    const converted = await this.conversion.convert(type, decoded, type.version);
    const known = this.#cache(type);
    wanted.forEach((stored, index) => {
      const shown = canonical(pruned(converted[index]!, custom, type.version));
      known.set(stored, { object: shown });
    });
  }

  #cache(type: ResourceType): WeakMap<KubeObject, Representation> {
    let cache = this.#known.get(type);
    if (cache === undefined) {
      cache = new WeakMap();
      this.#known.set(type, cache);
    }
    return cache;
  }

  #of(type: ResourceType, stored: KubeObject): Representation {
    const cache = this.#cache(type);
    let known = cache.get(stored);
    if (known === undefined) {
      if (needsCall(type, stored))
        throw new Error(`api server: ${type.plural} were to be shown before they were converted`);
      known = { object: convert(type, stored) };
      cache.set(stored, known);
    }
    return known;
  }
}

/** Creations drop the status, with the default that it had: it is there when the object is read. */
const lacksStatus = ({ schema }: CustomVersion, stored: KubeObject): boolean =>
  stored['status'] === undefined && schema.properties?.['status']?.default !== undefined;

const needsCall = (type: ResourceType, stored: KubeObject): boolean =>
  type.custom?.conversion !== undefined && stored.apiVersion !== groupVersion(type);

function convert(type: ResourceType, stored: KubeObject): KubeObject {
  const { custom } = type;
  if (custom === undefined) return type.fromStorage?.(stored) ?? stored;
  const object = read(type, custom, stored);
  object.apiVersion = groupVersion(type);
  return stored.apiVersion === object.apiVersion ? object : pruned(object, custom, type.version);
}

/** A copy of a stored custom resource, as the version in which it was stored has it: with the defaults of that one. */
function read({ group }: ResourceType, { schemas }: CustomVersion, stored: KubeObject): KubeObject {
  const version = stored.apiVersion.slice(group.length + 1);
  const schema = schemas[version];
  if (schema === undefined) {
    throw errors.plain(`request to convert CR from an invalid group/version: ${stored.apiVersion}`);
  }
  const object = clone(stored);
  prune(object, schema);
  applyDefaults(object, schema);
  return object;
}

/** Removes, in place, what the schema of a version does not know. */
function pruned(object: KubeObject, { schemas }: CustomVersion, version: string): KubeObject {
  prune(object, schemas[version]!);
  return object;
}

/** Waits until stored objects can be shown in the version of `type`. */
export function* represented(
  { representations }: { representations: Representations },
  type: ResourceType,
  objects: readonly KubeObject[],
): Steps<void> {
  const pending = representations.fetch(type, objects);
  if (pending !== undefined) yield* wait(pending);
}

/** The form in which an object is stored. */
export function* inStorage(
  { representations }: { representations: Representations },
  type: ResourceType,
  object: KubeObject,
): Steps<KubeObject> {
  const form = representations.toStorage(type, object);
  return form instanceof Promise ? yield* wait(form) : form;
}
