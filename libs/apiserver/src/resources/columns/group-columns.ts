import { isObject, valueAt, type JsonObject, type KubeObject } from '../../json.js';
import type { TableColumn } from '../resource-type.js';
import {
  ageColumn,
  column,
  items,
  nameColumn,
  number,
  orNone,
  selectorText,
  some,
  text,
  texts,
  wide,
} from './cells.js';

export const leaseColumns: readonly TableColumn[] = [
  nameColumn,
  column('Holder', (object) => text(object, 'spec', 'holderIdentity')),
  ageColumn,
];

const orUnset = (value: string): string => (value === '' ? '<unset>' : value);

export const endpointSliceColumns: readonly TableColumn[] = [
  nameColumn,
  column('AddressType', (object) => text(object, 'addressType')),
  column('Ports', (object) =>
    orUnset(
      some(
        items(object, 'ports').map(({ port }) => (typeof port === 'number' ? String(port) : '*')),
        3,
      ),
    ),
  ),
  column('Endpoints', (object) =>
    orUnset(
      some(
        items(object, 'endpoints').flatMap((endpoint) => texts(endpoint, 'addresses')),
        3,
      ),
    ),
  ),
  ageColumn,
];

export const ingressColumns: readonly TableColumn[] = [
  nameColumn,
  column('Class', (object) => orNone(text(object, 'spec', 'ingressClassName'))),
  column('Hosts', (object) => {
    const hosts = items(object, 'spec', 'rules')
      .map((rule) => text(rule, 'host'))
      .filter((host) => host !== '');
    return some(hosts, 3) || '*';
  }),
  column('Address', (object) =>
    items(object, 'status', 'loadBalancer', 'ingress')
      .map((point) => text(point, 'ip') || text(point, 'hostname'))
      .join(','),
  ),
  column('Ports', (object) => (items(object, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
  ageColumn,
];

export const ingressClassColumns: readonly TableColumn[] = [
  nameColumn,
  column('Controller', (object) => text(object, 'spec', 'controller')),
  column('Parameters', (object) => {
    const parameters = valueAt(object, ['spec', 'parameters']);
    if (!isObject(parameters)) return '<none>';
    const group = text(parameters, 'apiGroup');
    return `${text(parameters, 'kind')}${group === '' ? '' : `.${group}`}/${text(parameters, 'name')}`;
  }),
  ageColumn,
];

export const networkPolicyColumns: readonly TableColumn[] = [
  nameColumn,
  column('Pod-Selector', (object) => selectorText(valueAt(object, ['spec', 'podSelector']))),
  ageColumn,
];

const limit = (object: KubeObject, field: string): string => {
  const value = valueAt(object, ['spec', field]);
  return value === undefined ? 'N/A' : String(value as number | string);
};

export const disruptionBudgetColumns: readonly TableColumn[] = [
  nameColumn,
  column('Min Available', (object) => limit(object, 'minAvailable')),
  column('Max Unavailable', (object) => limit(object, 'maxUnavailable')),
  column('Allowed Disruptions', (object) => number(object, 'status', 'disruptionsAllowed'), 'integer'),
  ageColumn,
];

const subjects = (binding: KubeObject, kind: string): JsonObject[] =>
  items(binding, 'subjects').filter((subject) => subject['kind'] === kind);

const subjectNames = (binding: KubeObject, kind: string): string =>
  subjects(binding, kind)
    .map((subject) => text(subject, 'name'))
    .join(', ');

export const bindingColumns: readonly TableColumn[] = [
  nameColumn,
  column('Role', (object) => `${text(object, 'roleRef', 'kind')}/${text(object, 'roleRef', 'name')}`),
  ageColumn,
  wide('Users', (object) => subjectNames(object, 'User')),
  wide('Groups', (object) => subjectNames(object, 'Group')),
  wide('ServiceAccounts', (object) =>
    subjects(object, 'ServiceAccount')
      .map((subject) => `${text(subject, 'namespace')}/${text(subject, 'name')}`)
      .join(', '),
  ),
];

const metricSources: Readonly<Record<string, string>> = {
  Resource: 'resource',
  ContainerResource: 'containerResource',
  Pods: 'pods',
  Object: 'object',
  External: 'external',
};

/** What a metric is now, and what it is to be. */
function targetText(spec: JsonObject, status: JsonObject | undefined): string {
  const type = text(spec, 'type');
  const member = metricSources[type] ?? '';
  const target = valueAt(spec, [member, 'target']);
  const current = valueAt(status, [member, 'current']);
  const now = (field: string): string => {
    const value = isObject(current) ? current[field] : undefined;
    return value === undefined ? '<unknown>' : String(value as number | string);
  };
  const wanted = (field: string): string | undefined => {
    const value = isObject(target) ? target[field] : undefined;
    return value === undefined ? undefined : String(value as number | string);
  };
  const average = wanted('averageValue');
  if (type === 'Resource' || type === 'ContainerResource') {
    const name = text(spec, member, 'name');
    if (average !== undefined) return `${name}: ${now('averageValue')}/${average}`;
    const share = wanted('averageUtilization');
    const used = now('averageUtilization');
    return `${name}: ${used === '<unknown>' ? used : `${used}%`}/${share === undefined ? '<auto>' : `${share}%`}`;
  }
  if (type === 'Pods') return `${now('averageValue')}/${average ?? ''}`;
  if (average !== undefined) return `${now('averageValue')}/${average} (avg)`;
  return `${now('value')}/${wanted('value') ?? ''}`;
}

function targets(scaler: KubeObject): string {
  const specs = items(scaler, 'spec', 'metrics');
  if (specs.length === 0) return '<none>';
  const current = items(scaler, 'status', 'currentMetrics');
  const all = specs.map((spec, index) => targetText(spec, current[index]));
  const shown = all.slice(0, 2).join(', ');
  return all.length > 2 ? `${shown} + ${all.length - 2} more...` : shown;
}

export const autoscalerColumns: readonly TableColumn[] = [
  nameColumn,
  column(
    'Reference',
    (object) => `${text(object, 'spec', 'scaleTargetRef', 'kind')}/${text(object, 'spec', 'scaleTargetRef', 'name')}`,
  ),
  column('Targets', targets),
  column('MinPods', (object) => {
    const least = valueAt(object, ['spec', 'minReplicas']);
    return least === undefined ? '<unset>' : String(least as number);
  }),
  column('MaxPods', (object) => number(object, 'spec', 'maxReplicas')),
  column('Replicas', (object) => number(object, 'status', 'currentReplicas')),
  ageColumn,
];

const defaultClass = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export const storageClassColumns: readonly TableColumn[] = [
  {
    ...nameColumn,
    cell: ({ metadata }) => {
      const isDefault = defaultClass.some((key) => metadata.annotations?.[key] === 'true');
      return `${metadata.name ?? ''}${isDefault ? ' (default)' : ''}`;
    },
  },
  column('Provisioner', (object) => text(object, 'provisioner')),
  column('ReclaimPolicy', (object) => text(object, 'reclaimPolicy') || 'Delete'),
  column('VolumeBindingMode', (object) => text(object, 'volumeBindingMode') || '<unset>'),
  column('AllowVolumeExpansion', (object) => object['allowVolumeExpansion'] === true),
  ageColumn,
];

export const priorityClassColumns: readonly TableColumn[] = [
  nameColumn,
  column('Value', (object) => number(object, 'value'), 'integer'),
  column('Global-Default', (object) => object['globalDefault'] === true, 'boolean'),
  ageColumn,
  column('PreemptionPolicy', (object) => text(object, 'preemptionPolicy') || 'PreemptLowerPriority'),
];
