import type { ApiUser } from '@nestjs-operator/apiserver';
import type { PolicyRule } from '@nestjs-operator/testing/control-plane';
import type { KubeConfigSource } from 'nestjs-operator';
import { sharedControlPlane } from '../cluster/control-plane.js';
import { createEmbeddedWorld } from './embedded-world.js';
import { createRealWorld } from './real-world.js';
import type { World } from './world.js';

/** A world that hands out accounts with few rights. */
export interface AccountWorld extends World {
  /** An account that may do in this world's namespace what these rules say, and discover, but nothing else. */
  account(rules: readonly PolicyRule[]): Promise<KubeConfigSource>;
}

export async function createRealAccountWorld(): Promise<AccountWorld> {
  const world = await createRealWorld();
  let made = 0;
  return {
    ...world,
    async account(rules) {
      made += 1;
      const request = { name: `operator-${made}`, namespace: world.namespace, rules };
      return (await sharedControlPlane().account(request)).kubeConfig;
    },
  };
}

/** The embedded server knows accounts but no rules of rights: its answers to what is not allowed are faults. */
export async function createEmbeddedAccountWorld(): Promise<AccountWorld> {
  const administrator: ApiUser = { name: 'admin', token: 'token-of-admin', groups: ['system:masters'] };
  const accounts = Array.from({ length: 8 }, (_, index) => ({ name: `operator-${index}`, token: `token-${index}` }));
  const world = await createEmbeddedWorld({ users: [administrator, ...accounts] });
  const { api } = world.stage;
  return {
    ...world,
    account(rules) {
      const account = accounts.shift();
      if (account === undefined) throw new Error('The embedded world has no account left.');
      api.faults.add({
        match: {
          user: account.name,
          where: ({ verb, group = '', resource, subresource, namespace }) => {
            if (resource === undefined || verb === undefined) return false;
            const what = subresource === undefined || subresource === '' ? resource : `${resource}/${subresource}`;
            const allowed = rules.some(
              (rule) => rule.verbs.includes(verb) && rule.apiGroups?.includes(group) && rule.resources?.includes(what),
            );
            return !(allowed && namespace === world.namespace);
          },
        },
        do: { action: 'answer', status: 403, reason: 'Forbidden', message: `${account.name} must not do that` },
      });
      return Promise.resolve(api.kubeConfig(account.name));
    },
  };
}
