import { randomBytes } from 'node:crypto';
import type { PolicyRule } from '@nestjs-operator/testing/control-plane';
import type { KubeConfigSource, ResourceRef, StoredObject } from 'nestjs-operator';
import { sharedControlPlane } from '../cluster/control-plane.js';
import { createEmbeddedWorld } from './embedded-world.js';
import { createRealWorld } from './real-world.js';
import { namespaces } from './kinds.js';
import type { World } from './world.js';

/** A world in which one account is given rights, and loses them, while an operator runs under it. */
export interface GrantingWorld extends World {
  /** Another namespace. */
  readonly second: string;
  /** Of the account. */
  readonly kubeConfig: KubeConfigSource;
  /** From now on the account may do this in the namespace, and nothing else. */
  grant(namespace: string, rules: readonly PolicyRule[]): Promise<void>;
}

const apiGroup = 'rbac.authorization.k8s.io';
const roles: ResourceRef<StoredObject> = { apiVersion: `${apiGroup}/v1`, kind: 'Role' };
const bindings: ResourceRef<StoredObject> = { apiVersion: `${apiGroup}/v1`, kind: 'RoleBinding' };
const name = 'granted';

async function granting(world: World, subject: object, kubeConfig: KubeConfigSource): Promise<GrantingWorld> {
  const { admin } = world;
  const second = `second-${randomBytes(4).toString('hex')}`;
  await admin.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: second } });
  for (const namespace of [world.namespace, second]) {
    const metadata = { name, namespace };
    await admin.create(roles, { metadata, rules: [] } as never);
    await admin.create(bindings, { metadata, roleRef: { apiGroup, kind: 'Role', name }, subjects: [subject] } as never);
  }
  return {
    ...world,
    second,
    kubeConfig,
    async grant(namespace, rules) {
      await admin.patch(roles, { name, namespace }, { rules });
    },
    async close() {
      await admin.delete(namespaces, { name: second });
      await world.close();
    },
  };
}

export async function createEmbeddedGrantingWorld(): Promise<GrantingWorld> {
  const users = [
    { name: 'admin', token: 'token-of-admin', groups: ['system:masters'] },
    { name: 'operator', token: 'token-of-operator' },
  ];
  const world = await createEmbeddedWorld({ users, authorization: 'rbac' });
  return granting(world, { apiGroup, kind: 'User', name: 'operator' }, world.stage.api.kubeConfig('operator'));
}

export async function createRealGrantingWorld(): Promise<GrantingWorld> {
  const world = await createRealWorld();
  const { kubeConfig } = await sharedControlPlane().account({ name: 'operator', namespace: world.namespace });
  return granting(world, { kind: 'ServiceAccount', name: 'operator', namespace: world.namespace }, kubeConfig);
}
