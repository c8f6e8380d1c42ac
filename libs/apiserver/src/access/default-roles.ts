import type { KubeObject } from '../json.js';
import { aggregatedRules } from './aggregated-rules.js';
import { rbacGroup } from './rbac-authorizer.js';
import type { PolicyRule } from './policy-rule.js';

const read = 'get list watch';
const write = 'create delete deletecollection patch update';

/** A rule from its verbs, a group (`-` for the core group; several by comma) and its resources, all by spaces. */
const rule = (verbs: string, groups: string, resources: string): PolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups: groups.split(',').map((group) => (group === '-' ? '' : group)),
  resources: resources.split(' '),
});

const paths = (verbs: string, urls: string): PolicyRule => ({
  verbs: verbs.split(' '),
  nonResourceURLs: urls.split(' '),
});

const everybodyPaths = '/healthz /livez /readyz /version /version/';

const viewRules = [
  rule(
    read,
    '-',
    'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
  ),
  rule(
    read,
    '-',
    'bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
  ),
  rule(read, '-', 'namespaces'),
  rule(read, '-,events.k8s.io', 'events'),
  rule(read, 'discovery.k8s.io', 'endpointslices'),
  rule(
    read,
    'apps',
    'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
  ),
  rule(read, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
  rule(read, 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
  rule(
    read,
    'extensions',
    'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
  ),
  rule(read, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
  rule(read, 'networking.k8s.io', 'ingresses ingresses/status networkpolicies'),
  rule(read, 'resource.k8s.io', 'resourceclaims resourceclaims/status resourceclaimtemplates'),
];

const editRules = [
  rule(read, '-', 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
  rule('impersonate', '-', 'serviceaccounts'),
  rule(write, '-', 'pods pods/attach pods/exec pods/portforward pods/proxy'),
  rule('create', '-', 'pods/eviction'),
  rule(
    write,
    '-',
    'configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
  ),
  rule('create', '-', 'serviceaccounts/token'),
  rule(write, '-,events.k8s.io', 'events'),
  rule(
    write,
    'apps',
    'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
  ),
  rule(write, 'autoscaling', 'horizontalpodautoscalers'),
  rule(write, 'batch', 'cronjobs jobs'),
  rule(
    write,
    'extensions',
    'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
  ),
  rule(write, 'policy', 'poddisruptionbudgets'),
  rule(write, 'networking.k8s.io', 'ingresses networkpolicies'),
  rule('create delete deletecollection get list patch update watch', 'coordination.k8s.io', 'leases'),
  rule(write, 'resource.k8s.io', 'resourceclaims resourceclaimtemplates'),
];

const adminRules = [
  rule('create', 'authorization.k8s.io', 'localsubjectaccessreviews'),
  rule('create delete deletecollection get list patch update watch', rbacGroup, 'rolebindings roles'),
];

interface DefaultRole {
  readonly name: string;
  /** Undefined where the role collects those of others. */
  readonly rules?: readonly PolicyRule[];
  /** Names the role that takes this one in. */
  readonly into?: string;
  /** Groups that have it. */
  readonly groups?: readonly string[];
}

const roles: readonly DefaultRole[] = [
  { name: 'cluster-admin', rules: [rule('*', '*', '*'), paths('*', '*')], groups: ['system:masters'] },
  { name: 'admin' },
  { name: 'edit', into: 'admin' },
  { name: 'view', into: 'edit' },
  { name: 'system:aggregate-to-admin', into: 'admin', rules: adminRules },
  { name: 'system:aggregate-to-edit', into: 'edit', rules: editRules },
  { name: 'system:aggregate-to-view', into: 'view', rules: viewRules },
  {
    name: 'system:auth-delegator',
    rules: [
      rule('create', 'authentication.k8s.io', 'tokenreviews'),
      rule('create', 'authorization.k8s.io', 'subjectaccessreviews'),
    ],
  },
  {
    name: 'system:basic-user',
    rules: [
      rule('create', 'authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
      rule('create', 'authentication.k8s.io', 'selfsubjectreviews'),
    ],
    groups: ['system:authenticated'],
  },
  {
    name: 'system:discovery',
    rules: [paths('get', '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/')],
    groups: ['system:authenticated'],
  },
  {
    name: 'system:monitoring',
    rules: [
      paths('get', '/flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz'),
      rule('get', '-', 'nodes/metrics'),
    ],
    groups: ['system:monitoring'],
  },
  {
    name: 'system:public-info-viewer',
    rules: [paths('get', everybodyPaths)],
    groups: ['system:authenticated', 'system:unauthenticated'],
  },
];

const apiVersion = `${rbacGroup}/v1`;

/** Label by which a role is taken into another one. */
const aggregationLabel = (into: string): string => `${rbacGroup}/aggregate-to-${into}`;

/**
 * The ClusterRoles that every cluster has and that are of use to its users, and their bindings. Those of the control
 * plane's own parts are left out, as these parts are not there.
 */
export function defaultRoles(): KubeObject[] {
  const all = roles.map(roleObject);
  // What a role takes in may take in others itself; they stand before it in the table, the last one first.
  for (const role of all.toReversed()) {
    const rules = aggregatedRules(role, all);
    if (rules !== undefined) role['rules'] = rules;
  }
  return [...all, ...roles.filter(({ groups }) => groups !== undefined).map(bindingObject)];
}

const metadataOf = (name: string): KubeObject['metadata'] => ({
  name,
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
});

function roleObject({ name, rules, into }: DefaultRole): KubeObject {
  const metadata = metadataOf(name);
  if (into !== undefined) metadata.labels![aggregationLabel(into)] = 'true';
  const object: KubeObject = { apiVersion, kind: 'ClusterRole', metadata };
  if (rules !== undefined) return { ...object, rules };
  return {
    ...object,
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregationLabel(name)]: 'true' } }] },
  };
}

const bindingObject = ({ name, groups = [] }: DefaultRole): KubeObject => ({
  apiVersion,
  kind: 'ClusterRoleBinding',
  metadata: metadataOf(name),
  subjects: groups.map((group) => ({ kind: 'Group', apiGroup: rbacGroup, name: group })),
  roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name },
});
