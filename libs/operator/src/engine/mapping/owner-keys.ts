import type { ObjectKey, StoredObject } from '../kube-object.js';
import { type Resource } from '../resource.js';

/**
 * The objects of a resource that own this one. Versions of the owner's API do not matter. A namespaced owner is in the
 * namespace of what it owns.
 */
export function ownerKeys(object: StoredObject, owner: Resource, controllerOnly: boolean): readonly ObjectKey[] {
  const { ownerReferences = [], namespace } = object.metadata;
  return ownerReferences
    .filter(
      ({ apiVersion, kind, controller }) =>
        kind === owner.kind && groupOf(apiVersion) === owner.group && (!controllerOnly || controller === true),
    )
    .map(({ name }) => (owner.namespaced && namespace !== undefined ? `${namespace}/${name}` : name));
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
