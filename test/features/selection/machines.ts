import type { KubeClient, ResourceRef, StoredObject } from 'nestjs-operator';
import { ApiError } from 'nestjs-operator';
import type { World } from '../../support/world.js';

export const GROUP = 'select.example';

const definitionsResource: ResourceRef<StoredObject> = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
};

export interface Machine {
  readonly plural: string;
  readonly kind: string;
  readonly shortNames?: readonly string[];
  readonly scope?: 'Namespaced' | 'Cluster';
  /** In order of creation; the server prefers stable ones. */
  readonly versions?: readonly string[];
}

export const gears: Machine = { plural: 'gears', kind: 'Gear', shortNames: ['gr'], versions: ['v1beta1', 'v1'] };
export const levers: Machine = { plural: 'levers', kind: 'Lever' };

/** A definition in the category `machinery`. */
export function machineDefinition({ plural, kind, shortNames = [], scope = 'Namespaced', versions = ['v1'] }: Machine) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope,
      names: { plural, kind, singular: kind.toLowerCase(), shortNames, categories: ['machinery'] },
      versions: versions.map((name, index) => machineVersion(name, index === versions.length - 1)),
    },
  };
}

export function machineVersion(name: string, storage: boolean) {
  return {
    name,
    served: true,
    storage,
    subresources: { status: {} },
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  };
}

export async function define(world: World, machine: Machine): Promise<void> {
  await world.admin.create(definitionsResource, machineDefinition(machine));
}

/** Resolves when the definition is gone. */
export async function undefine(world: World, { plural }: Machine): Promise<void> {
  const ref = { name: `${plural}.${GROUP}` };
  await world.admin.delete(definitionsResource, ref);
  await world.until(async () => {
    try {
      await world.admin.get(definitionsResource, ref);
      return false;
    } catch (error) {
      if (error instanceof ApiError && error.isNotFound) return true;
      throw error;
    }
  });
}

export function changeDefinition(admin: KubeClient, { plural }: Machine, patch: object): Promise<unknown> {
  return admin.patch(definitionsResource, { name: `${plural}.${GROUP}` }, patch);
}

/** Creates an object, once the server has come to serve it. */
export async function build(world: World, machine: Machine, name: string, version = 'v1'): Promise<void> {
  const apiVersion = `${GROUP}/${version}`;
  const namespace = machine.scope === 'Cluster' ? {} : { namespace: world.namespace };
  await world.until(async () => {
    try {
      // Given whole: what the client has found out of a kind may be out of date.
      const resource = { group: GROUP, version, plural: machine.plural, namespaced: machine.scope !== 'Cluster' };
      const object = { apiVersion, kind: machine.kind, metadata: { name, ...namespace }, spec: {} };
      await world.admin.create<StoredObject>(resource, object);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.isAlreadyExists) return true;
      return false;
    }
  });
}
