import type { ResourceName } from '../resource.js';
import type { WatchHealth } from './watch-health.js';

/** What has to be there for a watch to succeed, in a form that can be copied into a manifest where that is possible. */
export function missingForWatch(
  resource: ResourceName,
  namespace: string | undefined,
  health: Pick<WatchHealth, 'state' | 'cause' | 'lastStatus'>,
): string {
  const { state, cause, lastStatus } = health;
  if (state === 'kind-gone') return `CustomResourceDefinition ${crdName(resource)}`;
  if (cause === undefined) return lastStatus === undefined ? 'an answer of the server' : 'the rest of the first list';
  if (cause.status === 401) return 'credentials that the server accepts';
  if (cause.status === 403) return rbacRule(resource, namespace);
  return cause.message;
}

function crdName({ group, plural }: ResourceName): string {
  return group === undefined || group === '' ? plural : `${plural}.${group}`;
}

function rbacRule({ group, plural }: ResourceName, namespace: string | undefined): string {
  const where = namespace === undefined ? 'a ClusterRole' : `a Role in namespace ${namespace}`;
  return `rule { apiGroups: ["${group ?? ''}"], resources: ["${plural}"], verbs: ["list", "watch"] } in ${where}`;
}
