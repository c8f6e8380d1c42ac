import { randomUUID } from 'node:crypto';
import { ServerProcess, type ServerContext } from './server-process.js';
import type { ApiRequester } from './api-requester.js';

/** Starts kube-controller-manager with the garbage collector and the namespace controller, and sees both at work. */
export async function startControllerManager(
  options: { command: string; kubeconfig: string; api: ApiRequester },
  context: ServerContext,
): Promise<ServerProcess> {
  const server = new ServerProcess(
    options.command,
    [
      `--kubeconfig=${options.kubeconfig}`,
      '--controllers=garbage-collector-controller,namespace-controller',
      '--leader-elect=false',
      '--secure-port=0',
      '--use-service-account-credentials=false',
      '--kube-api-qps=5000',
      '--kube-api-burst=5000',
    ],
    context,
  );
  try {
    const probes = await createProbes(options.api, context.signal);
    await server.untilReady(() => firstProbeLeft(options.api, probes, context.signal));
  } catch (error) {
    await server.kill();
    throw error;
  }
  return server;
}

interface Probe {
  readonly path: string;
  readonly controller: string;
}

/** Without a port it has no health endpoint: a dependent without owner and a namespace that go away prove more. */
async function createProbes(api: ApiRequester, signal: AbortSignal | undefined): Promise<readonly Probe[]> {
  const name = `control-plane-probe-${randomUUID()}`;
  const namespace = `/api/v1/namespaces/${name}`;
  await api.request('POST', '/api/v1/namespaces', { body: { metadata: { name } }, signal });
  await api.request('DELETE', namespace, { signal });
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid: randomUUID() }];
  const configMaps = '/api/v1/namespaces/default/configmaps';
  await api.request('POST', configMaps, { body: { metadata: { name, ownerReferences } }, signal });
  return [
    { path: namespace, controller: 'the namespace controller' },
    { path: `${configMaps}/${name}`, controller: 'the garbage collector' },
  ];
}

async function firstProbeLeft(
  api: ApiRequester,
  probes: readonly Probe[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  for (const { path, controller } of probes) {
    const { status } = await api.request('GET', path, { signal, accept: [404] });
    if (status !== 404) return `${controller} has not removed its probe yet`;
  }
  return undefined;
}
