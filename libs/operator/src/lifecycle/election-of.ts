import { hostname } from 'node:os';
import type { ClosableApiClient } from '../engine/client/create-api-client.js';
import type { ElectionConfig } from '../engine/leaderelection/election-config.js';
import type { OperatorConfig } from '../engine/operator-config.js';
import type { Random } from '../engine/ports/index.js';
import { InvalidOptionsError } from '../errors/invalid-options.error.js';

/**
 * The election that the operator stands in, now that its way to the cluster is known; `undefined`: none.
 *
 * @throws InvalidOptionsError when it is not known where the lease is to be
 */
export function electionOf(
  config: Pick<OperatorConfig, 'name' | 'leaderElection'>,
  client: Pick<ClosableApiClient, 'inCluster' | 'namespace'>,
  random: Random,
): ElectionConfig | undefined {
  const { enabled, namespace, name, identity, ...times } = config.leaderElection;
  if (!(enabled ?? client.inCluster)) return undefined;
  const home = namespace ?? client.namespace;
  if (home === undefined) {
    throw new InvalidOptionsError([
      "leaderElection.namespace is missing: neither a pod nor the kubeconfig's context says in which namespace the Lease is to be",
    ]);
  }
  return {
    ...times,
    namespace: home,
    name: name ?? config.name,
    identity: identity ?? `${hostname()}_${digits(random)}`,
  };
}

/** 48 bits: two that meet by chance would take each other for a process that was killed, and wait. */
function digits(random: Random): string {
  const draw = (): string =>
    Math.floor(random.next() * 2 ** 24)
      .toString(16)
      .padStart(6, '0');
  return draw() + draw();
}
