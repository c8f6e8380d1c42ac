import { applyDefaults, prune } from '../custom/pruning.js';
import { clone, type KubeObject } from '../json.js';
import { groupVersion, type ResourceType } from '../resources/resource-type.js';

interface Representation {
  object: KubeObject;
  json?: string;
  item?: string;
}

/**
 * Stored objects in the versions that they are asked for. Each is made and serialized once per object and version,
 * however many lists and watches show it.
 */
export class Representations {
  readonly #known = new WeakMap<ResourceType, WeakMap<KubeObject, Representation>>();

  /** The object in the version of `type`. Shared: not to be changed. */
  object(type: ResourceType, stored: KubeObject): KubeObject {
    return this.#of(type, stored).object;
  }

  json(type: ResourceType, stored: KubeObject): string {
    const known = this.#of(type, stored);
    return (known.json ??= JSON.stringify(known.object));
  }

  /** As an item of a list: built-in types leave apiVersion and kind out. */
  item(type: ResourceType, stored: KubeObject): string {
    if (type.custom !== undefined) return this.json(type, stored);
    const known = this.#of(type, stored);
    if (known.item === undefined) {
      const { apiVersion: _apiVersion, kind: _kind, ...rest } = known.object;
      known.item = JSON.stringify(rest);
    }
    return known.item;
  }

  /** Remembers that a stored object was written through `type` and needs no defaulting when read through it. */
  wrote(type: ResourceType, stored: KubeObject): void {
    if (type.custom !== undefined && stored.apiVersion === groupVersion(type)) {
      this.#cache(type).set(stored, { object: stored });
    }
  }

  /** The form in which an object of this version is stored. */
  toStorage(type: ResourceType, object: KubeObject): KubeObject {
    if (type.custom !== undefined) return { ...object, apiVersion: `${type.group}/${type.custom.storageVersion}` };
    return type.toStorage?.(object) ?? object;
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
      known = { object: convert(type, stored) };
      cache.set(stored, known);
    }
    return known;
  }
}

function convert(type: ResourceType, stored: KubeObject): KubeObject {
  if (type.custom === undefined) return type.fromStorage?.(stored) ?? stored;
  const object = clone(stored);
  object.apiVersion = groupVersion(type);
  prune(object, type.custom.schema);
  applyDefaults(object, type.custom.schema);
  return object;
}
