import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { expect, it } from 'vitest';
import { server } from './support/fixtures.js';

it('is a kubeconfig that client-node takes, which speaks plain HTTP only where no proof is asked for', async () => {
  const api = await server();
  const config = new KubeConfig();
  config.loadFromString(JSON.stringify(api.kubeConfig()));
  const { items } = await config.makeApiClient(CoreV1Api).listNamespace();
  expect(items.map(({ metadata }) => metadata?.name)).toContain('default');
});
