import type { KubeObject } from '../../json.js';
import { bindingCauses, prepareBinding, roleCauses } from '../../access/role-validation.js';
import { completeDefinition, prepareDefinition, prepareDefinitionStatus } from '../../custom/prepare-definition.js';
import { createdColumn, nameColumn } from '../columns/cells.js';
import {
  autoscalerColumns,
  bindingColumns,
  disruptionBudgetColumns,
  endpointSliceColumns,
  ingressClassColumns,
  ingressColumns,
  leaseColumns,
  networkPolicyColumns,
  priorityClassColumns,
  storageClassColumns,
} from '../columns/group-columns.js';
import { leaseCauses, prepareLease } from '../lease-validation.js';
import type { ResourceRow } from '../resource-row.js';

const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', createOnUpdate: true, nameRule: 'path' as const };

/** A slice is another one with other labels. */
const sliceContent = ({ metadata, endpoints, ports, addressType }: KubeObject): unknown => [
  metadata.labels,
  endpoints,
  ports,
  addressType,
];

/** Groups beside the core, without workloads and events. */
export const groupRows: readonly ResourceRow[] = [
  {
    group: 'coordination.k8s.io',
    plural: 'leases',
    kind: 'Lease',
    columns: leaseColumns,
    createOnUpdate: true,
    conditional: true,
    prepare: prepareLease,
    causes: leaseCauses,
  },
  {
    group: 'discovery.k8s.io',
    plural: 'endpointslices',
    kind: 'EndpointSlice',
    columns: endpointSliceColumns,
    generationOf: sliceContent,
    generation: true,
  },
  {
    group: 'networking.k8s.io',
    plural: 'ingresses',
    kind: 'Ingress',
    columns: ingressColumns,
    singular: 'ingress',
    short: ['ing'],
    status: true,
    generation: true,
  },
  {
    group: 'networking.k8s.io',
    plural: 'ingressclasses',
    kind: 'IngressClass',
    columns: ingressClassColumns,
    singular: 'ingressclass',
    cluster: true,
    generation: true,
  },
  {
    group: 'networking.k8s.io',
    plural: 'networkpolicies',
    kind: 'NetworkPolicy',
    columns: networkPolicyColumns,
    singular: 'networkpolicy',
    short: ['netpol'],
    generation: true,
  },
  {
    group: 'policy',
    plural: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    columns: disruptionBudgetColumns,
    short: ['pdb'],
    status: true,
    generation: true,
    conditional: true,
  },
  { ...rbac, plural: 'roles', kind: 'Role', columns: [nameColumn, createdColumn], causes: roleCauses },
  {
    ...rbac,
    plural: 'rolebindings',
    kind: 'RoleBinding',
    columns: bindingColumns,
    defaults: prepareBinding,
    causes: bindingCauses,
  },
  {
    ...rbac,
    plural: 'clusterroles',
    kind: 'ClusterRole',
    columns: [nameColumn, createdColumn],
    cluster: true,
    causes: roleCauses,
  },
  {
    ...rbac,
    plural: 'clusterrolebindings',
    kind: 'ClusterRoleBinding',
    columns: bindingColumns,
    cluster: true,
    defaults: prepareBinding,
    causes: bindingCauses,
  },
  {
    group: 'autoscaling',
    version: 'v2',
    plural: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    columns: autoscalerColumns,
    short: ['hpa'],
    categories: ['all'],
    status: true,
  },
  {
    group: 'storage.k8s.io',
    plural: 'storageclasses',
    kind: 'StorageClass',
    columns: storageClassColumns,
    deleteReturnsObject: true,
    singular: 'storageclass',
    short: ['sc'],
    cluster: true,
  },
  {
    group: 'scheduling.k8s.io',
    plural: 'priorityclasses',
    kind: 'PriorityClass',
    columns: priorityClassColumns,
    singular: 'priorityclass',
    short: ['pc'],
    cluster: true,
    generation: true,
  },
  {
    group: 'apiextensions.k8s.io',
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    columns: [nameColumn, createdColumn],
    cluster: true,
    short: ['crd', 'crds'],
    categories: ['api-extensions'],
    status: true,
    generation: true,
    conditional: true,
    defaults: completeDefinition,
    prepare: prepareDefinition,
    prepareStatus: prepareDefinitionStatus,
  },
];
