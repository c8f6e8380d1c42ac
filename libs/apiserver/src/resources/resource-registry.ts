import { deepEqual } from '../json.js';
import { definitionTypes, type Definition } from '../custom/crd-type.js';
import { builtinResources } from './builtin-resources.js';
import { groupVersion, type ResourceType } from './resource-type.js';
import { compareVersions } from './version-order.js';

/** Everything that the server serves now: the built-in resources and those of established CustomResourceDefinitions. */
export class ResourceRegistry {
  readonly #byPath = new Map<string, ResourceType>();
  readonly #custom = new Map<string, readonly ResourceType[]>();
  readonly #specs = new Map<string, { spec: unknown; epoch: number; terminating: boolean }>();
  readonly #listeners = new Set<() => void>();
  #storages: Map<string, ResourceType> | undefined;
  #epoch = 0;

  constructor() {
    for (const type of builtinResources) this.#byPath.set(pathOf(type), type);
  }

  find(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  /** Whether unknown paths below a group are answered by the built-in API and not by that of custom resources. */
  isBuiltinGroup(group: string): boolean {
    return builtinGroups.has(group);
  }

  /** The resource of an object that is known by apiVersion and kind. */
  findKind(apiVersion: string, kind: string): ResourceType | undefined {
    for (const type of this.#byPath.values()) {
      if (type.kind === kind && groupVersion(type) === apiVersion) return type;
    }
    return undefined;
  }

  /** One type per storage, in the version that objects are kept in where that is served. */
  storages(): Iterable<ResourceType> {
    return this.#byStorage().values();
  }

  #byStorage(): Map<string, ResourceType> {
    if (this.#storages !== undefined) return this.#storages;
    const found = new Map<string, ResourceType>();
    for (const type of this.#byPath.values()) {
      const known = found.get(type.storage);
      if (known === undefined || type.version === type.custom?.storageVersion) found.set(type.storage, type);
    }
    this.#storages = found;
    return found;
  }

  /** The type to handle a stored object with. */
  storageType(storage: string): ResourceType | undefined {
    return this.#byStorage().get(storage);
  }

  /** The other versions and groups in which the objects of a type are served. */
  equivalents({ storage, group, version }: ResourceType): ResourceType[] {
    return this.all().filter((type) => type.storage === storage && (type.group !== group || type.version !== version));
  }

  all(): ResourceType[] {
    return [...this.#byPath.values()];
  }

  /** Groups other than the core group, with their versions from most to least preferred. */
  groups(): Map<string, string[]> {
    const groups = new Map<string, string[]>();
    for (const type of this.#byPath.values()) {
      if (type.group === '') continue;
      const versions = groups.get(type.group) ?? [];
      if (!versions.includes(type.version)) versions.push(type.version);
      groups.set(type.group, versions);
    }
    for (const versions of groups.values()) versions.sort(compareVersions);
    const place = (group: string): number => groupOrder.indexOf(group) + 1 || groupOrder.length + 1;
    return new Map([...groups].sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1)));
  }

  inVersion(group: string, version: string): ResourceType[] {
    return this.all()
      .filter((type) => type.group === group && type.version === version)
      .sort((a, b) => (a.plural < b.plural ? -1 : 1));
  }

  /** Serves an established definition, replacing what it said before. */
  serve(definition: Definition): void {
    const name = definition.metadata.name ?? '';
    const known = this.#specs.get(name);
    const epoch = known !== undefined && deepEqual(known.spec, definition.spec) ? known.epoch : ++this.#epoch;
    const terminating = definition.metadata.deletionTimestamp !== undefined;
    if (known?.epoch === epoch && known.terminating === terminating) return;
    this.#remove(name);
    this.#specs.set(name, { spec: definition.spec, epoch, terminating });
    const types = definitionTypes(definition, epoch);
    this.#custom.set(name, types);
    for (const type of types) this.#byPath.set(pathOf(type), type);
    this.#storages = undefined;
    this.#changed();
  }

  withdraw(name: string): void {
    if (!this.#custom.has(name)) return;
    this.#remove(name);
    this.#changed();
  }

  /** Forgets all custom resources. */
  clear(): void {
    for (const name of this.#custom.keys()) this.#remove(name);
    this.#changed();
  }

  customTypes(definition: string): readonly ResourceType[] {
    return this.#custom.get(definition) ?? [];
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #remove(name: string): void {
    for (const type of this.#custom.get(name) ?? []) this.#byPath.delete(pathOf(type));
    this.#storages = undefined;
    this.#custom.delete(name);
    this.#specs.delete(name);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Built-in groups as the real server lists them; those of custom resources follow by name. */
const groupOrder = [
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
];

const builtinGroups = new Set(builtinResources.map(({ group }) => group));

const pathOf = (type: ResourceType): string => `${type.group}/${type.version}/${type.plural}`;
