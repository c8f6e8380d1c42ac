import { isObject, type JsonObject, type KubeObject } from '../json.js';
import { prepareDefinition } from '../custom/prepare-definition.js';
import { builtinSchema } from '../schemas/builtin-schemas.js';
import { bindingCauses, prepareBinding, roleCauses } from '../access/role-validation.js';
import { reviewRows } from '../reviews/review-types.js';
import { webhookConfigurationRows } from '../webhooks/configuration-rows.js';
import { configMapCauses, secretCauses } from './data-validation.js';
import { coreEvent, eventsEvent, prepareEvent } from './event-conversion.js';
import { coreEventCauses, newerEventCauses } from './event-validation.js';
import { leaseCauses, prepareLease } from './lease-validation.js';
import { storageOf, type ResourceType } from './resource-type.js';
import { ageColumn, nameColumn, pathColumn } from './table-columns.js';

const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;

interface Row {
  group?: string;
  version?: string;
  plural: string;
  kind: string;
  singular?: string;
  cluster?: boolean;
  short?: string[];
  categories?: string[];
  status?: boolean;
  scale?: boolean;
  generation?: boolean;
  createOnUpdate?: boolean;
  conditional?: boolean;
  deleteReturnsObject?: boolean;
  fields?: Record<string, string[]>;
  /** What field selectors take for absent fields. */
  absent?: Record<string, string>;
  deprecation?: string;
  columns?: [name: string, path: string][];
  noAge?: boolean;
  /** The name stands last, and is shown in wide tables only. */
  nameLast?: boolean;
  nameRule?: ResourceType['nameRule'];
  storage?: string;
  verbs?: readonly string[];
  virtual?: boolean;
  prepare?: NonNullable<ResourceType['prepare']>;
  causes?: NonNullable<ResourceType['causes']>;
  invalidAs?: NonNullable<ResourceType['invalidAs']>;
  fromStorage?: NonNullable<ResourceType['fromStorage']>;
  toStorage?: NonNullable<ResourceType['toStorage']>;
}

const involved = (root: string): Record<string, string[]> =>
  Object.fromEntries(
    ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((part) => [
      `${root}.${part}`,
      ['involvedObject', part],
    ]),
  );

const apps = { group: 'apps', version: 'v1', status: true, generation: true, categories: ['all'] };
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', createOnUpdate: true, nameRule: 'path' as const };
const events = (lastSeen: string, message: string): Partial<Row> => ({
  storage: storageOf('', 'events'),
  createOnUpdate: true,
  invalidAs: { group: '', kind: 'Event' },
  columns: [
    ['Last Seen', `age:${lastSeen}`],
    ['Type', '.type'],
    ['Reason', '.reason'],
    ['Object', 'event:'],
    ['Message', message],
  ],
  noAge: true,
  nameLast: true,
});

const rows: readonly Row[] = [
  {
    plural: 'namespaces',
    kind: 'Namespace',
    cluster: true,
    short: ['ns'],
    status: true,
    deleteReturnsObject: true,
    nameRule: 'label',
    fields: { 'status.phase': ['status', 'phase'] },
    columns: [['Status', '.status.phase']],
    verbs: allVerbs.filter((verb) => verb !== 'deletecollection'),
    prepare: prepareNamespace,
  },
  { plural: 'configmaps', kind: 'ConfigMap', short: ['cm'], prepare: dropEmptyData, causes: configMapCauses },
  {
    plural: 'secrets',
    kind: 'Secret',
    fields: { type: ['type'] },
    columns: [['Type', '.type']],
    prepare: prepareSecret,
    causes: secretCauses,
  },
  {
    plural: 'services',
    kind: 'Service',
    short: ['svc'],
    createOnUpdate: true,
    categories: ['all'],
    status: true,
    deleteReturnsObject: true,
    nameRule: 'label',
    fields: { 'spec.clusterIP': ['spec', 'clusterIP'], 'spec.type': ['spec', 'type'] },
    absent: { 'spec.type': 'ClusterIP' },
    columns: [['Type', '.spec.type']],
  },
  { plural: 'serviceaccounts', kind: 'ServiceAccount', short: ['sa'], deleteReturnsObject: true },
  {
    plural: 'pods',
    kind: 'Pod',
    short: ['po'],
    categories: ['all'],
    status: true,
    generation: true,
    deleteReturnsObject: true,
    fields: {
      'spec.nodeName': ['spec', 'nodeName'],
      'spec.restartPolicy': ['spec', 'restartPolicy'],
      'spec.schedulerName': ['spec', 'schedulerName'],
      'spec.serviceAccountName': ['spec', 'serviceAccountName'],
      'spec.hostNetwork': ['spec', 'hostNetwork'],
      'status.phase': ['status', 'phase'],
      'status.podIP': ['status', 'podIP'],
      // Is let through, and never has a value.
      'status.podIPs': ['status', 'podIPs', ''],
      'status.nominatedNodeName': ['status', 'nominatedNodeName'],
    },
    absent: {
      'spec.restartPolicy': 'Always',
      'spec.schedulerName': 'default-scheduler',
      'spec.hostNetwork': 'false',
      'status.phase': 'Pending',
    },
    columns: [['Status', '.status.phase']],
  },
  {
    plural: 'endpoints',
    kind: 'Endpoints',
    short: ['ep'],
    createOnUpdate: true,
    deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  },
  { plural: 'limitranges', kind: 'LimitRange', short: ['limits'] },
  {
    plural: 'replicationcontrollers',
    kind: 'ReplicationController',
    short: ['rc'],
    categories: ['all'],
    status: true,
    scale: true,
    generation: true,
    deleteReturnsObject: true,
    fields: { 'status.replicas': ['status', 'replicas'] },
    absent: { 'status.replicas': '0' },
  },
  { plural: 'resourcequotas', kind: 'ResourceQuota', short: ['quota'], status: true, deleteReturnsObject: true },
  {
    plural: 'nodes',
    kind: 'Node',
    cluster: true,
    short: ['no'],
    status: true,
    fields: { 'spec.unschedulable': ['spec', 'unschedulable'] },
    absent: { 'spec.unschedulable': 'false' },
  },
  {
    plural: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    short: ['pvc'],
    status: true,
    deleteReturnsObject: true,
    columns: [
      ['Status', '.status.phase'],
      ['Capacity', '.spec.resources.requests.storage'],
      ['StorageClass', '.spec.storageClassName'],
    ],
    prepare: prepareClaim,
  },
  {
    plural: 'persistentvolumes',
    kind: 'PersistentVolume',
    cluster: true,
    short: ['pv'],
    status: true,
    deleteReturnsObject: true,
    columns: [
      ['Status', '.status.phase'],
      ['Capacity', '.spec.capacity.storage'],
    ],
  },
  {
    plural: 'events',
    kind: 'Event',
    short: ['ev'],
    ...events('.lastTimestamp', '.message'),
    fields: {
      ...involved('involvedObject'),
      reason: ['reason'],
      reportingComponent: ['reportingComponent'],
      source: ['source', 'component'],
      type: ['type'],
    },
    prepare: prepareEvent,
    causes: coreEventCauses,
  },
  {
    group: 'events.k8s.io',
    plural: 'events',
    kind: 'Event',
    short: ['ev'],
    ...events('.deprecatedLastTimestamp', '.note'),
    fields: {
      ...involved('regarding'),
      reason: ['reason'],
      reportingController: ['reportingComponent'],
      type: ['type'],
    },
    causes: newerEventCauses,
    fromStorage: eventsEvent,
    toStorage: coreEvent,
  },
  {
    group: 'coordination.k8s.io',
    plural: 'leases',
    kind: 'Lease',
    createOnUpdate: true,
    conditional: true,
    columns: [['Holder', '.spec.holderIdentity']],
    prepare: prepareLease,
    causes: leaseCauses,
  },
  { group: 'discovery.k8s.io', plural: 'endpointslices', kind: 'EndpointSlice', generation: true },
  { ...apps, plural: 'deployments', kind: 'Deployment', short: ['deploy'], scale: true },
  { ...apps, plural: 'replicasets', kind: 'ReplicaSet', short: ['rs'], scale: true },
  { ...apps, plural: 'statefulsets', kind: 'StatefulSet', short: ['sts'], scale: true },
  { ...apps, plural: 'daemonsets', kind: 'DaemonSet', short: ['ds'] },
  { group: 'apps', plural: 'controllerrevisions', kind: 'ControllerRevision' },
  {
    group: 'batch',
    plural: 'jobs',
    kind: 'Job',
    status: true,
    generation: true,
    categories: ['all'],
    fields: { 'status.successful': ['status', 'succeeded'] },
    absent: { 'status.successful': '0' },
  },
  {
    group: 'batch',
    plural: 'cronjobs',
    kind: 'CronJob',
    short: ['cj'],
    status: true,
    generation: true,
    categories: ['all'],
  },
  {
    group: 'networking.k8s.io',
    plural: 'ingresses',
    kind: 'Ingress',
    singular: 'ingress',
    short: ['ing'],
    status: true,
    generation: true,
  },
  {
    group: 'networking.k8s.io',
    plural: 'ingressclasses',
    kind: 'IngressClass',
    singular: 'ingressclass',
    cluster: true,
    generation: true,
  },
  {
    group: 'networking.k8s.io',
    plural: 'networkpolicies',
    kind: 'NetworkPolicy',
    singular: 'networkpolicy',
    short: ['netpol'],
    generation: true,
  },
  {
    group: 'policy',
    plural: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    short: ['pdb'],
    status: true,
    generation: true,
    conditional: true,
  },
  { ...rbac, plural: 'roles', kind: 'Role', causes: roleCauses },
  { ...rbac, plural: 'rolebindings', kind: 'RoleBinding', prepare: prepareBinding, causes: bindingCauses },
  { ...rbac, plural: 'clusterroles', kind: 'ClusterRole', cluster: true, causes: roleCauses },
  {
    ...rbac,
    plural: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    cluster: true,
    prepare: prepareBinding,
    causes: bindingCauses,
  },
  {
    group: 'autoscaling',
    version: 'v2',
    plural: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    short: ['hpa'],
    categories: ['all'],
    status: true,
  },
  {
    group: 'storage.k8s.io',
    plural: 'storageclasses',
    kind: 'StorageClass',
    singular: 'storageclass',
    short: ['sc'],
    cluster: true,
  },
  {
    group: 'scheduling.k8s.io',
    plural: 'priorityclasses',
    kind: 'PriorityClass',
    singular: 'priorityclass',
    short: ['pc'],
    cluster: true,
    generation: true,
  },
  {
    group: 'apiextensions.k8s.io',
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    cluster: true,
    short: ['crd', 'crds'],
    categories: ['api-extensions'],
    status: true,
    generation: true,
    conditional: true,
    prepare: prepareDefinition,
    columns: [['Created At', '.metadata.creationTimestamp']],
    noAge: true,
  },
  ...reviewRows,
  ...webhookConfigurationRows,
];

function prepareNamespace(object: KubeObject, previous: KubeObject | undefined): void {
  const name = object.metadata.name;
  if (name !== undefined) {
    object.metadata.labels = { ...object.metadata.labels, 'kubernetes.io/metadata.name': name };
  }
  if (previous === undefined) {
    object['spec'] = { finalizers: ['kubernetes'] };
    object['status'] = { phase: 'Active' };
  } else {
    // Only /finalize changes them.
    object['spec'] = { ...(isObject(object['spec']) ? object['spec'] : {}), ...finalizersOf(previous) };
  }
}

const finalizersOf = (namespace: KubeObject): JsonObject => {
  const spec = namespace['spec'];
  return isObject(spec) && spec['finalizers'] !== undefined ? { finalizers: spec['finalizers'] } : {};
};

function dropEmptyData(object: KubeObject): void {
  for (const field of ['data', 'binaryData']) {
    const value = object[field];
    if (value === null || (isObject(value) && Object.keys(value).length === 0)) delete object[field];
  }
}

function prepareSecret(object: KubeObject): void {
  const plain = object['stringData'];
  if (isObject(plain)) {
    const data: JsonObject = { ...(isObject(object['data']) ? object['data'] : {}) };
    for (const [key, value] of Object.entries(plain)) data[key] = Buffer.from(String(value)).toString('base64');
    object['data'] = data;
  }
  delete object['stringData'];
  dropEmptyData(object);
  object['type'] ??= 'Opaque';
}

function prepareClaim(object: KubeObject, previous: KubeObject | undefined): void {
  if (previous === undefined) object['status'] = { phase: 'Pending' };
  if (isObject(object['spec'])) object['spec']['volumeMode'] ??= 'Filesystem';
}

/** All built-in resources, one entry per group and version. */
export const builtinResources: readonly ResourceType[] = rows.map((row) => {
  const group = row.group ?? '';
  const version = row.version ?? 'v1';
  return {
    group,
    version,
    get schema() {
      return builtinSchema(group, version, row.kind);
    },
    plural: row.plural,
    singular: row.singular ?? row.kind.toLowerCase(),
    kind: row.kind,
    listKind: `${row.kind}List`,
    namespaced: row.cluster !== true,
    shortNames: row.short ?? [],
    categories: row.categories ?? [],
    storage: row.storage ?? storageOf(group, row.plural),
    status: row.status ?? false,
    scale: row.scale ?? false,
    generation: row.generation ?? false,
    createOnUpdate: row.createOnUpdate ?? false,
    unconditionalUpdate: row.conditional !== true,
    deleteReturnsObject: row.deleteReturnsObject ?? false,
    verbs: row.verbs ?? allVerbs,
    fields: row.fields ?? {},
    ...(row.deprecation === undefined ? {} : { deprecation: row.deprecation }),
    ...(row.absent === undefined ? {} : { absentFields: row.absent }),
    columns: [
      ...(row.nameLast === true ? [] : [nameColumn]),
      ...(row.columns ?? []).map(([name, path]) => pathColumn(name, path)),
      ...(row.noAge === true ? [] : [ageColumn]),
      ...(row.nameLast === true ? [{ ...nameColumn, priority: 1 }] : []),
    ],
    ...(row.virtual === true ? { virtual: true as const } : {}),
    nameRule: row.nameRule ?? 'subdomain',
    ...(row.prepare === undefined ? {} : { prepare: row.prepare }),
    ...(row.causes === undefined ? {} : { causes: row.causes }),
    ...(row.invalidAs === undefined ? {} : { invalidAs: row.invalidAs }),
    ...(row.fromStorage === undefined ? {} : { fromStorage: row.fromStorage }),
    ...(row.toStorage === undefined ? {} : { toStorage: row.toStorage }),
  };
});
