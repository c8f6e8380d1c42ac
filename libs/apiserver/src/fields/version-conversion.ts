import { isObject, type KubeObject } from '../json.js';
import type { Schema } from '../custom/schema.js';
import type { ManagedType } from '../pipeline/field-management.js';
import type { ConversionCalls } from '../pipeline/representations.js';
import { wait, type Steps } from '../pipeline/steps.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import { groupVersion, storageOf, type ResourceType } from '../resources/resource-type.js';
import { ApiError } from '../status.js';
import type { Store } from '../store/store.js';
import { FieldConversionError, type TypedObject } from './ownership.js';
import { checkTyped } from './typed-validation.js';
import { objectType, type ValueType } from './value-type.js';
import { withZeros } from './zero-values.js';

const definitions = storageOf('apiextensions.k8s.io', 'customresourcedefinitions');

/** Shows objects in the versions that their managers know them in. */
export class VersionConversion {
  constructor(
    private readonly registry: ResourceRegistry,
    private readonly store: Store,
    private readonly calls: ConversionCalls,
  ) {}

  /** See OwnershipContext. `type` is that of the request. */
  *convert(type: ManagedType, object: TypedObject, apiVersion: string): Steps<TypedObject | undefined> {
    if (apiVersion === object.apiVersion) return object;
    if (type.custom === undefined) return this.#builtin(type, object, apiVersion);
    const there = this.#customType(type, apiVersion);
    const value = yield* this.#custom(type, object.value, apiVersion);
    checkTyped(value, there, false);
    return { value, type: there, apiVersion };
  }

  /** Where the replicas are in each version of a custom resource; null where a version has no scale. */
  versionsOf(type: ResourceType): Map<string, readonly string[] | null> {
    const versions = new Map<string, readonly string[] | null>();
    for (const version of this.registry.customTypes(type.custom!.definition)) {
      versions.set(groupVersion(version), version.custom?.scalePaths?.spec ?? null);
    }
    return versions;
  }

  /** As on the real server, what the other group of events says of owners means nothing to this one. */
  #builtin(type: ManagedType, { value, apiVersion: from }: TypedObject, apiVersion: string): TypedObject | undefined {
    const versions = this.registry
      .all()
      .filter(({ group, storage, custom }) => group === type.group && storage === type.storage && custom === undefined);
    const there = versions.find((version) => groupVersion(version) === apiVersion);
    const here = versions.find((version) => groupVersion(version) === from);
    if (there === undefined || here === undefined) return undefined;
    const stored = here.toStorage?.(value) ?? value;
    const converted = there.fromStorage?.(stored) ?? { ...stored, apiVersion };
    const valueType = objectType(there.schema);
    return { value: withZeros(converted, valueType) as KubeObject, type: valueType, apiVersion };
  }

  *#custom(type: ManagedType, value: KubeObject, apiVersion: string): Steps<KubeObject> {
    const { custom } = type;
    if (custom?.conversion === undefined) return { ...value, apiVersion };
    const served = this.registry.customTypes(custom.definition).find(({ version }) => version === type.version);
    if (served === undefined) throw new FieldConversionError(`${groupVersion(type)} is not served any more`);
    const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
    try {
      const [converted] = yield* wait(this.calls.convert(served, [value], version));
      return converted!;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new FieldConversionError(error.message, { cause: error });
    }
  }

  /** The type in any version that the definition has, served or not. */
  #customType(type: ManagedType, apiVersion: string): ValueType {
    const definition = this.store.get(definitions, type.custom!.definition);
    const spec = definition?.['spec'];
    const slash = apiVersion.indexOf('/');
    if (slash > 0 && apiVersion.slice(0, slash) === type.group && isObject(spec)) {
      const versions = Array.isArray(spec['versions']) ? (spec['versions'] as unknown[]) : [];
      const version = versions.filter(isObject).find(({ name }) => name === apiVersion.slice(slash + 1));
      if (version !== undefined) {
        const schema = version['schema'];
        return objectType((isObject(schema) ? (schema['openAPIV3Schema'] as Schema | undefined) : undefined) ?? {});
      }
    }
    throw new FieldConversionError(`request to convert CR to an invalid group/version: ${apiVersion}`);
  }
}
